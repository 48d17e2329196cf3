package bench

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// NATS JetStream in this process, connected without a socket, its stream in
// memory; what is acknowledged goes.
func BenchmarkNATS(b *testing.B) {
	b.Run("single", func(b *testing.B) {
		js, consumer := newJetStream(b)
		for b.Loop() {
			_, err := js.Publish(b.Context(), "orders", payload)
			must(b, err)
			ackFetched(b, consumer, 1)
		}
	})
	b.Run("pipelined", func(b *testing.B) {
		js, consumer := newJetStream(b)
		for b.Loop() {
			for range batch {
				_, err := js.PublishAsync("orders", payload)
				must(b, err)
			}
			<-js.PublishAsyncComplete()
			ackFetched(b, consumer, batch)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/op")
	})
}

func newJetStream(b *testing.B) (jetstream.JetStream, jetstream.Consumer) {
	connection, err := nats.Connect("", nats.InProcessServer(startNATS(b)), nats.Timeout(patience))
	require.NoError(b, err)
	b.Cleanup(connection.Close)
	js, err := jetstream.New(connection, jetstream.WithDefaultTimeout(patience))
	require.NoError(b, err)
	_, err = js.CreateStream(b.Context(), jetstream.StreamConfig{
		Name: "orders", Subjects: []string{"orders"}, Storage: jetstream.MemoryStorage, Retention: jetstream.InterestPolicy,
	})
	require.NoError(b, err)
	consumer, err := js.CreateConsumer(b.Context(), "orders", jetstream.ConsumerConfig{
		Durable: "billing", AckPolicy: jetstream.AckExplicitPolicy, MemoryStorage: true,
	})
	require.NoError(b, err)
	return js, consumer
}

func startNATS(b *testing.B) *server.Server {
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: b.TempDir(), NoSigs: true, WriteDeadline: patience})
	require.NoError(b, err)
	s.Start()
	b.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(b, s.ReadyForConnections(patience))
	return s
}

func ackFetched(b *testing.B, consumer jetstream.Consumer, count int) {
	for left := count; left > 0; {
		fetched, err := consumer.Fetch(left)
		must(b, err)
		for m := range fetched.Messages() {
			must(b, m.Ack())
			left--
		}
		must(b, fetched.Error())
	}
}
