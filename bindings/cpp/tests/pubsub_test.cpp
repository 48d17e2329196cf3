// What each method does, as seen through the binding with the synchronous dispatcher; the corpus proves
// the broker itself.
#include "seen.hpp"

#include <sstream>

namespace {

using eventbroker::Letter;
using eventbroker::Message;
using eventbroker::Policy;
using eventbroker::PubSub;
using eventbroker::PubSubOptions;
using eventbroker::Status;
using eventbroker::SubscribeOptions;
using Letters = std::vector<Letter>;
using Messages = std::vector<Message>;
using namespace std::string_literals;

/// A broker with the topic "t".
PubSub with_topic(PubSubOptions options = {}) {
    PubSub broker(options);
    broker.create_topic("t");
    return broker;
}

void publish(PubSub &broker, const Payloads &payloads) {
    for (const std::string &payload : payloads) {
        EXPECT_GE(broker.publish("t", payload), 0);
    }
}

SubscribeOptions in_group(const char *group) {
    SubscribeOptions options;
    options.group = group;
    return options;
}

SubscribeOptions under(Policy policy) {
    SubscribeOptions options;
    options.policy = policy;
    return options;
}

template <typename Value>
std::string printed(const Value &value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(PubSub, DrainGivesEachSubscriptionWhatWaits) { // PS-01 to PS-05
    PubSub broker;
    Seen seen;
    EXPECT_TRUE(broker.create_topic("orders"));
    EXPECT_FALSE(broker.create_topic("orders"));
    EXPECT_EQ(broker.publish("orders", "before"), 0);
    broker.subscribe("orders", "billing", seen.handler());
    broker.subscribe("orders", "email", seen.handler());
    EXPECT_EQ(broker.publish("orders", "order-1"), 1);
    EXPECT_EQ(broker.publish("orders", "order-2"), 2);
    EXPECT_EQ(broker.offset("orders", "billing"), 1);
    EXPECT_EQ(seen.messages(), Messages{}) << "publish called a handler";
    EXPECT_EQ(broker.drain(), 4);
    EXPECT_EQ(broker.offset("orders", "billing"), 3);
    const Message first{"orders", 1, "order-1", 1};
    const Message second{"orders", 2, "order-2", 1};
    EXPECT_EQ(seen.messages(), (Messages{first, second, first, second}));
    EXPECT_EQ(broker.drain(), 0);
}

TEST(PubSub, AFailureEndsTheTurnAndIsOfferedAgain) { // PS-04, PS-06
    PubSub broker = with_topic();
    Seen billing;
    Seen email;
    broker.subscribe("t", "billing", billing.handler([](const Message &m) { return m.attempt > 1; }));
    broker.subscribe("t", "email", email.handler());
    publish(broker, {"a", "b"});
    EXPECT_EQ(broker.drain(), 2);
    EXPECT_EQ(billing.messages(), (Messages{{"t", 0, "a", 1}}));
    EXPECT_EQ(email.payloads(), (Payloads{"a", "b"}));
    EXPECT_EQ(broker.offset("t", "billing"), 0);
    EXPECT_EQ(broker.status("t", "billing"), (Status{true, 0, 1, 0, ""}));
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(billing.messages().back(), (Message{"t", 1, "b", 1}));
}

TEST(PubSub, TheLastTryParksTheMessage) { // PS-07
    PubSubOptions options;
    options.max_attempts = 2;
    PubSub broker = with_topic(options);
    broker.subscribe("t", "n", [](const Message &m) { return m.payload == "good"; });
    publish(broker, {"bad", "good"});
    EXPECT_EQ(broker.drain(), 0);
    EXPECT_EQ(broker.dead_letters("t", "n"), Letters{});
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(broker.dead_letters("t", "n"), (Letters{{0, "bad", 2, "the handler returned false"}}));
}

TEST(PubSub, ThreeTriesUnlessToldOtherwise) { // PS-07
    PubSub usual = with_topic();
    PubSubOptions endless;
    endless.max_attempts = 0;
    PubSub stubborn = with_topic(endless);
    for (PubSub *broker : {&usual, &stubborn}) {
        broker->subscribe("t", "n", refuse);
        broker->publish("t", "x");
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(broker->drain(), 0);
        }
    }
    EXPECT_EQ(usual.dead_letters("t", "n").at(0).attempts, 3);
    EXPECT_EQ(stubborn.status("t", "n").attempts, 10);
}

TEST(PubSub, DeadLettersAreOfferedAgain) { // PS-17
    PubSubOptions options;
    options.max_attempts = 1;
    PubSub broker = with_topic(options);
    Seen seen;
    bool good = false;
    broker.subscribe("t", "n", seen.handler([&](const Message &) { return good; }));
    publish(broker, {"a", "b"});
    EXPECT_EQ(broker.redeliver("t", "n"), 0);
    broker.drain();
    EXPECT_EQ(broker.dead_letters("t", "n").size(), 2U);
    EXPECT_EQ(broker.redeliver("t", "n"), 2);
    EXPECT_EQ(broker.dead_letters("t", "n"), Letters{});
    good = true;
    broker.publish("t", "c");
    EXPECT_EQ(broker.drain(), 3);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "b", "a", "b", "c"}));
}

