package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/spf13/cobra"
)

const fuzzLong = `Have random traces carried out on each surface and by the reference model, and
compare them step by step.

A trace is a broker of its own and 20 to 100 calls, drawn from the state of the
model: about two calls in three are right, the others wrong in one way, such as
a wrong owner, a stale offset, a number out of range by one, a malformed name,
null. Calls that a surface cannot say are left out there. Traces depend on the
seed alone and not on the surfaces; trace n of a system is the same with others
beside it or without.

A surface stops at its first trace that fails, crashes or times out. It is made
smaller, steps first and then arguments, for as long as it fails in the same way
with a new adapter, at most for the time of --shrink. What is left is shown with
what was expected and what came, and as a case that 'conform run' reproduces.
With --timeout 1s, say, a trace that times out is made smaller in less time.

--count is in steps, as drawn, the last trace being a whole one; with --for the
run ends when the time is up, or the count is reached where both are given. A
progress bar is drawn on a terminal; elsewhere there is a line a minute.

At the end there is, for each operation, how often each kind of answer came, and
those kinds that never did.

Exit codes; of several the first in the order 2, 4, 1, 3:

  0  no trace failed, and at least one was judged on every surface
  1  a trace failed, crashed or timed out
  2  usage
  3  nothing was judged on a surface
  4  an adapter could not be started or broke the protocol`

const fuzzExample = `  conform fuzz
  conform fuzz --for 5m
  conform fuzz --surface python --system pubsub --count 1000000 --seed 42
  conform fuzz --adapter mine='python3 my_adapter.py' --save ./found`

type fuzzFlags struct {
	targets targets
	systems []string
	seed    uint64
	count   int64
	within  time.Duration
	shrink  time.Duration
	save    string
}

// Without --count and --for, a run has so many steps.
const defaultCount = 100_000

func fuzzCommand() *cobra.Command {
	var f fuzzFlags
	cmd := &cobra.Command{
		Use:     "fuzz",
		Short:   "compare random traces with the reference model",
		Long:    fuzzLong,
		Example: fuzzExample,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	f.targets.add(flags)
	flags.StringArrayVar(&f.systems, "system", nil, "one of the systems, by `NAME`, instead of all; may be repeated")
	flags.Uint64Var(&f.seed, "seed", 0, "draw the traces of this seed; without it, one by chance, which is printed")
	flags.Int64Var(&f.count, "count", 0, fmt.Sprintf("draw so many `STEPS` (%d without --for)", defaultCount))
	flags.DurationVar(&f.within, "for", 0, "go on for so long")
	flags.DurationVar(&f.shrink, "shrink", 2*time.Minute, "how long a failing trace may be made smaller")
	flags.StringVar(&f.save, "save", "", "write the smallest failing cases into this `FOLDER` instead of showing their YAML")
	return cmd
}

func (f *fuzzFlags) run(cmd *cobra.Command) error {
	o, err := f.options(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	targets, err := f.targets.list()
	if err != nil {
		return err
	}
	var surfaces []runner.Surface
	for _, t := range targets {
		surfaces = append(surfaces, t.surface(f.targets.timeout))
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "seed: --seed %d draws the same traces\n\n", o.Seed); err != nil {
		return err
	}
	result := f.fuzz(cmd.Context(), surfaces, o, cmd.ErrOrStderr())
	return f.report(cmd.Context(), cmd.OutOrStdout(), result, o)
}

func (f *fuzzFlags) fuzz(ctx context.Context, surfaces []runner.Surface, o fuzz.Options, stderr io.Writer) fuzz.Result {
	p := progressTo(stderr, o.Steps, o.For)
	o.Progress = p.at
	result := fuzz.Run(ctx, surfaces, o)
	p.end()
	return result
}

// options are what the flags come to, all of it checked before anything starts.
func (f *fuzzFlags) options(given func(flag string) bool) (fuzz.Options, error) {
	o := fuzz.Options{Seed: f.seed, Systems: f.systems, Steps: f.count, For: f.within, Shrink: f.shrink}
	if !given("seed") {
		o.Seed = uint64(rand.Uint32()) // short enough to be typed
	}
	switch {
	case given("for") && f.within <= 0:
		return o, fmt.Errorf("--for: %v is not above 0", f.within)
	case given("count") && f.count <= 0:
		return o, fmt.Errorf("--count: %d is not above 0", f.count)
	case f.shrink < 0:
		return o, fmt.Errorf("--shrink: %v is below 0", f.shrink)
	case !given("count") && given("for"):
		o.Steps = 1<<63 - 1
	case !given("count"):
		o.Steps = defaultCount
	}
	systems, err := systemsNamed(f.systems)
	o.Systems = systems
	if err == nil && f.save != "" {
		err = os.MkdirAll(f.save, 0o755) // now, so that it is not found out at the end
	}
	return o, err
}

// systemsNamed are in the order of the surface; all without a name.
func systemsNamed(names []string) (systems []string, err error) {
	var all []string
	for _, s := range surface.Systems {
		all = append(all, s.Name)
		if len(names) == 0 || slices.Contains(names, s.Name) {
			systems = append(systems, s.Name)
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("--system: there is no %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	return systems, nil
}

// report shows what was found, also where the run was interrupted: the rest of it
// would say nothing then.
func (f *fuzzFlags) report(ctx context.Context, stdout io.Writer, result fuzz.Result, o fuzz.Options) error {
	var b strings.Builder
	var errs []error
	for _, found := range result.Found() {
		errs = append(errs, f.show(&b, found, o))
		if !found.Again && ctx.Err() == nil {
			b.WriteString("  it did not fail again with an adapter of its own, and is shown as it was\n\n")
		}
	}
	if ctx.Err() == nil {
		b.WriteString(result.Text(o.Systems))
	}
	_, err := io.WriteString(stdout, b.String())
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	return exitWith(result.Exit())
}

// show shows a failure and its case, or writes the case where it is to be kept.
// One that cannot be written is shown: it may have taken hours to find.
func (f *fuzzFlags) show(b *strings.Builder, found fuzz.Found, o fuzz.Options) error {
	c := found.Smallest.Case
	next := report.Next{Again: fmt.Sprintf("%s fuzz %s --system %s --seed %d", quote(os.Args[0]), f.targets.flag(found.Surfaces[0]), c.System, o.Seed)}
	text := corpus.Format(c)
	file := filepath.Join(f.save, c.ID+".yaml")
	var err error
	if f.save != "" {
		err = os.WriteFile(file, []byte(text), 0o644)
	}
	kept := f.save != "" && err == nil
	if kept {
		c.File, c.Line = file, 4
		next.Again = fmt.Sprintf("%s run %s --cases %s %s", quote(os.Args[0]), f.targets.flag(found.Surfaces[0]), quote(f.save), c.ID)
		if f.targets.given(found.Surfaces[0]) == "" {
			next.Program = asProgram(found.Surfaces[0], f.save, c)
		}
	}
	b.WriteString(report.Failure(strings.Join(found.Surfaces, ", "), found.Smallest, next))
	if !kept {
		fmt.Fprintf(b, "%s\n", text)
	}
	return err
}
