package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
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

// Control checks that the judge can tell: the brokers as they are pass, and one
// that panics in the first function of the package does not.
func (j *Judge) Control(ctx context.Context, mutants []Mutant, folder string) error {
	if r, err := j.judge(ctx, Mutant{File: mutants[0].File}); err != nil || r.Fate != Survived {
		return fmt.Errorf("%s as it is: %s by %s: %w", folder, r.Fate, r.By, errors.Join(err))
	}
	panics, err := j.panicking(folder)
	if err != nil {
		return err
	}
	if r, err := j.judge(ctx, panics); err != nil || r.Fate != Killed {
		return fmt.Errorf("%s with a panic in %s: %s: %w", folder, panics.Function, r.Fate, errors.Join(err))
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
				r, err := j.judge(ctx, m)
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

// judge builds the adapter with a mutant and has it carry out the cases, until
// one fails.
func (j *Judge) judge(ctx context.Context, m Mutant) (Result, error) {
	dir, err := os.MkdirTemp("", "conform-mutate-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	compiles, err := j.build(ctx, m, dir)
	if err != nil {
		return Result{}, err
	}
	if !compiles {
		return Result{Mutant: m, Fate: Stillborn}, nil
	}
	// A mutant may ask for memory without end.
	command := adapter.Shell("ulimit -v 8000000; exec " + filepath.Join(dir, "adapter"))
	s := runner.Process("go", command, j.Timeout)
	own, _ := surface.Find("go")
	s.Own = &own
	report := runner.Run(ctx, []runner.Surface{s}, j.Cases, runner.Options{FirstFailure: true})[0]
	return verdict(m, report), ctx.Err()
}

func verdict(m Mutant, report runner.Report) Result {
	r := Result{Mutant: m, Fate: Survived}
	if report.Broken != nil {
		r.Fate, r.By = Killed, "the adapter: "+report.Broken.Error()
	}
	for _, o := range report.Outcomes {
		switch {
		case o.Verdict == runner.Timeout:
			r.Fate, r.By = TimedOut, o.Case.ID
		case o.Verdict.Failed():
			r.Fate, r.By = Killed, o.Case.ID
		}
	}
	return r
}

// build builds the adapter with the mutant in place of its file. It reports
// false where the mutant does not compile.
func (j *Judge) build(ctx context.Context, m Mutant, dir string) (bool, error) {
	file := filepath.Join(j.Root, filepath.FromSlash(m.File))
	source, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	mutated := filepath.Join(dir, "mutated.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: mutated}})
	if err != nil {
		return false, err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(mutated, m.apply(source), 0o600), os.WriteFile(overlayFile, overlay, 0o600)); err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", overlayFile, "-ldflags=-s -w",
		"-o", filepath.Join(dir, "adapter"), "./conformance/adapters/go")
	cmd.Dir = j.Root
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && strings.Contains(string(out), "mutated.go:") {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%v: %w\n%s", m, err, out)
	}
	return true, nil
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