TEST(PubSub, UnsubscribeEndsATurnAtOnce) { // PS-08
    PubSub broker = with_topic();
    Seen first;
    Seen second;
    broker.subscribe("t", "first", first.handler([&](const Message &) {
        EXPECT_TRUE(broker.unsubscribe("t", "second"));
        return broker.unsubscribe("t", "first");
    }));
    broker.subscribe("t", "second", second.handler());
    publish(broker, {"a", "b"});
    EXPECT_EQ(broker.drain(), 1) << "the confirmation counts";
    EXPECT_EQ(first.payloads(), Payloads{"a"});
    EXPECT_EQ(second.payloads(), Payloads{});
    EXPECT_FALSE(broker.unsubscribe("t", "first"));
    broker.subscribe("t", "first", second.handler());
    EXPECT_EQ(broker.drain(), 0);
}

TEST(PubSub, ASeekInTheHandlerWins) { // PS-09
    PubSub broker = with_topic();
    Seen seen;
    broker.subscribe("t", "n", seen.handler([&](const Message &m) {
        return m.payload != "b" || seen.payloads().size() > 2 || broker.seek("t", "n", 0);
    }));
    publish(broker, {"a", "b"});
    EXPECT_EQ(broker.drain(), 4);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "b", "a", "b"}));
    EXPECT_TRUE(broker.seek("t", "n", 2));
    EXPECT_FALSE(broker.seek("t", "nobody", 0));
}

TEST(PubSub, ADrainInAHandlerIsADrainOfItsOwn) { // PS-05, PS-10
    PubSub broker = with_topic();
    Seen seen;
    std::int64_t nested = 0;
    broker.subscribe("t", "outer", seen.handler([&](const Message &) {
        nested += broker.drain();
        return true;
    }));
    broker.subscribe("t", "inner", seen.handler());
    publish(broker, {"a", "b"});
    EXPECT_EQ(broker.drain(), 2) << "the other two were confirmed in a drain of their own";
    EXPECT_EQ(nested, 2);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "a", "b", "b"}));
}

TEST(PubSub, AFilterPassesOver) { // PS-12
    PubSub broker = with_topic();
    Seen seen;
    SubscribeOptions options;
    options.filter = [](const Message &m) {
        return m.payload == "throw" ? throw std::runtime_error("boom") : m.payload == "b";
    };
    broker.subscribe("t", "n", seen.handler(), options);
    publish(broker, {"a", "b", "throw", "b"});
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(broker.offset("t", "n"), 2);
    EXPECT_EQ(broker.drain(), 0);
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(seen.payloads(), (Payloads{"b", "b"}));
    EXPECT_EQ(broker.dead_letters("t", "n"), (Letters{{2, "throw", 3, "boom"}}));
}

TEST(PubSub, ATopicMayKeepOnlyItsLast) { // PS-13
    PubSub broker;
    Seen seen;
    broker.create_topic("t", {2});
    broker.subscribe("t", "drops", seen.handler());
    broker.subscribe("t", "leaves", seen.handler(), under(Policy::disconnect));
    publish(broker, {"a", "b", "c"});
    EXPECT_EQ(broker.drain(), 2);
    EXPECT_EQ(seen.payloads(), (Payloads{"b", "c"}));
    EXPECT_EQ(broker.status("t", "drops"), (Status{true, 3, 0, 1, ""}));
    const Status left = broker.status("t", "leaves");
    EXPECT_FALSE(left.subscribed);
    EXPECT_EQ(left.offset, -1);
    EXPECT_NE(left.reason, "");
    EXPECT_FALSE(broker.unsubscribe("t", "leaves"));
    EXPECT_EQ(broker.status("t", "leaves"), (Status{false, -1, 0, 0, ""}));
    EXPECT_TRUE(broker.seek("t", "drops", 1));
    EXPECT_THROW(broker.seek("t", "drops", 0), std::invalid_argument);
}

TEST(PubSub, AGroupSharesItsMessages) { // PS-14
    PubSub broker = with_topic();
    Seen a;
    Seen b;
    broker.subscribe("t", "a", a.handler(), in_group("g"));
    broker.subscribe("t", "b", b.handler(), in_group("g"));
    publish(broker, {"0", "1", "2"});
    EXPECT_EQ(broker.drain(), 3);
    EXPECT_EQ(a.payloads(), (Payloads{"0", "2"}));
    EXPECT_EQ(b.payloads(), (Payloads{"1"}));
    EXPECT_EQ(broker.offset("t", "a"), 3);
    EXPECT_EQ(broker.offset("t", "b"), 3);
}

