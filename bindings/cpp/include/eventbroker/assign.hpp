/// assign.hpp - what the leader of a Kafka consumer group does: read what the members say they want
/// and divide the partitions among them, with the answer of Kafka's range assignor (RA-01 to RA-06).
///
///     namespace assign = eventbroker::assign;
///     assign::Subscription wanted = assign::Subscription::decode(metadata);
///     auto owned = assign::range_assign({{"orders", 4}}, {{"m1", wanted.topics}, {"m2", {"orders"}}});
///     std::string answer = assign::Assignment{0, {{"orders", owned["m1"]["orders"]}}}.encode();
///
/// All are functions of their arguments alone. Errors: std::invalid_argument that says what is wrong,
/// and where; forked_error in a forked child; internal_error for a defect; std::bad_alloc.
///
/// C++17; link with libeventbroker. Clause names such as RA-03 point into cases/CONTRACT.md.
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/frame.hpp>
#include <eventbroker/print.hpp>
#include <eventbroker/words.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace eventbroker::assign {

/// Partitions of one topic, in the order of the message.
struct TopicPartitions {
    std::string topic{};
    std::vector<std::int32_t> partitions{};
};

[[nodiscard]] inline bool operator==(const TopicPartitions &a, const TopicPartitions &b) {
    return a.topic == b.topic && a.partitions == b.partitions;
}

[[nodiscard]] inline bool operator!=(const TopicPartitions &a, const TopicPartitions &b) { return !(a == b); }

/// Prints TopicPartitions("orders", [0, 1]).
inline std::ostream &operator<<(std::ostream &out, const TopicPartitions &owned) {
    return out << "TopicPartitions(" << detail::Printed{owned.topic} << ", " << detail::Printed{owned.partitions}
               << ")";
}

/// What a member tells its group when it joins: Kafka's ConsumerProtocolSubscription.
struct Subscription {
    std::int16_t version = 0;
    std::vector<std::string> topics{};
    std::optional<std::string> user_data{};          ///< bytes; none is not the same as empty
    std::vector<TopicPartitions> owned_partitions{}; ///< from version 1
    std::int32_t generation_id = -1;                 ///< from version 2; -1 where it tells none
    std::optional<std::string> rack_id{};            ///< from version 3

    /// Reads a subscription. Its writer may have stopped before owned_partitions, generation_id or
    /// rack_id, and what is absent is empty, -1 and none; a version above 3 is read as 3; bytes left
    /// over are ignored (RA-01). std::invalid_argument names the field and the byte (RA-02). Pass a
    /// std::string or a view: a const char * would end at its first NUL.
    [[nodiscard]] static Subscription decode(Text bytes);

    /// Writes it in its version, 0 through 3, leaving out what that version lacks. Topics and rack_id
    /// are UTF-8 of at most 32,767 bytes (RA-03).
    [[nodiscard]] std::string encode() const;
};

[[nodiscard]] inline bool operator==(const Subscription &a, const Subscription &b) {
    const auto fields = [](const Subscription &s) {
        return std::tie(s.version, s.topics, s.user_data, s.owned_partitions, s.generation_id, s.rack_id);
    };
    return fields(a) == fields(b);
}

[[nodiscard]] inline bool operator!=(const Subscription &a, const Subscription &b) { return !(a == b); }

/// Prints Subscription(3, ["orders"], null, [TopicPartitions("orders", [0])], 7, "rack").
inline std::ostream &operator<<(std::ostream &out, const Subscription &s) {
    return out << "Subscription(" << s.version << ", " << detail::Printed{s.topics} << ", "
               << detail::Printed{s.user_data} << ", " << detail::Printed{s.owned_partitions} << ", " << s.generation_id
               << ", " << detail::Printed{s.rack_id} << ")";
}

/// What the leader of a group tells a member: Kafka's ConsumerProtocolAssignment, alike in every
/// version.
struct Assignment {
    std::int16_t version = 0;
    std::vector<TopicPartitions> partitions{};
    std::optional<std::string> user_data{}; ///< bytes; none is not the same as empty

    /// Reads an assignment, of which nothing may be missing, as Subscription::decode (RA-02, RA-03).
    [[nodiscard]] static Assignment decode(Text bytes);

    /// Writes it in its version, 0 through 3 (RA-03).
    [[nodiscard]] std::string encode() const;
};

[[nodiscard]] inline bool operator==(const Assignment &a, const Assignment &b) {
    return a.version == b.version && a.partitions == b.partitions && a.user_data == b.user_data;
}

[[nodiscard]] inline bool operator!=(const Assignment &a, const Assignment &b) { return !(a == b); }

/// Prints Assignment(0, [TopicPartitions("orders", [0])], null).
inline std::ostream &operator<<(std::ostream &out, const Assignment &a) {
    return out << "Assignment(" << a.version << ", " << detail::Printed{a.partitions} << ", "
               << detail::Printed{a.user_data} << ")";
}

/// A consumer of a group.
struct Member {
    std::string id{}; ///< not empty and not that of another member
    std::vector<std::string> topics{};
    std::optional<std::string> instance_id{}; ///< of a static member; not empty and not that of another
};

