// Command compare measures the project beside its peers; ci/bench builds what it
// runs, and starts it in the root of the checkout.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// Files, from the root of the checkout.
const (
	targetsFile = "conformance/bench/targets.yaml"
	resultsFile = "build/bench/results.json"
	chartFolder = "conformance/bench"
	fullFile    = "conformance/bench/RESULTS.md"
	readmeFile  = "README.md"
)

type options struct {
	rounds int
	only   string
	write  bool
	smoke  bool
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 10, "how many rounds")
	flag.StringVar(&o.only, "only", "", "measure this group only")
	flag.BoolVar(&o.write, "write", false, "write the documents and charts, too")
	flag.BoolVar(&o.smoke, "smoke", false, "one tiny round")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "ci/bench:", err)
		os.Exit(1)
	}
}

func (o options) check() error {
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("takes no argument %q", flag.Arg(0))
	case o.rounds < 1:
		return fmt.Errorf("--rounds: %d is less than 1", o.rounds)
	case o.write && (o.only != "" || o.smoke || o.rounds < 10):
		return errors.New("--write: documents need all groups and at least 10 rounds")
	}
	return nil
}

func (o options) run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.check(); err != nil {
		return err
	}
	t, err := readTargets(targetsFile)
	if err == nil {
		t, err = t.only(o.only)
	}
	if err != nil {
		return err
	}
	s := stage{seconds: 0.1}
	if o.smoke {
		s, o.rounds = stage{seconds: 0.001, cases: []string{"retry-*"}}, 1
	}
	r, err := measureAll(ctx, s, t, o.rounds, os.Stderr)
	if err != nil {
		return err
	}
	r.Date, r.Machine = time.Now().UTC().Format(time.DateOnly), thisMachine()
	return o.show(r)
}

// show prints the table and writes the files that are asked for.
func (o options) show(r results) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, data, 0o644); err != nil {
		return err
	}
	if err := r.writeCharts(filepath.Dir(resultsFile)); err != nil {
		return err
	}
	if o.write {
		if err := r.writeDocuments(); err != nil {
			return err
		}
	}
	return r.writeText(os.Stdout)
}

func (r results) writeCharts(folder string) error {
	ratios := os.WriteFile(filepath.Join(folder, "results.svg"), []byte(r.ratioChart()), 0o644)
	growth := os.WriteFile(filepath.Join(folder, "growth.svg"), []byte(r.growthChart()), 0o644)
	return errors.Join(ratios, growth)
}

// writeDocuments writes what the README shows, which is the figures that have a
// target, and all of them beside the targets.
func (r results) writeDocuments() error {
	all := "# Results\n\nWritten by `ci/bench --write`, from [targets.yaml](targets.yaml).\n\n" +
		r.markdown(func(rowResult) bool { return true }) + charts("")
	return errors.Join(
		r.writeCharts(chartFolder),
		os.WriteFile(fullFile, []byte(all), 0o644),
		writeBetween(readmeFile, r.markdown(rowResult.hasTarget)+charts(chartFolder+"/")),
	)
}

func charts(folder string) string {
	return fmt.Sprintf("\n![Ratios and targets](%sresults.svg)\n\n![What W costs as one thing grows](%sgrowth.svg)\n", folder, folder)
}
