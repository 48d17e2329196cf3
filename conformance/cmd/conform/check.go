package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

const checkLong = `Have threads make calls at once on each surface, and judge what came of it: some
order of the calls, in which none comes before one that had returned when it
began, has to explain all of their results.

The histories are generated from a seed, one after the other; what the threads
then do to each other is chance. With a PATTERN, an id or system/id with * and ?
as in a shell, the concurrent cases that it matches are judged instead. Without
--surface and --adapter, all of the project's own surfaces are judged.

Calls that do not overlap prove nothing, so those that began while another was
inside the library are counted there. Until they are %g %% of the calls that were
asked for there are more histories, up to %d times as many; then the verdict is
incomplete. A surface that declares itself serial is exempt, and shown so.

Of a surface that fails there are the name of the anomaly, the calls on the
topic up to the first that no order explains, and two files: the history as
JSON, which --history judges again, and a picture of it as HTML.

Exit codes; of several the first in the order 2, 4, 1, 3:

  0  every history is linearizable
  1  one is not, or the adapter crashed or timed out over one
  2  usage, an invalid corpus, or a pattern that matches no concurrent case
  3  a search took too long, too few calls overlapped, or nothing was judged
  4  an adapter could not be started or broke the protocol`

const checkExample = `  conform check
  conform check --surface python --system event --histories 1000
  conform check --adapter mine=./my_adapter 'concurrent-*'
  conform check --seed 42                              the same histories again
  conform check --history failed-histories/event-go.json`

type checkFlags struct {
	targets   targets
	systems   []string
	cases     string
	file      string
	save      string
	histories int
	threads   int
	calls     int
	seed      uint64
	rounds    bool // --histories is given, and goes for cases too
}

func checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:     "check [PATTERN...]",
		Short:   "judge what threads do at once",
		Long:    fmt.Sprintf(checkLong, runner.LeastOverlap, runner.Persistence),
		Example: checkExample,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			if err := f.together(cmd.Flags().Changed, patterns); err != nil {
				return err
			}
			if f.file != "" {
				return f.again(cmd, patterns)
			}
			if !cmd.Flags().Changed("seed") {
				f.seed = uint64(rand.Uint32()) // short enough to be typed
			}
			f.rounds = cmd.Flags().Changed("histories")
			return f.run(cmd.Context(), cmd.OutOrStdout(), patterns)
		},
	}
	flags := cmd.Flags()
	f.targets.add(flags)
	flags.StringArrayVar(&f.systems, "system", nil, "only this system, by `NAME`; may be repeated")
	flags.IntVar(&f.histories, "histories", 100, "`N` histories a system; of a case, N rounds instead of its own number")
	flags.IntVar(&f.threads, "threads", history.MaxThreads, "`N` threads in a generated history, 2 through 8")
	flags.IntVar(&f.calls, "calls", history.MaxCalls/history.MaxThreads, "`N` calls a thread; 200 in all at most")
	flags.Uint64Var(&f.seed, "seed", 0, "generate from this `SEED` on; by chance without it")
	flags.StringVar(&f.cases, "cases", "", "take the cases from this `FOLDER` instead of those built in")
	flags.StringVar(&f.save, "save", "failed-histories", "the `FOLDER` for what failed, made when there is need")
	flags.StringVar(&f.file, "history", "", "judge the saved history in this `FILE`, and nothing else")
	return cmd
}

func (f *checkFlags) run(ctx context.Context, stdout io.Writer, patterns []string) error {
	targets, err := f.targets.list()
	if err != nil {
		return err
	}
	cases, err := f.plan(patterns)
	if err != nil {
		return err
	}
	var reports []runner.Report
	for _, t := range targets { // one after the other: beside each other they would hardly overlap
		surfaces := []runner.Surface{t.surface(f.targets.timeout)}
		reports = append(reports, runner.Run(ctx, surfaces, cases, runner.Options{Script: f.script})...)
		if ctx.Err() != nil {
			reports = failures(reports)
			break
		}
	}
	said, err := f.report(reports)
	_, failed := io.WriteString(stdout, said)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return exitWith(runner.Exit(reports, nil))
}

// generated is the id that stands for histories that are of no case.
const generated = "generated"

