package corpus_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

var written = corpus.Case{
	ID: "x", System: "event", Spec: []string{"EB-05", "EB-13"}, Why: `it is "so": # quite`,
	Needs: []string{surface.NullStrings, surface.WideIntegers, surface.RawBytes},
	New:   []any{int64(2)}, Options: map[string]any{"max_payload": int64(8)},
	Steps: []corpus.Step{
		{Call: corpus.Call{Op: "create", Args: []any{"t", int64(1)}}, Returns: true, Line: 10},
		{Call: corpus.Call{Op: "create", Args: []any{nil, new(big.Int).Lsh(big.NewInt(1), 64)}}, Raises: surface.InvalidArgument, Line: 11},
		{Call: corpus.Call{Op: "publish", Args: []any{"t", int64(0), wire.Bytes("\xff")}}, Raises: surface.InvalidArgument, Line: 12},
		{Call: corpus.Call{Op: "publish", Args: []any{"t", int64(0), strings.Repeat("no", 600)}}, Raises: surface.InvalidArgument, Line: 13},
		{Call: corpus.Call{Op: "poll", Args: []any{"t", "g", "no", int64(1)}}, Returns: []any{}, Line: 14},
	},
	File: "event/x.yaml", Line: 4,
}

func TestFormat_ReadsBack(t *testing.T) {
	got := read(t, corpus.Format(&written))
	assert.Empty(t, cmp.Diff(written, got, cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })))
	assert.Equal(t, int64(2), written.New[0])
	assert.Len(t, written.New, 1, "the options go behind a copy")
}

func TestFormat_ConstructorThatFails(t *testing.T) {
	refused := corpus.Case{ID: "x", System: "pubsub", Spec: []string{"PS-16"}, Why: "y", New: []any{},
		Options: map[string]any{"dispatcher": "none"}, NewRaises: surface.InvalidArgument, File: "event/x.yaml", Line: 4}
	assert.Empty(t, cmp.Diff(refused, read(t, corpus.Format(&refused))))
}
