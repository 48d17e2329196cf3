// The brokers, for the tests of what they have in common.
#pragma once

#include "throws.hpp"

#include <eventbroker/event.hpp>
#include <eventbroker/message.hpp>
#include <eventbroker/pubsub.hpp>

struct EventSystem {
    using Broker = eventbroker::EventBroker;

    static Broker make() { return Broker(1); }

    static Broker with_topic(const char *topic) {
        Broker broker = make();
        broker.create(topic, 1);
        return broker;
    }

    static std::int64_t publish(Broker &broker, const char *topic) { return broker.publish(topic, 0, "x"); }

    template <typename Error>
    static void expect_every_call_to_throw(Broker &broker) {
        EXPECT_NE(thrown<Error>([&] { broker.create("t", 1); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.join("t", "g", "m"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.leave("t", "g", "m"); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.publish("t", 0, "x"); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.poll("t", "g", "m", 1); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.ack("t", "g", "m", 0, 0); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.retry("t", "g", "m", 0, 0); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.publish_many("t", {{0, "x"}}); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.ack_many("t", "g", "m", {{0, 0}}); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.topic("t"); }), "");
    }
};

struct MessageSystem {
    using Broker = eventbroker::MessageBroker;

    static Broker make() { return Broker(1); }

    static Broker with_topic(const char *topic) {
        Broker broker = make();
        broker.create_topic(topic);
        return broker;
    }

    static std::int64_t publish(Broker &broker, const char *topic) { return broker.publish(topic, "x"); }

    template <typename Error>
    static void expect_every_call_to_throw(Broker &broker) {
        EXPECT_NE(thrown<Error>([&] { broker.create_topic("t"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.publish("t", "x"); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.poll("t", "g"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.ack("t", "g", 0, 1); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.nack("t", "g", 0, 1); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.dead_letters("t", "g"); }), "");
    }
};

template <eventbroker::Dispatcher Dispatcher>
struct PubSubSystem {
    using Broker = eventbroker::PubSub;

    static Broker make() {
        eventbroker::PubSubOptions options;
        options.dispatcher = Dispatcher;
        return Broker(options);
    }

    /// And with a subscription on it, so that there is a thread of its own where there may be one.
    static Broker with_topic(const char *topic) {
        Broker broker = make();
        broker.create_topic(topic);
        broker.subscribe(topic, "n", [](const eventbroker::Message &) { return true; });
        return broker;
    }

    static std::int64_t publish(Broker &broker, const char *topic) {
        const std::int64_t offset = broker.publish(topic, "x");
        return offset == -1 ? throw std::out_of_range(topic) : offset;
    }

    template <typename Error>
    static void expect_every_call_to_throw(Broker &broker) {
        EXPECT_NE(thrown<Error>([&] { broker.create_topic("t"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.subscribe("t", "n", [](const auto &) { return true; }); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.unsubscribe("t", "n"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.publish("t", "x"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.drain(); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.seek("t", "n", 0); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.offset("t", "n"); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.dead_letters("t", "n"); }), "");
        EXPECT_NE(thrown<Error>([&] { broker.redeliver("t", "n"); }), "");
        EXPECT_NE(thrown<Error>([&] { (void)broker.status("t", "n"); }), "");
    }
};

using Systems =
    testing::Types<EventSystem, MessageSystem, PubSubSystem<eventbroker::Dispatcher::synchronous>,
                   PubSubSystem<eventbroker::Dispatcher::lanes>, PubSubSystem<eventbroker::Dispatcher::pool>>;
