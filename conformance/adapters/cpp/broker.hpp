// broker.hpp - what the systems with a broker share: from a call of the protocol to a method, and back.
#pragma once

#include "wire.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace adapter {

/// The type of a method's parameter, by which an argument is read.
template <typename Parameter>
struct As {};

inline String read(const json &value, As<eventbroker::Text>) { return String(value); }

inline eventbroker::Integer read(const json &value, As<eventbroker::Integer>) { return integer(value); }

template <typename Value>
json write(const Value &value) {
    return value;
}

template <typename Value>
json write(const std::optional<Value> &value) {
    return value ? json(*value) : json();
}

/// Calls the method with arguments read by the types of its parameters.
template <typename Broker, typename Result, typename... Parameters, std::size_t... I>
json invoke(Broker &broker, Result (Broker::*method)(Parameters...), const json &call, Span &span,
            std::index_sequence<I...>) {
    const std::tuple arguments(read(call[I + 1], As<std::decay_t<Parameters>>())...);
    span.call = now_ns();
    Result result = (broker.*method)(std::get<I>(arguments)...);
    span.end = now_ns();
    return write(result);
}

template <typename Broker, typename Result, typename... Parameters>
json check_and_invoke(Broker &broker, Result (Broker::*method)(Parameters...), const json &call, Span &span) {
    require_arguments(call, sizeof...(Parameters));
    return invoke(broker, method, call, span, std::index_sequence_for<Parameters...>());
}

/// An operation that is just the method.
template <typename Broker, auto Method>
json operation(Broker &broker, const json &call, Span &span) {
    return check_and_invoke(broker, Method, call, span);
}

template <typename Broker>
using Operations = std::map<std::string, json (*)(Broker &, const json &, Span &)>;

/// A system whose operations are methods of one broker.
template <typename Broker>
class BrokerSystem : public System {
  public:
    /// Takes the constructor's arguments: an integer and, behind it, a map of options.
    BrokerSystem(const Operations<Broker> &operations, const json &arguments)
        : operations_(operations), broker_(integer(arguments.at(0)), options(arguments)) {}

    json call(const json &call, Span &span) override { return find(operations_, call)(broker_, call, span); }

  private:
    static typename Broker::Options options(const json &arguments) {
        typename Broker::Options options;
        const json named = arguments.size() > 1 ? arguments.at(1) : json::object();
        for (const auto &[name, value] : named.items()) {
            if (name != "max_payload") {
                throw Misuse("there is no option " + name);
            }
            options.max_payload = integer(value).value("max_payload");
        }
        return options;
    }

    const Operations<Broker> &operations_;
    Broker broker_;
};

} // namespace adapter
