/// host.hpp - what a PubSub is inside: a broker of the C interface, the handlers that it calls, and the
/// threads that call them.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/delivery.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/handler.hpp>
#include <eventbroker/threads.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace eventbroker::detail {

/// A worker of the C interface, a lane's or the pool's. Its threads share it.
struct Worker {
    explicit Worker(std::shared_ptr<const Subscriber> of_lane) : subscriber(std::move(of_lane)) {}
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    ~Worker() { eb_pubsub_end(handle); }

    std::uint64_t handle = 0;
    std::shared_ptr<const Subscriber> subscriber; ///< a lane's; null for the pool, which has many
};

/// A broker with its handlers and threads. The threads share it, so that it may outlive the PubSub that
/// owns it: a handler may destroy that, and a call past its time-out goes on for as long as it likes.
class Host : public std::enable_shared_from_this<Host> {
  public:
    Host() = default;
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;

    /// Makes the broker and starts the threads of a pool. To be called once, and end after it, even where
    /// it throws.
    void open(const eb_pubsub_options &options) {
        answer(eb_pubsub_new(&options, &broker_));
        lanes_ = options.dispatcher == EB_PUBSUB_LANES;
        const auto pool = std::make_shared<Worker>(nullptr);
        for (std::int64_t threads = answer(eb_pubsub_pool(broker_, &pool->handle)); threads > 0; --threads) {
            start(pool);
        }
    }

    [[nodiscard]] std::uint64_t broker() const noexcept { return broker_; }

    void subscribe(Text topic, Text name, const std::shared_ptr<const Subscriber> &subscriber,
                   const eb_pubsub_subscription &options) {
        threads_.reap();
        Handlers::Entries free;
        const std::lock_guard registration(registration_);
        if (lanes_) {
            subscribe_lane(topic, name, subscriber, options);
            return;
        }
        const auto place = cookies_.try_emplace({topic.string(), name.string()}, 0).first;
        try {
            const std::uint64_t cookie = subscribe_cookie(topic, name, subscriber, options, free);
            handlers_.remove(std::exchange(place->second, cookie), free); // who had the name was disconnected
        } catch (...) {
            if (place->second == 0) {
                cookies_.erase(place);
            }
            throw;
        }
    }

    bool unsubscribe(Text topic, Text name) {
        Handlers::Entries free;
        const Key key(topic.string(), name.string());
        const std::lock_guard registration(registration_);
        const bool ended =
            answer(eb_pubsub_unsubscribe(broker_, topic.data(), topic.size(), name.data(), name.size())) == 1;
        if (const auto place = cookies_.find(key); place != cookies_.end()) {
            handlers_.remove(place->second, free);
            cookies_.erase(place);
        }
        return ended;
    }

    /// Delivers what waits, on this thread.
    std::int64_t drain(Walk &walk) { return detail::drain(walk, handlers_); }

    /// Ends the broker and, unless inside a handler, waits for calls and threads under way, but not for
    /// those past their time-out.
    void close() noexcept {
        if (forked()) {
            return;
        }
        while (eb_pubsub_close(broker_, EB_PUBSUB_MAX_TIMEOUT) == EB_TIMED_OUT) {
        }
        if (handlers_entered == 0) {
            handlers_.clear();
            threads_.finish();
        }
    }

    /// Closes for the owner, who goes. Threads that were not waited for end by themselves.
    void end() noexcept {
        if (forked()) {
            threads_.forget();
            return;
        }
        close();
        threads_.abandon();
    }

  private:
    using Key = std::pair<std::string, std::string>; // topic and name

    /// What a thread needs, made before it is: what it cannot have is then its maker's to say.
    struct Seat {
        explicit Seat(Handlers &handlers) : taker(handlers) {}

        DeliveryFrame frame;
        Handlers::Taker taker;
        Settled settled; // of the last call
    };

    /// How long a thread waits. What comes wakes it, but one of an idle pool looks up now and then, to let
    /// go of handlers that were unsubscribed.
    static constexpr std::int64_t lane_wait = EB_PUBSUB_MAX_TIMEOUT;
    static constexpr std::int64_t pool_wait = 1000;

    /// Whether this process is a child of that which made the broker; there nothing of it works.
    [[nodiscard]] bool forked() const noexcept { return ::getpid() != process_; }

