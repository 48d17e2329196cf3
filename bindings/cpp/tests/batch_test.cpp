// Batches: what each element would have got by itself, as a whole or not at all (EB-17).
#include "throws.hpp"

#include <eventbroker/event.hpp>

#include <limits>

namespace {

using eventbroker::BrokerMessage;
using eventbroker::BrokerPosition;
using eventbroker::EventBroker;
using Offsets = std::vector<std::int64_t>;
using Answers = std::vector<bool>;

constexpr std::int64_t wide = std::int64_t{1} << 32;
const char *const null = nullptr;

EventBroker joined(int capacity, int partitions) {
    EventBroker broker(capacity);
    broker.create("t", partitions);
    broker.join("t", "g", "m");
    return broker;
}

TEST(Batch, AnswersWhatEachElementDid) {
    EventBroker broker = joined(2, 2);
    EXPECT_EQ(broker.publish_many("t", {{0, "a"}, {1, ""}, {0, std::string("b")}, {0, "full"}}),
              (Offsets{0, 0, 1, -1}));
    const std::vector<eventbroker::BrokerRecord> first{{"t", 0, 0, "a"}, {"t", 1, 0, ""}};
    EXPECT_EQ(broker.poll("t", "g", "m", 64), first);
    EXPECT_EQ(broker.ack_many("t", "g", "m", {{0, 0}, {0, 0}, {0, 1}, {1, 0}}), (Answers{true, false, false, true}));
    EXPECT_EQ(broker.ack_many("t", "absent", "m", {{0, 1}}), Answers{false});
}

TEST(Batch, NoneIsFine) {
    EventBroker broker = joined(1, 1);
    EXPECT_EQ(broker.publish_many("t", {}), Offsets{});
    EXPECT_EQ(broker.ack_many("t", "g", "m", {}), Answers{});
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.publish_many("u", {}); }));
}

TEST(Batch, TakesAsManyAsMayBe) {
    EventBroker broker = joined(1000, 64);
    std::vector<BrokerMessage> messages;
    std::vector<BrokerPosition> positions;
    for (int i = 0; i < EB_EVENT_MAX_BATCH; ++i) {
        messages.push_back({i % 64, "x"});
        positions.push_back({i % 64, i / 64});
    }
    const Offsets offsets = broker.publish_many("t", messages);
    ASSERT_EQ(offsets.size(), messages.size());
    EXPECT_EQ(offsets.back(), 15);
    ASSERT_EQ(broker.poll("t", "g", "m", 64).size(), 64U);
    const Answers answers = broker.ack_many("t", "g", "m", positions);
    ASSERT_EQ(answers.size(), positions.size());
    EXPECT_TRUE(answers[63] && !answers[64]);

    messages.push_back({0, "x"});
    positions.push_back({0, 0});
    EXPECT_EQ(thrown<std::invalid_argument>([&] { (void)broker.publish_many("t", messages); }),
              "invalid argument: messages: has 1025 elements; at most 1024 are allowed");
    EXPECT_EQ(thrown<std::invalid_argument>([&] { broker.ack_many("t", "g", "m", positions); }),
              "invalid argument: positions: has 1025 elements; at most 1024 are allowed");
}

TEST(Batch, OneWrongElementRefusesAll) {
    EventBroker broker = joined(1, 4);
    EXPECT_EQ(thrown<std::invalid_argument>([&] {
                  (void)broker.publish_many("t", {{0, "a"}, {1, "b"}, {64, "c"}});
              }),
              "invalid argument: messages: partition of message 2: 64 is outside 0 through 3");
    EXPECT_EQ(thrown<std::invalid_argument>([&] {
                  (void)broker.publish_many("t", {{0, "a"}, {1, null}});
              }),
              "invalid argument: messages: payload of message 1: is null");
    EXPECT_TRUE(refuses("messages", [&] { (void)broker.publish_many("t", {{wide, "a"}}); }));
    EXPECT_TRUE(refuses("messages", [&] { (void)broker.publish_many("t", {{0, "\xff"}}); }));
    EXPECT_TRUE(refuses("messages", [&] { (void)broker.publish_many("t", {{0, std::string(1025, 'x')}}); }));
    EXPECT_EQ(broker.publish("t", 0, "first"), 0) << "a refused call left a record behind";
    ASSERT_EQ(broker.poll("t", "g", "m", 1).size(), 1U);

    EXPECT_EQ(thrown<std::invalid_argument>([&] {
                  broker.ack_many("t", "g", "m", {{0, 0}, {0, -1}});
              }),
              "invalid argument: positions: offset of position 1: -1 is negative");
    EXPECT_TRUE(refuses("positions", [&] { broker.ack_many("t", "g", "m", {{0, 0}, {wide, 0}}); }));
    EXPECT_TRUE(refuses("positions", [&] {
        broker.ack_many("t", "g", "m", {{0, std::numeric_limits<std::int64_t>::min()}});
    }));
    EXPECT_EQ(broker.ack_many("t", "g", "m", {{0, wide}, {0, 0}}), (Answers{false, true}));
}

TEST(Batch, NullNamesTheArgument) {
    EventBroker broker = joined(1, 1);
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.publish_many(null, {{0, "a"}}); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.ack_many(null, "g", "m", {{0, 0}}); }));
    EXPECT_TRUE(refuses("group", [&] { broker.ack_many("t", null, "m", {{0, 0}}); }));
    EXPECT_TRUE(refuses("member", [&] { broker.ack_many("t", "g", null, {{0, 0}}); }));
}

TEST(Batch, BytesComeBackAsTheyWere) {
    EventBroker broker = joined(1, 2);
    const std::string nul("a\0b", 3);
    EXPECT_EQ(broker.publish_many("t", {{0, nul}, {1, std::string_view()}}), (Offsets{0, 0}));
    const auto records = broker.poll("t", "g", "m", 2);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].payload, nul);
    EXPECT_EQ(records[1].payload, "");
}

} // namespace
