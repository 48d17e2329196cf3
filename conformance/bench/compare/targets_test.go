package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTargetsCanBeRead(t *testing.T) {
	all, err := readTargets("../targets.yaml")
	require.NoError(t, err)
	for _, g := range all.Groups {
		one, err := all.only(g.Name)
		require.NoError(t, err)
		assert.Len(t, one.Groups, 1)
		assert.Empty(t, one.Growth)
	}
	curves, err := all.only(growthName)
	require.NoError(t, err)
	assert.Empty(t, curves.Groups)
	assert.NotEmpty(t, curves.Growth)
	_, err = all.only("rust")
	assert.ErrorContains(t, err, `--only: there is no group "rust"; there are growth, go, `)
}

func TestTargetsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{what: W, peer: event W, against: maps}":                                       "has no side ours",
		"{what: W, ours: event W}":                                                      "has neither a peer nor a unit",
		"{what: W, ours: event W, peer: event V}":                                       "does not say what the peer is",
		"{what: W, ours: event W, peer: event V, against: a, at_most: 1, at_least: 1}":  "has two targets",
		"{what: W, ours: event W, peer: event V, against: a, at_mots: 1}":               "field at_mots not found",
		"{what: W, ours: event W, peer: event V, against: a, at_most: one, reason: no}": "cannot unmarshal",
	} {
		path := filepath.Join(t.TempDir(), "targets.yaml")
		require.NoError(t, os.WriteFile(path, []byte("groups: [{name: go, title: Go, rows: ["+text+"]}]"), 0o600))
		_, err := readTargets(path)
		assert.ErrorContains(t, err, want, text)
	}
}
