// What each method does, as seen through the binding; the corpus proves the broker itself.
#include <eventbroker/event.hpp>
#include <gtest/gtest.h>

#include <sstream>

namespace {

using eventbroker::BrokerRecord;
using eventbroker::EventBroker;
using Partitions = std::vector<std::int32_t>;
using Records = std::vector<BrokerRecord>;
using namespace std::string_literals;

TEST(Event, TheExampleOfTheContract) {
    EventBroker broker(2);
    EXPECT_TRUE(broker.create("orders", 1));
    EXPECT_EQ(broker.publish("orders", 0, "a"), 0);
    EXPECT_EQ(broker.publish("orders", 0, "b"), 1);
    EXPECT_EQ(broker.join("orders", "billing", "m1"), Partitions{0});
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 2), (Records{{"orders", 0, 0, "a"}}));
    EXPECT_TRUE(broker.retry("orders", "billing", "m1", 0, 0));
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 2), (Records{{"orders", 0, 0, "a"}}));
    EXPECT_TRUE(broker.ack("orders", "billing", "m1", 0, 0));
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 2), (Records{{"orders", 0, 1, "b"}}));
}

TEST(Event, FalseWhereTheContractSaysSo) {
    EventBroker broker(2);
    EXPECT_TRUE(broker.create("orders", 1));
    EXPECT_FALSE(broker.create("orders", 2));
    EXPECT_FALSE(broker.leave("orders", "billing", "m1"));
    EXPECT_FALSE(broker.ack("orders", "billing", "m1", 0, 0));
    EXPECT_FALSE(broker.retry("orders", "billing", "m1", 0, 0));
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 1), Records{});
}

TEST(Event, LeaveIsTrueForAMemberAndKeepsTheGroup) { // EB-06, EB-11
    EventBroker broker(1);
    broker.create("orders", 1);
    broker.join("orders", "billing", "m1");
    EXPECT_TRUE(broker.leave("orders", "billing", "m1"));
    EXPECT_EQ(broker.publish("orders", 0, "kept"), 0);
    EXPECT_EQ(broker.join("orders", "billing", "m1"), Partitions{0});
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 1), (Records{{"orders", 0, 0, "kept"}}));
}

TEST(Event, AFullPartitionIsMinusOneAndNoError) { // EB-05
    EventBroker broker(1);
    broker.create("orders", 1);
    EXPECT_EQ(broker.publish("orders", 0, "a"), 0);
    EXPECT_EQ(broker.publish("orders", 0, "b"), -1);
}

TEST(Event, JoinReturnsAllOf64Partitions) { // EB-08
    EventBroker broker(1);
    broker.create("orders", 64);
    const Partitions partitions = broker.join("orders", "billing", "m1");
    ASSERT_EQ(partitions.size(), 64U);
    for (std::int32_t p = 0; p < 64; ++p) {
        EXPECT_EQ(partitions[static_cast<std::size_t>(p)], p);
    }
    for (int i = 2; i <= 65; ++i) { // the 65th member, sorted last, owns nothing
        broker.join("orders", "billing", "n" + std::to_string(100 + i));
    }
    EXPECT_EQ(broker.join("orders", "billing", "z"), Partitions{});
}

TEST(Event, BytesComeBackAsTheyWere) {
    EventBroker broker(10);
    broker.create("orders", 1);
    broker.join("orders", "billing", "m1");
    for (const std::string &payload : {"a\0b"s, "\0"s, ""s, u8"e\u0301 \u00e9 \U0001F525"s, " blanks "s}) {
        const std::int64_t offset = broker.publish("orders", 0, payload);
        const Records records = broker.poll("orders", "billing", "m1", 1);
        ASSERT_EQ(records, (Records{{"orders", 0, offset, payload}}));
        EXPECT_EQ(records[0].payload.size(), payload.size());
        EXPECT_TRUE(broker.ack("orders", "billing", "m1", 0, offset));
    }
}

TEST(Event, ALargePollGrowsItsBufferAndLosesNothing) { // EB-12
    EventBroker broker(1, {EB_EVENT_MAX_PAYLOAD});
    broker.create("orders", 64);
    broker.join("orders", "billing", "m1");
    Records want;
    for (std::int32_t p = 0; p < 64; ++p) {
        want.push_back({"orders", p, 0, std::string(static_cast<std::size_t>(p) * 1000, 'x')});
        EXPECT_EQ(broker.publish("orders", p, want.back().payload), 0);
    }
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 64), want);
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 64), Records{});
}

TEST(Event, MaxPayloadSetsTheLimit) {
    EventBroker broker(1, {3});
    broker.create("orders", 1);
    EXPECT_THROW((void)broker.publish("orders", 0, "abcd"), std::invalid_argument);
    EXPECT_EQ(broker.publish("orders", 0, "abc"), 0);
}

TEST(Event, WhatIsReturnedIsTheCallersOwn) { // EB-16
    EventBroker broker(1);
    broker.create("orders", 1);
    EXPECT_EQ(broker.publish("orders", 0, "a"), 0);
    broker.join("orders", "billing", "m1").push_back(7);
    EXPECT_EQ(broker.join("orders", "billing", "m1"), Partitions{0});
    Records records = broker.poll("orders", "billing", "m1", 1);
    records.at(0).payload = "hacked";
    broker.retry("orders", "billing", "m1", 0, 0);
    EXPECT_EQ(broker.poll("orders", "billing", "m1", 1), (Records{{"orders", 0, 0, "a"}}));
}

TEST(Record, ComparesByEveryField) {
    const BrokerRecord record{"orders", 1, 2, "a"};
    EXPECT_TRUE(record == (BrokerRecord{"orders", 1, 2, "a"}));
    EXPECT_FALSE(record != (BrokerRecord{"orders", 1, 2, "a"}));
    EXPECT_TRUE(record != (BrokerRecord{"other", 1, 2, "a"}));
    EXPECT_TRUE(record != (BrokerRecord{"orders", 0, 2, "a"}));
    EXPECT_TRUE(record != (BrokerRecord{"orders", 1, 0, "a"}));
    EXPECT_TRUE(record != (BrokerRecord{"orders", 1, 2, "b"}));
}

TEST(Record, Prints) {
    std::ostringstream out;
    out << BrokerRecord{"orders", 0, 17, "say \"hi\""};
    EXPECT_EQ(out.str(), "BrokerRecord(\"orders\", 0, 17, \"say \\\"hi\\\"\")");
}

} // namespace
