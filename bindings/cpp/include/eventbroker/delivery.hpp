/// delivery.hpp - deliveries: taken from the library, judged by a handler, and settled.
#pragma once

#include <eventbroker.h>
#include <eventbroker/error.hpp>
#include <eventbroker/handler.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace eventbroker::detail {

/// How many handlers and filters this thread is inside of, in whichever part of the program.
[[gnu::visibility("default")]] inline thread_local int handlers_entered = 0;

/// Counts one while it lives.
class Inside {
  public:
    Inside() noexcept { ++handlers_entered; }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    ~Inside() { --handlers_entered; }
};

/// Room for any delivery, of which no more is touched than the delivery takes.
class DeliveryFrame {
  public:
    [[nodiscard]] eb_pubsub_delivery *data() noexcept { return units_.get(); }
    [[nodiscard]] static constexpr std::int64_t size() noexcept { return units * sizeof(eb_pubsub_delivery); }

    const eb_pubsub_delivery *operator->() const noexcept { return units_.get(); }

    [[nodiscard]] Message message() const {
        const auto &delivery = units_[0];
        const char *topic = reinterpret_cast<const char *>(&units_[1]);
        const auto topic_size = static_cast<std::size_t>(delivery.topic_len);
        return {std::string(topic, topic_size), delivery.offset,
                std::string(topic + topic_size, static_cast<std::size_t>(delivery.payload_len)), delivery.attempt};
    }

  private:
    static constexpr std::size_t units =
        (EB_PUBSUB_MAX_IDENTIFIER + EB_PUBSUB_MAX_PAYLOAD) / sizeof(eb_pubsub_delivery) + 2;

    std::unique_ptr<eb_pubsub_delivery[]> units_{new eb_pubsub_delivery[units]}; // make_unique would clear it
};

/// Shows the message to the subscriber and returns the outcome. This share in the subscriber, which may
/// be the last, goes while the delivery is held: there nothing waits, not even a broker's destructor.
inline std::int64_t judge(std::shared_ptr<const Subscriber> &&found, const DeliveryFrame &delivery) {
    const Inside inside;
    const std::shared_ptr<const Subscriber> subscriber = std::move(found);
    if (subscriber == nullptr) {
        throw std::runtime_error("the handler does not exist any more");
    }
    const Message message = delivery.message();
    if (subscriber->filter && !subscriber->filter(message)) {
        return EB_PUBSUB_FILTERED;
    }
    return subscriber->handler(message) ? EB_PUBSUB_CONFIRMED : EB_PUBSUB_FAILED;
}

/// What came of a delivery.
struct Settled {
    bool confirmed = false;
    std::int64_t answer = 1; ///< eb_pubsub_settle's
};

inline void settle(std::uint64_t token, std::int64_t outcome, const char *text, Settled &settled) noexcept {
    const char *why = text == nullptr ? "" : text;
    settled.answer = eb_pubsub_settle(token, outcome, why, static_cast<std::int64_t>(std::strlen(why)));
    settled.confirmed = outcome == EB_PUBSUB_CONFIRMED && settled.answer >= 0;
}

/// Settles the delivery with the outcome that call returns, or as failed with what it throws (PS-03).
/// What ends the thread, pthread_exit say, is a failure too, and is let out again: glibc ends a
/// program that keeps it.
template <typename Call>
void settle_with(std::uint64_t token, Settled &settled, Call call) {
    try {
        settle(token, call(), "the handler returned false", settled); // read only where it has failed
    } catch (const std::exception &error) {
        settle(token, EB_PUBSUB_FAILED, error.what(), settled);
    } catch (...) {
        if (std::current_exception() == nullptr) { // it is no exception, though caught as one
            settle(token, EB_PUBSUB_FAILED, "the handler ended its thread", settled);
            throw;
        }
        settle(token, EB_PUBSUB_FAILED, "unknown exception", settled);
    }
}

/// One drain (PS-05). There is none to take with lanes and pool.
class Walk {
  public:
    explicit Walk(std::uint64_t broker) { answer(eb_pubsub_drain(broker, &walk_)); }
    Walk(const Walk &) = delete;
    Walk &operator=(const Walk &) = delete;
    ~Walk() { eb_pubsub_end(walk_); }

    explicit operator bool() const noexcept { return walk_ != 0; }

    /// Takes the next delivery, and answers as eb_pubsub_next does.
    std::int64_t next(DeliveryFrame &frame) noexcept {
        return eb_pubsub_next(walk_, frame.data(), DeliveryFrame::size());
    }

  private:
    std::uint64_t walk_ = 0;
};

/// Whether the broker's file could not keep something, which ended the turn of one subscription only.
inline bool not_kept(std::int64_t status) noexcept {
    return status == EB_DISK_FULL || status == EB_STORAGE || status == EB_DAMAGED;
}

/// Delivers what the walk has, on this thread, and returns how many were confirmed. That the file could not
/// keep an outcome, or where a subscription that fell behind stands, is thrown at the end: the message is
/// offered again, and others must not wait for it.
inline std::int64_t drain(Walk &walk, Handlers &handlers) {
    DeliveryFrame frame;
    Handlers::Taker taker(handlers);
    std::int64_t confirmed = 0;
    std::exception_ptr failure;
    for (;;) {
        taker.begin();
        std::int64_t status = walk.next(frame);
        std::shared_ptr<const Subscriber> subscriber = taker.end(status == 1 ? frame->cookie : 0);
        if (status == 1) {
            Settled settled;
            settle_with(frame->token, settled, [&] { return judge(std::move(subscriber), frame); });
            confirmed += settled.confirmed;
            status = settled.answer;
        } else if (!not_kept(status)) {
            if (status != EB_CLOSED) { // a handler may have closed the broker
                answer(status);
            }
            break;
        }
        if (status < 0 && !failure) {
            failure = error_of(status);
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    return confirmed;
}

} // namespace eventbroker::detail
