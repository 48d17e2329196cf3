/// pubsub.hpp - PubSub: topics whose messages are handed to handlers, each at its own pace (PS-01 to
/// PS-17).
///
///     eventbroker::PubSub broker;
///     broker.create_topic("orders");
///     broker.subscribe("orders", "billing", [](const eventbroker::Message &message) {
///         return bill(message.payload); // true confirms
///     });
///     broker.publish("orders", "order-1");
///     broker.drain();
///
/// C++17; link with libeventbroker and threads. Clause names such as PS-05 point into cases/CONTRACT.md.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/delivery.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/frame.hpp>
#include <eventbroker/handler.hpp>
#include <eventbroker/host.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace eventbroker {

/// Whose threads call the handlers (PS-11).
enum class Dispatcher {
    synchronous = EB_PUBSUB_SYNCHRONOUS, ///< only drain delivers, on the caller's thread
    lanes = EB_PUBSUB_LANES,             ///< a thread for each subscription
    pool = EB_PUBSUB_POOL                ///< a fixed number of threads for all of them
};

/// What becomes of a subscription whose next message its topic does not keep any more (PS-13).
enum class Policy {
    drop = EB_PUBSUB_DROP,             ///< it jumps to the earliest one kept, and what was lost is counted
    disconnect = EB_PUBSUB_DISCONNECT, ///< it ends, and status says why
    block = EB_PUBSUB_BLOCK            ///< the message is kept: publish waits. Not with the synchronous dispatcher
};

/// Options of a broker.
struct PubSubOptions {
    Dispatcher dispatcher = Dispatcher::synchronous;

    /// Threads of a pool, 1 through 1,024; 4 where there is none. Not with another dispatcher.
    std::optional<std::int64_t> workers = std::nullopt;

    /// How long a call in a pool may take before it is a failed try and another thread takes over for the
    /// one it has, 1 ms through 24 h; for ever where there is none. Not with another dispatcher.
    std::optional<std::chrono::milliseconds> handler_timeout = std::nullopt;

    /// Tries of a message, the first included, from 1; 0 for no limit (PS-07).
    std::int64_t max_attempts = 3;

    /// How long publish waits for subscriptions with the policy block, 1 ms through 24 h (PS-13).
    std::chrono::milliseconds block_timeout = std::chrono::seconds(1);

    /// Bytes a payload may have, 1 through 1,048,576.
    std::int64_t max_payload = EB_PUBSUB_DEFAULT_PAYLOAD;

    /// A file, made where there is none, that keeps topics, messages and offsets (PS-15).
    std::optional<std::string> path = std::nullopt;

    /// Whether that file survives a loss of power, and not only the death of the process.
    bool sync = false;
};

/// Options of a topic.
struct TopicOptions {
    /// How many messages are kept, the last ones, from 1 through 2,147,483,647; all where there is none
    /// (PS-13).
    std::optional<std::int64_t> retain = std::nullopt;
};

/// Options of a subscription.
struct SubscribeOptions {
    /// Shares one offset, and each message, with the others of the topic that name the same group (PS-14).
    std::optional<std::string> group = std::nullopt;

    /// Passes over the messages for which it is false; none where it is empty. Not in a group (PS-12).
    Filter filter = nullptr;

    Policy policy = Policy::drop;
};

/// A message that a subscription, or its group, gave up: a value of the caller's own (PS-07).
struct Letter {
    std::int64_t offset;
    std::string payload;
    std::int64_t attempts; ///< failed tries
    std::string error;     ///< what the last of them failed with, at most 1,024 bytes of it
};

[[nodiscard]] inline bool operator==(const Letter &a, const Letter &b) {
    return a.offset == b.offset && a.attempts == b.attempts && a.payload == b.payload && a.error == b.error;
}

[[nodiscard]] inline bool operator!=(const Letter &a, const Letter &b) { return !(a == b); }

/// Prints Letter(17, "payload", 3, "no such order").
inline std::ostream &operator<<(std::ostream &out, const Letter &letter) {
    return out << "Letter(" << letter.offset << ", " << std::quoted(letter.payload) << ", " << letter.attempts << ", "
               << std::quoted(letter.error) << ")";
}

