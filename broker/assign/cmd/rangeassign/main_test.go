package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Subscriptions of version 0.
const (
	toA       = "000000000001000161ffffffff"
	toAB      = "00000000000200016100016200000000"
	toNothing = "000000000000ffffffff"
)

func TestText(t *testing.T) {
	tests := []struct{ why, input, want string }{
		{"members in Kafka's order, topics by name", `
# a comment
topic b 1
	topic	a  3

member consumer-2 ` + toA + `
member consumer-10 ` + toAB + `
 # another
member consumer-3 ` + toNothing + `
member z ` + toA + ` static
`, "z: a=0\nconsumer-10: a=1 b=0\nconsumer-2: a=2\nconsumer-3: -\n"},
		{"the order of lines does not matter", "member m " + strings.ToUpper(toAB) + "\ntopic a 2", "m: a=0,1\n"},
		{"lines that end as on Windows", "topic a 1\r\nmember m " + toA + "\r\n", "m: a=0\n"},
		{"no member", "topic a 1\n", ""},
		{"nothing", "", ""},
		{"a topic named twice by its member", "topic a 1\nmember m 00000000000200016100016100000000", "m: a=0\n"},
		{"an identifier that looks like a comment", "topic a 1\nmember #m " + toA, "#m: a=0\n"},
	}
	for _, test := range tests {
		code, stdout, stderr := rangeassign(test.input)
		assert.Equal(t, 0, code, test.why)
		assert.Equal(t, test.want, stdout, test.why)
		assert.Empty(t, stderr, test.why)
	}
}

func TestJSON(t *testing.T) {
	code, stdout, _ := rangeassign("topic a 3\nmember m2 "+toA+"\nmember m1 "+toNothing+"\nmember \"z "+toA+" s", "--json")
	assert.Equal(t, 0, code)
	//nolint:testifylint // JSONEq would not see the order
	assert.Equal(t, "{\n  \"\\\"z\": {\"a\":[0,1]},\n  \"m1\": {},\n  \"m2\": {\"a\":[2]}\n}\n", stdout)
	assert.True(t, json.Valid([]byte(stdout)))

	code, stdout, _ = rangeassign("", "--json")
	assert.Equal(t, 0, code)
	assert.Equal(t, "{}\n", stdout)
}

// RA-07: what is malformed is named by line and field, and nothing is printed.
func TestMalformedInput(t *testing.T) {
	tests := []struct{ input, want string }{
		{"tpoic a 1", `standard input: line 1: begins with "tpoic" in place of topic or member`},
		{"\n#\ntopic", "standard input: line 3: NAME is missing"},
		{"topic a", "standard input: line 1: COUNT is missing"},
		{"topic a 1 x", `standard input: line 1: "x" follows the last field, COUNT`},
		{"topic a -1", `standard input: line 1: COUNT: "-1" is not an integer from 0 through 10000000`},
		{"topic a 10000001", `standard input: line 1: COUNT: "10000001" is not an integer from 0 through 10000000`},
		{"topic a 18446744073709551617", `standard input: line 1: COUNT: "18446744073709551617" is not an integer from 0 through 10000000`},
		{"topic a 1.0", `standard input: line 1: COUNT: "1.0" is not an integer from 0 through 10000000`},
		{"topic \xff 1", "standard input: line 1: NAME: is not valid UTF-8"},
		{"topic a 1\ntopic a 1", `standard input: line 2: NAME: "a" was given in line 1`},
		{"topic a 10000000\n\ntopic b 1", "standard input: line 3: COUNT: there are more than 10000000 partitions in all"},
		{"member", "standard input: line 1: ID is missing"},
		{"member m", "standard input: line 1: HEX is missing"},
		{"member m zz", "standard input: line 1: HEX: encoding/hex: invalid byte: U+007A 'z'"},
		{"member m 000", "standard input: line 1: HEX: encoding/hex: odd length hex string"},
		{"member m 0000ffffffff", "standard input: line 1: HEX: topics count -1 at byte 2 is negative"},
		{"member m " + toA + " i x", `standard input: line 1: "x" follows the last field, [INSTANCE]`},
		{"member \xff " + toA, "standard input: line 1: ID: is not valid UTF-8"},
		{"member m " + toA + " \xff", "standard input: line 1: INSTANCE: is not valid UTF-8"},
		{"member m " + toA + "\nmember m " + toA, `standard input: line 2: ID: "m" was given in line 1`},
		{"member m " + toA + " i\nmember n " + toA + " i", `standard input: line 2: INSTANCE: "i" was given in line 1`},
		{"topic a 1\n" + strings.Repeat("x", maxLine+1), "standard input: line 2: has more than 16777216 bytes"},
	}
	for _, test := range tests {
		code, stdout, stderr := rangeassign(test.input)
		assert.Equal(t, 2, code, test.want)
		assert.Empty(t, stdout, test.want)
		assert.Equal(t, "rangeassign: "+test.want+"\nSee rangeassign --help\n", stderr)
	}
}

