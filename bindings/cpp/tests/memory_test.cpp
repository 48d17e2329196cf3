// Out of memory: std::bad_alloc, and nothing has happened. A program of its own, as it takes over new.
#include <eventbroker/event.hpp>
#include <eventbroker/message.hpp>
#include <eventbroker/pubsub.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

/// Allocations this thread may still make; negative is no limit.
thread_local int allowance = -1;

} // namespace

void *operator new(std::size_t size) {
    if (allowance == 0) {
        throw std::bad_alloc();
    }
    allowance -= allowance > 0;
    if (void *memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void *memory) noexcept { std::free(memory); }

void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

using eventbroker::EventBroker;

/// Calls with ever more allocations allowed until one succeeds; returns how many ran out of memory.
template <typename Call>
int failures_until_success(Call call) {
    for (int limit = 0;; ++limit) {
        allowance = limit;
        try {
            call();
            allowance = -1;
            return limit;
        } catch (const std::bad_alloc &) {
            allowance = -1;
        }
    }
}

TEST(Memory, APollThatFailsGivesItsRecordsBack) {
    EventBroker broker(1);
    broker.create("t", 3);
    broker.join("t", "g", "m");
    const std::string payload(1000, 'x'); // too long to be kept inside a std::string
    for (int p = 0; p < 3; ++p) {
        EXPECT_EQ(broker.publish("t", p, payload), 0);
    }
    std::vector<eventbroker::BrokerRecord> records;
    EXPECT_EQ(failures_until_success([&] { records = broker.poll("t", "g", "m", 64); }), 4);
    EXPECT_EQ(records.size(), 3U);
}

TEST(Memory, APollOfAConsumerThatFailsGivesItsRecordsBack) {
    EventBroker broker(1);
    broker.create("t", 3);
    eventbroker::Topic topic = broker.topic("t");
    eventbroker::Consumer consumer = topic.join("g", "m");
    for (int p = 0; p < 3; ++p) {
        EXPECT_EQ(topic.publish(p, std::string(1000, 'x')), 0);
    }
    std::vector<eventbroker::BrokerRecord> records;
    EXPECT_EQ(failures_until_success([&] { records = consumer.poll(64); }), 4);
    EXPECT_EQ(records.size(), 3U);
}

TEST(Memory, ABatchThatFailsDidNotHappen) {
    EventBroker broker(1);
    broker.create("t", 2);
    broker.join("t", "g", "m");
    const std::vector<eventbroker::BrokerMessage> messages{{0, "x"}, {1, "y"}};
    std::vector<std::int64_t> offsets;
    EXPECT_EQ(failures_until_success([&] { offsets = broker.publish_many("t", messages); }), 1);
    EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 0}));
    ASSERT_EQ(broker.poll("t", "g", "m", 64).size(), 2U);
    const std::vector<eventbroker::BrokerPosition> positions{{0, 0}, {1, 0}};
    std::vector<bool> acked;
    EXPECT_GE(failures_until_success([&] { acked = broker.ack_many("t", "g", "m", positions); }), 2);
    EXPECT_EQ(acked, (std::vector<bool>{true, true}));
}

TEST(Memory, ATopicOrConsumerThatFailsLeavesNothing) {
    const std::string name(64, 't'); // too long to be kept inside a std::string
    EventBroker broker(1);
    broker.create(name, 1);
    EXPECT_GE(failures_until_success([&] { (void)broker.topic(name); }), 1);
    eventbroker::Topic topic = broker.topic(name);
    EXPECT_GE(failures_until_success([&] { topic.join("g", "m"); }), 1);
}

TEST(Memory, AJoinThatFailsDidNotHappen) {
    EventBroker broker(1);
    broker.create("t", 1);
    EXPECT_EQ(broker.publish("t", 0, "x"), 0);
    broker.join("t", "g", "a");
    ASSERT_EQ(broker.poll("t", "g", "a", 1).size(), 1U);
    allowance = 0;
    EXPECT_THROW(broker.join("t", "g", "A"), std::bad_alloc);
    allowance = -1;
    EXPECT_TRUE(broker.ack("t", "g", "a", 0, 0)) << "the rebalance took the delivery away";
}

TEST(Memory, ADeliveryThatFailsIsStillInFlight) {
    eventbroker::MessageBroker broker(1);
    broker.create_topic("t");
    broker.publish("t", std::string(1000, 'x'));
    std::optional<eventbroker::Delivery> delivery;
    EXPECT_EQ(failures_until_success([&] { delivery = broker.poll("t", "g"); }), 2);
    ASSERT_TRUE(delivery);
    EXPECT_EQ(delivery->attempt, 1) << "a poll that failed counted as a delivery of its own";
    EXPECT_TRUE(broker.ack("t", "g", 0, 1));
}

TEST(Memory, ASubscriptionThatFailsIsNotThere) {
    using eventbroker::Dispatcher;
    for (const Dispatcher dispatcher : {Dispatcher::synchronous, Dispatcher::lanes, Dispatcher::pool}) {
        eventbroker::PubSubOptions options;
        options.dispatcher = dispatcher;
        eventbroker::PubSub broker(options);
        broker.create_topic("t");
        const std::string name(40, 'n'); // too long to be kept inside a std::string
        EXPECT_GE(failures_until_success([&] { broker.subscribe("t", name, [](const auto &) { return true; }); }), 3);
        EXPECT_TRUE(broker.unsubscribe("t", name));
    }
}

TEST(Memory, AMessageThatDoesNotFitIsAFailedTry) {
    eventbroker::PubSub broker;
    broker.create_topic("t");
    broker.subscribe("t", "n", [](const eventbroker::Message &) { return true; });
    broker.publish("t", std::string(1000, 'x'));
    EXPECT_GE(failures_until_success([&] { broker.drain(); }), 1)
        << "then there was room for the delivery, but no more";
    EXPECT_EQ(broker.status("t", "n").attempts, 1);
    EXPECT_EQ(broker.drain(), 1);
}

TEST(Memory, ABrokerThatFailsLeavesNothing) {
    eventbroker::PubSubOptions options;
    options.dispatcher = eventbroker::Dispatcher::pool;
    EXPECT_GE(failures_until_success([&] { eventbroker::PubSub broker(options); }), 10);
}

} // namespace