/// How a subscription stands: a value of the caller's own (PS-17).
struct Status {
    bool subscribed;       ///< whether it has a handler
    std::int64_t offset;   ///< of the message to be offered next, -1 where there is no such subscription
    std::int64_t attempts; ///< failed tries of that message
    std::int64_t lost;     ///< messages that were not kept any more when they would have been offered (PS-13)
    std::string reason;    ///< why it was disconnected; kept until the name subscribes or unsubscribes
};

[[nodiscard]] inline bool operator==(const Status &a, const Status &b) {
    return a.subscribed == b.subscribed && a.offset == b.offset && a.attempts == b.attempts && a.lost == b.lost &&
           a.reason == b.reason;
}

[[nodiscard]] inline bool operator!=(const Status &a, const Status &b) { return !(a == b); }

/// Prints Status(true, 17, 1, 0, "").
inline std::ostream &operator<<(std::ostream &out, const Status &status) {
    return out << "Status(" << (status.subscribed ? "true" : "false") << ", " << status.offset << ", "
               << status.attempts << ", " << status.lost << ", " << std::quoted(status.reason) << ")";
}

/// An in-process broker of topics whose messages are pushed to handlers, each of which has an offset of its
/// own, a bounded number of tries a message and a list of dead letters.
///
/// Handlers may call anything of the broker, close and the destructor included; inside one nothing waits.
/// A handler is never called twice at once (PS-10). With lanes and pool it is called on threads of the
/// broker's, and what it uses has to live until unsubscribe or close; a call that is under way when
/// unsubscribe returns goes on to its end.
///
/// Identifiers (topic, name, group) are 1 to 64 bytes out of A-Z a-z 0-9 _ and -.
///
/// Errors of every call: std::invalid_argument for an argument out of its range or a null string, naming
/// the argument; closed_error after close or move; forked_error in a forked child; internal_error for a
/// defect; std::bad_alloc. With a path, those that change something throw disk_full_error, storage_error or
/// damaged_error where its file cannot keep that. A call that threw changed nothing.
///
/// Threads: every call, close included, may be made from any number of threads at once on one object; each
/// but drain takes effect at one instant (PS-16). Moving, swapping and destroying an object need it alone,
/// as with any value, but for the broker's own threads.
class PubSub {
  public:
    /// A broker, empty or as the file at path has it (PS-15). Throws in_use_error when that is open
    /// elsewhere, damaged_error when it is none of a broker's or is damaged, disk_full_error or
    /// storage_error when it cannot be made, and std::system_error when a pool gets no thread.
    explicit PubSub(const PubSubOptions &options = {}) : host_(open(options)), handle_(host_->broker()) {}
    PubSub(PubSub &&other) noexcept : host_(std::move(other.host_)), handle_(other.handle_.exchange(0)) {}
    PubSub &operator=(PubSub &&other) noexcept {
        if (this != &other) {
            end();
            host_ = std::move(other.host_);
            handle_ = other.handle_.exchange(0);
        }
        return *this;
    }

    /// Closes.
    ~PubSub() { end(); }

    /// A second way to a broker of this process, made in whatever language: its handle() there. It
    /// borrows: closing or destroying it leaves the broker open for its owner. It cannot subscribe nor drain
    /// (std::logic_error): handlers are called by their owner. Never fails for a wrong number; the calls
    /// then throw closed_error.
    [[nodiscard]] static PubSub from_handle(std::uint64_t handle) {
        detail::require_abi(eb_abi_version());
        return PubSub(handle);
    }

    /// The number other languages of the process reach this broker by; 0 after close or move. It is good
    /// until the owner closes.
    [[nodiscard]] std::uint64_t handle() const noexcept { return handle_.load(std::memory_order_relaxed); }

    /// Ends the broker: no handler call begins from now on, and publishers that wait fail. Returns when
    /// the calls under way and the broker's threads have ended, but does not wait for calls past their
    /// time-out, nor for any inside a handler (PS-08, PS-11). Closing again is fine, and waits again. What
    /// was borrowed is only let go.
    void close() noexcept {
        handle_ = 0;
        if (host_) {
            host_->close();
        }
    }

    /// Makes an empty topic; false, with the old topic untouched, when it exists already (PS-01).
    bool create_topic(Text topic, TopicOptions options = {}) {
        if (options.retain == 0) { // to the C interface it is the default
            detail::refuse("retain", "0 is outside 1 through " + std::to_string(EB_PUBSUB_MAX_RETAIN));
        }
        return detail::answer(
                   eb_pubsub_create_topic(handle(), topic.data(), topic.size(), options.retain.value_or(0))) == 1;
    }

