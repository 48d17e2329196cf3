// Lanes and pool: handlers on threads of the broker's (PS-10, PS-11, PS-13).
#include "seen.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

namespace {

using eventbroker::Dispatcher;
using eventbroker::Message;
using eventbroker::Policy;
using eventbroker::PubSub;
using eventbroker::PubSubOptions;
using eventbroker::SubscribeOptions;

/// Threads that have called a handler and are not gone.
std::atomic<int> alive{0};

void note_thread() {
    struct Sentinel {
        Sentinel() { ++alive; }
        ~Sentinel() { --alive; }
    };
    static thread_local const Sentinel sentinel;
    (void)sentinel;
}

class Workers : public testing::TestWithParam<Dispatcher> {
  protected:
    void SetUp() override { EXPECT_EQ(alive, 0) << "another test has left a thread"; }
    void TearDown() override { EXPECT_EQ(alive, 0) << "a thread is left"; }

    static PubSub with_topic(std::int64_t retain = EB_PUBSUB_MAX_RETAIN) {
        PubSubOptions options = with(GetParam());
        options.max_attempts = 0;
        PubSub broker(options);
        broker.create_topic("t", {retain});
        return broker;
    }
};

INSTANTIATE_TEST_SUITE_P(On, Workers, testing::Values(Dispatcher::lanes, Dispatcher::pool), name_of);

TEST_P(Workers, DeliverByThemselvesAndInOrder) {
    constexpr std::size_t count = 500;
    Seen seen;
    PubSub broker = with_topic();
    broker.subscribe("t", "n", seen.handler([](const Message &) {
        note_thread();
        return true;
    }));
    Payloads want;
    for (std::size_t i = 0; i < count; ++i) {
        want.push_back(std::to_string(i));
        broker.publish("t", want.back());
    }
    seen.wait_for(count);
    EXPECT_EQ(seen.payloads(), want);
    EXPECT_EQ(broker.drain(), 0);
    broker.close();
    EXPECT_EQ(seen.messages().size(), count);
}

TEST_P(Workers, ASlowHandlerDelaysNobodyElse) {
    Seen fast;
    Event slow_began;
    Event fast_is_done;
    PubSub broker = with_topic();
    broker.subscribe("t", "slow", [&](const Message &) {
        slow_began.set();
        fast_is_done.wait();
        return true;
    });
    broker.subscribe("t", "fast", fast.handler());
    broker.publish("t", "0");
    slow_began.wait();
    for (int i = 1; i < 100; ++i) {
        EXPECT_EQ(broker.publish("t", std::to_string(i)), i);
    }
    fast.wait_for(100);
    fast_is_done.set();
    EXPECT_TRUE(eventually([&] { return broker.offset("t", "slow") == 100; }));
}

TEST_P(Workers, AFailureIsTriedAgainAndDelaysNobodyElse) {
    Seen failing;
    Seen fine;
    PubSub broker = with_topic();
    broker.subscribe("t", "failing",
                     failing.handler([](const Message &m) { return m.payload == "b" || m.attempt == 3; }));
    broker.subscribe("t", "fine", fine.handler());
    broker.publish("t", "a");
    broker.publish("t", "b");
    fine.wait_for(2);
    failing.wait_for(4);
    EXPECT_EQ(failing.payloads(), (Payloads{"a", "a", "a", "b"}));
}

TEST_P(Workers, ADrainEndsABackOff) {
    constexpr std::int64_t tries = 20; // would take two minutes
    Seen seen;
    PubSub broker = with_topic();
    broker.subscribe("t", "n", seen.handler([](const Message &m) { return m.attempt == tries; }));
    broker.publish("t", "x");
    EXPECT_TRUE(eventually([&] { return broker.drain() == 0 && broker.offset("t", "n") == 1; }));
    EXPECT_EQ(seen.messages().size(), static_cast<std::size_t>(tries));
}

TEST_P(Workers, NothingComesAfterUnsubscribe) { // PS-08
    for (int round = 0; round < 200; ++round) {
        Seen seen;
        PubSub broker = with_topic();
        broker.subscribe("t", "n", seen.handler([&](const Message &m) {
            return m.payload != "last" || broker.unsubscribe("t", "n");
        }));
        broker.publish("t", "first");
        broker.publish("t", "last");
        broker.publish("t", "never");
        seen.wait_for(2);
        broker.close();
        EXPECT_EQ(seen.payloads(), (Payloads{"first", "last"}));
    }
}

TEST_P(Workers, CloseWaitsForWhatRuns) { // PS-08
    Event began;
    std::atomic<bool> ended{false};
    PubSub broker = with_topic();
    broker.subscribe("t", "n", [&](const Message &) {
        note_thread();
        began.set();
        std::this_thread::sleep_for(50ms); // so that close would be first, did it not wait
        ended = true;
        return true;
    });
    broker.publish("t", "x");
    began.wait();
    broker.close();
    EXPECT_TRUE(ended);
    EXPECT_EQ(alive, 0) << "a thread is left";
}

TEST_P(Workers, TheDestructorWaitsToo) {
    Event began;
    std::atomic<bool> ended{false};
    {
        PubSub broker = with_topic();
        broker.subscribe("t", "n", [&](const Message &) {
            began.set();
            std::this_thread::sleep_for(50ms);
            return ended = true;
        });
        broker.publish("t", "x");
        began.wait();
    }
    EXPECT_TRUE(ended);
}

TEST_P(Workers, ClosingFromOutsideWaitsForTheHandlerThatClosed) {
    Event closed;
    Event go_on;
    std::atomic<bool> ended{false};
    PubSub broker = with_topic();
    broker.subscribe("t", "n", [&](const Message &) {
        note_thread();
        broker.close();
        closed.set();
        go_on.wait();
        return ended = true;
    });
    broker.publish("t", "x");
    closed.wait();
    std::thread outsider([&] { go_on.set(); });
    broker.close();
    outsider.join();
    EXPECT_TRUE(ended);
    EXPECT_EQ(alive, 0) << "a thread is left";
}

/// Keeps the thread that calls it from ending before the event.
void linger_until(Event &event) {
    struct Late {
        Event *event = nullptr;
        ~Late() { event->wait(); }
    };
    static thread_local Late late;
    late.event = &event;
}

TEST_P(Workers, ClosingInAHandlerWaitsForNoThread) { // PS-08
    Event closed;
    Seen idle;
    PubSub broker = with_topic();
    broker.subscribe("t", "idle", idle.handler([&](const Message &) {
        linger_until(closed);
        return true;
    }));
    broker.publish("t", "x");
    idle.wait_for(1);
    broker.subscribe("t", "closes", [&](const Message &) {
        broker.close();
        closed.set();
        return true;
    });
    broker.publish("t", "y");
    closed.wait();
    broker.close();
}

TEST_P(Workers, APublisherWaitsForRoom) { // PS-13
    SubscribeOptions blocks;
    blocks.policy = Policy::block;
    Event full;
    Seen seen;
    PubSubOptions options = with(GetParam());
    options.block_timeout = hang_limit;
    PubSub broker(options);
    broker.create_topic("t", {2});
    broker.subscribe("t", "n", seen.handler([&](const Message &) {
        full.wait();
        return true;
    }),
                     blocks);
    broker.publish("t", "a");
    broker.publish("t", "b");
    std::thread([&] { full.set(); }).join();
    EXPECT_EQ(broker.publish("t", "c"), 2);
    EXPECT_EQ(broker.publish("t", "d"), 3);
    seen.wait_for(4);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "b", "c", "d"}));
}

