package pages_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	mark    = regexp.MustCompile(`[^\w\- ]`)
)

// What a page refers to in the tree is there, headings included.
func TestLinks(t *testing.T) {
	links := 0
	for _, page := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(found[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(filepath.Join(root(t), target)); err != nil {
				t.Errorf("%s refers to %s: %v", page, found[1], err)
			} else if anchor != "" {
				assert.Contains(t, anchors(read(t, target)), anchor, "%s refers to %s", page, found[1])
			}
		}
	}
	assert.NotZero(t, links)
}

// anchors are those that GitHub gives to a page's headings.
func anchors(text string) []string {
	var all []string
	for _, found := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.ReplaceAll(mark.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-"))
	}
	return all
}
