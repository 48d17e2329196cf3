package main

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/eventbroker/eventbroker/broker/assign"
	"github.com/eventbroker/eventbroker/broker/event"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
)

type object = map[string]any

func ptr(s string) *string { return &s }

func TestToGo(t *testing.T) {
	for _, row := range []struct{ wire, native any }{
		{"a", "a"},
		{wire.Bytes("\xff"), "\xff"},
		{wire.Bytes("\xff"), []byte("\xff")},
		{wire.Bytes{}, []byte{}},
		{nil, []byte(nil)}, // null is not empty
		{"r", ptr("r")},
		{nil, (*string)(nil)},
		{object{"max_attempts": int64(0)}, pubsubOptions{MaxAttempts: new(int)}}, // 0 is not what is left out
		{object{"match": "a", "do": []any{[]any{"drain"}}, "ret": false}, rule{Match: ptr("a"), Do: []any{[]any{"drain"}}, Ret: false}},
		{object{"filter": object{"pass": []any{"a"}}}, subscribeOptions{Filter: &filter{Pass: []string{"a"}}}},
		{int64(-1 << 63), int64(-1 << 63)},
		{int64(32767), int16(32767)},
		{[]any{}, []string{}},
		{object{"a": int64(1)}, map[string]int{"a": 1}},
		{object{"topic": "a", "partitions": []any{int64(3)}}, assign.TopicPartitions{Topic: "a", Partitions: []int32{3}}},
		{object{"id": "m", "topics": []any{"a"}, "instance_id": nil}, assign.Member{ID: "m", Topics: []string{"a"}}},
		{object{}, event.Options{}},
		{[]any{int64(1), "a"}, event.Message{Partition: 1, Payload: "a"}},
	} {
		got, ok := toGo(row.wire, reflect.TypeOf(row.native))
		assert.True(t, ok, row)
		assert.Equal(t, row.native, got.Interface())
	}
}

// There and back, a value is what it was.
func TestFromGo(t *testing.T) {
	subscription := object{
		"version": int64(3), "topics": []any{"a", wire.Bytes("\xff")}, "user_data": wire.Bytes("a"),
		"owned_partitions": []any{object{"topic": "a", "partitions": []any{}}}, "generation_id": int64(-1), "rack_id": "",
	}
	native, ok := toGo(subscription, reflect.TypeFor[assign.Subscription]())
	assert.True(t, ok)
	assert.Equal(t, subscription, fromGo(native))

	assert.Equal(t, object{"version": int64(0), "partitions": []any{}, "user_data": nil}, fromGo(reflect.ValueOf(assign.Assignment{})))
	assert.Equal(t, object{"m": object{"a": []any{int64(0)}}}, fromGo(reflect.ValueOf(map[string]map[string][]int32{"m": {"a": {0}}})))
	assert.Nil(t, fromGo(reflect.ValueOf((*string)(nil))))
}

func TestToGo_WhatGoCannotSay(t *testing.T) {
	for _, row := range []struct{ wire, native any }{
		{nil, ""},
		{nil, 0},
		{nil, []string{}},
		{int64(1), ""},
		{"1", 0},
		{"a", []byte{}},
		{int64(32768), int16(0)},
		{int64(-1<<31 - 1), int32(0)},
		{new(big.Int).Lsh(big.NewInt(1), 64), int64(0)},
		{[]any{nil}, []string{}},
		{[]any{int64(1)}, event.Message{}},
		{[]any{int64(1), "a", "b"}, event.Message{}},
		{[]any{"a", int64(1)}, event.Message{}},
		{[]any{}, map[string]int{}},
		{object{"a": "1"}, map[string]int{}},
		{object{"topic": "a", "partition": int64(0)}, assign.TopicPartitions{}},
		{object{"topic": nil}, assign.TopicPartitions{}},
		{object{}, ""},
		{object{"ret": nil}, rule{}},
		{object{"match": int64(1)}, rule{}},
		{object{"used": int64(1)}, rule{}},
		{true, false}, // no argument is a boolean
	} {
		_, ok := toGo(row.wire, reflect.TypeOf(row.native))
		assert.False(t, ok, row)
	}
}
