// What handlers may do: throw, end their thread, go while they run, and turn on the broker itself.
#include "seen.hpp"

#include <pthread.h>

#include <memory>
#include <new>
#include <thread>

namespace {

using eventbroker::Dispatcher;
using eventbroker::Message;
using eventbroker::PubSub;
using eventbroker::PubSubOptions;

/// Each test on each dispatcher.
class Handler : public testing::TestWithParam<Dispatcher> {
  protected:
    static PubSub with_topic(std::int64_t max_attempts = 3) {
        PubSubOptions options = with(GetParam());
        options.max_attempts = max_attempts;
        PubSub broker(options);
        broker.create_topic("t");
        return broker;
    }

    /// Has waiting messages delivered. With threads of its own the broker does that by itself.
    static std::int64_t drain(PubSub &broker) { return GetParam() == Dispatcher::synchronous ? broker.drain() : 0; }
};

INSTANTIATE_TEST_SUITE_P(On, Handler, testing::Values(Dispatcher::synchronous, Dispatcher::lanes, Dispatcher::pool),
                         name_of);

/// Whether nobody reaches the broker any more.
bool is_closed(std::uint64_t handle) {
    try {
        PubSub::from_handle(handle).publish("t", "x");
        return false;
    } catch (const eventbroker::closed_error &) {
        return true;
    }
}

/// An exception whose text is whatever it was made with, null included.
struct Failure : std::exception {
    explicit Failure(const char *what) : text(what) {}
    const char *what() const noexcept override { return text; }
    const char *text;
};

/// The error of the dead letter that a message becomes when its handler throws.
template <typename Throw>
std::string error_of(PubSub broker, bool synchronous, Throw throws) {
    Seen after;
    broker.subscribe("t", "n", [&](const Message &m) -> bool {
        if (m.offset == 0) {
            throws();
        }
        return after.add(m) > 0;
    });
    broker.publish("t", "bad");
    broker.publish("t", "good");
    if (synchronous) {
        EXPECT_EQ(broker.drain(), 1);
    }
    after.wait_for(1);
    const std::vector<eventbroker::Letter> letters = broker.dead_letters("t", "n");
    EXPECT_EQ(letters.size(), 1U);
    broker.close(); // before what its handler uses goes
    return letters.empty() ? "" : letters[0].error;
}

TEST_P(Handler, WhateverItThrowsIsAFailureAndKept) { // PS-03, PS-07
    const bool synchronous = GetParam() == Dispatcher::synchronous;
    const auto error = [&](auto throws) { return error_of(with_topic(1), synchronous, throws); };
    EXPECT_EQ(error([] { throw std::runtime_error("no such order"); }), "no such order");
    EXPECT_EQ(error([] { throw std::bad_alloc(); }), "std::bad_alloc");
    EXPECT_EQ(error([] { throw 42; }), "unknown exception");
    EXPECT_EQ(error([] { throw "text"; }), "unknown exception");
    EXPECT_EQ(error([] { throw Failure(nullptr); }), "");
    EXPECT_EQ(error([] { throw Failure("caf\xc3\xa9 \xff!"); }), "caf\xc3\xa9 \xef\xbf\xbd!");
    EXPECT_EQ(error([] { throw std::runtime_error(std::string(5000, 'x')); }), std::string(1024, 'x'));
}

TEST_P(Handler, MayCallAnythingOfTheBroker) { // PS-03
    Event done;
    PubSub broker = with_topic();
    broker.subscribe("t", "n", [&](const Message &m) {
        EXPECT_TRUE(m.offset == 1 || broker.publish("t", "again") == 1);
        EXPECT_EQ(broker.create_topic("u"), m.offset == 0);
        EXPECT_EQ(broker.drain(), 0);
        EXPECT_EQ(broker.offset("t", "n"), m.offset);
        EXPECT_EQ(broker.status("t", "n").offset, m.offset);
        EXPECT_TRUE(broker.dead_letters("t", "n").empty());
        EXPECT_EQ(broker.redeliver("t", "n"), 0);
        broker.subscribe("u", "n", confirm);
        EXPECT_TRUE(broker.unsubscribe("u", "n"));
        if (m.offset == 1) {
            done.set();
        }
        return true;
    });
    broker.publish("t", "x");
    drain(broker);
    done.wait();
}

TEST_P(Handler, OutlivesItsSubscriptionWhileItRuns) { // PS-08
    Event done;
    PubSub broker = with_topic();
    const auto alive = std::make_shared<int>(7);
    broker.subscribe("t", "n", [&broker, &done, kept = alive](const Message &) {
        EXPECT_TRUE(broker.unsubscribe("t", "n"));
        broker.subscribe("t", "n", confirm);
        EXPECT_EQ(*kept, 7) << "the handler is gone that is running";
        done.set();
        return true;
    });
    broker.publish("t", "x");
    EXPECT_EQ(drain(broker), GetParam() == Dispatcher::synchronous ? 1 : 0);
    done.wait();
    broker.close();
    EXPECT_EQ(alive.use_count(), 1) << "somebody holds it still";
}

TEST_P(Handler, IsLetGoWhenItsSubscriptionEnds) {
    PubSub broker = with_topic();
    const auto alive = std::make_shared<int>();
    const auto subscribe = [&] { broker.subscribe("t", "n", [kept = alive](const Message &) { return true; }); };
    subscribe();
    EXPECT_THROW(subscribe(), std::invalid_argument);
    EXPECT_TRUE(eventually([&] { return alive.use_count() == 2; })) << "the refused one is held";
    EXPECT_TRUE(broker.unsubscribe("t", "n"));
    EXPECT_TRUE(eventually([&] { return alive.use_count() == 1; })) << "the former one is held";
    subscribe();
    broker.close();
    EXPECT_EQ(alive.use_count(), 1) << "that of a closed broker is held";
}

TEST_P(Handler, IsLetGoWhenItsNameIsUsedAgain) { // PS-13
    eventbroker::SubscribeOptions leaves;
    leaves.policy = eventbroker::Policy::disconnect;
    PubSub broker(with(GetParam()));
    const auto alive = std::make_shared<int>();
    Event called;
    Event published;
    broker.create_topic("t", {1});
    broker.subscribe(
        "t", "n",
        [kept = alive, &called, &published](const Message &) {
            called.set();
            published.wait();
            return true;
        },
        leaves);
    for (int i = 0; i < 3; ++i) {
        broker.publish("t", "x");
    }
    published.set();
    drain(broker);
    EXPECT_TRUE(eventually([&] { return !broker.status("t", "n").subscribed; }));
    broker.subscribe("t", "n", confirm);
    EXPECT_TRUE(eventually([&] { return alive.use_count() == 1; }));
    broker.close();
}

TEST_P(Handler, MayCloseTheBroker) { // PS-08
    Seen seen;
    Event published;
    Event closed;
    PubSub broker = with_topic();
    broker.subscribe("t", "n", seen.handler([&](const Message &) {
        published.wait();
        broker.close();
        EXPECT_THROW(broker.publish("t", "x"), eventbroker::closed_error);
        broker.close();
        closed.set();
        return true;
    }));
    broker.publish("t", "a");
    broker.publish("t", "b");
    published.set();
    EXPECT_EQ(drain(broker), GetParam() == Dispatcher::synchronous ? 1 : 0);
    closed.wait();
    broker.close();
    EXPECT_EQ(seen.payloads(), Payloads{"a"});
}

TEST_P(Handler, MayDestroyTheBroker) {
    Seen seen;
    Event published;
    Event gone;
    auto broker = std::make_unique<PubSub>(with_topic());
    broker->subscribe("t", "n", seen.handler([&](const Message &) {
        published.wait();
        broker.reset();
        gone.set();
        return true;
    }));
    broker->publish("t", "a");
    published.set();
    if (GetParam() == Dispatcher::synchronous) {
        EXPECT_EQ(broker->drain(), 1);
    }
    gone.wait();
    EXPECT_EQ(seen.payloads(), Payloads{"a"});
}

TEST_P(Handler, MayOwnTheBroker) {
    auto broker = std::make_shared<PubSub>(with_topic());
    const std::uint64_t handle = broker->handle();
    Event called;
    broker->subscribe("t", "n", [broker, &called](const Message &) {
        broker->unsubscribe("t", "n"); // with itself goes its share
        called.set();
        return true;
    });
    broker->publish("t", "a");
    drain(*broker);
    called.wait();
    broker.reset();
    EXPECT_TRUE(eventually([&] { return is_closed(handle); }));
}

TEST_P(Handler, StaysWithTheBrokerWhenThatIsMoved) {
    Seen seen;
    PubSub first = with_topic();
    first.subscribe("t", "n", seen.handler());
    PubSub second(std::move(first));
    second.publish("t", "a");
    drain(second);
    seen.wait_for(1);
    first = with_topic();
    first = std::move(second);
    first.publish("t", "b");
    drain(first);
    seen.wait_for(2);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "b"}));
}

