package main

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/assign"
)

var rack = "räck"

var subscription = assign.Subscription{
	Version:  3,
	Topics:   []string{"a", "eight by", "", "nine bytes"},
	UserData: []byte{0, 255},
	OwnedPartitions: []assign.TopicPartitions{
		{Topic: "a", Partitions: []int32{0, -1, 1<<31 - 1}},
		{Topic: "b", Partitions: []int32{}},
	},
	GenerationID: -1,
	RackID:       &rack,
}

func frameOf(s assign.Subscription) []byte {
	var w wordWriter
	w.subscription(s)
	return w.bytes
}

func TestWordsComeBack(t *testing.T) {
	withNulls := subscription
	withNulls.UserData, withNulls.RackID = nil, nil
	for _, want := range []assign.Subscription{subscription, withNulls} {
		frame := frameOf(want)
		assert.Zero(t, len(frame)%wordSize, "a frame is made of words")
		r := wordReader{left: frame}
		got := r.subscription()
		require.NoError(t, r.end())
		assert.Empty(t, cmp.Diff(want, got))
	}
}

func TestWordsCutAnywhereAreRefused(t *testing.T) {
	frame := frameOf(subscription)
	for size := range frame {
		r := wordReader{left: frame[:size]}
		r.subscription()
		assert.ErrorIs(t, r.end(), broker.ErrInvalidArgument, "%d bytes", size)
	}
	r := wordReader{left: append(frame, 0)}
	r.subscription()
	assert.ErrorContains(t, r.end(), "goes on at byte")
}

// Every word in turn says something absurd; whatever it was, nothing panics and
// no memory is taken for what is not there.
func TestWordsThatLieDoNoHarm(_ *testing.T) {
	for _, lie := range []uint64{1 << 62, 1<<63 - 1, 1 << 63, ^uint64(1), 1 << 31, 1 << 32} {
		for at := 0; at < len(frameOf(subscription)); at += wordSize {
			frame := frameOf(subscription)
			binary.LittleEndian.PutUint64(frame[at:], lie)
			r := wordReader{left: frame}
			_, _ = r.subscription(), r.end()
			g := wordReader{left: frame}
			_, _, _ = g.counts(), g.members(), g.end()
		}
	}
}

func TestWordsNameTheArgument(t *testing.T) {
	frame := frameOf(subscription)
	binary.LittleEndian.PutUint64(frame, 1<<16)
	r := wordReader{left: frame}
	r.subscription()
	require.EqualError(t, r.end(), "invalid argument: subscription: version 65536 does not fit 16 bits")

	var w wordWriter
	w.number(0) // no topics
	w.number(1) // one member
	w.nullable(nil)
	w.nullable(nil)
	w.number(0)
	r = wordReader{left: w.bytes}
	r.counts()
	r.members()
	require.EqualError(t, r.end(), "invalid argument: members: an id is null")
}
