// Eight threads on one broker (EB-15, MB-11).
#include "systems.hpp"

#include <atomic>
#include <set>
#include <thread>

namespace {

using eventbroker::BrokerRecord;
using eventbroker::EventBroker;
using eventbroker::MessageBroker;

constexpr int thread_count = 8;
constexpr int each = 500;

template <typename Work>
void run_threads(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i) {
        threads.emplace_back(work, i);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

TEST(Threads, EveryRecordIsDeliveredAndCommittedOnce) {
    EventBroker broker(1000);
    broker.create("t", thread_count);
    for (int i = 0; i < thread_count; ++i) {
        broker.join("t", "g", "m" + std::to_string(i));
    }
    std::atomic<int> acknowledged{0};
    std::atomic<int> refused{0};
    run_threads([&](int i) {
        for (int n = 0; n < each; ++n) {
            refused += broker.publish("t", (i + n) % thread_count, std::to_string(n)) < 0;
        }
        while (acknowledged < thread_count * each) { // as its own member, and as a neighbour that competes
            for (const int who : {i, (i + 1) % thread_count}) {
                const std::string member = "m" + std::to_string(who);
                for (const BrokerRecord &record : broker.poll("t", "g", member, 64)) {
                    acknowledged += broker.ack("t", "g", member, record.partition, record.offset);
                }
            }
        }
    });
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(acknowledged, thread_count * each);
    for (int p = 0; p < thread_count; ++p) {
        EXPECT_EQ(broker.publish("t", p, "next"), each);
    }
}

TEST(Threads, OneTopicAndOneConsumerServeAll) { // EB-17, EB-18
    EventBroker broker(1000);
    broker.create("t", thread_count);
    eventbroker::Topic topic = broker.topic("t");
    eventbroker::Consumer consumer = topic.join("g", "m");
    std::atomic<int> acknowledged{0};
    run_threads([&](int i) {
        for (int n = 0; n < each; n += 2) {
            const std::vector<std::int64_t> offsets = topic.publish_many({{i, "x"}, {i, "y"}});
            EXPECT_EQ(offsets[1], offsets[0] + 1);
        }
        while (acknowledged < thread_count * each) {
            std::vector<eventbroker::BrokerPosition> positions;
            for (const BrokerRecord &record : consumer.poll(64)) {
                positions.push_back({record.partition, record.offset});
            }
            for (const bool acked : consumer.ack_many(positions)) {
                acknowledged += acked;
            }
        }
    });
    EXPECT_EQ(acknowledged, thread_count * each);
}

TEST(Threads, OffsetsOfOnePartitionAreDistinctAndConsecutive) {
    EventBroker broker(1000);
    broker.create("t", 1);
    std::vector<std::vector<std::int64_t>> offsets(thread_count);
    run_threads([&](int i) {
        for (int n = 0; n < each; ++n) {
            offsets[static_cast<std::size_t>(i)].push_back(broker.publish("t", 0, "x"));
        }
    });
    std::multiset<std::int64_t> all;
    for (const auto &list : offsets) {
        all.insert(list.begin(), list.end());
    }
    EXPECT_EQ(all.count(-1), static_cast<std::size_t>(thread_count * each - 1000));
    for (std::int64_t offset = 0; offset < 1000; ++offset) {
        EXPECT_EQ(all.count(offset), 1U) << offset;
    }
}

TEST(Threads, EveryMessageIsAcknowledgedOrParkedOnce) {
    MessageBroker broker(2);
    broker.create_topic("t");
    std::atomic<int> acknowledged{0};
    std::atomic<int> refused{0};
    run_threads([&](int) {
        for (int n = 0; n < each; ++n) {
            broker.publish("t", "x");
        }
        while (acknowledged + refused < thread_count * each * 3 / 2) { // every odd one is refused twice
            if (const auto delivery = broker.poll("t", "g")) {
                if (delivery->offset % 2 == 0) {
                    acknowledged += broker.ack("t", "g", delivery->offset, delivery->attempt);
                } else {
                    refused += broker.nack("t", "g", delivery->offset, delivery->attempt);
                }
            }
        }
    });
    EXPECT_EQ(acknowledged, thread_count * each / 2);
    const std::vector<eventbroker::DeadLetter> letters = broker.dead_letters("t", "g");
    ASSERT_EQ(letters.size(), static_cast<std::size_t>(thread_count * each / 2));
    for (std::size_t i = 0; i < letters.size(); ++i) {
        EXPECT_EQ(letters[i].offset, static_cast<std::int64_t>(2 * i + 1));
        EXPECT_EQ(letters[i].attempts, 2);
    }
}

template <typename System>
class ThreadsOnAny : public testing::Test {};

TYPED_TEST_SUITE(ThreadsOnAny, Systems, );

TYPED_TEST(ThreadsOnAny, CloseMayMeetCallsUnderWay) {
    typename TypeParam::Broker broker = TypeParam::with_topic("t");
    std::atomic<int> started{0};
    std::atomic<int> closed{0};
    run_threads([&](int i) {
        ++started;
        while (i == 0 && started < thread_count) {
        }
        if (i == 0) {
            broker.close();
            return;
        }
        try {
            while (TypeParam::publish(broker, "t") >= -1) {
            }
        } catch (const eventbroker::closed_error &) {
            ++closed;
        }
    });
    EXPECT_EQ(closed, thread_count - 1);
}

} // namespace
