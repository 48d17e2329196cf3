/// batch.hpp - how batches of an EventBroker cross the C interface.
#pragma once

#include <eventbroker.h>
#include <eventbroker/error.hpp>
#include <eventbroker/record.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace eventbroker::detail {

/// Messages as eb_event_publish_many takes them: all headers, and behind them all payloads.
class MessageFrame {
  public:
    explicit MessageFrame(const std::vector<BrokerMessage> &messages)
        : size_(measure(messages)), large_(size_ > sizeof small_ ? new char[size_] : nullptr) {
        char *header = large_ ? large_.get() : small_;
        char *payload = header + messages.size() * sizeof(eb_event_message);
        for (const BrokerMessage &message : messages) {
            const bool null = message.payload.data() == nullptr;
            const eb_event_message head{message.partition, null ? -1 : message.payload.size()};
            std::memcpy(header, &head, sizeof head);
            header += sizeof head;
            if (!null) {
                std::memcpy(payload, message.payload.data(), static_cast<std::size_t>(head.payload_len));
                payload += head.payload_len;
            }
        }
    }

    [[nodiscard]] const void *data() const noexcept { return large_ ? large_.get() : small_; }
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(size_); }

  private:
    static std::size_t measure(const std::vector<BrokerMessage> &messages) noexcept {
        std::size_t size = messages.size() * sizeof(eb_event_message);
        for (const BrokerMessage &message : messages) {
            size += static_cast<std::size_t>(message.payload.size());
        }
        return size;
    }

    std::size_t size_;
    alignas(eb_event_message) char small_[8192]; // so that a usual batch needs no memory
    std::unique_ptr<char[]> large_;
};

/// Where the list begins, which is never null: to the C interface that would be no list at all.
template <typename Value>
Value *begin_of(std::vector<Value> &list) {
    list.reserve(1);
    return list.data();
}

/// What publish(frame, size, count, offsets) writes.
template <typename Publish>
std::vector<std::int64_t> publish_many(const std::vector<BrokerMessage> &messages, Publish publish) {
    const MessageFrame frame(messages);
    std::vector<std::int64_t> offsets(messages.size());
    answer(publish(frame.data(), frame.size(), static_cast<std::int64_t>(messages.size()), begin_of(offsets)));
    return offsets;
}

/// What ack(positions, count, acked) writes.
template <typename Ack>
std::vector<bool> ack_many(const std::vector<BrokerPosition> &positions, Ack ack) {
    std::vector<eb_event_position> list;
    list.reserve(positions.size());
    for (const BrokerPosition &position : positions) {
        list.push_back({position.partition, position.offset});
    }
    std::vector<bool> answers(positions.size()); // before the call: what happened must not get lost for want of memory
    std::array<std::uint8_t, EB_EVENT_MAX_BATCH> acked;
    answer(ack(begin_of(list), static_cast<std::int64_t>(list.size()), acked.data()));
    for (std::size_t i = 0; i < answers.size(); ++i) {
        answers[i] = acked[i] == 1;
    }
    return answers;
}

} // namespace eventbroker::detail
