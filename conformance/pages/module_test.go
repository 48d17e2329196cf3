package pages_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const stranger = `package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/assign"
	"github.com/eventbroker/eventbroker/broker/event"
	"github.com/eventbroker/eventbroker/broker/message"
	"github.com/eventbroker/eventbroker/broker/pubsub"
)

func main() {
	e, _ := event.New(1, event.Options{})
	m, _ := message.New(1, message.Options{})
	p, _ := pubsub.New(pubsub.Options{})
	owned, _ := assign.Range(map[string]int{"t": 1}, []assign.Member{{ID: "a", Topics: []string{"t"}}})
	fmt.Println(e.Close(), m.Close(), p.Close(), owned)
}
`

// The way of the README's table: a module outside the tree that names the checkout.
func TestModule_OfAStranger(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(stranger), 0o644))
	outside := func(args ...string) call {
		c := command(t, "go", args...)
		c.Dir = folder
		return c
	}
	require.NoError(t, outside("mod", "init", "stranger.example").quietly())
	require.NoError(t, outside("mod", "edit", "-replace", "github.com/eventbroker/eventbroker="+root(t)).quietly())
	require.NoError(t, outside("mod", "tidy").quietly())
	assert.Equal(t, "<nil> <nil> <nil> map[a:map[t:[0]]]\n", outside("run", ".").prints(t))
}
