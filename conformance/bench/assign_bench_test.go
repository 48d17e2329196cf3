package bench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// Both read the subscriptions of 1,000 members and divide 1,000 partitions of one
// topic among them.
const many = 1000

func BenchmarkAssign(b *testing.B) {
	sent, err := assign.EncodeSubscription(assign.Subscription{Topics: []string{"orders"}})
	require.NoError(b, err)
	b.Run("ours", func(b *testing.B) {
		members := make([]assign.Member, many)
		for b.Loop() {
			for i := range members {
				wanted, err := assign.DecodeSubscription(sent)
				must(b, err)
				members[i] = assign.Member{ID: memberIDs[i], Topics: wanted.Topics}
			}
			_, err := assign.Range(map[string]int{"orders": many}, members)
			must(b, err)
		}
	})
	b.Run("franz-go", func(b *testing.B) {
		joined := make([]kmsg.JoinGroupResponseMember, many)
		for i := range joined {
			joined[i] = kmsg.JoinGroupResponseMember{MemberID: memberIDs[i], ProtocolMetadata: sent}
		}
		for b.Loop() {
			balancer, _, err := kgo.RangeBalancer().MemberBalancer(joined)
			must(b, err)
			_, err = balancer.(kgo.GroupMemberBalancerOrError).BalanceOrError(map[string]int32{"orders": many})
			must(b, err)
		}
	})
}

var memberIDs = func() (ids [many]string) {
	for i := range ids {
		ids[i] = fmt.Sprintf("consumer-%d", i)
	}
	return ids
}()

// must is for what is timed, where require would take time of its own.
func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}
