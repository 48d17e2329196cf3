package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A side is what one process measures: a program of ours, and the name that it
// knows what is measured by.
//
//	event, message, pubsub, peers   a Go benchmark, as Work/plain
//	cpp                             a benchmark of bindings/cpp/bench
//	python, python-c                a side of bindings/python/bench, by ctypes or the accelerator
//	corpus                          a surface of the kit; a case of the corpus is the unit
type side string

// A stage says how long a side takes, and what the corpus is run on.
type stage struct {
	seconds float64
	cases   []string // patterns; none is all
}

// measure runs the side and gives what a unit took, in nanoseconds where no other
// unit is named.
func (s stage) measure(ctx context.Context, side side, unit string) (float64, error) {
	program, name, _ := strings.Cut(string(side), " ")
	figure, err := s.run(ctx, program, name, unit)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", side, err)
	}
	if !(figure > 0) {
		return 0, fmt.Errorf("%s: measured %v", side, figure)
	}
	return figure, nil
}

func (s stage) run(ctx context.Context, program, name, unit string) (float64, error) {
	switch program {
	case "event", "message", "pubsub", "peers":
		return s.goBenchmark(ctx, program, name, unit)
	case "cpp":
		return s.cppBenchmark(ctx, name)
	case "python":
		return s.pythonSide(ctx, name, "1")
	case "python-c":
		return s.pythonSide(ctx, name, "0")
	case "corpus":
		return s.corpus(ctx, name)
	}
	return 0, errors.New("there is no such program")
}

func (s stage) goBenchmark(ctx context.Context, program, name, unit string) (float64, error) {
	if unit == "" {
		unit = "ns/op"
	}
	out, err := output(exec.CommandContext(ctx, "build/bench/"+program+".test",
		"-test.run", "^$", "-test.bench", exactly(name), "-test.benchtime", fmt.Sprintf("%gs", s.seconds)))
	if err != nil {
		return 0, err
	}
	return goFigure(string(out), unit)
}

// exactly is the pattern of one benchmark, level by level.
func exactly(name string) string {
	levels := strings.Split("Benchmark"+name, "/")
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(level) + "$"
	}
	return strings.Join(levels, "/")
}

// goFigure finds the figure before its unit in the one line of a benchmark.
func goFigure(out, unit string) (float64, error) {
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		for i, field := range fields {
			if i > 1 && field == unit && strings.HasPrefix(fields[0], "Benchmark") {
				return strconv.ParseFloat(fields[i-1], 64)
			}
		}
	}
	return 0, fmt.Errorf("no %s in %q", unit, out)
}

// cppBenchmark relies on the rate, which Google Benchmark makes of the time that
// each benchmark wants to be judged by.
func (s stage) cppBenchmark(ctx context.Context, name string) (float64, error) {
	out, err := output(exec.CommandContext(ctx, "build/bench/cpp/work_bench", "--benchmark_format=json",
		"--benchmark_filter=^"+name+"(/.*)?$", fmt.Sprintf("--benchmark_min_time=%g", s.seconds)))
	if err != nil {
		return 0, err
	}
	return cppFigure(out)
}

func cppFigure(out []byte) (float64, error) {
	var report struct {
		Benchmarks []struct {
			Rate float64 `json:"items_per_second"`
		} `json:"benchmarks"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, err
	}
	if len(report.Benchmarks) != 1 {
		return 0, fmt.Errorf("%d benchmarks instead of one", len(report.Benchmarks))
	}
	return 1e9 / report.Benchmarks[0].Rate, nil
}

func (s stage) pythonSide(ctx context.Context, name, pure string) (float64, error) {
	cmd := exec.CommandContext(ctx, "python3", "bindings/python/bench/side.py", name, fmt.Sprint(s.seconds))
	cmd.Env = append(os.Environ(), "EVENTBROKER_PURE="+pure)
	out, err := output(cmd)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// corpus gives the time of a case that was run, all that the kit does included.
func (s stage) corpus(ctx context.Context, surface string) (float64, error) {
	const report = "build/bench/corpus.json"
	began := time.Now()
	_, err := output(exec.CommandContext(ctx, "build/bin/conform",
		append([]string{"run", "--surface", surface, "--json", report}, s.cases...)...))
	took := time.Since(began)
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != incomplete) {
		return 0, err
	}
	data, err := os.ReadFile(report)
	if err != nil {
		return 0, err
	}
	cases, err := passed(data)
	return float64(took.Nanoseconds()) / float64(cases), err
}

// The kit's exit code where threads did not meet, which is chance.
const incomplete = 3

func passed(out []byte) (int, error) {
	var report struct {
		Surfaces []struct {
			Cases []struct {
				Verdict string `json:"verdict"`
			} `json:"cases"`
		} `json:"surfaces"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, err
	}
	count := 0
	for _, s := range report.Surfaces {
		for _, c := range s.Cases {
			if c.Verdict == "pass" {
				count++
			}
		}
	}
	return count, nil
}

// output is what a command writes; what it complains of is in the error.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("%w\n%s%s", err, failed.Stderr, out)
	}
	return out, err
}
