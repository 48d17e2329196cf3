/// event.hpp - EventBroker: bounded partitioned logs with consumer groups (EB-01 to EB-16).
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
#include <eventbroker/error.hpp>
#include <eventbroker/frame.hpp>
#include <eventbroker/handle.hpp>

#include <cstdint>
#include <iomanip>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eventbroker {

/// A record as poll returned it: a value of the caller's own (EB-16).
struct BrokerRecord {
    std::string topic;
    std::int32_t partition;
    std::int64_t offset;
    std::string payload;
};

[[nodiscard]] inline bool operator==(const BrokerRecord &a, const BrokerRecord &b) {
    return a.partition == b.partition && a.offset == b.offset && a.topic == b.topic && a.payload == b.payload;
}

[[nodiscard]] inline bool operator!=(const BrokerRecord &a, const BrokerRecord &b) { return !(a == b); }

/// Prints BrokerRecord("orders", 0, 17, "payload").
inline std::ostream &operator<<(std::ostream &out, const BrokerRecord &record) {
    return out << "BrokerRecord(" << std::quoted(record.topic) << ", " << record.partition << ", " << record.offset
               << ", " << std::quoted(record.payload) << ")";
}

/// An in-process broker of topics whose partitions consumer groups divide among their members.
///
/// Identifiers (topic, group, member) are 1 to 64 bytes out of A-Z a-z 0-9 _ and -.
///
/// Errors of every call: std::invalid_argument for an argument out of its range, a null string, or a
/// topic that does not exist (except in create), naming the argument; closed_error after close or
/// move; forked_error in a forked child; internal_error for a defect; std::bad_alloc. A call that
/// threw changed nothing (EB-04).
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
        // Room before the call: running out of memory after it would hide a join that happened.
        std::vector<std::int32_t> partitions(EB_EVENT_MAX_PARTITIONS);
        const std::int64_t count = detail::answer(
            eb_event_join(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                          member.size(), partitions.data(), static_cast<std::int64_t>(partitions.size())));
        partitions.resize(static_cast<std::size_t>(count));
        return partitions;
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

    /// Reserves for the member at most max_records records, 1 through 64: one from each of its
    /// partitions that has none in flight, in ascending order of partition. Empty when there is
    /// nothing, and for an absent group or member (EB-12).
    [[nodiscard]] std::vector<BrokerRecord> poll(Text topic, Text group, Text member, Integer max_records) {
        const std::int64_t limit = max_records.value("max_records");
        return detail::with_buffer<eb_event_record>(
            [&](eb_event_record *frame, std::int64_t size) {
                return eb_event_poll(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                                     member.size(), limit, frame, size);
            },
            [&](const eb_event_record *frame, std::int64_t count) { return take(frame, count, topic, group, member); });
    }

    /// Commits the record in flight: the group's committed offset moves by one, and a record that
    /// every group has acknowledged is removed in the same instant. False when the member does not
    /// own the partition or exactly this offset is not in flight (EB-13, EB-14).
    bool ack(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return detail::answer(eb_event_ack(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                           member.data(), member.size(), partition.value("partition"),
                                           offset.value("offset"))) == 1;
    }

    /// Ends the delivery of the record in flight without committing it, so that the next poll delivers
    /// it again. Answers as ack (EB-13).
    bool retry(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return detail::answer(eb_event_retry(handle(), topic.data(), topic.size(), group.data(), group.size(),
                                             member.data(), member.size(), partition.value("partition"),
                                             offset.value("offset"))) == 1;
    }

  private:
    friend Owner;

    explicit EventBroker(Owner &&owner) noexcept : Owner(std::move(owner)) {}

    /// The records of a frame. Out of memory, it gives them back: nobody else could.
    std::vector<BrokerRecord> take(const eb_event_record *frame, std::int64_t count, Text topic, Text group,
                                   Text member) {
        try {
            return detail::read_frame<BrokerRecord>(
                frame, count, [&](const eb_event_record &record, std::string_view payload) {
                    return BrokerRecord{topic.string(), record.partition, record.offset, std::string(payload)};
                });
        } catch (const std::bad_alloc &) {
            for (const eb_event_record *record = frame; record != frame + count; ++record) {
                eb_event_retry(handle(), topic.data(), topic.size(), group.data(), group.size(), member.data(),
                               member.size(), record->partition, record->offset);
            }
            throw;
        }
    }
};

} // namespace eventbroker
