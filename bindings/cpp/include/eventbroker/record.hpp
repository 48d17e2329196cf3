/// record.hpp - what an EventBroker gives out and takes in: records, messages and positions.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/frame.hpp>

#include <cstdint>
#include <iomanip>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
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

/// What publish_many appends to a partition: a view of the payload, for the time of the call.
struct BrokerMessage {
    std::int64_t partition;
    Text payload;
};

/// Where a record stands.
struct BrokerPosition {
    std::int64_t partition;
    std::int64_t offset;
};

namespace detail {

/// The partitions that join(partitions, room) writes.
template <typename Join>
std::vector<std::int32_t> join_partitions(Join join) {
    // Room before the call: running out of memory after it would hide a join that happened.
    std::vector<std::int32_t> partitions(EB_EVENT_MAX_PARTITIONS);
    partitions.resize(
        static_cast<std::size_t>(answer(join(partitions.data(), static_cast<std::int64_t>(partitions.size())))));
    return partitions;
}

/// The records of the topic that poll(frame, size) writes. Out of memory, retry(record) gives each of
/// them back: nobody else could.
template <typename Poll, typename Retry>
std::vector<BrokerRecord> poll_records(Text topic, Poll poll, Retry retry) {
    return with_buffer<eb_event_record>(poll, [&](const eb_event_record *frame, std::int64_t count) {
        try {
            return read_frame<BrokerRecord>(frame, count, [&](const eb_event_record &record, std::string_view payload) {
                return BrokerRecord{topic.string(), record.partition, record.offset, std::string(payload)};
            });
        } catch (const std::bad_alloc &) {
            for (const eb_event_record *record = frame; record != frame + count; ++record) {
                retry(*record);
            }
            throw;
        }
    });
}

} // namespace detail
} // namespace eventbroker
