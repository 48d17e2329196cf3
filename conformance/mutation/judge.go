package mutation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A Fate is what became of a mutant.
type Fate string

// The fates.
const (
	Killed    Fate = "killed"    // a case failed, or the adapter crashed in one
	TimedOut  Fate = "timed out" // a case did not end
	Survived  Fate = "survived"
	Stillborn Fate = "stillborn" // it does not compile
)

// A Result is a mutant and its fate.
type Result struct {
	Mutant Mutant
	Fate   Fate
	By     string // the case that ended it
}

// A Judge judges the mutants of one system.
type Judge struct {
	Root    string        // of the checkout
	Cases   []corpus.Case // of the system
	Timeout time.Duration // of a case
	Jobs    int           // at once
}

// Control checks that the judge can tell: the brokers as they are pass, and ones
// that panic in the first function of the package do not, on any surface.
func (j *Judge) Control(ctx context.Context, mutants []Mutant, folder string) error {
	r, err := j.judge(ctx, Mutant{File: mutants[0].File}, j.builds())
	if err := r.due(Survived, err); err != nil {
		return fmt.Errorf("%s as it is %w", folder, err)
	}
	panics, err := j.panicking(folder)
	if err != nil {
		return err
	}
	for _, b := range j.builds() {
		r, err := j.judge(ctx, panics, []build{b})
		if err := r.due(Killed, err); err != nil {
			return fmt.Errorf("%s with a panic in %s, on %s, %w", folder, panics.Function, b.surface, err)
		}
	}
	return nil
}

// due says why a control did not come to its fate, nil where it did.
func (r Result) due(fate Fate, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("could not be judged: %w", err)
	case r.Fate != fate && r.By != "":
		return fmt.Errorf("%s, by %s", r.Fate, r.By)
	case r.Fate != fate:
		return errors.New(string(r.Fate))
	}
	return nil
}

// All judges the mutants, and tells of each as it is done.
func (j *Judge) All(ctx context.Context, mutants []Mutant, done func(Result)) error {
	work := make(chan Mutant)
	var mu sync.Mutex // guards failures and done
	var failures error
	var wg sync.WaitGroup
	for range j.Jobs {
		wg.Go(func() {
			for m := range work {
				r, err := j.judge(ctx, m, j.builds())
				mu.Lock()
				if failures = errors.Join(failures, err); err == nil {
					done(r)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range mutants {
		if ctx.Err() != nil {
			break
		}
		work <- m
	}
	close(work)
	wg.Wait()
	return errors.Join(ctx.Err(), failures)
}

// builds are those of the surfaces that have the system.
func (j *Judge) builds() []build {
	return slices.DeleteFunc(slices.Clone(builds), func(b build) bool {
		own, _ := surface.Find(b.surface)
		return !slices.Contains(own.Systems, j.Cases[0].System)
	})
}

// judge has the surfaces, one after the other, carry out the cases with a mutant
// in place, until a case fails.
func (j *Judge) judge(ctx context.Context, m Mutant, surfaces []build) (Result, error) {
	dir, err := os.MkdirTemp("", "conform-mutate-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := j.overlay(m, dir)
	if err != nil {
		return Result{}, err
	}
	for _, b := range surfaces {
		compiles, err := b.run(ctx, j.Root, overlay, dir)
		if err != nil {
			return Result{}, fmt.Errorf("%v: %w", m, err)
		}
		if !compiles {
			return Result{Mutant: m, Fate: Stillborn}, nil
		}
		r, err := verdict(m, j.report(ctx, b, dir))
		if err = errors.Join(err, ctx.Err()); err != nil || r.Fate != Survived {
			return r, err
		}
	}
	return Result{Mutant: m, Fate: Survived}, nil
}

func (j *Judge) report(ctx context.Context, b build, dir string) runner.Report {
	s := runner.Process(b.surface, b.command(j.Root, dir), j.Timeout)
	own, _ := surface.Find(b.surface)
	s.Own = &own
	return runner.Run(ctx, []runner.Surface{s}, j.Cases, runner.Options{FirstFailure: true})[0]
}

// verdict is what the cases found. That the adapter broke, in no case, is no work
// of theirs: it may have been slow to start.
func verdict(m Mutant, report runner.Report) (Result, error) {
	r := Result{Mutant: m, Fate: Survived}
	for _, o := range report.Outcomes {
		switch {
		case o.Verdict == runner.Timeout:
			r.Fate, r.By = TimedOut, report.Surface+": "+o.Case.ID
		case o.Verdict.Failed():
			r.Fate, r.By = Killed, report.Surface+": "+o.Case.ID
		}
	}
	if r.Fate == Survived && report.Broken != nil {
		return r, fmt.Errorf("%v: the adapter of %s: %w", m, report.Surface, report.Broken)
	}
	return r, nil
}

// panicking is a mutant that panics in the first exported function of the
// folder, which every case calls.
func (j *Judge) panicking(folder string) (Mutant, error) {
	files, err := filepath.Glob(filepath.Join(j.Root, folder, "*.go"))
	if err != nil {
		return Mutant{}, err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return Mutant{}, err
		}
		for _, name := range []string{"New", "Range"} {
			start := strings.Index(string(source), "\nfunc "+name+"(")
			if start < 0 || strings.HasSuffix(file, "_test.go") {
				continue
			}
			open := start + strings.Index(string(source[start:]), "{\n")
			rel, err := filepath.Rel(j.Root, file)
			return Mutant{File: filepath.ToSlash(rel), Function: name, After: "{ panic(\"control\")\n", start: open, end: open + 1}, err
		}
	}
	return Mutant{}, fmt.Errorf("%s has no function New or Range", folder)
}
