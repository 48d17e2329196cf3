package corpus

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Select gives the cases that one of the patterns matches, in their order; all
// of them when there is no pattern. A pattern with a slash is matched against
// system/id, another against the id; * and ? stand for what they do in a shell.
// A pattern that matches no case is an error, so that a misspelt one is not
// taken for a run that went well.
func Select(cases []Case, patterns []string) ([]Case, error) {
	if len(patterns) == 0 {
		return cases, nil
	}
	var problems []error
	chosen := make([]bool, len(cases))
	for _, pattern := range patterns {
		problems = append(problems, choose(cases, pattern, chosen))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	var selected []Case
	for i, c := range cases {
		if chosen[i] {
			selected = append(selected, c)
		}
	}
	return selected, nil
}

func choose(cases []Case, pattern string, chosen []bool) error {
	matches := make([]bool, len(cases))
	for i, c := range cases {
		name := c.ID
		if strings.Contains(pattern, "/") {
			name = c.System + "/" + c.ID
		}
		matched, err := path.Match(pattern, name)
		if err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
		matches[i] = matched
		chosen[i] = chosen[i] || matched
	}
	if !slices.Contains(matches, true) {
		return fmt.Errorf("pattern %q matches no case", pattern)
	}
	return nil
}
