// pubsub.cpp - PubSub: its operations, and handlers that follow a case's rules.
#include "broker.hpp"
#include "rules.hpp"

#include <eventbroker/pubsub.hpp>

#include <algorithm>
#include <vector>

namespace eventbroker {

static void to_json(adapter::json &value, const Letter &l) {
    value = {{"offset", l.offset}, {"payload", adapter::text(l.payload)}, {"attempts", l.attempts}};
}

static void to_json(adapter::json &value, const Status &s) {
    value = {{"subscribed", s.subscribed},
             {"offset", s.offset},
             {"attempts", s.attempts},
             {"lost", s.lost},
             {"disconnected", !s.reason.empty()}};
}

} // namespace eventbroker

namespace adapter {
namespace {

using eventbroker::PubSub;

/// The choice that a case names; what is none of them is for the library to refuse.
template <typename Choice>
Choice choice(const json &name, const std::vector<std::string> &names) {
    return static_cast<Choice>(std::find(names.begin(), names.end(), name) - names.begin());
}

eventbroker::PubSubOptions broker_options(const json &map) {
    eventbroker::PubSubOptions options;
    for (const auto &[name, value] : map.items()) {
        if (name == "dispatcher") {
            options.dispatcher = choice<eventbroker::Dispatcher>(value, {"synchronous", "lanes", "pool"});
        } else if (name == "workers") {
            options.workers = integer(value).value("workers");
        } else if (name == "max_attempts") {
            options.max_attempts = integer(value).value("max_attempts");
        } else if (name == "max_payload") {
            options.max_payload = integer(value).value("max_payload");
        } else {
            throw Misuse("there is no option " + name);
        }
    }
    return options;
}

eventbroker::SubscribeOptions subscribe_options(const json &map) {
    eventbroker::SubscribeOptions options;
    if (map.contains("group")) {
        options.group = String(map["group"]).bytes();
    }
    if (map.contains("policy")) {
        options.policy = choice<eventbroker::Policy>(map["policy"], {"drop", "disconnect", "block"});
    }
    if (map.contains("filter")) {
        options.filter = FollowFilter{map["filter"]};
    }
    return options;
}

/// What stands behind the positional arguments, a map or nothing.
json options_behind(const json &call, std::size_t count) {
    if (call.size() == count + 2) {
        return call.back();
    }
    require_arguments(call, count);
    return json::object();
}

class PubSubSystem : public System {
  public:
    explicit PubSubSystem(const json &options) : broker_(broker_options(options)) {}

    json call(const json &call, Span &span) override {
        const json &name = call.at(0);
        span.call = now_ns();
        json result = name == "create_topic" ? create_topic(call)
                      : name == "subscribe"  ? subscribe(call)
                      : name == "calls_of"   ? calls_of(call)
                                             : find(operations, call)(broker_, call, span);
        span.end = now_ns();
        return result;
    }

  private:
    json create_topic(const json &call) {
        const json map = options_behind(call, 1);
        eventbroker::TopicOptions options;
        if (map.contains("retain")) {
            options.retain = integer(map["retain"]).value("retain");
        }
        return broker_.create_topic(String(call[1]), options);
    }

    json subscribe(const json &call) {
        const json map = options_behind(call, 3);
        const auto perform = [this](const json &call) {
            Span span;
            this->call(call, span);
        };
        broker_.subscribe(String(call[1]), String(call[2]), FollowRules{record_, perform, call[2], call[3]},
                          subscribe_options(map));
        return nullptr;
    }

    json calls_of(const json &call) {
        require_arguments(call, 2);
        return record_.of(call[1], call[2]);
    }

    static inline const Operations<PubSub> operations = {
        {"unsubscribe", operation<PubSub, &PubSub::unsubscribe>},
        {"publish", operation<PubSub, &PubSub::publish>},
        {"drain", operation<PubSub, &PubSub::drain>},
        {"seek", operation<PubSub, &PubSub::seek>},
        {"offset", operation<PubSub, &PubSub::offset>},
        {"dead_letters", operation<PubSub, &PubSub::dead_letters>},
        {"redeliver", operation<PubSub, &PubSub::redeliver>},
        {"status", operation<PubSub, &PubSub::status>},
    };

    Record record_;
    PubSub broker_; // goes first: its handlers use the record
};

} // namespace

std::unique_ptr<System> new_pubsub(const json &arguments) {
    return std::make_unique<PubSubSystem>(arguments.empty() ? json::object() : arguments[0]);
}

} // namespace adapter