// plan gives the concurrent cases that a pattern matches or, without one, for
// each system a case that stands for generated histories.
func (f *checkFlags) plan(patterns []string) ([]corpus.Case, error) {
	if err := f.judge(); err != nil {
		return nil, err
	}
	if len(patterns) > 0 {
		return f.concurrent(patterns)
	}
	var cases []corpus.Case
	for _, system := range history.Systems {
		if f.wants(system) {
			cases = append(cases, corpus.Case{ID: generated, System: system, Rounds: f.histories, Check: corpus.Linearizable})
		}
	}
	return cases, nil
}

func (f *checkFlags) judge() error {
	for _, system := range f.systems {
		if !slices.Contains(history.Systems, system) {
			return fmt.Errorf("--system: %q has no histories; %s have", system, strings.Join(history.Systems, " and "))
		}
	}
	switch {
	case f.histories < 1:
		return fmt.Errorf("--histories: %d is below 1", f.histories)
	case f.threads < 2 || f.threads > history.MaxThreads:
		return fmt.Errorf("--threads: %d is outside 2 through %d", f.threads, history.MaxThreads)
	case f.calls < 1 || f.calls > history.MaxCalls/f.threads:
		return fmt.Errorf("--calls: %d is outside 1 through %d for %d threads", f.calls, history.MaxCalls/f.threads, f.threads)
	}
	return nil
}

func (f *checkFlags) wants(system string) bool {
	return len(f.systems) == 0 || slices.Contains(f.systems, system)
}

func (f *checkFlags) concurrent(patterns []string) ([]corpus.Case, error) {
	fsys, err := caseFiles(f.cases)
	if err != nil {
		return nil, err
	}
	all, err := corpus.Load(fsys)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c corpus.Case) bool { return c.Check == "" || !f.wants(c.System) })
	for i := range all {
		if f.rounds {
			all[i].Rounds = f.histories
		}
	}
	cases, err := corpus.Select(all, patterns)
	if err != nil {
		return nil, fmt.Errorf("of the concurrent cases: %w", err)
	}
	return cases, nil
}

// script gives the script of a round.
func (f *checkFlags) script(c *corpus.Case, round int) history.Script {
	if c.ID != generated {
		return runner.ScriptOf(c)
	}
	s, err := history.Generate(c.System, f.seed+uint64(round), f.threads, f.calls)
	if err != nil {
		panic(err) // plan has looked at the system
	}
	return s
}

// command is the command that does this again on one surface.
func (f *checkFlags) command(surface string, o runner.Outcome) string {
	words := []string{"check", f.targets.flag(surface)}
	if f.targets.timeout != defaultTimeout {
		words = append(words, fmt.Sprint("--timeout ", f.targets.timeout))
	}
	if o.Case.ID == generated {
		return strings.Join(append(words, f.generation(o.Case.System)...), " ")
	}
	if f.cases != "" {
		words = append(words, "--cases "+quote(f.cases))
	}
	if f.rounds {
		words = append(words, fmt.Sprint("--histories ", f.histories))
	}
	return strings.Join(append(words, o.Case.System+"/"+o.Case.ID), " ")
}

// generation are the flags that generate the same histories.
func (f *checkFlags) generation(system string) []string {
	words := []string{"--system", system, fmt.Sprint("--histories ", f.histories), fmt.Sprint("--seed ", f.seed)}
	if f.threads != history.MaxThreads || f.calls != history.MaxCalls/history.MaxThreads {
		words = append(words, fmt.Sprint("--threads ", f.threads), fmt.Sprint("--calls ", f.calls))
	}
	return words
}

// together refuses flags that would be passed over: those of other histories than
// are judged.
func (f *checkFlags) together(given func(flag string) bool, patterns []string) error {
	passedOver, why := []string{"cases"}, "that is for a PATTERN, and there is none"
	switch {
	case f.file != "":
		passedOver, why = []string{"surface", "adapter", "system", "histories", "threads", "calls", "seed", "cases", "save", "timeout"},
			"that is not for a saved history, which is judged alone"
	case len(patterns) > 0:
		passedOver, why = []string{"threads", "calls", "seed"}, "that is for generated histories, and there is a PATTERN"
	}
	if i := slices.IndexFunc(passedOver, given); i >= 0 {
		return fmt.Errorf("--%s: %s", passedOver[i], why)
	}
	return nil
}