TEST_P(Handler, ThatEndsItsThreadHasFailed) { // PS-03
    Seen after;
    PubSub broker = with_topic(1);
    broker.subscribe("t", "n", [&](const Message &m) {
        if (m.payload == "exit") {
            pthread_exit(nullptr);
        }
        return after.add(m) > 0;
    });
    broker.publish("t", "exit");
    broker.publish("t", "good");
    std::thread([&] {
        drain(broker);
        EXPECT_NE(GetParam(), Dispatcher::synchronous) << "the thread went on";
    }).join();
    EXPECT_EQ(drain(broker), GetParam() == Dispatcher::synchronous ? 1 : 0) << "the walk was left open";
    after.wait_for(1); // on another thread, where they are the broker's
    EXPECT_EQ(broker.dead_letters("t", "n"),
              (std::vector<eventbroker::Letter>{{0, "exit", 1, "the handler ended its thread"}}));
}

TEST_P(Handler, MayBeCancelled) { // PS-03
    Seen after;
    PubSub broker = with_topic(1);
    broker.subscribe("t", "n", [&](const Message &m) {
        if (m.payload == "cancel") {
            pthread_cancel(pthread_self());
            pthread_testcancel();
        }
        return after.add(m) > 0;
    });
    broker.publish("t", "cancel");
    broker.publish("t", "good");
    std::thread([&] { drain(broker); }).join();
    drain(broker);
    after.wait_for(1);
    EXPECT_EQ(broker.dead_letters("t", "n").size(), 1U);
}

} // namespace
