// assign.cpp - range assignment: its operations, which need no broker.
#include "wire.hpp"

#include <eventbroker/assign.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace eventbroker::assign {
namespace {

using adapter::json;

json optional_bytes(const std::optional<std::string> &value) { return value ? adapter::bytes(*value) : json(); }

json optional_text(const std::optional<std::string> &value) { return value ? adapter::text(*value) : json(); }

std::vector<json> texts(const std::vector<std::string> &values) {
    std::vector<json> list;
    for (const std::string &value : values) {
        list.push_back(adapter::text(value));
    }
    return list;
}

std::string string(const json &value) { return adapter::String(value).bytes(); }

/// A field that may be null or left out.
std::optional<std::string> optional_string(const json &object, const char *name) {
    const json value = object.value(name, json());
    return value.is_null() ? std::nullopt : std::optional(string(value));
}

std::vector<std::string> strings(const json &list) {
    std::vector<std::string> values;
    for (const json &value : list) {
        values.push_back(string(value));
    }
    return values;
}

} // namespace

static void to_json(json &value, const TopicPartitions &t) {
    value = {{"topic", adapter::text(t.topic)}, {"partitions", t.partitions}};
}

static void from_json(const json &value, TopicPartitions &t) {
    t = {string(value.at("topic")), value.at("partitions")};
}

static void to_json(json &value, const Subscription &s) {
    value = {{"version", s.version},
             {"topics", texts(s.topics)},
             {"user_data", optional_bytes(s.user_data)},
             {"owned_partitions", s.owned_partitions},
             {"generation_id", s.generation_id},
             {"rack_id", optional_text(s.rack_id)}};
}

static void from_json(const json &value, Subscription &s) {
    s = {value.at("version"),          strings(value.at("topics")), optional_string(value, "user_data"),
         value.at("owned_partitions"), value.at("generation_id"),   optional_string(value, "rack_id")};
}

static void to_json(json &value, const Assignment &a) {
    value = {{"version", a.version}, {"partitions", a.partitions}, {"user_data", optional_bytes(a.user_data)}};
}

static void from_json(const json &value, Assignment &a) {
    a = {value.at("version"), value.at("partitions"), optional_string(value, "user_data")};
}

static void from_json(const json &value, Member &m) {
    m = {string(value.at("id")), strings(value.at("topics")), optional_string(value, "instance_id")};
}

} // namespace eventbroker::assign

namespace adapter {
namespace {

namespace assign = eventbroker::assign;

template <typename Message>
json decode(const json &call) {
    require_arguments(call, 1);
    return Message::decode(String(call[1]));
}

template <typename Message>
json encode(const json &call) {
    require_arguments(call, 1);
    return bytes(call[1].get<Message>().encode());
}

json range_assign(const json &call) {
    require_arguments(call, 2);
    return assign::range_assign(call[1], call[2]);
}

const std::map<std::string, json (*)(const json &)> operations = {
    {"decode_subscription", decode<assign::Subscription>},
    {"encode_subscription", encode<assign::Subscription>},
    {"decode_assignment", decode<assign::Assignment>},
    {"encode_assignment", encode<assign::Assignment>},
    {"range_assign", range_assign},
};

class Assign : public System {
  public:
    json call(const json &call, Span &span) override {
        span.call = now_ns();
        json result = find(operations, call)(call);
        span.end = now_ns();
        return result;
    }
};

} // namespace

std::unique_ptr<System> new_assign(const json &arguments) {
    if (!arguments.empty()) {
        throw Misuse("the constructor takes nothing");
    }
    return std::make_unique<Assign>();
}

} // namespace adapter