    /// Adds a handler under a name that is not in use on the topic, which has to exist. It is given what is
    /// published from now on, unless its group stands elsewhere or the broker's file has a subscription of
    /// that name, which goes on (PS-02, PS-14, PS-15). Throws std::system_error when a lane gets no thread.
    void subscribe(Text topic, Text name, Handler handler, SubscribeOptions options = {}) {
        check(topic, name);
        const std::shared_ptr<detail::Host> host = owned();
        if (!handler) {
            detail::refuse("handler", "is empty");
        }
        const std::string *group = options.group ? &*options.group : nullptr;
        const eb_pubsub_subscription given{sizeof given, group == nullptr ? nullptr : group->data(),
                                           group == nullptr ? 0 : static_cast<std::int64_t>(group->size()),
                                           static_cast<std::int64_t>(options.policy), options.filter ? 1 : 0};
        host->subscribe(topic, name,
                        std::make_shared<const detail::Subscriber>(
                            detail::Subscriber{std::move(handler), std::move(options.filter)}),
                        given);
    }

    /// Ends a subscription; false when there is none. No call of its handler begins after this returned;
    /// one under way goes on to its end, and its confirmation counts (PS-08).
    bool unsubscribe(Text topic, Text name) {
        check(topic, name);
        const std::shared_ptr<detail::Host> host = host_;
        return host ? host->unsubscribe(topic, name) : call(eb_pubsub_unsubscribe, topic, name) == 1;
    }

    /// Appends the payload, valid UTF-8 of at most max_payload bytes, to the topic's log. Returns its
    /// offset, from 0, or -1 where there is no such topic (PS-01). It never calls a handler nor waits for
    /// one, except on a topic that is full while a subscription with the policy block still needs the
    /// message that would go: then it waits up to block_timeout, and throws timed_out_error, at once inside
    /// a handler; nothing was appended (PS-13).
    std::int64_t publish(Text topic, Text payload) {
        return detail::answer(eb_pubsub_publish_wait(handle(), topic.data(), topic.size(), payload.data(),
                                                     payload.size(), broker_timeout));
    }

    /// Gives every subscription what waits for it, on this thread: topic by topic in the order they were
    /// created, subscription by subscription in the order they subscribed, each until it has caught up,
    /// fails or ends. Returns how many messages were confirmed (PS-05). What ends the thread from inside a
    /// handler, pthread_exit say, comes out of it (PS-03).
    ///
    /// With lanes and pool it wakes every subscription, also one that waits after a failure, and returns 0
    /// at once (PS-11).
    ///
    /// Throws disk_full_error, storage_error or damaged_error when it has done its work but an outcome, or
    /// where a subscription that fell behind stands, could not be kept: that message is offered again.
    std::int64_t drain() {
        detail::Walk walk(handle());
        if (!walk) {
            return 0;
        }
        return owned()->drain(walk);
    }

    /// Moves a subscription's place, or its group's, to an offset from the earliest message kept through the
    /// end, and clears its failed tries; false when there is none (PS-09).
    bool seek(Text topic, Text name, Integer offset) {
        return detail::answer(eb_pubsub_seek(handle(), topic.data(), topic.size(), name.data(), name.size(),
                                             offset.value("offset"))) == 1;
    }

    /// The offset of the message that a subscription, or its group, is to be offered next; -1 when there is
    /// none (PS-04).
    [[nodiscard]] std::int64_t offset(Text topic, Text name) { return call(eb_pubsub_offset, topic, name); }

    /// The messages that a subscription, or its group, gave up, in the order in which it did; none for an
    /// unknown one (PS-07, PS-16).
    [[nodiscard]] std::vector<Letter> dead_letters(Text topic, Text name) {
        return detail::with_buffer<eb_pubsub_letter>(
            [&](eb_pubsub_letter *frame, std::int64_t size) {
                return eb_pubsub_dead_letters(handle(), topic.data(), topic.size(), name.data(), name.size(), frame,
                                              size);
            },
            letters);
    }

    /// Offers the dead letters of a subscription, or of its group, again, in the order of parking and before
    /// anything else that waits, with their tries counted afresh. Returns how many they are (PS-17).
    std::int64_t redeliver(Text topic, Text name) { return call(eb_pubsub_redeliver, topic, name); }

