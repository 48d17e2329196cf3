package fuzz_test

import (
	"slices"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/faults/assign"
	"github.com/eventbroker/eventbroker/conformance/faults/event"
	"github.com/eventbroker/eventbroker/conformance/faults/message"
	"github.com/eventbroker/eventbroker/conformance/faults/pubsub"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

func TestExplore(t *testing.T) {
	missed := map[string]int{}
	total := map[string]int{}
	sizes := map[int]int{}
	for _, f := range slices.Concat(event.All, message.All, pubsub.All, assign.All) {
		total[f.System]++
		s := inProcess("x", func(_ string, a []any, o map[string]any) (model.System, error) { return f.New(a, o) }, surface.Features...)
		r := fuzz.Run(t.Context(), []runner.Surface{s}, fuzz.Options{Seed: 1, Systems: []string{f.System}, Steps: 30000, Shrink: time.Minute})
		fail := r.Surfaces[0].Failure
		if fail == nil {
			missed[f.System]++
			t.Logf("MISSED %s/%s: %s", f.System, f.Name, f.What)
			continue
		}
		n := len(fail.Smallest.Case.Steps)
		sizes[n]++
		if n >= 10 || !fail.Again {
			t.Logf("LONG %d %v %s/%s: %s", n, fail.Again, f.System, f.Name, f.What)
		}
	}
	t.Log(missed, total, sizes)
}
