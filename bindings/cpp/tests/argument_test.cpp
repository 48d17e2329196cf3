// What C++ may hand over: every kind of string, every kind of integer, and nothing else.
#include "throws.hpp"

#include <eventbroker/assign.hpp>
#include <eventbroker/event.hpp>
#include <eventbroker/message.hpp>
#include <eventbroker/pubsub.hpp>

#include <limits>

namespace {

using eventbroker::EventBroker;
using eventbroker::Integer;
using eventbroker::MessageBroker;
using eventbroker::Text;
using namespace std::string_literals;
using namespace std::string_view_literals;

static_assert(std::is_convertible_v<int, Integer> && std::is_convertible_v<std::size_t, Integer> &&
              std::is_convertible_v<std::uint8_t, Integer>);
static_assert(!std::is_convertible_v<bool, Integer> && !std::is_convertible_v<double, Integer> &&
              !std::is_convertible_v<float, Integer> && !std::is_convertible_v<char, Integer> &&
              !std::is_convertible_v<const char *, Integer>);
static_assert(!std::is_constructible_v<EventBroker, bool> && !std::is_constructible_v<EventBroker, double>);
static_assert(!std::is_constructible_v<MessageBroker, bool> && !std::is_constructible_v<MessageBroker, double>);
static_assert(!std::is_convertible_v<int, EventBroker> && !std::is_convertible_v<int, MessageBroker>,
              "the constructors are explicit");
static_assert(!std::is_convertible_v<int, Text> && !std::is_convertible_v<std::vector<char>, Text>);

const char *const null = nullptr;
constexpr std::uint64_t beyond = std::uint64_t{1} << 63;

EventBroker with_topic() {
    EventBroker broker(2);
    broker.create("t", 2);
    return broker;
}

TEST(Argument, EveryKindOfStringIsTaken) {
    EventBroker broker(10);
    char mutable_buffer[] = "buffer";
    EXPECT_TRUE(broker.create("literal", 1));
    EXPECT_TRUE(broker.create("string"s, 1));
    EXPECT_TRUE(broker.create("view"sv, 1));
    EXPECT_TRUE(broker.create(static_cast<const char *>(mutable_buffer), 1));
    EXPECT_FALSE(broker.create(mutable_buffer, 1));
    EXPECT_FALSE(broker.create("viewpoint"sv.substr(0, 4), 1));
}

TEST(Argument, ADefaultViewIsTheEmptyString) {
    EventBroker broker = with_topic();
    EXPECT_EQ(broker.publish("t", 0, std::string_view()), 0);
    EXPECT_TRUE(refuses("topic", [&] { broker.create(std::string_view(), 1); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create("", 1); }));
}

TEST(Argument, NullNamesTheArgument) {
    EventBroker broker = with_topic();
    EXPECT_TRUE(refuses("topic", [&] { broker.create(null, 1); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create(nullptr, 1); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.join(null, "g", "m"); }));
    EXPECT_TRUE(refuses("group", [&] { broker.join("t", null, "m"); }));
    EXPECT_TRUE(refuses("member", [&] { broker.join("t", "g", null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.leave(null, "g", "m"); }));
    EXPECT_TRUE(refuses("group", [&] { broker.leave("t", null, "m"); }));
    EXPECT_TRUE(refuses("member", [&] { broker.leave("t", "g", null); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.publish(null, 0, "x"); }));
    EXPECT_TRUE(refuses("payload", [&] { (void)broker.publish("t", 0, null); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.poll(null, "g", "m", 1); }));
    EXPECT_TRUE(refuses("group", [&] { (void)broker.poll("t", null, "m", 1); }));
    EXPECT_TRUE(refuses("member", [&] { (void)broker.poll("t", "g", null, 1); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.ack(null, "g", "m", 0, 0); }));
    EXPECT_TRUE(refuses("group", [&] { broker.ack("t", null, "m", 0, 0); }));
    EXPECT_TRUE(refuses("member", [&] { broker.ack("t", "g", null, 0, 0); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.retry(null, "g", "m", 0, 0); }));
    EXPECT_TRUE(refuses("group", [&] { broker.retry("t", null, "m", 0, 0); }));
    EXPECT_TRUE(refuses("member", [&] { broker.retry("t", "g", null, 0, 0); }));
    EXPECT_EQ(broker.publish("t", 0, "first"), 0) << "a refused call left a record behind";
}

TEST(Argument, NullNamesTheArgumentOfAMessageBroker) {
    MessageBroker broker(1);
    broker.create_topic("t");
    EXPECT_TRUE(refuses("topic", [&] { broker.create_topic(null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.publish(null, "x"); }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.poll(null, "g"); }));
    EXPECT_TRUE(refuses("group", [&] { (void)broker.poll("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.ack(null, "g", 0, 1); }));
    EXPECT_TRUE(refuses("group", [&] { broker.ack("t", null, 0, 1); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.nack(null, "g", 0, 1); }));
    EXPECT_TRUE(refuses("group", [&] { broker.nack("t", null, 0, 1); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.dead_letters(null, "g"); }));
    EXPECT_TRUE(refuses("group", [&] { (void)broker.dead_letters("t", null); }));
    EXPECT_EQ(broker.publish("t", "first"), 0) << "a refused call left a message behind";
}

TEST(Argument, NullNamesTheArgumentOfAPubSub) {
    eventbroker::PubSub broker;
    const auto confirm = [](const eventbroker::Message &) { return true; };
    broker.create_topic("t");
    EXPECT_TRUE(refuses("topic", [&] { broker.create_topic(null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.subscribe(null, "n", confirm); }));
    EXPECT_TRUE(refuses("name", [&] { broker.subscribe("t", null, confirm); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.unsubscribe(null, "n"); }));
    EXPECT_TRUE(refuses("name", [&] { broker.unsubscribe("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.publish(null, "x"); }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.seek(null, "n", 0); }));
    EXPECT_TRUE(refuses("name", [&] { broker.seek("t", null, 0); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.offset(null, "n"); }));
    EXPECT_TRUE(refuses("name", [&] { (void)broker.offset("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.dead_letters(null, "n"); }));
    EXPECT_TRUE(refuses("name", [&] { (void)broker.dead_letters("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.redeliver(null, "n"); }));
    EXPECT_TRUE(refuses("name", [&] { broker.redeliver("t", null); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.status(null, "n"); }));
    EXPECT_TRUE(refuses("name", [&] { (void)broker.status("t", null); }));
    EXPECT_EQ(broker.publish("t", "first"), 0) << "a refused call left a message behind";
}

TEST(Argument, IntegersOfAPubSubAreNeverCut) {
    eventbroker::PubSub broker;
    broker.create_topic("t");
    broker.publish("t", "x");
    broker.subscribe("t", "n", [](const eventbroker::Message &) { return true; });
    EXPECT_TRUE(refuses("offset", [&] { broker.seek("t", "n", std::int64_t{1} << 32); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.seek("t", "n", beyond); }));
    EXPECT_TRUE(refuses("retain", [&] { broker.create_topic("u", {(std::int64_t{1} << 32) + 1}); }));
    EXPECT_EQ(broker.offset("t", "n"), 1) << "a refused call had an effect";
}

TEST(Argument, NullBytesAreRefused) {
    EXPECT_TRUE(refuses("bytes", [] { (void)eventbroker::assign::Subscription::decode(null); }));
    EXPECT_TRUE(refuses("bytes", [] { (void)eventbroker::assign::Assignment::decode(nullptr); }));
}

TEST(Argument, ANulInANameIsRefusedAndCutsNothing) {
    EventBroker broker(1);
    EXPECT_TRUE(refuses("topic", [&] { broker.create("a\0b"s, 1); }));
    EXPECT_TRUE(broker.create("a", 1));
}

TEST(Argument, IntegersAreNeverCut) {
    constexpr std::int64_t wide = std::int64_t{1} << 32;
    EventBroker broker = with_topic();
    broker.join("t", "g", "m");
    EXPECT_EQ(broker.publish("t", 0, "x"), 0);
    ASSERT_EQ(broker.poll("t", "g", "m", 1).size(), 1U);

    EXPECT_FALSE(broker.ack("t", "g", "m", 0, wide));
    EXPECT_FALSE(broker.ack("t", "g", "m", 0, 2 * wide));
    EXPECT_FALSE(broker.retry("t", "g", "m", 0, wide));
    EXPECT_FALSE(broker.ack("t", "g", "m", 0, std::numeric_limits<std::int64_t>::max()));
    EXPECT_TRUE(refuses("offset", [&] { broker.ack("t", "g", "m", 0, beyond); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.retry("t", "g", "m", 0, ~std::uint64_t{0}); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.ack("t", "g", "m", 0, std::numeric_limits<std::int64_t>::min()); }));
    EXPECT_TRUE(refuses("partition", [&] { broker.ack("t", "g", "m", wide, 0); }));
    EXPECT_TRUE(refuses("partition", [&] { broker.ack("t", "g", "m", beyond, 0); }));
    EXPECT_TRUE(refuses("partition", [&] { broker.retry("t", "g", "m", beyond, 0); }));
    EXPECT_TRUE(refuses("partition", [&] { (void)broker.publish("t", wide, "y"); }));
    EXPECT_TRUE(refuses("partition", [&] { (void)broker.publish("t", beyond, "y"); }));
    EXPECT_TRUE(refuses("max_records", [&] { (void)broker.poll("t", "g", "m", wide + 1); }));
    EXPECT_TRUE(refuses("max_records", [&] { (void)broker.poll("t", "g", "m", beyond + 1); }));
    EXPECT_TRUE(refuses("partition_count", [&] { broker.create("u", wide + 1); }));
    EXPECT_TRUE(refuses("partition_count", [&] { broker.create("u", beyond + 1); }));
    EXPECT_TRUE(refuses("capacity_per_partition", [&] { EventBroker refused(wide + 1); }));
    EXPECT_TRUE(refuses("capacity_per_partition", [&] { EventBroker refused(beyond + 1); }));

    EXPECT_TRUE(broker.ack("t", "g", "m", 0, 0)) << "a refused call had an effect";
}

TEST(Argument, IntegersOfAMessageBrokerAreNeverCut) {
    constexpr std::int64_t wide = std::int64_t{1} << 32;
    MessageBroker broker(2);
    broker.create_topic("t");
    broker.publish("t", "x");
    ASSERT_TRUE(broker.poll("t", "g"));

    EXPECT_FALSE(broker.ack("t", "g", wide, 1));
    EXPECT_FALSE(broker.nack("t", "g", wide, 1));
    EXPECT_TRUE(refuses("attempt", [&] { broker.ack("t", "g", 0, wide + 1); }));
    EXPECT_TRUE(refuses("attempt", [&] { broker.nack("t", "g", 0, wide + 1); }));
    EXPECT_TRUE(refuses("attempt", [&] { broker.ack("t", "g", 0, beyond + 1); }));
    EXPECT_TRUE(refuses("attempt", [&] { broker.nack("t", "g", 0, beyond + 1); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.ack("t", "g", beyond, 1); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.nack("t", "g", ~std::uint64_t{0}, 1); }));
    EXPECT_TRUE(refuses("max_attempts", [&] { MessageBroker refused(wide + 1); }));
    EXPECT_TRUE(refuses("max_attempts", [&] { MessageBroker refused(beyond + 1); }));

    EXPECT_TRUE(broker.ack("t", "g", 0, 1)) << "a refused call had an effect";
}

TEST(Argument, WhatDoesNotFitIsShownAsItIs) {
    EXPECT_EQ(thrown<std::invalid_argument>([] { EventBroker refused(beyond); }),
              "invalid argument: capacity_per_partition: 9223372036854775808 is outside -9223372036854775808 through "
              "9223372036854775807");
}

TEST(Argument, EveryKindOfIntegerIsTaken) {
    EventBroker broker(std::uint8_t{5});
    EXPECT_TRUE(broker.create("t", std::size_t{2}));
    EXPECT_EQ(broker.publish("t", 1L, "x"), 0);
    EXPECT_EQ(broker.publish("t", 1ULL, "x"), 1);
    EXPECT_EQ(broker.publish("t", std::int16_t{1}, "x"), 2);
}

} // namespace