    /// How a subscription stands (PS-13, PS-17).
    [[nodiscard]] Status status(Text topic, Text name) {
        return detail::with_buffer<eb_pubsub_standing>(
            [&](eb_pubsub_standing *frame, std::int64_t size) {
                return eb_pubsub_status(handle(), topic.data(), topic.size(), name.data(), name.size(), frame, size);
            },
            [](const eb_pubsub_standing *s, std::int64_t subscribed) {
                const std::string reason(reinterpret_cast<const char *>(s + 1),
                                         static_cast<std::size_t>(s->reason_len));
                return Status{subscribed == 1, s->offset, s->attempts, s->lost, reason};
            });
    }

  private:
    explicit PubSub(std::uint64_t borrowed) noexcept : handle_(borrowed) {}

    static constexpr std::int64_t broker_timeout = -1; // to eb_pubsub_publish_wait, block_timeout

    static std::shared_ptr<detail::Host> open(const PubSubOptions &options) {
        detail::require_abi(eb_abi_version());
        const eb_pubsub_options given = checked(options);
        const auto host = std::make_shared<detail::Host>();
        try {
            host->open(given);
        } catch (...) {
            host->end();
            throw;
        }
        return host;
    }

    /// The options as the C interface has them. To that, 0 is the default, which is spelt out here.
    static eb_pubsub_options checked(const PubSubOptions &options) {
        constexpr const char *no_time = "0s is outside 1ms through 24h0m0s";
        eb_pubsub_options given{};
        given.size = sizeof given;
        given.dispatcher = static_cast<std::int64_t>(options.dispatcher);
        given.workers = not_zero("workers", options.workers, "0 is outside 1 through 1024");
        if (options.handler_timeout) {
            given.handler_timeout = not_zero("handler_timeout", options.handler_timeout->count(), no_time);
        }
        given.max_attempts = options.max_attempts == 0 ? EB_PUBSUB_NO_LIMIT : options.max_attempts;
        given.block_timeout = not_zero("block_timeout", options.block_timeout.count(), no_time);
        given.max_payload = not_zero("max_payload", options.max_payload, "0 is outside 1 through 1048576");
        if (options.path) {
            given.path = options.path->data();
            given.path_len = static_cast<std::int64_t>(options.path->size());
        }
        given.sync = options.sync ? 1 : 0;
        return given;
    }

    /// The value, or 0 for none.
    static std::int64_t not_zero(const char *name, std::optional<std::int64_t> value, const char *reason) {
        if (value == 0) {
            detail::refuse(name, reason);
        }
        return value.value_or(0);
    }

    void end() noexcept {
        handle_ = 0;
        if (const std::shared_ptr<detail::Host> host = std::move(host_)) { // the last share may run anything
            host->end();
        }
    }

    using Call = std::int64_t (*)(std::uint64_t broker, const char *topic, std::int64_t topic_len, const char *name,
                                  std::int64_t name_len);

    std::int64_t call(Call function, Text topic, Text name) {
        return detail::answer(function(handle(), topic.data(), topic.size(), name.data(), name.size()));
    }

    /// Throws what is wrong with the arguments or the broker, before anything is done.
    void check(Text topic, Text name) { call(eb_pubsub_offset, topic, name); }

    /// What is inside, to be held while it may run handlers: one may destroy this object.
    std::shared_ptr<detail::Host> owned() {
        if (!host_) {
            throw std::logic_error("the broker is borrowed: its owner calls handlers");
        }
        return host_;
    }

    /// The letters of a frame: headers, and behind all of them each one's payload and error.
    static std::vector<Letter> letters(const eb_pubsub_letter *frame, std::int64_t count) {
        std::vector<Letter> values;
        values.reserve(static_cast<std::size_t>(count));
        const char *text = reinterpret_cast<const char *>(frame + count);
        const auto next = [&text](std::int32_t size) {
            return std::string(std::exchange(text, text + size), static_cast<std::size_t>(size));
        };
        for (const eb_pubsub_letter *letter = frame; letter != frame + count; ++letter) {
            std::string payload = next(letter->payload_len);
            values.push_back({letter->offset, std::move(payload), letter->attempts, next(letter->error_len)});
        }
        return values;
    }

    std::shared_ptr<detail::Host> host_; // null where the broker is borrowed
    std::atomic<std::uint64_t> handle_;
};

} // namespace eventbroker
