package main

import (
	"fmt"
	"os"
	"strings"
)

// What stands between the markers of a document is ours to write.
const (
	firstMarker = "<!-- ci/bench --write -->\n"
	lastMarker  = "<!-- end -->\n"
)

// writeBetween puts the text between the markers of the file.
func writeBetween(path, text string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := between(string(data), text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

func between(document, text string) (string, error) {
	before, rest, found := strings.Cut(document, firstMarker)
	if !found {
		return "", fmt.Errorf("the line %q is missing", strings.TrimSpace(firstMarker))
	}
	_, after, found := strings.Cut(rest, lastMarker)
	if !found {
		return "", fmt.Errorf("the line %q is missing behind %q", strings.TrimSpace(lastMarker), strings.TrimSpace(firstMarker))
	}
	return before + firstMarker + text + lastMarker + after, nil
}