TEST(PubSub, WhatIsAbsentIsNoError) { // PS-16
    PubSub broker;
    EXPECT_EQ(broker.publish("t", "x"), -1);
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(broker.unsubscribe("t", "n"));
        EXPECT_FALSE(broker.seek("t", "n", 0));
        EXPECT_EQ(broker.offset("t", "n"), -1);
        EXPECT_EQ(broker.dead_letters("t", "n"), Letters{});
        EXPECT_EQ(broker.redeliver("t", "n"), 0);
        EXPECT_EQ(broker.status("t", "n"), (Status{false, -1, 0, 0, ""}));
        broker.create_topic("t");
    }
}

TEST(PubSub, BytesComeBackAsTheyWere) {
    PubSubOptions options;
    options.max_attempts = 1;
    PubSub broker = with_topic(options);
    Seen seen;
    const Payloads payloads{"a\0b"s, "\0"s, ""s, u8"e\u0301 \u00e9 \U0001F525"s, " blanks "s};
    broker.subscribe("t", "n", seen.handler(refuse));
    publish(broker, payloads);
    broker.drain();
    EXPECT_EQ(seen.payloads(), payloads);
    const Letters letters = broker.dead_letters("t", "n");
    ASSERT_EQ(letters.size(), payloads.size());
    for (std::size_t i = 0; i < letters.size(); ++i) {
        EXPECT_EQ(letters[i], (Letter{static_cast<std::int64_t>(i), payloads[i], 1, "the handler returned false"}));
    }
}

TEST(PubSub, TheLargestPayloadsArriveWhole) {
    PubSubOptions options;
    options.max_attempts = 1;
    options.max_payload = EB_PUBSUB_MAX_PAYLOAD;
    PubSub broker(options);
    const std::string topic(EB_PUBSUB_MAX_IDENTIFIER, 't');
    const std::string payload(EB_PUBSUB_MAX_PAYLOAD, 'x');
    Seen seen;
    broker.create_topic(topic);
    broker.subscribe(topic, "n", seen.handler(refuse));
    broker.publish(topic, payload);
    broker.publish(topic, payload);
    broker.drain();
    EXPECT_EQ(seen.messages(), (Messages{{topic, 0, payload, 1}, {topic, 1, payload, 1}}));
    EXPECT_EQ(broker.dead_letters(topic, "n").at(1).payload, payload);
}

TEST(PubSub, ABorrowerDoesAllButCall) {
    PubSub owner = with_topic();
    PubSub borrower = PubSub::from_handle(owner.handle());
    owner.subscribe("t", "n", confirm);
    EXPECT_EQ(borrower.publish("t", "x"), 0);
    EXPECT_THROW(borrower.subscribe("t", "another", confirm), std::logic_error);
    EXPECT_THROW(borrower.drain(), std::logic_error);
    EXPECT_EQ(owner.drain(), 1) << "the borrower's drain took a message";
    EXPECT_TRUE(borrower.unsubscribe("t", "n"));
    owner.subscribe("t", "n", confirm);
    EXPECT_EQ(borrower.publish("t", "x"), 1);
    EXPECT_EQ(owner.drain(), 1);
}

template <typename Value>
void compares_by_every_field(const Value &value, const std::vector<Value> &others) {
    EXPECT_TRUE(value == Value(value));
    EXPECT_FALSE(value != Value(value));
    for (const Value &other : others) {
        EXPECT_TRUE(value != other) << other;
    }
}

TEST(PubSubValue, ComparesByEveryField) {
    compares_by_every_field<Message>({"t", 1, "a", 2},
                                     {{"u", 1, "a", 2}, {"t", 0, "a", 2}, {"t", 1, "b", 2}, {"t", 1, "a", 1}});
    compares_by_every_field<Letter>({1, "a", 2, "e"},
                                    {{0, "a", 2, "e"}, {1, "b", 2, "e"}, {1, "a", 1, "e"}, {1, "a", 2, "f"}});
    compares_by_every_field<Status>(
        {true, 1, 2, 3, "r"},
        {{false, 1, 2, 3, "r"}, {true, 0, 2, 3, "r"}, {true, 1, 0, 3, "r"}, {true, 1, 2, 0, "r"}, {true, 1, 2, 3, ""}});
}

TEST(PubSubValue, Prints) {
    EXPECT_EQ(printed(Message{"orders", 17, "say \"hi\"", 1}), "Message(\"orders\", 17, \"say \\\"hi\\\"\", 1)");
    EXPECT_EQ(printed(Letter{17, "a", 3, "no"}), "Letter(17, \"a\", 3, \"no\")");
    EXPECT_EQ(printed(Status{true, 17, 1, 2, ""}), "Status(true, 17, 1, 2, \"\")");
    EXPECT_EQ(printed(Status{false, -1, 0, 0, "slow"}), "Status(false, -1, 0, 0, \"slow\")");
}

} // namespace
