package main

import (
	"reflect"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kit's table says what there is and of which types; this adapter has
// nothing less and nothing more, with the Go type for each.
func TestSystems_FollowTheTable(t *testing.T) {
	assert.Len(t, plain.constructors, len(surface.Systems))
	for _, s := range surface.Systems {
		follows(t, plain, s)
	}
	event, _ := surface.FindSystem("event")
	follows(t, byHandles, event)
}

func follows(t *testing.T, offered offer, s surface.System) {
	args := make([]any, len(s.New))
	for i := range args {
		args[i] = int64(1)
	}
	made, err := offered.construct(s.Name, args)
	require.NoError(t, err)
	assert.Len(t, made.operations, len(s.Operations), s.Name)
	for _, o := range s.Operations {
		require.Contains(t, made.operations, o.Name)
		f := reflect.TypeOf(made.operations[o.Name])
		types := parameters(f)
		if f.IsVariadic() {
			assert.True(t, hasOptions(types[len(types)-1], o.Options), "options of %s.%s", s.Name, o.Name)
			types = types[:len(types)-1]
		}
		require.Len(t, types, len(o.Params), o.Name)
		require.Equal(t, len(o.Options) > 0, f.IsVariadic(), o.Name)
		for i, p := range o.Params {
			assert.True(t, stands(types[i], p.Type), "%s.%s: %s for %s", s.Name, o.Name, types[i], p.Type)
		}
		require.Equal(t, 2, f.NumOut(), o.Name)
		assert.True(t, stands(f.Out(0), o.Returns), "%s.%s: %s for %s", s.Name, o.Name, f.Out(0), o.Returns)
	}
}

// kinds are the Go types for the integers of the table: all of them are asked
// for when a case gives more than the contract does.
var kinds = map[surface.Scalar][]reflect.Kind{
	surface.Identifier: {reflect.String},
	surface.Text:       {reflect.String},
	surface.String:     {reflect.String},
	surface.Int32:      {reflect.Int, reflect.Int32},
	surface.Int64:      {reflect.Int64},
	surface.Limit:      {reflect.Int},
	surface.Count:      {reflect.Int},
	surface.Null:       {reflect.Pointer},
	surface.Bool:       {reflect.Bool},
	surface.Field16:    {reflect.Int16},
	surface.Field32:    {reflect.Int32},
}

// stands reports whether a Go type stands for one of the table.
func stands(g reflect.Type, t surface.Type) bool {
	switch t := t.(type) {
	case surface.List:
		return g.Kind() == reflect.Slice && stands(g.Elem(), t.Of)
	case surface.Map:
		return g.Kind() == reflect.Map && g.Key().Kind() == reflect.String && stands(g.Elem(), t.Of)
	case surface.Optional:
		return g.Kind() == reflect.Pointer && stands(g.Elem(), t.Of) || t.Of == surface.Bytes && stands(g, t.Of)
	case *surface.Tuple:
		return g.Kind() == reflect.Struct && hasElements(g, t.Fields)
	case *surface.Struct:
		return g.Kind() == reflect.Struct && hasFields(g, t.Fields)
	case *surface.Options:
		return hasOptions(g, t.Fields)
	case *surface.Choice:
		return g.Kind() == reflect.String || g.Kind() == reflect.Interface && !t.Open
	case surface.Call:
		return g.Kind() == reflect.Interface
	}
	if t == surface.Bytes {
		return g == reflect.TypeFor[[]byte]()
	}
	for _, kind := range kinds[t.(surface.Scalar)] {
		if g.Kind() == kind {
			return true
		}
	}
	return false
}

// hasElements wants the fields in their order.
func hasElements(g reflect.Type, fields []surface.Param) bool {
	if g.NumField() != len(fields) {
		return false
	}
	for i, f := range fields {
		if nameOf(g.Field(i)) != f.Name || !stands(g.Field(i).Type, f.Type) {
			return false
		}
	}
	return true
}

func hasFields(g reflect.Type, fields []surface.Param) bool {
	return count(g, fields, func(field reflect.Type) reflect.Type { return field }) == g.NumField()
}

// hasOptions allows pointers: what may be left out is nil then.
func hasOptions(g reflect.Type, fields []surface.Param) bool {
	return g.Kind() == reflect.Struct && count(g, fields, given) == g.NumField()
}

func given(field reflect.Type) reflect.Type {
	if field.Kind() == reflect.Pointer {
		return field.Elem()
	}
	return field
}

// count is how many of the fields the Go type has, or -1 when one is missing.
func count(g reflect.Type, fields []surface.Param, of func(reflect.Type) reflect.Type) int {
	found := 0
	for i := range g.NumField() {
		for _, f := range fields {
			if nameOf(g.Field(i)) == f.Name && stands(of(g.Field(i).Type), f.Type) {
				found++
			}
		}
	}
	if found != len(fields) {
		return -1
	}
	return found
}
