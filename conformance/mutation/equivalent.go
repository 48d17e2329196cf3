package mutation

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"gopkg.in/yaml.v3"
)

// An Equivalent is a mutant that no case can tell from the original, and the
// invariant that makes it so.
type Equivalent struct {
	Mutant string // its ID
	Reason string
}

// Equivalents are those that are listed, in the order of the list.
type Equivalents []Equivalent

// ReadEquivalents reads the list of them.
func ReadEquivalents(file string) (Equivalents, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list Equivalents
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	seen := map[string]bool{}
	for _, e := range list {
		if e.Mutant == "" || e.Reason == "" || seen[e.Mutant] {
			return nil, fmt.Errorf("%s: %q is without a reason, or there twice", file, e.Mutant)
		}
		if !idForm.MatchString(e.Mutant) {
			return nil, fmt.Errorf("%s: %q is no mutant: FILE FUNCTION: BEFORE => AFTER in: LINE expected", file, e.Mutant)
		}
		seen[e.Mutant] = true
	}
	return list, nil
}

// has reports whether a mutant is listed.
func (list Equivalents) has(m Mutant) bool {
	return slices.ContainsFunc(list, func(e Equivalent) bool { return e.Mutant == m.ID() })
}