[[nodiscard]] inline bool operator==(const Member &a, const Member &b) {
    return a.id == b.id && a.topics == b.topics && a.instance_id == b.instance_id;
}

[[nodiscard]] inline bool operator!=(const Member &a, const Member &b) { return !(a == b); }

/// Prints Member("m1", ["orders"], null).
inline std::ostream &operator<<(std::ostream &out, const Member &member) {
    return out << "Member(" << detail::Printed{member.id} << ", " << detail::Printed{member.topics} << ", "
               << detail::Printed{member.instance_id} << ")";
}

/// Member id => topic => partitions.
using Assigned = std::map<std::string, std::map<std::string, std::vector<std::int32_t>>>;

/// Divides the partitions of each topic among the members that subscribe to it: consecutive ones, one
/// more for those in front where they do not divide evenly, in Kafka's order of members; racks are
/// ignored (RA-04). Returns every member's id with the topics of which it got partitions, and those in
/// ascending order. A topic without partitions is passed over, one named twice counts once (RA-05).
///
/// Strings are UTF-8; counts are not negative and at most 10,000,000 in all (RA-06).
[[nodiscard]] inline Assigned range_assign(const std::map<std::string, std::int64_t> &partitions_by_topic,
                                           const std::vector<Member> &members);

} // namespace eventbroker::assign

namespace eventbroker::detail {

inline void write(WordWriter &frame, const std::vector<assign::TopicPartitions> &list) {
    frame.list(list, [&](const assign::TopicPartitions &owned) {
        frame.string(owned.topic);
        frame.int32s(owned.partitions);
    });
}

inline std::vector<assign::TopicPartitions> read_partitions(WordReader &frame) {
    return frame.list([&] { return assign::TopicPartitions{frame.string(), frame.int32s()}; });
}

inline assign::Assigned read_assigned(const std::int64_t *words, std::int64_t) {
    WordReader frame(words);
    assign::Assigned assigned;
    frame.each([&] {
        auto &owned = assigned[frame.string()];
        frame.each([&] {
            std::string topic = frame.string();
            owned.emplace(std::move(topic), frame.int32s());
        });
    });
    return assigned;
}

/// A function of the C interface that depends on its input alone.
template <typename Input>
using Function = std::int64_t (*)(const Input *input, std::int64_t size, void *buffer, std::int64_t room);

/// take(words, bytes) of what the function makes of the input.
template <typename Input, typename Take>
auto convert(Function<Input> function, const Input *input, std::int64_t size, Take take) {
    require_abi(eb_abi_version());
    return with_buffer<std::int64_t>(
        [&](std::int64_t *buffer, std::int64_t room) { return function(input, size, buffer, room); }, take);
}

/// The bytes that the function makes of a frame.
inline std::string encode(Function<void> function, const WordWriter &frame) {
    return convert(function, frame.data(), frame.size(), [](const std::int64_t *bytes, std::int64_t size) {
        return std::string(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(size));
    });
}

} // namespace eventbroker::detail

namespace eventbroker::assign {

inline Subscription Subscription::decode(Text bytes) {
    return detail::convert(eb_assign_decode_subscription, bytes.data(), bytes.size(),
                           [](const std::int64_t *words, std::int64_t) {
                               detail::WordReader frame(words);
                               Subscription s;
                               s.version = static_cast<std::int16_t>(frame.number());
                               s.topics = frame.strings();
                               s.user_data = frame.nullable_string();
                               s.owned_partitions = detail::read_partitions(frame);
                               s.generation_id = static_cast<std::int32_t>(frame.number());
                               s.rack_id = frame.nullable_string();
                               return s;
                           });
}

inline std::string Subscription::encode() const {
    detail::WordWriter frame;
    frame.number(version);
    frame.strings(topics);
    frame.nullable_string(user_data);
    detail::write(frame, owned_partitions);
    frame.number(generation_id);
    frame.nullable_string(rack_id);
    return detail::encode(eb_assign_encode_subscription, frame);
}

inline Assignment Assignment::decode(Text bytes) {
    return detail::convert(eb_assign_decode_assignment, bytes.data(), bytes.size(),
                           [](const std::int64_t *words, std::int64_t) {
                               detail::WordReader frame(words);
                               Assignment a;
                               a.version = static_cast<std::int16_t>(frame.number());
                               a.partitions = detail::read_partitions(frame);
                               a.user_data = frame.nullable_string();
                               return a;
                           });
}

inline std::string Assignment::encode() const {
    detail::WordWriter frame;
    frame.number(version);
    detail::write(frame, partitions);
    frame.nullable_string(user_data);
    return detail::encode(eb_assign_encode_assignment, frame);
}

inline Assigned range_assign(const std::map<std::string, std::int64_t> &partitions_by_topic,
                             const std::vector<Member> &members) {
    detail::WordWriter frame;
    frame.list(partitions_by_topic, [&](const auto &topic_and_count) {
        frame.string(topic_and_count.first);
        frame.number(topic_and_count.second);
    });
    frame.list(members, [&](const Member &member) {
        frame.string(member.id);
        frame.nullable_string(member.instance_id);
        frame.strings(member.topics);
    });
    return detail::convert(eb_assign_range, frame.data(), frame.size(), detail::read_assigned);
}

} // namespace eventbroker::assign
