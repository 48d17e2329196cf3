package bench

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/eventbroker/eventbroker/broker/assign"
	"github.com/eventbroker/eventbroker/conformance/kafka/group"
)

var groups = flag.Int("groups", 100_000, "how many groups to compare")

// RA-01, RA-03, RA-04: franz-go reads the subscriptions that we write, divides
// the partitions, and writes assignments that we read. It sorts ids by byte and
// counts a topic that a member names twice as two, so there are neither ids from
// U+D800 on nor such topics.
func TestAssignAgreesWithFranzGo(t *testing.T) {
	var members, bytes int
	for seed := range *groups {
		g := group.New(uint64(seed), group.BelowSurrogates)
		joined := make([]kmsg.JoinGroupResponseMember, len(g.Members))
		for i, m := range g.Members {
			joined[i] = kmsg.JoinGroupResponseMember{
				MemberID: m.ID, InstanceID: m.InstanceID, ProtocolMetadata: sameSubscription(t, m.Subscription),
			}
			bytes += len(joined[i].ProtocolMetadata)
		}
		ours, err := assign.Range(g.Partitions, g.AssignMembers())
		require.NoError(t, err)
		theirs := make(map[string]map[string][]int32)
		for _, a := range balance(t, joined, g.Partitions) {
			theirs[a.MemberID] = sameAssignment(t, a.MemberAssignment)
			bytes += len(a.MemberAssignment)
		}
		require.Equal(t, theirs, ours, "seed %d: expected is franz-go, actual is ours", seed)
		members += len(joined)
	}
	t.Logf("compared %d groups of %d members in all, %d bytes: no difference", *groups, members, bytes)
}

// balance has franz-go divide the partitions.
func balance(t *testing.T, members []kmsg.JoinGroupResponseMember, partitions map[string]int) []kmsg.SyncGroupRequestGroupAssignment {
	balancer, topics, err := kgo.RangeBalancer().MemberBalancer(members)
	require.NoError(t, err)
	counts := make(map[string]int32)
	for topic := range topics {
		counts[topic] = int32(partitions[topic])
	}
	plan, err := balancer.(kgo.GroupMemberBalancerOrError).BalanceOrError(counts)
	require.NoError(t, err)
	return plan.IntoSyncAssignment()
}

// sameSubscription asks that both write the same bytes and read them alike, and
// gives the bytes.
func sameSubscription(t *testing.T, s assign.Subscription) []byte {
	ours, err := assign.EncodeSubscription(s)
	require.NoError(t, err)
	written := kmsg.ConsumerMemberMetadata{Version: s.Version, Topics: s.Topics, UserData: s.UserData, Generation: s.GenerationID, Rack: s.RackID}
	for _, owned := range s.OwnedPartitions {
		written.OwnedPartitions = append(written.OwnedPartitions, kmsg.ConsumerMemberMetadataOwnedPartition{Topic: owned.Topic, Partitions: owned.Partitions})
	}
	require.Equal(t, written.AppendTo(nil), ours)

	var theirs kmsg.ConsumerMemberMetadata
	require.NoError(t, theirs.ReadFrom(ours))
	decoded, err := assign.DecodeSubscription(ours)
	require.NoError(t, err)
	require.Equal(t, s, decoded)
	require.Equal(t, written.AppendTo(nil), theirs.AppendTo(nil))
	return ours
}

// sameAssignment asks that both read the bytes alike and write the same again,
// and gives topic => partitions.
func sameAssignment(t *testing.T, data []byte) map[string][]int32 {
	decoded, err := assign.DecodeAssignment(data)
	require.NoError(t, err)
	ours := make(map[string][]int32)
	for _, p := range decoded.Partitions {
		ours[p.Topic] = p.Partitions
	}
	theirs, err := kgo.ParseConsumerSyncAssignment(data)
	require.NoError(t, err)
	require.Equal(t, theirs, ours)
	again, err := assign.EncodeAssignment(decoded)
	require.NoError(t, err)
	require.Equal(t, data, again)
	return ours
}
