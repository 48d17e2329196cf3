package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/assign"
)

const asked = 50 // groups

func TestJudgeFindsNoDifferenceWhereThereIsNone(t *testing.T) {
	assert.NoError(t, judge(asked, fileOf(t, answersOfOurs(t))))
}

// A doctored answer must not pass, whichever of its fields was touched.
func TestJudgeFindsEveryDifference(t *testing.T) {
	answers := answersOfOurs(t)
	busy := slices.IndexFunc(answers, func(line string) bool { return strings.Contains(line, ":1") })
	for field := 2; field < 6; field++ {
		assert.ErrorContains(t, judge(asked, fileOf(t, doctored(answers, busy, field))), "in 50 groups", "field %d", field)
	}
	assert.ErrorContains(t, judge(asked, fileOf(t, doctored(answers, busy, 1))), "in place of one about member")
}

func TestJudgeWantsAnAnswerToEveryGroup(t *testing.T) {
	answers := answersOfOurs(t)
	assert.ErrorContains(t, judge(asked, fileOf(t, nil)), "group 0: no answer")
	assert.ErrorContains(t, judge(asked, fileOf(t, answers[:len(answers)-1])), "group 49: no answer")
	assert.ErrorContains(t, judge(asked, fileOf(t, append(answers, "group 50"))), "an answer too many: group 50")
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"write", "0", "x"}, {"write", "-1", "x"}, {"guess", "1", "x"}} {
		assert.Error(t, run(args), args)
	}
}

// answersOfOurs are the answers of a Kafka that says just what we do.
func answersOfOurs(t *testing.T) []string {
	var lines []string
	for number := range uint64(asked) {
		q, err := ask(number)
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("group %d", number))
		for i, m := range q.Members {
			ordered, err := assign.EncodeSubscription(inKafkasOrder(m.Subscription))
			require.NoError(t, err)
			lines = append(lines, strings.Join([]string{"member", text(m.ID), plainSubscription(m.Subscription),
				text(ordered), plainAssignment(q.assigned[i]), text(q.assignments[i])}, " "))
		}
	}
	return lines
}

// doctored changes the last character of one field.
func doctored(lines []string, line, field int) []string {
	changed := append([]string(nil), lines...)
	fields := strings.Split(changed[line], " ")
	last := len(fields[field]) - 1
	other := "0"
	if fields[field][last] == '0' {
		other = "1"
	}
	fields[field] = fields[field][:last] + other
	changed[line] = strings.Join(fields, " ")
	return changed
}

func fileOf(t *testing.T, lines []string) string {
	name := filepath.Join(t.TempDir(), "answers.txt")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600))
	return name
}
