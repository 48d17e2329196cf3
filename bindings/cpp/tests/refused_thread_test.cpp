// A system that has no thread left: std::system_error, and nothing half-made. A program of its own, as it
// takes over pthread_create, for the standard library's threads only.
#include "seen.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace {

using eventbroker::Dispatcher;
using eventbroker::Message;
using eventbroker::PubSub;

/// How many threads there may still be; negative is no limit.
std::atomic<int> allowance{-1};

using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

bool is_of_standard_library(void *caller) {
    Dl_info where{};
    return dladdr(caller, &where) != 0 && std::strstr(where.dli_fname, "libstdc++") != nullptr;
}

} // namespace

extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                             void *(*start)(void *), void *argument) {
    static const auto next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (allowance >= 0 && is_of_standard_library(__builtin_return_address(0)) && allowance-- == 0) {
        allowance = 0;
        return EAGAIN;
    }
    return next(thread, attributes, start, argument);
}

namespace {

TEST(RefusedThread, ALaneWithoutOneIsNoSubscription) {
    Seen seen;
    PubSub broker(with(Dispatcher::lanes));
    broker.create_topic("t");
    allowance = 0;
    EXPECT_THROW(broker.subscribe("t", "n", seen.handler()), std::system_error);
    allowance = -1;
    EXPECT_FALSE(broker.status("t", "n").subscribed);
    broker.publish("t", "nobody's");
    broker.subscribe("t", "n", seen.handler());
    broker.publish("t", "x");
    seen.wait_for(1);
    broker.close();
    EXPECT_EQ(seen.payloads(), Payloads{"x"});
}

TEST(RefusedThread, APoolWithoutOneIsNoBroker) {
    for (int threads = 0; threads < 4; ++threads) {
        allowance = threads;
        EXPECT_THROW(PubSub refused(with(Dispatcher::pool)), std::system_error) << threads;
        allowance = -1;
    }
    PubSub broker(with(Dispatcher::pool));
}

TEST(RefusedThread, APoolThatCannotReplaceALostThreadKeepsTheOthers) {
    eventbroker::PubSubOptions options = with(Dispatcher::pool);
    options.workers = 1;
    options.handler_timeout = 10ms;
    options.max_attempts = 1;
    Event returns;
    Event returns_again;
    std::atomic<int> returned{0};
    Seen slow;
    Seen seen;
    PubSub broker(options);
    broker.create_topic("t");
    broker.subscribe("t", "slow", slow.handler([&](const Message &m) {
        if (m.payload == "late") {
            (m.offset == 0 ? returns : returns_again).wait();
            ++returned;
        }
        return true;
    }));
    allowance = 0;
    broker.publish("t", "late");
    EXPECT_TRUE(eventually([&] { return broker.dead_letters("t", "slow").size() == 1; }));
    broker.subscribe("t", "n", seen.handler());
    broker.publish("t", "1"); // the thread that takes it cannot start another
    seen.wait_for(1);
    returns.set();
    slow.wait_for(2);
    broker.publish("t", "late");
    slow.wait_for(3);
    broker.publish("t", "2");
    seen.wait_for(3); // on the thread that came back, which was not one too many
    returns_again.set();
    EXPECT_TRUE(eventually([&] { return returned == 2; })); // close does not wait for it
    broker.close();
    allowance = -1;
}

} // namespace
