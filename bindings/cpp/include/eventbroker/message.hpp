/// message.hpp - MessageBroker: one retained log a topic, a cursor a group, and a bounded number of
/// deliveries (MB-01 to MB-11).
///
///     eventbroker::MessageBroker broker(3);
///     broker.create_topic("orders");
///     broker.publish("orders", "a");
///     while (auto delivery = broker.poll("orders", "billing")) {
///         if (handle(delivery->payload)) {
///             broker.ack("orders", "billing", delivery->offset, delivery->attempt);
///         } else {
///             broker.nack("orders", "billing", delivery->offset, delivery->attempt);
///         }
///     }
///
/// C++17; link with libeventbroker. Clause names such as MB-05 point into cases/CONTRACT.md.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/frame.hpp>
#include <eventbroker/handle.hpp>

#include <cstdint>
#include <iomanip>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eventbroker {

/// A message handed to a group: a value of the caller's own.
struct Delivery {
    std::string topic;
    std::int64_t offset;
    std::string payload;
    std::int32_t attempt; ///< which delivery of it to the group this is, from 1
};

[[nodiscard]] inline bool operator==(const Delivery &a, const Delivery &b) {
    return a.offset == b.offset && a.attempt == b.attempt && a.topic == b.topic && a.payload == b.payload;
}

[[nodiscard]] inline bool operator!=(const Delivery &a, const Delivery &b) { return !(a == b); }

/// Prints Delivery("orders", 17, "payload", 1).
inline std::ostream &operator<<(std::ostream &out, const Delivery &delivery) {
    return out << "Delivery(" << std::quoted(delivery.topic) << ", " << delivery.offset << ", "
               << std::quoted(delivery.payload) << ", " << delivery.attempt << ")";
}

/// A message that a group gave up: a value of the caller's own (MB-10).
struct DeadLetter {
    std::string topic;
    std::int64_t offset;
    std::string payload;
    std::int32_t attempts; ///< how often it was delivered
};

[[nodiscard]] inline bool operator==(const DeadLetter &a, const DeadLetter &b) {
    return a.offset == b.offset && a.attempts == b.attempts && a.topic == b.topic && a.payload == b.payload;
}

[[nodiscard]] inline bool operator!=(const DeadLetter &a, const DeadLetter &b) { return !(a == b); }

/// Prints DeadLetter("orders", 17, "payload", 3).
inline std::ostream &operator<<(std::ostream &out, const DeadLetter &letter) {
    return out << "DeadLetter(" << std::quoted(letter.topic) << ", " << letter.offset << ", "
               << std::quoted(letter.payload) << ", " << letter.attempts << ")";
}

/// An in-process broker of topics that are read by groups, each at its own place, with a bounded
/// number of deliveries a message and a list of dead letters a group.
///
/// Identifiers (topic, group) are 1 to 64 bytes out of A-Z a-z 0-9 _ and -.
///
/// Errors of every call: std::invalid_argument for an argument out of its range, a null string, or a
/// topic that does not exist (except in create_topic), naming the argument; closed_error after close
/// or move; forked_error in a forked child; internal_error for a defect; std::bad_alloc. A call that
/// threw changed nothing.
///
/// Threads: every call, close included, may be made from any number of threads at once on one
/// object; each takes effect at one instant and none waits for another's outcome (MB-11). Moving,
/// swapping and destroying an object need it alone, as with any value.
class MessageBroker : public detail::Owner<MessageBroker, eb_message_close> {
  public:
    /// Options of the constructor.
    struct Options {
        /// Bytes a payload may have, 1 through 1,048,576.
        std::int64_t max_payload = EB_MESSAGE_DEFAULT_PAYLOAD;
    };

    /// An empty broker that delivers a message to a group at most max_attempts times, the first time
    /// included, from 1 through 2,147,483,647 (MB-01).
    explicit MessageBroker(Integer max_attempts) : MessageBroker(max_attempts, Options{}) {}
    MessageBroker(Integer max_attempts, Options options)
        : Owner(eb_message_new, max_attempts.value("max_attempts"), options.max_payload) {}

    /// Makes an empty topic; false, with the old topic untouched, when it exists already (MB-02).
    bool create_topic(Text topic) {
        return detail::answer(eb_message_create_topic(handle(), topic.data(), topic.size())) == 1;
    }

    /// Appends the payload, valid UTF-8 of at most max_payload bytes, to the topic's log, which keeps
    /// it for good. Returns its offset, from 0 (MB-03).
    std::int64_t publish(Text topic, Text payload) {
        return detail::answer(eb_message_publish(handle(), topic.data(), topic.size(), payload.data(), payload.size()));
    }

    /// The group's delivery in flight or, where there is none, that of the message at the group's
    /// place; nothing when nothing waits there. It makes the group if it is new, at offset 0 (MB-04,
    /// MB-05). A delivery that was lost to std::bad_alloc is in flight: the next poll returns it.
    [[nodiscard]] std::optional<Delivery> poll(Text topic, Text group) {
        std::vector<Delivery> deliveries = read<Delivery>(eb_message_poll, topic, group);
        return deliveries.empty() ? std::nullopt : std::optional(std::move(deliveries.front()));
    }

    /// Ends the delivery of exactly this offset and attempt and moves the group on to the next
    /// message. False when that delivery is not the one in flight (MB-06).
    bool ack(Text topic, Text group, Integer offset, Integer attempt) {
        return detail::answer(eb_message_ack(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                             offset.value("offset"), attempt.value("attempt"))) == 1;
    }

    /// Ends the delivery of exactly this offset and attempt; the next poll delivers the message again
    /// with the next attempt. The nack of attempt max_attempts adds it to the group's dead letters
    /// instead and moves the group on. Answers as ack (MB-07, MB-08).
    bool nack(Text topic, Text group, Integer offset, Integer attempt) {
        return detail::answer(eb_message_nack(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                              offset.value("offset"), attempt.value("attempt"))) == 1;
    }

    /// The messages that the group gave up, in the order in which it did; none for an unknown group
    /// (MB-10).
    [[nodiscard]] std::vector<DeadLetter> dead_letters(Text topic, Text group) {
        return read<DeadLetter>(eb_message_dead_letters, topic, group);
    }

  private:
    friend Owner;

    explicit MessageBroker(Owner &&owner) noexcept : Owner(std::move(owner)) {}

    /// What a call writes about a group of a topic.
    template <typename Value, typename Call>
    std::vector<Value> read(Call call, Text topic, Text group) {
        return detail::with_buffer<eb_message_header>(
            [&](eb_message_header *frame, std::int64_t size) {
                return call(handle(), topic.data(), topic.size(), group.data(), group.size(), frame, size);
            },
            [&](const eb_message_header *frame, std::int64_t count) {
                return detail::read_frame<Value>(
                    frame, count, [&](const eb_message_header &header, std::string_view payload) {
                        return Value{topic.string(), header.offset, std::string(payload), header.attempts};
                    });
            });
    }
};

} // namespace eventbroker
