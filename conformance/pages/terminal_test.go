package pages_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var remark = regexp.MustCompile(` +# .*`)

// A typed is a command of a terminal block, with the lines that it reads, and
// what the page says that it prints.
type typed struct{ line, text, prints string }

func typedIn(text string) []typed {
	var all []typed
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		line, rest, _ := strings.Cut(part, "\n")
		line = remark.ReplaceAllString(line, "")
		command := typed{line: line, text: line, prints: rest}
		if _, end, here := strings.Cut(line, " <<"); here {
			read, prints, _ := strings.Cut(rest, end+"\n")
			command = typed{line, line + "\n" + read + end, prints}
		}
		all = append(all, command)
	}
	return all
}

// Every command of a terminal block is run, or there is a reason.
func TestTerminal(t *testing.T) {
	t.Parallel()
	ran := 0
	for page, entries := range list(t) {
		found := blocks(t, page)
		for i, e := range entries {
			if e.Commands == nil || i >= len(found) {
				continue
			}
			reasons := e.Commands
			for _, command := range typedIn(found[i].text) {
				switch reason, listed := reasons[command.line]; {
				case !listed:
					t.Errorf("%s:%d: %s: is it run, or why not?", page, found[i].line, command.line)
				case reason == "run":
					command.check(t)
					ran++
				}
				delete(reasons, command.line)
			}
			assert.Empty(t, reasons, "%s:%d has no such commands", page, found[i].line)
		}
	}
	assert.NotZero(t, ran)
}

// check runs the command; where the page shows what it prints, that is so.
func (c typed) check(t *testing.T) {
	libraryFolder(t)
	text := strings.ReplaceAll(c.text, "build/bin/", kitFolder(t))
	printed := command(t, "bash", "-c", text).prints(t)
	require.NotEmpty(t, printed, c.line)
	if c.prints != "" {
		assert.Equal(t, strings.TrimSpace(c.prints), strings.TrimSpace(printed), c.line)
	}
}
