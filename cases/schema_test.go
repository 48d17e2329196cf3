package cases_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const schemaFile = "case.schema.json"

var update = flag.Bool("update", false, "write "+schemaFile)

// The schema follows the tables of package surface. After a change of those:
//
//	go test ./cases -update
func TestSchema_FollowsTheSurface(t *testing.T) {
	var expected bytes.Buffer
	e := json.NewEncoder(&expected)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(schema()))
	if *update {
		require.NoError(t, os.WriteFile(schemaFile, expected.Bytes(), 0o644))
	}
	actual, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	assert.Equal(t, expected.String(), string(actual), "go test ./cases -update writes it anew")
}

func TestSchema_AcceptsEveryCaseFile(t *testing.T) {
	compiled := compile(t)
	names, err := filepath.Glob("*/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		assert.NoError(t, compiled.Validate(readYAML(t, name)), name)
	}
}

// What an editor should underline while a case is written.
func TestSchema_RefusesCommonMistakes(t *testing.T) {
	compiled := compile(t)
	for _, name := range []string{
		"arguments-too-many", "bytes-null", "bytes-text", "call-empty", "case-unknown-key", "cases-empty", "delivery-incomplete", "error-unknown", "hex-odd",
		"id-upper-case", "integer-fraction-result", "integer-quoted", "map-value-string", "needs-unknown",
		"new-option-of-none", "new-option-unknown",
		"new-raises-with-steps", "operation-unknown", "record-incomplete", "repeat-once", "rounds-without-threads",
		"spec-form", "step-typo", "step-with-both", "step-without-result", "steps-empty", "steps-missing",
		"struct-field-missing", "struct-field-unknown", "struct-integer-16-bits", "struct-integer-in-a-list", "struct-null",
		"struct-result-field-left-out", "struct-string-null",
		"filter-empty", "filter-unknown-key", "new-option-zero", "option-empty", "option-first", "option-null",
		"option-unknown", "option-zero", "payload-integer", "result-letter-with-error", "rule-do-flat",
		"rule-do-step", "rule-do-too-few", "rule-do-unknown-operation", "rule-do-wrong-type", "rule-empty", "rule-match-integer",
		"rule-ret-unknown", "rule-times-negative", "rule-unknown-key", "rules-missing", "rules-no-list",
		"string-integer", "system-unknown", "threads-one", "top-unknown-key", "tuple-flat", "tuple-map", "tuple-null", "tuple-swapped", "tuple-too-long", "tuple-too-short",
		"why-missing",
	} {
		value := readYAML(t, "../conformance/testdata/refused/"+name+".yaml")
		assert.Error(t, compiled.Validate(value), name)
	}
}

// Every key has a description, and no map takes a key that has none.
func TestSchema_DescribesEveryKey(t *testing.T) {
	var check func(path string, v any)
	check = func(path string, v any) {
		if elements, ok := v.(list); ok {
			for _, element := range elements {
				check(path, element)
			}
			return
		}
		node, ok := v.(object)
		if !ok {
			return
		}
		if properties, ok := node["properties"].(object); ok && node["type"] == "object" {
			assert.Equal(t, false, node["additionalProperties"], path)
			for key, property := range properties {
				assert.NotEmpty(t, property.(object)["description"], path+"/"+key)
			}
		}
		for key, child := range node {
			check(path+"/"+key, child)
		}
	}
	check("", schema())
}

func compile(t *testing.T) *jsonschema.Schema {
	data, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(schemaFile, document))
	compiled, err := c.Compile(schemaFile)
	require.NoError(t, err)
	return compiled
}

// readYAML reads a file as an editor does, without the corpus's own rules.
func readYAML(t *testing.T, name string) any {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var value any
	require.NoError(t, yaml.Unmarshal(data, &value), name)
	data, err = json.Marshal(value)
	require.NoError(t, err)
	value, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return value
}
