package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/mutation"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

const mutateLong = `Make small faults in the brokers' Go source, one at a time, and have the corpus
alone look for each: the Go adapter is built with the fault in place and carries
out the cases of its system until one fails, by names and then by handles, where
the system has any. Where none does, the C adapter does so with the library,
built with the fault as well. What survives is a behaviour that
no case states, or a fault that cannot be seen from outside; those are listed,
each with its reason, in conformance/mutation/equivalent.yaml.

Before, the brokers as they are have to pass, and one that panics has to fail on
each surface.

It needs Go, gcc and the checkout, in which ci/conform has built the adapters.
All mutants of all systems take under twenty minutes on two cores.

Exit codes:

  0  every mutant was found, or is listed as equivalent
  1  one survived that is not listed, or a listed one was found
  2  usage
  3  the controls failed: nothing can be said`

type mutateFlags struct {
	systems []string
	sample  int
	seed    uint64
	jobs    int
	timeout time.Duration
	score   string
	verbose bool
}

// mutated are the packages that decide, by system.
var mutated = []struct{ system, folder string }{
	{"event", "broker/event"}, {"message", "broker/message"}, {"assign", "broker/assign"},
}

func mutateCommand() *cobra.Command {
	var f mutateFlags
	cmd := &cobra.Command{
		Use:     "mutate",
		Short:   "make faults in the source and see whether the cases find them",
		Long:    mutateLong,
		Example: "  conform mutate --system event\n  conform mutate --sample 20\n  conform mutate --score conformance/mutation/SCORE.md",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.systems, "system", nil, "the mutants of this system only, by `NAME`; may be repeated")
	flags.IntVar(&f.sample, "sample", 0, "so many mutants of each system, by chance; 0 is all")
	flags.Uint64Var(&f.seed, "seed", 0, "the `SEED` of the sample; 0 takes one by chance")
	flags.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "how many mutants are judged at once")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long a case may take")
	flags.StringVar(&f.score, "score", "", "write the figures and the survivors to this `FILE`, if every survivor is listed")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "a line for every mutant")
	return cmd
}

func (f *mutateFlags) check() error {
	known := func(name string) bool {
		return slices.ContainsFunc(mutated, func(m struct{ system, folder string }) bool { return m.system == name })
	}
	for _, name := range f.systems {
		if !known(name) {
			return fmt.Errorf("--system: there is no source of %q to mutate", name)
		}
	}
	switch {
	case f.sample < 0:
		return fmt.Errorf("--sample: %d is negative", f.sample)
	case f.jobs < 1:
		return fmt.Errorf("--jobs: %d is below 1", f.jobs)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout: %s is not above 0", f.timeout)
	}
	if f.score != "" && (f.sample > 0 || len(f.systems) > 0) {
		return errors.New("--score: the page is about all mutants of all systems: --sample and --system do not go with it")
	}
	return nil
}

func (f *mutateFlags) run(ctx context.Context, stdout io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	root := checkoutOfExecutable()
	equivalent, err := mutation.ReadEquivalents(filepath.Join(root, "conformance", "mutation", "equivalent.yaml"))
	if err != nil {
		return err
	}
	code := runner.ExitOK
	var scores []mutation.Score
	for _, m := range mutated {
		if len(f.systems) > 0 && !slices.Contains(f.systems, m.system) {
			continue
		}
		score, err := f.system(ctx, stdout, root, m.system, m.folder, equivalent)
		switch {
		case err != nil:
			return err
		case score == nil && code == runner.ExitOK:
			code = runner.ExitIncomplete
		case score == nil:
		case !score.Whole():
			code = runner.ExitFailed
			fallthrough
		default:
			scores = append(scores, *score)
		}
	}
	if f.score != "" && code == runner.ExitOK {
		return os.WriteFile(f.score, []byte(mutation.Page(scores, equivalent)), 0o644)
	}
	return exitWith(code)
}

// system judges the mutants of one system and says what came of it. There is no
// score where the controls failed.
func (f *mutateFlags) system(ctx context.Context, stdout io.Writer, root, system, folder string, equivalent mutation.Equivalents) (*mutation.Score, error) {
	judge, err := f.judge(root, system)
	if err != nil {
		return nil, err
	}
	mutants, err := mutation.Find(root, folder)
	if err != nil {
		return nil, err
	}
	if err := judge.Control(ctx, mutants, folder); err != nil {
		_, err = fmt.Fprintf(stdout, "%s: nothing can be said: %v\n", system, err)
		return nil, err
	}
	var results []mutation.Result
	err = judge.All(ctx, f.choose(stdout, mutants), func(r mutation.Result) {
		results = append(results, r)
		if f.verbose {
			fmt.Fprintf(stdout, "%-9s %s %s\n", r.Fate, r.Mutant, r.By)
		}
	})
	if err != nil {
		return nil, err
	}
	score := mutation.NewScore(system, results, equivalent)
	score.Text(stdout)
	return &score, nil
}

func (f *mutateFlags) judge(root, system string) (*mutation.Judge, error) {
	fsys, err := caseFiles("")
	if err != nil {
		return nil, err
	}
	all, err := corpus.Load(fsys)
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(all, func(c corpus.Case) bool { return c.System != system || len(c.Threads) > 0 })
	return &mutation.Judge{Root: root, Cases: own, Timeout: f.timeout, Jobs: f.jobs}, nil
}

// choose takes a sample where one was asked for.
func (f *mutateFlags) choose(stdout io.Writer, all []mutation.Mutant) []mutation.Mutant {
	if f.sample == 0 || f.sample >= len(all) {
		return all
	}
	seed := f.seed
	if seed == 0 {
		seed = uint64(rand.Uint32())
	}
	var chosen []mutation.Mutant
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:f.sample] {
		chosen = append(chosen, all[i])
	}
	fmt.Fprintf(stdout, "a sample of %d of %d: --seed %d gives the same\n", f.sample, len(all), seed)
	return chosen
}
