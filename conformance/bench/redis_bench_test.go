package bench

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// batch is how many messages go together where they can.
const batch = 64

// patience is how long a peer may take to start, and to answer, on a machine that
// has others to serve.
const patience = 10 * time.Minute

// Redis Streams over a Unix socket; nothing is written to the disk. A stream keeps
// what is acknowledged, and is cut to 1,000 as it grows.
func BenchmarkRedis(b *testing.B) {
	b.Run("single", func(b *testing.B) {
		s := newStream(b)
		for b.Loop() {
			must(b, s.XAdd(s.ctx, s.message).Err())
			s.ack(s.read(1)...)
		}
	})
	b.Run("pipelined", func(b *testing.B) {
		s := newStream(b)
		for b.Loop() {
			_, err := s.Pipelined(s.ctx, func(p redis.Pipeliner) error {
				for range batch {
					p.XAdd(s.ctx, s.message)
				}
				return nil
			})
			must(b, err)
			s.ack(s.read(batch)...)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/op")
	})
}

// A stream is one of a server of its own, with a group.
type stream struct {
	*testing.B
	*redis.Client
	ctx     context.Context
	message *redis.XAddArgs
}

func newStream(b *testing.B) *stream {
	client := redis.NewClient(&redis.Options{
		Network: "unix", Addr: startRedis(b), DialTimeout: patience, ReadTimeout: patience, WriteTimeout: patience,
		MaxRetries: -1, // what was sent twice is there twice
	})
	s := &stream{b, client, b.Context(), &redis.XAddArgs{
		Stream: "orders", MaxLen: 1000, Approx: true, Values: []string{"payload", string(payload)},
	}}
	b.Cleanup(func() { _ = s.Close() })
	require.Eventually(b, func() bool { return s.Ping(s.ctx).Err() == nil }, patience, 10*time.Millisecond)
	require.NoError(b, s.XGroupCreateMkStream(s.ctx, "orders", "billing", "$").Err())
	return s
}

// startRedis starts a server that ends with the benchmark, and gives its socket.
func startRedis(b *testing.B) string {
	folder := b.TempDir()
	socket := filepath.Join(folder, "redis.sock")
	server := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder)
	require.NoError(b, server.Start())
	b.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	return socket
}

func (s *stream) read(count int64) []string {
	read, err := s.XReadGroup(s.ctx, &redis.XReadGroupArgs{
		Group: "billing", Consumer: "m1", Streams: []string{"orders", ">"}, Count: count,
	}).Result()
	must(s.B, err)
	ids := make([]string, len(read[0].Messages))
	for i, m := range read[0].Messages {
		ids[i] = m.ID
	}
	return ids
}

func (s *stream) ack(ids ...string) {
	acked, err := s.XAck(s.ctx, "orders", "billing", ids...).Result()
	if err != nil || acked != int64(len(ids)) {
		s.Fatal(fmt.Sprint(acked, " acknowledged: ", err))
	}
}
