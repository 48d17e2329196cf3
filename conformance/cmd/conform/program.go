package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/program"
	"github.com/spf13/cobra"
)

const programLong = `Print the case as a program in one of the project's languages, its steps as
plain calls of the library: a handler's rules are a small function, and each
answer is printed beside what the case says of it. The program's first lines say
how it is built and run, in a checkout in which ci/conform has built the
library; it ends with 1 where an answer differs.

CASE is an id or system/id. A case that no such program can be is refused: one
about threads, or one that needs an argument that the language has no way to
make.

With lanes and pools a program in C calls no handlers: what cases ask of these
does not depend on it.`

func programCommand() *cobra.Command {
	var language, folder string
	cmd := &cobra.Command{
		Use:   "program CASE --language NAME",
		Short: "print a case as a program that makes its calls",
		Long:  programLong,
		Example: `  conform program retry-of-the-delivery-in-flight --language python >retry.py
  conform program mine-1 --language cpp --cases ./my-cases`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if language == "" {
				return fmt.Errorf("--language is needed: one of %s", strings.Join(program.Languages(), ", "))
			}
			c, err := caseNamed(folder, args[0])
			if err != nil {
				return err
			}
			text, err := program.Write(c, language)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().StringVar(&language, "language", "", "the `NAME` of the language: "+strings.Join(program.Languages(), ", "))
	cmd.Flags().StringVar(&folder, "cases", "", "take the case from this `FOLDER` instead of those built in")
	return cmd
}

// caseNamed is the only case that the pattern matches.
func caseNamed(folder, pattern string) (*corpus.Case, error) {
	fsys, err := caseFiles(folder)
	if err != nil {
		return nil, err
	}
	all, err := corpus.Load(fsys)
	if err != nil {
		return nil, err
	}
	selected, err := corpus.Select(all, []string{pattern})
	if err == nil && len(selected) != 1 {
		err = errors.New(pattern + " matches several cases: a program is of one")
	}
	if err != nil {
		return nil, err
	}
	return &selected[0], nil
}

// asProgram is the command that prints the case as a program, "" where there can
// be none on this surface.
func asProgram(surface, folder string, c *corpus.Case) string {
	if surface == "python-c" {
		surface = "python" // a program in Python uses the accelerator by itself
	}
	if _, err := program.Write(c, surface); err != nil {
		return ""
	}
	command := quote(os.Args[0]) + " program --language " + surface
	if folder != "" {
		command += " --cases " + quote(folder)
	}
	return command + " " + c.ID
}