TEST_P(Workers, APublisherGivesUp) { // PS-13
    SubscribeOptions blocks;
    blocks.policy = Policy::block;
    Event given_up;
    PubSubOptions options = with(GetParam());
    options.block_timeout = 1ms;
    PubSub broker(options);
    broker.create_topic("t", {1});
    broker.subscribe(
        "t", "n",
        [&](const Message &m) {
            given_up.wait();
            return m.payload == "b" || broker.publish("t", "b") == 1;
        },
        blocks);
    broker.publish("t", "a");
    EXPECT_THROW(broker.publish("t", "b"), eventbroker::timed_out_error);
    given_up.set();
    EXPECT_TRUE(eventually([&] { return broker.drain() == 0 && !broker.dead_letters("t", "n").empty(); }));
    EXPECT_NE(broker.dead_letters("t", "n").at(0).error.find("full"), std::string::npos) << "inside a handler as well";
    EXPECT_EQ(broker.publish("t", "b"), 1) << "no offset was used up";
}

TEST_P(Workers, CloseEndsAPublishersWait) {
    SubscribeOptions blocks;
    blocks.policy = Policy::block;
    Event publishing;
    PubSubOptions options = with(GetParam());
    options.block_timeout = std::chrono::hours(24);
    options.max_attempts = 0; // a message given up would make room
    PubSub broker(options);
    broker.create_topic("t", {1});
    broker.subscribe("t", "n", refuse, blocks);
    broker.publish("t", "a");
    std::thread publisher([&] {
        publishing.set();
        EXPECT_THROW(broker.publish("t", "b"), eventbroker::closed_error);
    });
    publishing.wait();
    broker.close();
    publisher.join();
}