func TestLongestLine(t *testing.T) {
	longest := "#" + strings.Repeat("x", maxLine-1)
	for _, ending := range []string{"", "\n", "\ntopic"} {
		_, _, stderr := rangeassign(longest + ending)
		assert.NotContains(t, stderr, "line 1", "%q", ending)
	}
}

func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "group.txt")
	require.NoError(t, os.WriteFile(file, []byte("topic a 1\nmember m "+toA), 0o600))

	code, stdout, _ := rangeassign("not read", file)
	assert.Equal(t, 0, code)
	assert.Equal(t, "m: a=0\n", stdout)

	code, stdout, _ = rangeassign("member m "+toA, "-")
	assert.Equal(t, 0, code)
	assert.Equal(t, "m: -\n", stdout)

	code, _, stderr := rangeassign("", file+".absent")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, file+".absent")

	require.NoError(t, os.WriteFile(file, []byte("topic"), 0o600))
	code, _, stderr = rangeassign("", file)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, file+": line 1: NAME is missing")
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"--jsno"}, {"a", "b"}, {"--json=maybe"}} {
		code, stdout, stderr := rangeassign("", args...)
		assert.Equal(t, 2, code, args)
		assert.Empty(t, stdout, args)
		assert.Contains(t, stderr, "See rangeassign --help", args)
	}
}

// The help shows an example that is true.
func TestHelp(t *testing.T) {
	code, stdout, stderr := rangeassign("", "--help")
	assert.Equal(t, 0, code)
	assert.Empty(t, stderr)

	_, shown, _ := strings.Cut(stdout, "<<END\n")
	input, shown, _ := strings.Cut(shown, "  END\n")
	wantText, shown, _ := strings.Cut(shown, "\n\n")
	_, shown, _ = strings.Cut(shown, "group.txt\n")
	wantJSON, _, _ := strings.Cut(shown, "\n\n")

	_, stdout, _ = rangeassign(input)
	assert.Equal(t, unindent(wantText), stdout)
	_, stdout, _ = rangeassign(input, "--json")
	assert.Equal(t, unindent(wantJSON), stdout)
}

func unindent(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "  "), "\n  ", "\n") + "\n"
}

func TestBrokenStreams(t *testing.T) {
	broken := errors.New("cut off")
	var stdout, stderr bytes.Buffer
	input := io.MultiReader(strings.NewReader("topic a 1\n"), iotest.ErrReader(broken))
	assert.Equal(t, 2, run(nil, input, &stdout, &stderr))
	assert.Empty(t, stdout.String())
	assert.Contains(t, stderr.String(), "standard input: after line 1: cut off")

	stderr.Reset()
	assert.Equal(t, 1, run(nil, strings.NewReader("member m "+toA), failingWriter{broken}, &stderr))
	assert.Equal(t, "rangeassign: cannot write the answer: cut off\n", stderr.String())
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func rangeassign(input string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(input), &out, &errs)
	return code, out.String(), errs.String()
}
