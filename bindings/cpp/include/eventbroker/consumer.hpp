/// consumer.hpp - Consumer: a member's way to a topic of an EventBroker (EB-18).
///
///     eventbroker::Consumer billing = broker.topic("orders").join("billing", "m1");
///     for (const eventbroker::BrokerRecord &record : billing.poll(64)) {
///         billing.ack(record.partition, record.offset);
///     }
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/batch.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/handle.hpp>
#include <eventbroker/record.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace eventbroker {

class Topic;

/// A topic, a group and a member, made by Topic::consumer or Topic::join. It stands for the names and
/// not for a membership: the member may leave and join again, also by calls that name it. The calls do
/// what those of the EventBroker do, and throw closed_error when the broker is closed. Closing it
/// changes nothing in the broker: the member does not leave. Until then it holds what its topic does.
///
/// Threads: as an EventBroker.
class Consumer : public detail::Handle<eb_event_consumer_close> {
  public:
    /// As EventBroker::join.
    std::vector<std::int32_t> join() {
        return detail::join_partitions([&](std::int32_t *partitions, std::int64_t room) {
            return eb_event_consumer_join(handle(), partitions, room);
        });
    }

    /// As EventBroker::leave.
    bool leave() { return detail::answer(eb_event_consumer_leave(handle())) == 1; }

    /// As EventBroker::poll.
    [[nodiscard]] std::vector<BrokerRecord> poll(Integer max_records) {
        const std::int64_t limit = max_records.value("max_records");
        return detail::poll_records(
            topic_,
            [&](eb_event_record *frame, std::int64_t size) {
                return eb_event_consumer_poll(handle(), limit, frame, size);
            },
            [&](const eb_event_record &record) { eb_event_consumer_retry(handle(), record.partition, record.offset); });
    }

    /// As EventBroker::ack.
    bool ack(Integer partition, Integer offset) {
        return detail::answer(eb_event_consumer_ack(handle(), partition.value("partition"), offset.value("offset"))) ==
               1;
    }

    /// As EventBroker::ack_many.
    std::vector<bool> ack_many(const std::vector<BrokerPosition> &positions) {
        return detail::ack_many(positions, [&](auto... list) { return eb_event_consumer_ack_many(handle(), list...); });
    }

    /// As EventBroker::retry.
    bool retry(Integer partition, Integer offset) {
        return detail::answer(
                   eb_event_consumer_retry(handle(), partition.value("partition"), offset.value("offset"))) == 1;
    }

  private:
    friend Topic;

    Consumer(std::uint64_t handle, std::string topic) noexcept : Handle(handle, true), topic_(std::move(topic)) {}

    std::string topic_; // its name, which records have
};

} // namespace eventbroker
