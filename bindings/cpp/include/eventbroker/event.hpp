/// event.hpp - EventBroker: bounded partitioned logs with consumer groups (EB-01 to EB-18).
///
///     eventbroker::EventBroker broker(2);
///     broker.create("orders", 1);
///     std::int64_t offset = broker.publish("orders", 0, "a");
///     broker.join("orders", "billing", "m1");
///     for (const eventbroker::BrokerRecord &record : broker.poll("orders", "billing", "m1", 64)) {
///         broker.ack(record.topic, "billing", "m1", record.partition, record.offset);
///     }
///
/// C++17; link with libeventbroker. Clause names such as EB-12 point into cases/CONTRACT.md.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/batch.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/handle.hpp>
#include <eventbroker/record.hpp>
#include <eventbroker/topic.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace eventbroker {

/// An in-process broker of topics whose partitions consumer groups divide among their members.
///
/// Identifiers (topic, group, member) are 1 to 64 bytes out of A-Z a-z 0-9 _ and -.
///
/// Errors of every call: std::invalid_argument for an argument out of its range, a null string, or a
/// topic that does not exist (except in create), naming the argument; closed_error after close or
/// move; forked_error in a forked child; internal_error for a defect; std::bad_alloc. A call that
/// threw changed nothing (EB-04).
///
/// Each call names its topic, and where it needs them its group and member. Where the same names are
/// used again and again, topic and Topic::consumer find them once (EB-18).
///
/// Threads: every call, close included, may be made from any number of threads at once on one
/// object; each takes effect at one instant and none waits for another's outcome (EB-15). Moving,
/// swapping and destroying an object need it alone, as with any value.
class EventBroker : public detail::Owner<EventBroker, eb_event_close> {
  public:
    /// Options of the constructor.
    struct Options {
        /// Bytes a payload may have, 1 through 1,048,576.
        std::int64_t max_payload = EB_EVENT_DEFAULT_PAYLOAD;
    };

    /// An empty broker whose partitions retain at most capacity_per_partition records each, 1 through
    /// 1,000 (EB-01).
    explicit EventBroker(Integer capacity_per_partition) : EventBroker(capacity_per_partition, Options{}) {}
    EventBroker(Integer capacity_per_partition, Options options)
        : Owner(eb_event_new, capacity_per_partition.value("capacity_per_partition"), options.max_payload) {}

    /// Makes a topic of 1 through 64 empty partitions; false, with the old topic untouched, when it
    /// exists already (EB-02).
    bool create(Text topic, Integer partition_count) {
        return detail::answer(eb_event_create(handle(), topic.data(), topic.size(),
                                              partition_count.value("partition_count"))) == 1;
    }

    /// Adds the member to the group, making the group if it is new, and rebalances. Returns the
    /// member's partitions in ascending order, possibly none (EB-07 to EB-10).
    std::vector<std::int32_t> join(Text topic, Text group, Text member) {
        return detail::join_partitions([&](std::int32_t *partitions, std::int64_t room) {
            return eb_event_join(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                                 member.size(), partitions, room);
        });
    }

    /// Removes the member from the group and rebalances; false when there is no such group or member.
    /// The group and its progress stay (EB-06, EB-11).
    bool leave(Text topic, Text group, Text member) {
        return detail::answer(eb_event_leave(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                             member.data(), member.size())) == 1;
    }

    /// Appends the payload, valid UTF-8 of at most max_payload bytes, to the partition. Returns its
    /// offset, from 0, or -1 when the partition is full: then nothing was kept (EB-05).
    [[nodiscard]] std::int64_t publish(Text topic, Integer partition, Text payload) {
        return detail::answer(eb_event_publish(handle(), topic.data(), topic.size(), partition.value("partition"),
                                               payload.data(), payload.size()));
    }

    /// What publish would do with each message in turn, at one instant: all are judged before anything
    /// happens. At most 1,024; returns what each got (EB-17).
    [[nodiscard]] std::vector<std::int64_t> publish_many(Text topic, const std::vector<BrokerMessage> &messages) {
        return detail::publish_many(messages, [&](auto... frame) {
            return eb_event_publish_many(handle(), topic.data(), topic.size(), frame...);
        });
    }

    /// Reserves for the member at most max_records records, 1 through 64: one from each of its
    /// partitions that has none in flight, in ascending order of partition. Empty when there is
    /// nothing, and for an absent group or member (EB-12).
    [[nodiscard]] std::vector<BrokerRecord> poll(Text topic, Text group, Text member, Integer max_records) {
        const std::int64_t limit = max_records.value("max_records");
        return detail::poll_records(
            topic,
            [&](eb_event_record *frame, std::int64_t size) {
                return eb_event_poll(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                                     member.size(), limit, frame, size);
            },
            [&](const eb_event_record &record) {
                eb_event_retry(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                               member.size(), record.partition, record.offset);
            });
    }

    /// Commits the record in flight: the group's committed offset moves by one, and a record that
    /// every group has acknowledged is removed in the same instant. False when the member does not
    /// own the partition or exactly this offset is not in flight (EB-13, EB-14).
    bool ack(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return detail::answer(eb_event_ack(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                           member.data(), member.size(), partition.value("partition"),
                                           offset.value("offset"))) == 1;
    }

    /// What ack would do with each position in turn, at one instant: all are judged before anything
    /// happens. At most 1,024; returns what each did (EB-17).
    std::vector<bool> ack_many(Text topic, Text group, Text member, const std::vector<BrokerPosition> &positions) {
        return detail::ack_many(positions, [&](auto... list) {
            return eb_event_ack_many(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                                     member.size(), list...);
        });
    }

    /// Ends the delivery of the record in flight without committing it, so that the next poll delivers
    /// it again. Answers as ack (EB-13).
    bool retry(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return detail::answer(eb_event_retry(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                             member.data(), member.size(), partition.value("partition"),
                                             offset.value("offset"))) == 1;
    }

    /// Finds the topic once for all calls of what is returned (EB-18).
    [[nodiscard]] Topic topic(Text name) {
        std::string owned = name.data() == nullptr ? std::string() : name.string();
        std::uint64_t topic = 0;
        detail::answer(eb_event_topic(handle(), name.data(), name.size(), &topic));
        return Topic(topic, std::move(owned));
    }

  private:
    friend Owner;

    explicit EventBroker(Owner &&owner) noexcept : Owner(std::move(owner)) {}
};

} // namespace eventbroker
