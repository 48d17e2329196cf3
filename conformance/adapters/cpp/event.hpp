// event.hpp - EventBroker: its values and operations, by names or by handles.
#pragma once

#include "broker.hpp"

#include <eventbroker/event.hpp>

#include <vector>

namespace eventbroker {

inline void to_json(adapter::json &value, const BrokerRecord &r) {
    value = {{"topic", adapter::text(r.topic)},
             {"partition", r.partition},
             {"offset", r.offset},
             {"payload", adapter::text(r.payload)}};
}

} // namespace eventbroker

namespace adapter {

/// [[partition, payload], ...], with the payloads that the messages are views of.
class Messages {
  public:
    explicit Messages(const json &pairs) {
        payloads_.reserve(pairs.size());
        for (const json &pair : pairs) {
            payloads_.emplace_back(pair.at(1));
            messages_.push_back({integer(pair.at(0)).value("messages"), payloads_.back()});
        }
    }

    operator const std::vector<eventbroker::BrokerMessage> &() const { return messages_; }

  private:
    std::vector<String> payloads_;
    std::vector<eventbroker::BrokerMessage> messages_;
};

inline Messages read(const json &value, As<std::vector<eventbroker::BrokerMessage>>) { return Messages(value); }

inline auto read(const json &value, As<std::vector<eventbroker::BrokerPosition>>) {
    std::vector<eventbroker::BrokerPosition> positions;
    for (const json &pair : value) {
        positions.push_back({integer(pair.at(0)).value("positions"), integer(pair.at(1)).value("positions")});
    }
    return positions;
}

/// A system whose broker has the methods of an EventBroker.
template <typename Broker>
std::unique_ptr<System> make_event(const json &arguments) {
    static const Operations<Broker> operations = {
        {"create", operation<Broker, &Broker::create>},
        {"join", operation<Broker, &Broker::join>},
        {"leave", operation<Broker, &Broker::leave>},
        {"publish", operation<Broker, &Broker::publish>},
        {"publish_many", operation<Broker, &Broker::publish_many>},
        {"poll", operation<Broker, &Broker::poll>},
        {"ack", operation<Broker, &Broker::ack>},
        {"ack_many", operation<Broker, &Broker::ack_many>},
        {"retry", operation<Broker, &Broker::retry>},
    };
    return std::make_unique<BrokerSystem<Broker>>(operations, arguments);
}

} // namespace adapter