    /// The lane's thread is there first, so that no subscription is without one. Where there is none in
    /// the end, its wait fails.
    void subscribe_lane(Text topic, Text name, const std::shared_ptr<const Subscriber> &subscriber,
                        const eb_pubsub_subscription &options) {
        const auto lane = std::make_shared<Worker>(subscriber);
        start(lane);
        answer(eb_pubsub_subscribe(broker_, topic.data(), topic.size(), name.data(), name.size(), 0, &options,
                                   &lane->handle));
    }

    std::uint64_t subscribe_cookie(Text topic, Text name, const std::shared_ptr<const Subscriber> &subscriber,
                                   const eb_pubsub_subscription &options, Handlers::Entries &free) {
        const std::uint64_t cookie = handlers_.add(subscriber); // before it subscribes: a delivery may come at once
        try {
            answer(eb_pubsub_subscribe(broker_, topic.data(), topic.size(), name.data(), name.size(), cookie, &options,
                                       nullptr));
        } catch (...) {
            handlers_.remove(cookie, free);
            throw;
        }
        return cookie;
    }

    void start(std::shared_ptr<Worker> worker) {
        threads_.start([host = shared_from_this(), worker = std::move(worker),
                        seat = std::make_unique<Seat>(handlers_)](Threads::Thread &thread) mutable {
            host->work(thread, std::move(worker), std::move(seat));
        });
    }

    /// A thread that the system refuses is one that the pool will not have too many.
    void start_another(const std::shared_ptr<Worker> &worker) noexcept {
        threads_.reap();
        try {
            start(worker);
        } catch (const std::exception &) {
            ++missing_;
        }
    }

    void work(Threads::Thread &thread, std::shared_ptr<Worker> worker, std::unique_ptr<Seat> seat) {
        { const std::lock_guard subscribed(registration_); } // from here on a lane has its handle
        try {
            while (serve(thread, *seat, worker)) {
            }
        } catch (...) { // the handler ended the thread: another takes its place
            if (seat->settled.answer != 0) {
                start_another(worker);
            }
            throw;
        }
    }

    /// Makes one call, if a delivery comes; false when the thread is to end.
    bool serve(Threads::Thread &thread, Seat &seat, const std::shared_ptr<Worker> &worker) {
        const bool lane = worker->subscriber != nullptr;
        seat.taker.begin();
        const std::int64_t taken =
            eb_pubsub_wait(worker->handle, lane ? lane_wait : pool_wait, seat.frame.data(), DeliveryFrame::size());
        thread.calling = taken == 1; // before the handler is looked for, which is gone once the broker is closed
        std::shared_ptr<const Subscriber> subscriber = seat.taker.end(taken == 1 ? seat.frame->cookie : 0);
        if (taken != 1) {
            return taken == 0;
        }
        if (seat.frame->start_worker == 1) {
            start_another(worker);
        }
        settle_with(seat.frame->token, seat.settled, [&] {
            const Calling calling(thread);
            return judge(lane ? std::shared_ptr(worker->subscriber) : std::move(subscriber), seat.frame);
        });
        return seat.settled.answer != 0 || is_missed();
    }

    /// Takes back, when the call has ended and only remains to be settled, that the thread is in one.
    class Calling {
      public:
        explicit Calling(Threads::Thread &thread) : thread_(thread) {}
        Calling(const Calling &) = delete;
        Calling &operator=(const Calling &) = delete;
        ~Calling() { thread_.calling = false; }

      private:
        Threads::Thread &thread_;
    };

    /// Whether a thread that the pool thinks one too many stands in for one that could not be started.
    bool is_missed() noexcept {
        for (int missing = missing_; missing > 0;) {
            if (missing_.compare_exchange_weak(missing, missing - 1)) {
                return true;
            }
        }
        return false;
    }

    std::uint64_t broker_ = 0;
    bool lanes_ = false;
    const pid_t process_ = ::getpid();
    Handlers handlers_;
    Threads threads_;
    std::atomic<int> missing_{0};

    std::mutex registration_; // held while a subscription begins or ends; guards cookies_
    std::map<Key, std::uint64_t> cookies_;
};

} // namespace eventbroker::detail
