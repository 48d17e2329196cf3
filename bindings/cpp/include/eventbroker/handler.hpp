/// handler.hpp - what a subscription calls, and how a delivery finds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <utility>

namespace eventbroker {

/// A message in a handler's hands (PS-03).
struct Message {
    std::string topic;
    std::int64_t offset;
    std::string payload;
    std::int64_t attempt; ///< which try of it this is, from 1
};

[[nodiscard]] inline bool operator==(const Message &a, const Message &b) {
    return a.offset == b.offset && a.attempt == b.attempt && a.topic == b.topic && a.payload == b.payload;
}

[[nodiscard]] inline bool operator!=(const Message &a, const Message &b) { return !(a == b); }

/// Prints Message("orders", 17, "payload", 1).
inline std::ostream &operator<<(std::ostream &out, const Message &message) {
    return out << "Message(" << std::quoted(message.topic) << ", " << message.offset << ", "
               << std::quoted(message.payload) << ", " << message.attempt << ")";
}

/// Takes a message: true confirms it; false, or whatever it throws, is a failed try.
using Handler = std::function<bool(const Message &)>;

/// Says whether a subscription wants a message; whatever it throws is a failed try.
using Filter = std::function<bool(const Message &)>;

namespace detail {

/// What a subscription calls. A call under way shares it, and so may outlive the subscription.
struct Subscriber {
    Handler handler;
    Filter filter; ///< empty where there is none
};

/// The subscribers of one broker by cookie, the number that the library knows each by.
///
/// One whose subscription has ended stays until no delivery to it can be on its way: between the
/// library's handing it out and its being found here, another thread may unsubscribe. Whoever takes
/// deliveries does so as a Taker.
class Handlers {
  public:
    struct Entry {
        std::shared_ptr<const Subscriber> subscriber;
        std::uint64_t ended; ///< the epoch in which its subscription did
    };

    /// By cookie. Letting go of them may run anything of the user's, so nobody does it under a lock.
    /// Entries move from one to another without allocating.
    using Entries = std::map<std::uint64_t, Entry>;

    /// One who takes deliveries, one after the other.
    class Taker {
      public:
        explicit Taker(Handlers &handlers) : handlers_(handlers), since_(handlers.enter()) {}
        Taker(const Taker &) = delete;
        Taker &operator=(const Taker &) = delete;
        ~Taker() { handlers_.leave(since_); }

        /// Notes that a delivery is about to be taken, to somebody who has not ended yet.
        void begin() noexcept { handlers_.begin(*since_); }

        /// Notes that it was taken and returns whom it is to, or null for what nobody here is known by.
        /// No delivery has cookie 0.
        std::shared_ptr<const Subscriber> end(std::uint64_t cookie) noexcept { return handlers_.end(*since_, cookie); }

      private:
        Handlers &handlers_;
        std::list<std::uint64_t>::iterator since_; // the epoch in which the taking began, or idle
    };

    /// Enters a subscriber. Its cookie is never used again; nor is it that of another language in this
    /// process, which counts from 1 and may subscribe to the same broker.
    std::uint64_t add(std::shared_ptr<const Subscriber> subscriber) {
        const std::lock_guard guard(mutex_);
        live_.emplace(next_cookie_, Entry{std::move(subscriber), 0});
        return next_cookie_++;
    }

    /// Lets go, as soon as may be, of one whose subscription has ended. What may go now is added to free.
    void remove(std::uint64_t cookie, Entries &free) noexcept {
        const std::lock_guard guard(mutex_);
        if (auto entry = live_.extract(cookie)) {
            entry.mapped().ended = epoch_++;
            ended_.insert(std::move(entry));
        }
        sweep(free);
    }

    /// Lets go of all at once: the broker is closed.
    void clear() noexcept {
        Entries live;
        Entries ended;
        const std::lock_guard guard(mutex_);
        live.swap(live_);
        ended.swap(ended_);
    }

  private:
    static constexpr std::uint64_t idle = std::numeric_limits<std::uint64_t>::max();

    std::list<std::uint64_t>::iterator enter() {
        const std::lock_guard guard(mutex_);
        return takers_.insert(takers_.end(), idle);
    }

    void leave(std::list<std::uint64_t>::iterator since) noexcept {
        Entries free;
        const std::lock_guard guard(mutex_);
        takers_.erase(since);
        sweep(free);
    }

    void begin(std::uint64_t &since) noexcept {
        const std::lock_guard guard(mutex_);
        since = epoch_;
    }

    std::shared_ptr<const Subscriber> end(std::uint64_t &since, std::uint64_t cookie) noexcept {
        Entries free;
        const std::lock_guard guard(mutex_);
        std::shared_ptr<const Subscriber> found;
        for (const Entries *entries : {&live_, &ended_}) {
            if (const auto entry = entries->find(cookie); entry != entries->end()) {
                found = entry->second.subscriber;
            }
        }
        since = idle;
        sweep(free);
        return found;
    }

    /// Moves to free those who had ended before any of the takers began.
    void sweep(Entries &free) noexcept {
        if (ended_.empty()) {
            return;
        }
        const auto oldest = std::min_element(takers_.begin(), takers_.end());
        for (auto entry = ended_.begin(); entry != ended_.end();) {
            const auto next = std::next(entry);
            if (oldest == takers_.end() || entry->second.ended < *oldest) {
                free.insert(ended_.extract(entry));
            }
            entry = next;
        }
    }

    std::mutex mutex_; // guards what follows
    Entries live_;
    Entries ended_;
    std::list<std::uint64_t> takers_;
    std::uint64_t epoch_ = 0; // how many have ended
    std::uint64_t next_cookie_ = std::uint64_t{1} << 63;
};

} // namespace detail
} // namespace eventbroker
