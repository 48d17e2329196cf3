package disk_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// PS-13: what retention forgets makes room for what comes. After many times as
// many messages as are kept, the file is no larger than it soon was, or by half,
// which the order of its free pages may cost: all that came is three times as much.
func TestGrowth(t *testing.T) {
	const retain, times = 100, 16
	rng := rand.New(rand.NewPCG(1, 0)) // the sizes of chance would now and then grow later
	for name, payload := range map[string]func() string{
		"small": func() string { return strings.Repeat("-", 100) },
		"mixed": func() string { return strings.Repeat("-", rng.IntN(1<<rng.IntN(15))) },
	} {
		path := newPath(t)
		j := open(t, path, disk.Options{})
		require.NoError(t, j.CreateTopic("t", engine.TopicOptions{Retain: retain}))
		var sizes []int64
		for round := range times {
			for i := range retain {
				offset := int64(round*retain + i)
				require.NoError(t, j.Append("t", offset, payload(), max(0, offset+1-retain)))
				cursor := engine.CursorID{Name: fmt.Sprint(i % 7)}
				require.NoError(t, j.Save("t", cursor, engine.Progress{Next: offset}, nil, nil))
			}
			info, err := os.Stat(path)
			require.NoError(t, err)
			sizes = append(sizes, info.Size())
		}
		require.NoError(t, j.Close())
		t.Log(name, sizes)
		require.LessOrEqual(t, sizes[times-1], sizes[times/4]*3/2, name)
	}
}
