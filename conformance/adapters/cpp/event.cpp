// event.cpp - EventBroker: from a call of the protocol to a method, and back.
#include "wire.hpp"

#include <eventbroker/event.hpp>

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace adapter {
namespace {

using eventbroker::EventBroker;

/// What an argument is read as, by the type of the method's parameter.
String read(const json &value, const eventbroker::Text *) { return String(value); }

eventbroker::Integer read(const json &value, const eventbroker::Integer *) { return integer(value); }

template <typename Value>
json write(const Value &value) {
    return value;
}

json write(const std::vector<eventbroker::BrokerRecord> &records) {
    json list = json::array();
    for (const eventbroker::BrokerRecord &r : records) {
        list.push_back(
            {{"topic", text(r.topic)}, {"partition", r.partition}, {"offset", r.offset}, {"payload", text(r.payload)}});
    }
    return list;
}

/// Calls the method with arguments read by the types of its parameters.
template <typename Result, typename... Parameters, std::size_t... I>
json invoke(EventBroker &broker, Result (EventBroker::*method)(Parameters...), const json &call, Span &span,
            std::index_sequence<I...>) {
    const std::tuple arguments(read(call[I + 1], static_cast<const Parameters *>(nullptr))...);
    span.call = now_ns();
    Result result = (broker.*method)(std::get<I>(arguments)...);
    span.end = now_ns();
    return write(result);
}

template <typename Result, typename... Parameters>
json check_and_invoke(EventBroker &broker, Result (EventBroker::*method)(Parameters...), const json &call, Span &span) {
    if (call.size() != sizeof...(Parameters) + 1) {
        throw Misuse("a wrong number of arguments: " + call.dump());
    }
    return invoke(broker, method, call, span, std::index_sequence_for<Parameters...>());
}

template <auto Method>
json operation(EventBroker &broker, const json &call, Span &span) {
    return check_and_invoke(broker, Method, call, span);
}

const std::map<std::string, json (*)(EventBroker &, const json &, Span &)> operations = {
    {"create", operation<&EventBroker::create>}, {"join", operation<&EventBroker::join>},
    {"leave", operation<&EventBroker::leave>},   {"publish", operation<&EventBroker::publish>},
    {"poll", operation<&EventBroker::poll>},     {"ack", operation<&EventBroker::ack>},
    {"retry", operation<&EventBroker::retry>},
};

class Event : public System {
  public:
    Event(eventbroker::Integer capacity, EventBroker::Options options) : broker_(capacity, options) {}

    json call(const json &call, Span &span) override {
        const auto found = operations.find(call.at(0));
        if (found == operations.end()) {
            throw Misuse("event has no operation " + call.at(0).dump());
        }
        return found->second(broker_, call, span);
    }

  private:
    EventBroker broker_;
};

} // namespace

std::unique_ptr<System> new_event(const json &arguments) {
    EventBroker::Options options;
    const json named = arguments.size() > 1 ? arguments.at(1) : json::object();
    for (const auto &[name, value] : named.items()) {
        if (name != "max_payload") {
            throw Misuse("event has no option " + name);
        }
        options.max_payload = integer(value).value("max_payload");
    }
    return std::make_unique<Event>(integer(arguments.at(0)), options);
}

} // namespace adapter
