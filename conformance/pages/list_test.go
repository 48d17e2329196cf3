package pages_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// An entry says what becomes of a block. Where it has none of the ways below, a
// block of C, C++, Go or Python is a whole program, which has to end well.
type entry struct {
	Starts string // what the block begins with

	Wrap    string // the file of testdata that makes a program, or a case file, of a part of one
	Prints  string // what the program prints, where no block behind it says so
	Remarks bool   // what the program prints stands in its remarks
	Output  bool   // it is what the program of the block before prints

	Commands map[string]string // of a terminal: "run", or why not
	Fails    string            // a script that fails with what the block quotes
	Source   string            // a file that has the texts which the block quotes
	Reads    string            // what reads it: known, protocol

	Elsewhere string // the file that has a test of it, and a word of that test
	Skip      string // why nothing runs it
}

// ways are those of the entry that take the place of running it as a program.
func (e entry) ways() []string {
	var ways []string
	for name, has := range map[string]bool{
		"output": e.Output, "commands": e.Commands != nil, "fails": e.Fails != "",
		"source": e.Source != "",
		"reads":  e.Reads != "", "elsewhere": e.Elsewhere != "", "skip": e.Skip != "",
	} {
		if has {
			ways = append(ways, name)
		}
	}
	return ways
}

// list reads blocks.yaml: page => what becomes of its blocks, in their order.
func list(t *testing.T) map[string][]entry {
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "conformance/pages/blocks.yaml")))
	decoder.KnownFields(true)
	var all map[string][]entry
	require.NoError(t, decoder.Decode(&all))
	return all
}

// Every block of every page has its entry, and every entry its block.
func TestList_HasEveryBlock(t *testing.T) {
	all := list(t)
	for _, page := range pages(t) {
		found := blocks(t, page)
		for i, b := range found {
			if i >= len(all[page]) || !strings.HasPrefix(b.text, all[page][i].Starts) || all[page][i].Starts == "" {
				t.Errorf("%s:%d: block %d of the page is not the one at this place of blocks.yaml:\n%s", page, b.line, i+1, b.text)
				break
			}
			checkEntry(t, b, all[page][i])
			if all[page][i].Output {
				assert.True(t, i > 0 && found[i-1].runs(all[page][i-1]), "%s:%d: no program is before it", page, b.line)
			}
		}
		assert.LessOrEqual(t, len(all[page]), len(found), "blocks.yaml has more blocks of %s than there are", page)
		delete(all, page)
	}
	assert.Empty(t, all, "blocks.yaml has pages that do not exist or have no blocks")
}

func checkEntry(t *testing.T, b block, e entry) {
	where := fmt.Sprintf("%s:%d", b.page, b.line)
	if ways := e.ways(); b.runs(e) {
		assert.LessOrEqual(t, len(ways), 1, where)
	} else {
		assert.Len(t, ways, 1, "%s: what becomes of this block?", where)
	}
	assert.Contains(t, []string{"", "known", "protocol"}, e.Reads, where)
	assert.Equal(t, e.Commands != nil, b.language == "console", "%s: commands are for a terminal, and a terminal has them", where)
	if e.Source != "" {
		checkSource(t, where, b.text, read(t, e.Source))
	}
	if e.Elsewhere != "" {
		file, word, _ := strings.Cut(e.Elsewhere, " ")
		assert.True(t, word != "" && strings.Contains(read(t, file), word), "%s: %s does not have %q", where, file, word)
	}
}

// runs says whether the block is a program, or made one by its entry.
func (b block) runs(e entry) bool {
	return slices.Contains([]string{"c", "cpp", "go", "python"}, b.language) || b.language == "yaml" && e.Wrap != ""
}

// checkSource finds each line's parts, … between them, in a source of ours.
func checkSource(t *testing.T, where, text, source string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '…' || r == '\n' }) {
		if !strings.Contains(source, strings.TrimSpace(part)) { // assert would print the whole file
			t.Errorf("%s: the source does not have %q", where, part)
		}
	}
}
