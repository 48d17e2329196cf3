package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	code, stdout, stderr := conform(t, "list", "--cases", folderWith(t, oneCase))
	assert.Zero(t, code, stderr)
	assert.Equal(t, "ID   SYSTEM  SPEC   NEEDS          WHY\n"+
		"one  event   EB-01  wide_integers  because\n", stdout)
}

func TestList_JSON(t *testing.T) {
	code, stdout, stderr := conform(t, "list", "--json", "event/example-*")
	assert.Zero(t, code, stderr)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &list))
	require.NotEmpty(t, list)
	for _, c := range list {
		assert.Regexp(t, `^example-`, c["id"])
		assert.Equal(t, "event", c["system"])
		assert.Equal(t, "event/example.yaml", c["file"])
		assert.NotEmpty(t, c["spec"])
		assert.NotNil(t, c["needs"], "an empty list is a list")
	}
}

func TestList_Refused(t *testing.T) {
	for problem, args := range map[string][]string{
		`pattern "no-such" matches no case`: {"list", "no-such"},
		`pattern "x["`:                      {"list", "x["},
		"x.yaml:1: the file is empty":       {"list", "--cases", folderWith(t, "")},
		"no-such-folder":                    {"list", "--cases", "no-such-folder"},
	} {
		code, stdout, stderr := conform(t, args...)
		assert.Equal(t, 2, code)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, problem)
	}
}
