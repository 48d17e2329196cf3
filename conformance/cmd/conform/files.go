package main

import (
	"errors"
	"io"
	"os"

	"github.com/eventbroker/eventbroker/conformance/report"
)

// reportFiles are opened before the run, so that a path that cannot be written
// to is not found out at its end.
type reportFiles map[*os.File]func(io.Writer, report.Run) error

func (f *runFlags) open() (reportFiles, error) {
	if f.junit != "" && f.junit == f.json {
		return nil, errors.New("--junit and --json: one file cannot be both")
	}
	files := reportFiles{}
	for name, write := range map[string]func(io.Writer, report.Run) error{f.junit: report.JUnit, f.json: report.JSON} {
		if name == "" {
			continue
		}
		file, err := os.Create(name)
		if err != nil {
			return nil, err
		}
		files[file] = write
	}
	return files, nil
}

func (files reportFiles) write(run report.Run) error {
	var errs []error
	for file, write := range files {
		errs = append(errs, write(file, run), file.Close())
	}
	return errors.Join(errs...)
}
