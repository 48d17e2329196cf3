package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
)

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "orders.db")

	journal, err := disk.Open(path, disk.Options{Sync: true}) // survives loss of power, too
	if err != nil {
		panic(err)
	}
	b, err := pubsub.New(pubsub.Options{Journal: journal})
	if err != nil {
		panic(err)
	}
	_, err = disk.Open(path, disk.Options{})
	fmt.Println(errors.Is(err, broker.ErrInUse))
	b.Close() // and its journal

	journal, err = disk.Open(path, disk.Options{})
	fmt.Println(err)
	journal.Close()
	// Output:
	// true
	// <nil>
}
