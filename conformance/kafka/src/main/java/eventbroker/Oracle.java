package eventbroker;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;

/**
 * Answers a file of consumer groups with what Kafka says to them, and judges nothing.
 *
 * <p>A group is a line {@code group NUMBER}, then {@code topic NAME COUNT} for each topic, then for
 * each member its id, its instance id, the subscription in bytes and as {@link Plain}, and the
 * assignment in bytes, all of them the other side's. The answer has for each member what Kafka reads
 * in those bytes, and its own bytes for the same subscription and for the assignment that its range
 * assignor decides.
 */
public final class Oracle {
    private record Member(
            String id,
            Optional<String> instance,
            ByteBuffer subscriptionBytes,
            Plain subscription,
            ByteBuffer assignmentBytes) {

        /** A line of the file: member ID INSTANCE SUBSCRIPTION PLAIN ASSIGNMENT. */
        static Member of(String[] fields) {
            return new Member(
                    Text.string(fields[1]),
                    Optional.ofNullable(Text.string(fields[2])),
                    Text.bytes(fields[3]),
                    Plain.of(fields[4]),
                    Text.bytes(fields[5]));
        }

        /** What the assignor is told: no rack, so that it does not look for any. */
        Subscription withoutRack() {
            Subscription told = new Subscription(subscription.topics());
            told.setGroupInstanceId(instance);
            return told;
        }
    }

    private final Map<String, Integer> partitions = new HashMap<>();
    private final List<Member> members = new ArrayList<>();

    private Oracle() {}

    public static void main(String[] args) throws IOException {
        try (BufferedReader groups = Files.newBufferedReader(Path.of(args[0]));
                BufferedWriter answers = Files.newBufferedWriter(Path.of(args[1]))) {
            Oracle group = new Oracle();
            for (String line = groups.readLine(); line != null; line = groups.readLine()) {
                String[] fields = line.split(" ");
                switch (fields[0]) {
                    case "group" -> {
                        group.answer(answers);
                        group = new Oracle();
                        answers.write(line + "\n");
                    }
                    case "topic" -> group.partitions.put(Text.string(fields[1]), Integer.valueOf(fields[2]));
                    case "member" -> group.members.add(Member.of(fields));
                    default -> throw new IOException("unknown line: " + line);
                }
            }
            group.answer(answers);
        }
    }

    private void answer(Writer answers) throws IOException {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (Member member : members) {
            subscriptions.put(member.id(), member.withoutRack());
        }
        Map<String, List<TopicPartition>> assigned = new RangeAssignor().assign(partitions, subscriptions);
        for (Member member : members) {
            answers.write(answer(member, assigned.get(member.id())));
        }
    }

    private static String answer(Member member, List<TopicPartition> assigned) {
        short version = member.subscription().version();
        ByteBuffer userData = member.subscription().userData();
        return String.join(
                " ",
                "member",
                Text.of(member.id()),
                Plain.readSubscription(member.subscriptionBytes()).toString(),
                Text.of(ConsumerProtocol.serializeSubscription(member.subscription().toKafka(), version)),
                Plain.readAssignment(member.assignmentBytes()),
                Text.of(ConsumerProtocol.serializeAssignment(new Assignment(assigned, userData), version)) + "\n");
    }
}
