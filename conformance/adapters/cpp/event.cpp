// event.cpp - EventBroker: its operations.
#include "broker.hpp"

#include <eventbroker/event.hpp>

namespace eventbroker {

static void to_json(adapter::json &value, const BrokerRecord &r) {
    value = {{"topic", adapter::text(r.topic)},
             {"partition", r.partition},
             {"offset", r.offset},
             {"payload", adapter::text(r.payload)}};
}

} // namespace eventbroker

namespace adapter {

std::unique_ptr<System> new_event(const json &arguments) {
    using Broker = eventbroker::EventBroker;
    static const Operations<Broker> operations = {
        {"create", operation<Broker, &Broker::create>}, {"join", operation<Broker, &Broker::join>},
        {"leave", operation<Broker, &Broker::leave>},   {"publish", operation<Broker, &Broker::publish>},
        {"poll", operation<Broker, &Broker::poll>},     {"ack", operation<Broker, &Broker::ack>},
        {"retry", operation<Broker, &Broker::retry>},
    };
    return std::make_unique<BrokerSystem<Broker>>(operations, arguments);
}

} // namespace adapter
