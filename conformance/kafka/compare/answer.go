package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// shown is how many differences are told; the others are only counted.
const shown = 10

// A comparison goes through Kafka's answers and keeps count.
type comparison struct {
	answers                             *bufio.Scanner
	groups, members, bytes, differences int
}

// judge compares Kafka's answers to the groups with ours.
func judge(groups uint64, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	c := comparison{answers: bufio.NewScanner(bytes.NewReader(data))}
	c.answers.Buffer(nil, 1<<20)
	for number := range groups {
		if err := c.group(number); err != nil {
			return fmt.Errorf("group %d: %w", number, err)
		}
	}
	if c.answers.Scan() {
		return fmt.Errorf("an answer too many: %s", c.answers.Text())
	}
	if c.differences > 0 {
		return fmt.Errorf("%d differences in %d groups", c.differences, c.groups)
	}
	fmt.Printf("compared %d groups of %d members in all, %d bytes, with Kafka: no difference\n", c.groups, c.members, c.bytes)
	return nil
}

func (c *comparison) group(number uint64) error {
	q, err := ask(number)
	if err != nil {
		return err
	}
	if _, err := c.next("group", fmt.Sprint(number), 2); err != nil {
		return err
	}
	for i := range q.Members {
		fields, err := c.next("member", text(q.Members[i].ID), 6)
		if err != nil {
			return err
		}
		if err := c.member(number, q, i, fields[2:]); err != nil {
			return fmt.Errorf("member %+q: %w", q.Members[i].ID, err)
		}
	}
	c.groups++
	return nil
}

// next takes the next line of the answers, which must be about name.
func (c *comparison) next(kind, name string, count int) ([]string, error) {
	if !c.answers.Scan() {
		return nil, errors.Join(fmt.Errorf("no answer about %s %s", kind, name), c.answers.Err())
	}
	fields := strings.Split(c.answers.Text(), " ")
	if len(fields) != count || fields[0] != kind || fields[1] != name {
		return nil, fmt.Errorf("the answer is %q in place of one about %s %s", fields, kind, name)
	}
	return fields, nil
}

// member compares what Kafka said about member i: what it read in our
// subscription, its own bytes for it, and the same of the assignment.
func (c *comparison) member(number uint64, q *question, i int, said []string) error {
	kafkaSubscription, err := unhex(said[1])
	if err != nil {
		return err
	}
	kafkaAssignment, err := unhex(said[3])
	if err != nil {
		return err
	}
	tell := func(what string, kafka, ours any) {
		if reflect.DeepEqual(kafka, ours) {
			return
		}
		if c.differences++; c.differences <= shown {
			fmt.Fprintf(os.Stderr, "group %d, member %+q: %s:\n  Kafka %v\n  ours  %v\n", number, q.Members[i].ID, what, kafka, ours)
		}
	}
	tell("Kafka reads our subscription", said[0], plainSubscription(q.Members[i].Subscription))
	tell("Kafka reads our assignment", said[2], plainAssignment(q.assigned[i]))
	compareSubscription(tell, kafkaSubscription, inKafkasOrder(q.Members[i].Subscription))
	compareAssignment(tell, kafkaAssignment, q.assigned[i])
	c.members++
	c.bytes += len(kafkaSubscription) + len(q.subscriptions[i]) + len(kafkaAssignment) + len(q.assignments[i])
	return nil
}

func compareSubscription(tell func(string, any, any), kafka []byte, ours assign.Subscription) {
	read, err := assign.DecodeSubscription(kafka)
	tell("we read Kafka's subscription", nil, err)
	tell("we read Kafka's subscription", plainSubscription(read), plainSubscription(ours))
	written, err := assign.EncodeSubscription(ours)
	tell("we write the subscription", nil, err)
	tell("the bytes of the subscription", text(kafka), text(written))
}

// compareAssignment passes over the order of the topics, which in Kafka is that
// of a hash map.
func compareAssignment(tell func(string, any, any), kafka []byte, ours assign.Assignment) {
	read, err := assign.DecodeAssignment(kafka)
	tell("we read Kafka's assignment", nil, err)
	written, err := assign.EncodeAssignment(read)
	tell("we write the assignment", nil, err)
	tell("the bytes of the assignment", text(kafka), text(written))
	slices.SortFunc(read.Partitions, byTopic)
	slices.SortFunc(ours.Partitions, byTopic)
	tell("who gets what", plainAssignment(read), plainAssignment(ours))
}

// inKafkasOrder is the subscription as Kafka's consumer writes it, with the
// topics in order.
func inKafkasOrder(s assign.Subscription) assign.Subscription {
	s.Topics = slices.SortedFunc(slices.Values(s.Topics), asJava)
	s.OwnedPartitions = slices.SortedFunc(slices.Values(s.OwnedPartitions), byTopic)
	return s
}

func byTopic(a, b assign.TopicPartitions) int { return asJava(a.Topic, b.Topic) }

// asJava compares strings as Java does, said without the code that is judged.
func asJava(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
