// Topics and consumers that are found once do what the broker's calls do, and stand for names (EB-18).
#include "throws.hpp"

#include <eventbroker/event.hpp>

#include <utility>

namespace {

using eventbroker::BrokerRecord;
using eventbroker::Consumer;
using eventbroker::EventBroker;
using eventbroker::Topic;
using Partitions = std::vector<std::int32_t>;
using Records = std::vector<BrokerRecord>;

template <typename Owner>
constexpr bool moves_only = !std::is_copy_constructible_v<Owner> && !std::is_copy_assignable_v<Owner> &&
                            std::is_nothrow_move_constructible_v<Owner> && std::is_nothrow_move_assignable_v<Owner> &&
                            std::is_nothrow_swappable_v<Owner> && std::is_nothrow_destructible_v<Owner> &&
                            !std::is_default_constructible_v<Owner>;
static_assert(moves_only<Topic> && moves_only<Consumer>);

const char *const null = nullptr;

EventBroker with_topic(int capacity, int partitions) {
    EventBroker broker(capacity);
    broker.create("t", partitions);
    return broker;
}

TEST(Topic, EveryCallDoesWhatTheBrokersDoes) {
    EventBroker broker = with_topic(2, 1);
    Topic topic = broker.topic("t");
    EXPECT_EQ(topic.name(), "t");
    Consumer consumer = topic.join("g", "m");
    EXPECT_EQ(topic.publish(0, "a"), 0);
    EXPECT_EQ(topic.publish_many({{0, "b"}, {0, "full"}}), (std::vector<std::int64_t>{1, -1}));
    EXPECT_EQ(consumer.poll(64), (Records{{"t", 0, 0, "a"}}));
    EXPECT_TRUE(consumer.retry(0, 0));
    EXPECT_FALSE(consumer.retry(0, 0));
    EXPECT_EQ(consumer.poll(1), (Records{{"t", 0, 0, "a"}}));
    EXPECT_TRUE(consumer.ack(0, 0));
    EXPECT_FALSE(consumer.ack(0, 0));
    EXPECT_EQ(broker.poll("t", "g", "m", 1), (Records{{"t", 0, 1, "b"}}));
    EXPECT_EQ(consumer.ack_many({{0, 0}, {0, 1}}), (std::vector<bool>{false, true}));
    EXPECT_EQ(consumer.join(), Partitions{0});
    EXPECT_TRUE(consumer.leave());
    EXPECT_FALSE(consumer.leave());
}

TEST(Topic, AConsumerStandsForNames) {
    EventBroker broker = with_topic(1, 1);
    Topic topic = broker.topic("t");
    Consumer consumer = topic.consumer("g", "m");
    EXPECT_FALSE(consumer.leave()) << "it did not join";
    EXPECT_EQ(topic.publish(0, "a"), 0);
    EXPECT_EQ(consumer.poll(1), Records{});
    for (int i = 0; i < 2; ++i) {
        broker.join("t", "g", "m");
        EXPECT_EQ(consumer.poll(1), (Records{{"t", 0, 0, "a"}}));
        EXPECT_TRUE(broker.leave("t", "g", "m"));
        EXPECT_FALSE(consumer.ack(0, 0)) << "the delivery ended with the membership";
    }
}

TEST(Topic, ClosingChangesNothingInTheBroker) {
    EventBroker broker = with_topic(1, 1);
    Topic topic = broker.topic("t");
    Consumer consumer = topic.join("g", "m");
    topic.close();
    topic.close();
    EXPECT_EQ(topic.name(), "t");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.publish(0, "x"); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.publish_many({{0, "x"}}); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.consumer("g", "m"); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { topic.join("g", "m"); }), "");
    EXPECT_EQ(broker.publish("t", 0, "a"), 0);
    EXPECT_EQ(consumer.poll(1), (Records{{"t", 0, 0, "a"}})) << "a consumer goes on without its topic's object";
    consumer.close();
    EXPECT_THROW((void)consumer.poll(1), eventbroker::closed_error);
    EXPECT_TRUE(broker.ack("t", "g", "m", 0, 0)) << "the member did not leave";
}