/// One handler of the stress test: never called twice at once, and always in order.
struct Watched {
    std::atomic<int> inside{0};
    std::atomic<std::int64_t> last{-1};
    std::atomic<int> calls{0};

    bool call(const Message &message) {
        note_thread();
        EXPECT_EQ(inside++, 0) << "two calls at once";
        EXPECT_GT(message.offset, last);
        last = message.offset;
        ++calls;
        return --inside == 0;
    }
};

TEST_P(Workers, EachTakesEverythingOnceInOrderAndAlone) { // PS-10
    constexpr int subscribers = 8;
    constexpr int publishers = 4;
    constexpr int each = 500;
    Watched watched[subscribers];
    PubSub broker = with_topic();
    for (int i = 0; i < subscribers; ++i) {
        broker.subscribe("t", "n" + std::to_string(i), [&watched, i](const Message &m) { return watched[i].call(m); });
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < publishers; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < each; ++n) {
                broker.publish("t", "x");
                broker.drain();
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const Watched &one : watched) {
        EXPECT_TRUE(eventually([&] { return one.calls == publishers * each; }));
    }
    broker.close();
    for (const Watched &one : watched) {
        EXPECT_EQ(one.calls, publishers * each);
    }
}

TEST_P(Workers, SubscriptionsComeAndGoWhileMessagesFlow) { // PS-08
    constexpr int rounds = 300;
    std::atomic<bool> done{false};
    std::atomic<int> running{0};
    PubSub broker = with_topic(100);
    std::thread publisher([&] {
        while (!done) {
            broker.publish("t", "x");
        }
    });
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, name = "n" + std::to_string(i)] {
            for (int round = 0; round < rounds; ++round) {
                broker.subscribe("t", name, [&running](const Message &m) {
                    ++running;
                    return --running >= 0 && m.offset % 3 != 0;
                });
                std::this_thread::yield();
                EXPECT_TRUE(broker.unsubscribe("t", name));
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    done = true;
    publisher.join();
    broker.close();
    EXPECT_EQ(running, 0);
}

TEST_P(Workers, CallsOfAGroupThatUnsubscribesAreNotLost) { // PS-08, PS-14
    SubscribeOptions grouped;
    grouped.group = "g";
    constexpr int count = 400;
    std::atomic<int> confirmed{0};
    std::atomic<std::int64_t> attempts{0};
    PubSub broker = with_topic();
    const auto handler = [&](const Message &m) {
        attempts += m.attempt;
        ++confirmed;
        return true;
    };
    broker.subscribe("t", "stays", handler, grouped);
    std::thread comes_and_goes([&] {
        for (int i = 0; i < count; ++i) {
            broker.subscribe("t", "goes", handler, grouped);
            broker.publish("t", "x");
            broker.unsubscribe("t", "goes");
        }
    });
    comes_and_goes.join();
    EXPECT_TRUE(eventually([&] { return broker.offset("t", "stays") == count; }));
    EXPECT_EQ(confirmed, count);
    EXPECT_EQ(attempts, count) << "a try was counted of which no handler knows";
}

TEST_P(Workers, AHandlerThatEndsItsThreadsLeavesEnough) { // PS-03
    Seen seen;
    PubSub broker = with_topic();
    broker.subscribe("t", "n", seen.handler([](const Message &m) {
        note_thread();
        if (m.attempt < 8) {
            pthread_exit(nullptr);
        }
        return true;
    }));
    broker.publish("t", "a");
    EXPECT_TRUE(eventually([&] { return broker.drain() == 0 && broker.offset("t", "n") == 1; }));
    EXPECT_EQ(seen.messages().size(), 8U);
    broker.close();
}

/// A pool whose calls may take a moment.
PubSub impatient(std::int64_t workers) {
    PubSubOptions options = with(Dispatcher::pool);
    options.workers = workers;
    options.handler_timeout = 10ms;
    options.max_attempts = 1;
    PubSub broker(options);
    broker.create_topic("t");
    return broker;
}

TEST(Pool, ACallPastItsTimeOutHasFailed) { // PS-11
    Event late;
    Seen others;
    Seen after;
    PubSub broker = impatient(1);
    broker.subscribe("t", "slow", [&](const Message &m) {
        if (m.offset == 0) {
            late.wait();
        }
        return after.add(m) > 0;
    });
    broker.subscribe("t", "other", others.handler());
    broker.publish("t", "a");
    others.wait_for(1); // on a thread that took over
    EXPECT_TRUE(eventually([&] { return !broker.dead_letters("t", "slow").empty(); }));
    EXPECT_EQ(broker.dead_letters("t", "slow").at(0).attempts, 1);
    broker.publish("t", "b");
    others.wait_for(2);
    EXPECT_EQ(after.messages().size(), 0U) << "two calls at once";
    late.set();
    after.wait_for(2);
    EXPECT_TRUE(eventually([&] { return broker.offset("t", "slow") == 2; }));
}

TEST(Pool, CloseDoesNotWaitForALostCall) { // PS-11
    Event began;
    const auto late = std::make_shared<Event>();
    const auto ended = std::make_shared<Event>();
    {
        PubSub broker = impatient(2);
        broker.subscribe("t", "n", [&began, late, ended](const Message &) {
            began.set();
            late->wait();
            ended->set();
            return true;
        });
        broker.publish("t", "a");
        began.wait(); // the time-out may come before
        EXPECT_TRUE(eventually([&] { return !broker.dead_letters("t", "n").empty(); }));
        broker.close();
        EXPECT_GT(late.use_count(), 1) << "the handler is gone that is running";
    }
    late->set();
    ended->wait();
    EXPECT_TRUE(eventually([&] { return late.use_count() == 1; })) << "what it held is not let go";
}

TEST(Pool, LostThreadsAreReplacedForAsLongAsItTakes) { // PS-11
    constexpr int lost = 6;
    Event late;
    std::atomic<int> returned{0};
    Seen seen;
    PubSub broker = impatient(2);
    for (int i = 0; i < lost; ++i) {
        broker.subscribe("t", "lost" + std::to_string(i), [&](const Message &m) {
            if (m.offset == 0) {
                late.wait();
                ++returned;
            }
            return true;
        });
    }
    broker.subscribe("t", "n", seen.handler());
    broker.publish("t", "a");
    seen.wait_for(1);
    late.set();
    EXPECT_TRUE(eventually([&] { return returned == lost; }));
    for (int i = 0; i < 100; ++i) {
        broker.publish("t", "b");
    }
    seen.wait_for(101);
    for (int i = 0; i < lost; ++i) {
        EXPECT_TRUE(eventually([&] { return broker.offset("t", "lost" + std::to_string(i)) == 101; }));
    }
}

TEST(Pool, ManySubscriptionsShareItsThreads) { // PS-11
    constexpr int subscriptions = 200;
    constexpr int messages = 20;
    std::atomic<int> now{0};
    std::atomic<int> most{0};
    std::atomic<int> calls{0};
    PubSubOptions options = with(Dispatcher::pool);
    options.workers = 3;
    PubSub broker(options);
    broker.create_topic("t");
    for (int i = 0; i < subscriptions; ++i) {
        broker.subscribe("t", "n" + std::to_string(i), [&](const Message &) {
            const int running = ++now;
            for (int seen = most; running > seen && !most.compare_exchange_weak(seen, running);) {
            }
            --now;
            return ++calls > 0;
        });
    }
    for (int i = 0; i < messages; ++i) {
        broker.publish("t", "x");
    }
    EXPECT_TRUE(eventually([&] { return calls == subscriptions * messages; }));
    EXPECT_LE(most, 3);
}

TEST(Drain, FromManyThreadsAtOnce) { // PS-10
    constexpr int count = 2000;
    Watched watched[4];
    std::atomic<std::int64_t> confirmed{0};
    PubSub broker;
    broker.create_topic("t");
    for (int i = 0; i < 4; ++i) {
        broker.subscribe("t", "n" + std::to_string(i), [&watched, i](const Message &m) { return watched[i].call(m); });
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < count / 4; ++n) {
                broker.publish("t", "x");
                confirmed += broker.drain();
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::thread([&] { confirmed += broker.drain(); }).join(); // this one is noted where it calls a handler, and stays
    EXPECT_EQ(confirmed, 4 * count);
}

} // namespace
