package eventbroker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;

/**
 * A subscription field by field, which on a line is {@code VERSION;TOPICS;DATA;OWNED;GENERATION;RACK}:
 * lists divided by commas, an owned topic and its partitions by colons. An assignment is {@code
 * VERSION;PARTITIONS;DATA}.
 */
record Plain(
        short version, List<String> topics, ByteBuffer userData, List<String> owned, int generation, String rack) {

    static Plain of(String line) {
        String[] parts = line.split(";", -1);
        return new Plain(
                Short.parseShort(parts[0]),
                list(parts[1]).map(Text::string).toList(),
                Text.bytes(parts[2]),
                list(parts[3]).toList(),
                Integer.parseInt(parts[4]),
                Text.string(parts[5]));
    }

    /** Reads Kafka's message itself, in which the order of the bytes is kept. */
    static Plain readSubscription(ByteBuffer bytes) {
        short version = bytes.getShort(0);
        ConsumerProtocolSubscription read = ConsumerProtocol.deserializeConsumerProtocolSubscription(bytes);
        List<String> owned = new ArrayList<>();
        read.ownedPartitions().forEach(of -> owned.add(topicPartitions(of.topic(), of.partitions())));
        return new Plain(version, read.topics(), read.userData(), owned, read.generationId(), read.rackId());
    }

    static String readAssignment(ByteBuffer bytes) {
        short version = bytes.getShort(0);
        ConsumerProtocolAssignment read = ConsumerProtocol.deserializeConsumerProtocolAssignment(bytes);
        List<String> assigned = new ArrayList<>();
        read.assignedPartitions().forEach(of -> assigned.add(topicPartitions(of.topic(), of.partitions())));
        return version + ";" + String.join(",", assigned) + ";" + Text.of(read.userData());
    }

    /** What a consumer of Kafka's hands to its protocol. */
    Subscription toKafka() {
        List<TopicPartition> flat = new ArrayList<>();
        for (String one : owned) {
            String[] parts = one.split(":");
            for (int i = 1; i < parts.length; i++) {
                flat.add(new TopicPartition(Text.string(parts[0]), Integer.parseInt(parts[i])));
            }
        }
        return new Subscription(topics, userData, flat, generation, Optional.ofNullable(rack));
    }

    @Override
    public String toString() {
        return String.join(
                ";",
                Short.toString(version),
                topics.stream().map(Text::of).collect(Collectors.joining(",")),
                Text.of(userData),
                String.join(",", owned),
                Integer.toString(generation),
                Text.of(rack));
    }

    private static Stream<String> list(String joined) {
        return joined.isEmpty() ? Stream.empty() : Arrays.stream(joined.split(","));
    }

    private static String topicPartitions(String topic, List<Integer> partitions) {
        return Text.of(topic) + partitions.stream().map(p -> ":" + p).collect(Collectors.joining());
    }
}
