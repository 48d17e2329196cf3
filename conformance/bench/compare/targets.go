package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"gopkg.in/yaml.v3"
)

// targets are what is compared, and what is wanted of it.
type targets struct {
	Groups []group `yaml:"groups"`
	Growth []curve `yaml:"growth"`
}

type group struct {
	Name  string `yaml:"name"` // that of --only
	Title string `yaml:"title"`
	Rows  []row  `yaml:"rows"`
}

// A row is a comparison, or a figure without a peer.
type row struct {
	What    string  `yaml:"what"`
	Ours    side    `yaml:"ours"`
	Peer    side    `yaml:"peer"`
	Against string  `yaml:"against"`
	Unit    string  `yaml:"unit"` // where it is not nanoseconds
	Rate    string  `yaml:"rate"` // what is counted, where amounts are shown a second
	AtMost  float64 `yaml:"at_most"`
	AtLeast float64 `yaml:"at_least"`
	Reason  string  `yaml:"reason"`
}

// A curve is what a side costs at each point.
type curve struct {
	What   string `yaml:"what"`
	Side   side   `yaml:"side"`
	Points []int  `yaml:"points"`
}

// at is the side that measures a point.
func (c curve) at(point int) side { return side(fmt.Sprintf("%s=%d", c.Side, point)) }

// The name under which --only has the curves.
const growthName = "growth"

func readTargets(path string) (targets, error) {
	var t targets
	data, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			if err := r.check(); err != nil {
				return t, fmt.Errorf("%s: %s: %s: %w", path, g.Name, r.What, err)
			}
		}
	}
	return t, nil
}

func (r row) check() error {
	switch {
	case r.Ours == "":
		return errors.New("has no side ours")
	case r.Peer == "" && r.Unit == "":
		return errors.New("has neither a peer nor a unit")
	case r.Peer != "" && r.Against == "":
		return errors.New("does not say what the peer is: against")
	case r.AtMost != 0 && r.AtLeast != 0:
		return errors.New("has two targets")
	}
	return nil
}

// only keeps the group of that name, or the curves.
func (t targets) only(name string) (targets, error) {
	if name == "" {
		return t, nil
	}
	names := []string{growthName}
	for _, g := range t.Groups {
		if g.Name == name {
			return targets{Groups: []group{g}}, nil
		}
		names = append(names, g.Name)
	}
	if name == growthName {
		return targets{Growth: t.Growth}, nil
	}
	return t, fmt.Errorf("--only: there is no group %q; there are %s", name, strings.Join(names, ", "))
}
