// What each method does, as seen through the binding; the corpus proves the broker itself.
#include <eventbroker/message.hpp>
#include <gtest/gtest.h>

#include <sstream>

namespace {

using eventbroker::DeadLetter;
using eventbroker::Delivery;
using eventbroker::MessageBroker;
using DeadLetters = std::vector<DeadLetter>;
using namespace std::string_literals;

template <typename Value>
std::string printed(const Value &value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(Message, ADeliveryIsRepeatedUntilItIsSettled) { // MB-04 to MB-07
    MessageBroker broker(3);
    EXPECT_TRUE(broker.create_topic("orders"));
    EXPECT_EQ(broker.publish("orders", "a"), 0);
    EXPECT_EQ(broker.publish("orders", "b"), 1);
    EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 0, "a", 1}));
    EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 0, "a", 1}));
    EXPECT_TRUE(broker.nack("orders", "billing", 0, 1));
    EXPECT_FALSE(broker.ack("orders", "billing", 0, 1));
    EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 0, "a", 2}));
    EXPECT_FALSE(broker.ack("orders", "billing", 0, 1));
    EXPECT_TRUE(broker.ack("orders", "billing", 0, 2));
    EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 1, "b", 1}));
}

TEST(Message, TheLastNackParksIt) { // MB-08
    MessageBroker broker(2);
    broker.create_topic("orders");
    broker.publish("orders", "a");
    broker.publish("orders", "b");
    for (std::int32_t attempt = 1; attempt <= 2; ++attempt) {
        EXPECT_EQ(broker.dead_letters("orders", "billing"), DeadLetters{});
        EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 0, "a", attempt}));
        EXPECT_TRUE(broker.nack("orders", "billing", 0, attempt));
    }
    EXPECT_EQ(broker.dead_letters("orders", "billing"), (DeadLetters{{"orders", 0, "a", 2}}));
    EXPECT_EQ(broker.dead_letters("orders", "shipping"), DeadLetters{});
    EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", 1, "b", 1}));
}

TEST(Message, FalseOrNothingWhereTheContractSaysSo) {
    MessageBroker broker(1);
    EXPECT_TRUE(broker.create_topic("orders"));
    EXPECT_FALSE(broker.create_topic("orders"));
    EXPECT_EQ(broker.poll("orders", "billing"), std::nullopt);
    EXPECT_FALSE(broker.ack("orders", "billing", 0, 1));
    EXPECT_FALSE(broker.nack("orders", "billing", 0, 1));
}

TEST(Message, BytesComeBackAsTheyWere) {
    MessageBroker broker(1);
    broker.create_topic("orders");
    for (const std::string &payload : {"a\0b"s, "\0"s, ""s, u8"e\u0301 \u00e9 \U0001F525"s, " blanks "s}) {
        const std::int64_t offset = broker.publish("orders", payload);
        EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", offset, payload, 1}));
        EXPECT_TRUE(broker.nack("orders", "billing", offset, 1));
        EXPECT_EQ(broker.dead_letters("orders", "billing").back(), (DeadLetter{"orders", offset, payload, 1}));
    }
}

TEST(Message, LargeAnswersGrowTheirBuffersAndLoseNothing) {
    MessageBroker broker(1, {EB_EVENT_MAX_PAYLOAD});
    broker.create_topic("orders");
    DeadLetters want;
    for (const std::size_t size : {EB_EVENT_MAX_PAYLOAD, 8192 - 16, 8192 - 15, 0, 100000}) {
        want.push_back({"orders", static_cast<std::int64_t>(want.size()), std::string(size, 'x'), 1});
        const DeadLetter &letter = want.back();
        EXPECT_EQ(broker.publish("orders", letter.payload), letter.offset);
        EXPECT_EQ(broker.poll("orders", "billing"), (Delivery{"orders", letter.offset, letter.payload, 1}));
        EXPECT_TRUE(broker.nack("orders", "billing", letter.offset, 1));
    }
    EXPECT_EQ(broker.dead_letters("orders", "billing"), want);
}

TEST(Message, MaxPayloadSetsTheLimit) {
    MessageBroker broker(1, {3});
    broker.create_topic("orders");
    EXPECT_THROW(broker.publish("orders", "abcd"), std::invalid_argument);
    EXPECT_EQ(broker.publish("orders", "abc"), 0);
    MessageBroker usual(1);
    usual.create_topic("orders");
    EXPECT_THROW(usual.publish("orders", std::string(1025, 'x')), std::invalid_argument);
    EXPECT_EQ(usual.publish("orders", std::string(1024, 'x')), 0);
}

TEST(Message, WhatIsReturnedIsTheCallersOwn) { // MB-10
    MessageBroker broker(1);
    broker.create_topic("orders");
    broker.publish("orders", "a");
    broker.poll("orders", "billing")->payload = "hacked";
    broker.nack("orders", "billing", 0, 1);
    broker.dead_letters("orders", "billing").at(0).payload = "hacked";
    EXPECT_EQ(broker.dead_letters("orders", "billing"), (DeadLetters{{"orders", 0, "a", 1}}));
}

TEST(Message, ABorrowerSharesTheBroker) {
    MessageBroker broker(1);
    MessageBroker::from_handle(broker.handle()).create_topic("orders");
    EXPECT_FALSE(broker.create_topic("orders"));
}

template <typename Value>
void compares_by_every_field() {
    const Value value{"orders", 1, "a", 2};
    EXPECT_TRUE(value == (Value{"orders", 1, "a", 2}));
    EXPECT_FALSE(value != (Value{"orders", 1, "a", 2}));
    EXPECT_TRUE(value != (Value{"other", 1, "a", 2}));
    EXPECT_TRUE(value != (Value{"orders", 0, "a", 2}));
    EXPECT_TRUE(value != (Value{"orders", 1, "b", 2}));
    EXPECT_TRUE(value != (Value{"orders", 1, "a", 1}));
}

TEST(MessageValue, ComparesByEveryField) {
    compares_by_every_field<Delivery>();
    compares_by_every_field<DeadLetter>();
}

TEST(MessageValue, Prints) {
    EXPECT_EQ(printed(Delivery{"orders", 17, "say \"hi\"", 1}), "Delivery(\"orders\", 17, \"say \\\"hi\\\"\", 1)");
    EXPECT_EQ(printed(DeadLetter{"orders", 17, "a", 3}), "DeadLetter(\"orders\", 17, \"a\", 3)");
}

} // namespace
