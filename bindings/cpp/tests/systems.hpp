// The two brokers, for the tests of what they have in common.
#pragma once

#include "throws.hpp"

#include <eventbroker/event.hpp>
#include <eventbroker/message.hpp>

struct EventSystem {
    using Broker = eventbroker::EventBroker;

    static Broker with_topic(const char *topic) {
        Broker broker(1);
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
    }
};

struct MessageSystem {
    using Broker = eventbroker::MessageBroker;

    static Broker with_topic(const char *topic) {
        Broker broker(1);
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

using Systems = testing::Types<EventSystem, MessageSystem>;
