// message.cpp - MessageBroker: its operations.
#include "broker.hpp"

#include <eventbroker/message.hpp>

namespace eventbroker {

static void to_json(adapter::json &value, const Delivery &d) {
    value = {{"topic", adapter::text(d.topic)},
             {"offset", d.offset},
             {"payload", adapter::text(d.payload)},
             {"attempt", d.attempt}};
}

static void to_json(adapter::json &value, const DeadLetter &d) {
    value = {{"topic", adapter::text(d.topic)},
             {"offset", d.offset},
             {"payload", adapter::text(d.payload)},
             {"attempts", d.attempts}};
}

} // namespace eventbroker

namespace adapter {

std::unique_ptr<System> new_message(const json &arguments) {
    using Broker = eventbroker::MessageBroker;
    static const Operations<Broker> operations = {
        {"create_topic", operation<Broker, &Broker::create_topic>},
        {"publish", operation<Broker, &Broker::publish>},
        {"poll", operation<Broker, &Broker::poll>},
        {"ack", operation<Broker, &Broker::ack>},
        {"nack", operation<Broker, &Broker::nack>},
        {"dead_letters", operation<Broker, &Broker::dead_letters>},
    };
    return std::make_unique<BrokerSystem<Broker>>(operations, arguments);
}

} // namespace adapter
