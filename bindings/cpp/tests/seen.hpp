// What handlers saw, on whatever threads, and ways to wait for it. Nothing waits for longer than it takes,
// and a test that would hang fails after a minute.
#pragma once

#include <eventbroker/pubsub.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using Payloads = std::vector<std::string>;

constexpr auto hang_limit = 60s;

/// Something that happens once, and is waited for.
class Event {
  public:
    void set() {
        const std::lock_guard guard(mutex_);
        set_ = true;
        changed_.notify_all();
    }

    void wait() {
        std::unique_lock guard(mutex_);
        EXPECT_TRUE(changed_.wait_for(guard, hang_limit, [&] { return set_; })) << "it did not happen";
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
};

/// The messages that handlers were given, in order.
class Seen {
  public:
    /// Notes the message; returns how many there are now.
    std::size_t add(const eventbroker::Message &message) {
        const std::lock_guard guard(mutex_);
        messages_.push_back(message);
        changed_.notify_all();
        return messages_.size();
    }

    /// A handler that notes the message and confirms, or does what then says.
    eventbroker::Handler handler() {
        return [this](const eventbroker::Message &message) { return add(message) > 0; };
    }
    template <typename Then>
    eventbroker::Handler handler(Then then) {
        return [this, then](const eventbroker::Message &message) {
            add(message);
            return then(message);
        };
    }

    /// Returns when there are that many.
    void wait_for(std::size_t count) {
        std::unique_lock guard(mutex_);
        EXPECT_TRUE(changed_.wait_for(guard, hang_limit, [&] { return messages_.size() >= count; }))
            << messages_.size() << " instead of " << count;
    }

    std::vector<eventbroker::Message> messages() const {
        const std::lock_guard guard(mutex_);
        return messages_;
    }

    Payloads payloads() const {
        Payloads payloads;
        for (const eventbroker::Message &message : messages()) {
            payloads.push_back(message.payload);
        }
        return payloads;
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<eventbroker::Message> messages_;
};

/// For what nobody tells: whether it comes to hold.
template <typename Condition>
bool eventually(Condition condition) {
    const auto limit = std::chrono::steady_clock::now() + hang_limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > limit) {
            return false;
        }
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

inline eventbroker::PubSubOptions with(eventbroker::Dispatcher dispatcher) {
    eventbroker::PubSubOptions options;
    options.dispatcher = dispatcher;
    return options;
}

/// For tests that run on more than one.
inline std::string name_of(const testing::TestParamInfo<eventbroker::Dispatcher> &dispatcher) {
    static constexpr const char *names[] = {"synchronous", "lanes", "pool"};
    return names[static_cast<int>(dispatcher.param)];
}

inline bool confirm(const eventbroker::Message &) { return true; }

inline bool refuse(const eventbroker::Message &) { return false; }
