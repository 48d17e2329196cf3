/// topic.hpp - Topic: a topic of an EventBroker that was found once (EB-18).
///
///     eventbroker::Topic orders = broker.topic("orders");
///     std::int64_t offset = orders.publish(0, "a");
///     eventbroker::Consumer billing = orders.join("billing", "m1");
#pragma once

#include <eventbroker.h>
#include <eventbroker/argument.hpp>
#include <eventbroker/batch.hpp>
#include <eventbroker/consumer.hpp>
#include <eventbroker/error.hpp>
#include <eventbroker/handle.hpp>
#include <eventbroker/record.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace eventbroker {

class EventBroker;

/// A topic, made by EventBroker::topic. Its calls do what those of the broker do, and throw closed_error
/// when the broker is closed. Closing it changes nothing in the broker, nor for its consumers; until
/// then it holds what the topic retained, also when the broker is closed.
///
/// Threads: as an EventBroker.
class Topic : public detail::Handle<eb_event_topic_close> {
  public:
    [[nodiscard]] const std::string &name() const noexcept { return name_; }

    /// As EventBroker::publish.
    [[nodiscard]] std::int64_t publish(Integer partition, Text payload) {
        return detail::answer(
            eb_event_topic_publish(handle(), partition.value("partition"), payload.data(), payload.size()));
    }

    /// As EventBroker::publish_many.
    [[nodiscard]] std::vector<std::int64_t> publish_many(const std::vector<BrokerMessage> &messages) {
        return detail::publish_many(messages,
                                    [&](auto... frame) { return eb_event_topic_publish_many(handle(), frame...); });
    }

    /// The calls of a member without the names. It does not join, and none need be a member.
    [[nodiscard]] Consumer consumer(Text group, Text member) {
        std::string topic = name_;
        std::uint64_t consumer = 0;
        detail::answer(
            eb_event_consumer(handle(), group.data(), group.size(), member.data(), member.size(), &consumer));
        return Consumer(consumer, std::move(topic));
    }

    /// The same, and joins.
    Consumer join(Text group, Text member) {
        Consumer joined = consumer(group, member);
        joined.join();
        return joined;
    }

  private:
    friend EventBroker;

    Topic(std::uint64_t handle, std::string name) noexcept : Handle(handle, true), name_(std::move(name)) {}

    std::string name_;
};

} // namespace eventbroker
