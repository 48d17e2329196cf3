package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/eventbroker/eventbroker/broker/assign"
	"github.com/eventbroker/eventbroker/conformance/kafka/group"
)

// A question is a group with our answers for each member.
type question struct {
	group.Group
	subscriptions [][]byte
	assigned      []assign.Assignment
	assignments   [][]byte
}

// ask draws the group of that number and answers it.
func ask(number uint64) (*question, error) {
	q := &question{Group: group.New(number, group.All)}
	assigned, err := assign.Range(q.Partitions, q.AssignMembers())
	if err != nil {
		return nil, err
	}
	for _, m := range q.Members {
		subscription, err := assign.EncodeSubscription(m.Subscription)
		if err != nil {
			return nil, err
		}
		ours := assign.Assignment{Version: m.Subscription.Version, UserData: m.Subscription.UserData}
		for _, topic := range slices.Sorted(maps.Keys(assigned[m.ID])) {
			ours.Partitions = append(ours.Partitions, assign.TopicPartitions{Topic: topic, Partitions: assigned[m.ID][topic]})
		}
		assignment, err := assign.EncodeAssignment(ours)
		if err != nil {
			return nil, err
		}
		q.subscriptions = append(q.subscriptions, subscription)
		q.assigned = append(q.assigned, ours)
		q.assignments = append(q.assignments, assignment)
	}
	return q, nil
}

// write writes the groups for Kafka to answer.
func write(groups uint64, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for number := range groups {
		q, err := ask(number)
		if err != nil {
			return fmt.Errorf("group %d: %w", number, err)
		}
		if err := q.write(number, out); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func (q *question) write(number uint64, out io.Writer) error {
	lines := fmt.Sprintf("group %d\n", number)
	for _, topic := range slices.Sorted(maps.Keys(q.Partitions)) {
		lines += fmt.Sprintf("topic %s %d\n", text(topic), q.Partitions[topic])
	}
	for i, m := range q.Members {
		lines += fmt.Sprintf("member %s %s %s %s %s\n", text(m.ID), nullableText(m.InstanceID),
			text(q.subscriptions[i]), plainSubscription(m.Subscription), text(q.assignments[i]))
	}
	_, err := io.WriteString(out, lines)
	return err
}
