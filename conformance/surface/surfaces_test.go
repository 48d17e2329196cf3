package surface_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
)

func TestSurfaces_NameOnlyWhatThereIs(t *testing.T) {
	var systems []string
	for _, s := range surface.Systems {
		systems = append(systems, s.Name)
	}
	seen := map[string]bool{}
	for _, s := range surface.Surfaces {
		assert.False(t, seen[s.Name], "%s is there twice", s.Name)
		seen[s.Name] = true
		assert.Subset(t, systems, s.Systems, s.Name)
		assert.Subset(t, surface.Features, s.Features, s.Name)
		for _, kind := range surface.Kinds {
			assert.NotEmpty(t, s.Errors[kind], "%s: %s", s.Name, kind)
		}
		assert.NotEmpty(t, s.Command, s.Name)
	}
}

// Each feature has a surface that cases which need it can be judged on, or they
// would be judged nowhere.
func TestSurfaces_EveryFeatureIsSomewhere(t *testing.T) {
	var all []string
	for _, s := range surface.Surfaces {
		all = append(all, s.Features...)
	}
	assert.Subset(t, all, surface.Features)
}

func TestFind(t *testing.T) {
	s, ok := surface.Find("python")
	assert.True(t, ok)
	assert.Equal(t, "ValueError", s.Errors[surface.InvalidArgument])
	_, ok = surface.Find("cobol")
	assert.False(t, ok)
}
