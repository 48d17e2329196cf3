package main

import (
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// toGo is a value of package wire as a value of a Go type, and false when no
// value of that type says it.
func toGo(v any, t reflect.Type) (reflect.Value, bool) {
	to := reflect.New(t).Elem()
	return to, set(to, v)
}

func set(to reflect.Value, v any) bool {
	switch {
	case to.Kind() == reflect.Interface && v != nil:
		to.Set(reflect.ValueOf(v))
		return true
	case to.Kind() == reflect.Pointer && v != nil:
		to.Set(reflect.New(to.Type().Elem()))
		return set(to.Elem(), v)
	}
	switch v := v.(type) {
	case nil:
		return to.Kind() == reflect.Pointer || isBytes(to)
	case string:
		return setText(to, v)
	case wire.Bytes:
		if isBytes(to) {
			to.SetBytes(v)
			return true
		}
		return setText(to, string(v))
	case int64:
		fits := to.CanInt() && !to.OverflowInt(v)
		if fits {
			to.SetInt(v)
		}
		return fits
	case []any:
		return to.Kind() == reflect.Slice && setList(to, v) || to.Kind() == reflect.Struct && setTuple(to, v)
	case map[string]any:
		return to.Kind() == reflect.Map && setMap(to, v) || to.Kind() == reflect.Struct && setStruct(to, v)
	}
	return false
}

func isBytes(v reflect.Value) bool { return v.Type() == reflect.TypeFor[[]byte]() }

func setText(to reflect.Value, s string) bool {
	is := to.Kind() == reflect.String
	if is {
		to.SetString(s)
	}
	return is
}

func setList(to reflect.Value, list []any) bool {
	to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
	for i, v := range list {
		if !set(to.Index(i), v) {
			return false
		}
	}
	return true
}

// setTuple has an element for each field.
func setTuple(to reflect.Value, tuple []any) bool {
	for i := 0; i < to.NumField() && i < len(tuple); i++ {
		if !set(to.Field(i), tuple[i]) {
			return false
		}
	}
	return to.NumField() == len(tuple)
}

func setMap(to reflect.Value, object map[string]any) bool {
	to.Set(reflect.MakeMap(to.Type()))
	for key, v := range object {
		element, ok := toGo(v, to.Type().Elem())
		if !ok {
			return false
		}
		to.SetMapIndex(reflect.ValueOf(key), element)
	}
	return true
}

// setStruct leaves a field that is not in the map at its zero value.
func setStruct(to reflect.Value, object map[string]any) bool {
	known := 0
	for i := range to.NumField() {
		if v, ok := object[nameOf(to.Type().Field(i))]; ok {
			known++
			if !set(to.Field(i), v) {
				return false
			}
		}
	}
	return known == len(object)
}

// hump is where a word of a Go name ends: OwnedPartitions, RackID.
var hump = regexp.MustCompile(`[a-z][A-Z]`)

// nameOf is what the kit calls a field.
func nameOf(field reflect.StructField) string {
	return strings.ToLower(hump.ReplaceAllStringFunc(field.Name, func(s string) string { return s[:1] + "_" + s[1:] }))
}

// fromGo is a value of Go as one of package wire.
func fromGo(v reflect.Value) any {
	switch v.Kind() {
	case reflect.String:
		return textValue(v.String())
	case reflect.Slice:
		if isBytes(v) {
			return bytesValue(v.Bytes())
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = fromGo(v.Index(i))
		}
		return list
	case reflect.Map:
		object := map[string]any{}
		for entries := v.MapRange(); entries.Next(); {
			object[entries.Key().String()] = fromGo(entries.Value())
		}
		return object
	case reflect.Struct:
		object := map[string]any{}
		for i := range v.NumField() {
			object[nameOf(v.Type().Field(i))] = fromGo(v.Field(i))
		}
		return object
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return fromGo(v.Elem())
	case reflect.Bool:
		return v.Bool()
	}
	return v.Int()
}

func textValue(s string) any {
	if !utf8.ValidString(s) {
		return wire.Bytes(s)
	}
	return s
}

// bytesValue is null for nil, which is not the same as empty.
func bytesValue(b []byte) any {
	if b == nil {
		return nil
	}
	return wire.Bytes(b)
}
