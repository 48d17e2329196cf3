package mutation

import (
	"bytes"
	"fmt"
	"os"

	"gopkg.in/yaml.v3"
)

// An Equivalent is a mutant that no case can tell from the original, and the
// invariant that makes it so.
type Equivalent struct {
	Mutant string // its ID
	Reason string
}

// ReadEquivalents reads the list of them.
func ReadEquivalents(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []Equivalent
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	reasons := map[string]string{}
	for _, e := range list {
		if e.Mutant == "" || e.Reason == "" || reasons[e.Mutant] != "" {
			return nil, fmt.Errorf("%s: %q is without a reason, or there twice", file, e.Mutant)
		}
		reasons[e.Mutant] = e.Reason
	}
	return reasons, nil
}