TEST(Topic, SaysClosedAfterItsBroker) {
    EventBroker broker = with_topic(1, 1);
    Topic topic = broker.topic("t");
    Consumer consumer = topic.join("g", "m");
    broker.close();
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.publish(9, null); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.publish_many({{9, null}}); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)topic.consumer(null, ""); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { consumer.join(); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { consumer.leave(); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)consumer.poll(0); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { consumer.ack(0, -1); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { consumer.ack_many({{0, -1}}); }), "");
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { consumer.retry(9, 0); }), "");
}

TEST(Topic, NamesTheArgument) {
    constexpr std::int64_t wide = std::int64_t{1} << 32;
    constexpr std::uint64_t beyond = std::uint64_t{1} << 63;
    EventBroker broker = with_topic(1, 1);
    EXPECT_EQ(thrown<std::invalid_argument>([&] { (void)broker.topic("u"); }),
              "invalid argument: topic: \"u\" does not exist");
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.topic(null); }));
    Topic topic = broker.topic("t");
    EXPECT_TRUE(refuses("group", [&] { (void)topic.consumer(null, "m"); }));
    EXPECT_TRUE(refuses("member", [&] { (void)topic.consumer("g", null); }));
    EXPECT_TRUE(refuses("group", [&] { topic.join("g\n", "m"); }));
    EXPECT_TRUE(refuses("partition", [&] { (void)topic.publish(wide, "x"); }));
    EXPECT_TRUE(refuses("partition", [&] { (void)topic.publish(beyond, "x"); }));
    EXPECT_TRUE(refuses("payload", [&] { (void)topic.publish(0, null); }));
    EXPECT_TRUE(refuses("messages", [&] { (void)topic.publish_many({{0, null}}); }));
    Consumer consumer = topic.join("g", "m");
    EXPECT_TRUE(refuses("max_records", [&] { (void)consumer.poll(65); }));
    EXPECT_TRUE(refuses("max_records", [&] { (void)consumer.poll(beyond + 1); }));
    EXPECT_TRUE(refuses("partition", [&] { consumer.ack(beyond, 0); }));
    EXPECT_TRUE(refuses("offset", [&] { consumer.ack(0, beyond); }));
    EXPECT_TRUE(refuses("positions", [&] { consumer.ack_many({{1, 0}}); }));
    EXPECT_TRUE(refuses("partition", [&] { consumer.retry(wide, 0); }));
    EXPECT_TRUE(refuses("offset", [&] { consumer.retry(0, beyond); }));
}

TEST(Topic, MovesAndSwaps) {
    EventBroker broker = with_topic(10, 1);
    broker.create("other", 1);
    Topic topic = broker.topic("t");
    Topic moved(std::move(topic));
    EXPECT_EQ(moved.publish(0, "x"), 0);
    EXPECT_EQ(topic.handle(), 0U);
    EXPECT_THROW((void)topic.publish(0, "x"), eventbroker::closed_error);
    topic = broker.topic("other");
    using std::swap;
    swap(topic, moved);
    EXPECT_EQ(topic.name(), "t");
    EXPECT_EQ(moved.name(), "other");
    EXPECT_EQ(topic.publish(0, "x"), 1);

    Consumer consumer = topic.join("g", "m");
    Consumer taken = moved.join("g", "m");
    taken = std::move(consumer);
    EXPECT_EQ(taken.poll(1), (Records{{"t", 0, 0, "x"}}));
    EXPECT_THROW(consumer.leave(), eventbroker::closed_error);
}

TEST(Topic, ManyRecordsAndALargePollLoseNothing) { // EB-12
    EventBroker broker(1, {EB_EVENT_MAX_PAYLOAD});
    broker.create("t", 64);
    Topic topic = broker.topic("t");
    Consumer consumer = topic.join("g", "m");
    Records want;
    for (std::int32_t p = 0; p < 64; ++p) {
        want.push_back({"t", p, 0, std::string(static_cast<std::size_t>(p) * 1000, 'x')});
        EXPECT_EQ(topic.publish(p, want.back().payload), 0);
    }
    EXPECT_EQ(consumer.poll(64), want);
    EXPECT_EQ(consumer.poll(64), Records{});
}

} // namespace
