package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// maxLine is how many bytes a line may have: 8 MiB of subscription in
// hexadecimal, more than a broker takes.
const maxLine = 16 << 20

// A group is what the input describes.
type group struct {
	partitions map[string]int // topic => count
	total      int            // of all counts
	members    []assign.Member

	// Where each name was first given, to tell of it when it comes again.
	topicLines, memberLines, instanceLines map[string]int
}

// read reads a group. Its errors begin with the source and the line.
func read(source string, from io.Reader) (*group, error) {
	g := &group{
		partitions:    make(map[string]int),
		topicLines:    make(map[string]int),
		memberLines:   make(map[string]int),
		instanceLines: make(map[string]int),
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine+1) // its end too
	number := 0
	for lines.Scan() {
		number++
		if err := g.line(number, lines.Text()); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", source, number, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: line %d: has more than %d bytes", source, number+1, maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("%s: after line %d: %w", source, number, err)
	}
	return g, nil
}

func (g *group) line(number int, text string) error {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	switch keyword, fields := fields[0], fields[1:]; keyword {
	case "topic":
		return g.topic(number, fields)
	case "member":
		return g.member(number, fields)
	default:
		return fmt.Errorf("begins with %.32q in place of topic or member", keyword)
	}
}

func (g *group) topic(number int, fields []string) error {
	if err := checkFields(fields, "NAME", "COUNT"); err != nil {
		return err
	}
	name := fields[0]
	if err := checkName("NAME", name, number, g.topicLines); err != nil {
		return err
	}
	count, err := strconv.ParseInt(fields[1], 10, 32)
	if err != nil || count < 0 || count > assign.MaxPartitions {
		return fmt.Errorf("COUNT: %.32q is not an integer from 0 through %d", fields[1], assign.MaxPartitions)
	}
	if g.total += int(count); g.total > assign.MaxPartitions {
		return fmt.Errorf("COUNT: there are more than %d partitions in all", assign.MaxPartitions)
	}
	g.partitions[name] = int(count)
	return nil
}

func (g *group) member(number int, fields []string) error {
	if err := checkFields(fields, "ID", "HEX", "[INSTANCE]"); err != nil {
		return err
	}
	if err := checkName("ID", fields[0], number, g.memberLines); err != nil {
		return err
	}
	data, err := hex.DecodeString(fields[1])
	if err != nil {
		return fmt.Errorf("HEX: %w", err)
	}
	subscription, err := assign.DecodeSubscription(data)
	if err != nil {
		return fmt.Errorf("HEX: %w", describe(err))
	}
	member := assign.Member{ID: fields[0], Topics: subscription.Topics}
	if len(fields) == 3 {
		if err := checkName("INSTANCE", fields[2], number, g.instanceLines); err != nil {
			return err
		}
		member.InstanceID = &fields[2]
	}
	g.members = append(g.members, member)
	return nil
}

// checkFields compares the fields of a line with those it is to have, of which
// one in brackets may be missing.
func checkFields(fields []string, names ...string) error {
	if len(fields) > len(names) {
		return fmt.Errorf("%.32q follows the last field, %s", fields[len(names)], names[len(names)-1])
	}
	if missing := names[len(fields):]; len(missing) > 0 && !strings.HasPrefix(missing[0], "[") {
		return fmt.Errorf("%s is missing", missing[0])
	}
	return nil
}

// checkName judges a name that may be given once, and keeps its line in lines.
func checkName(field, name string, number int, lines map[string]int) error {
	if !utf8.ValidString(name) {
		return fmt.Errorf("%s: is not valid UTF-8", field)
	}
	if first, given := lines[name]; given {
		return fmt.Errorf("%s: %.64q was given in line %d", field, name, first)
	}
	lines[name] = number
	return nil
}
