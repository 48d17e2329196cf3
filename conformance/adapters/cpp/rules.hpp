// rules.hpp - handlers that follow a case's rules, and what they were given.
#pragma once

#include "wire.hpp"

#include <eventbroker/handler.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace adapter {

/// The payloads that handlers were given, since the case began.
class Record {
  public:
    void add(const std::string &topic, const std::string &name, const json &payload) {
        const std::lock_guard guard(mutex_);
        json &payloads = payloads_[{topic, name}];
        payloads.push_back(payload);
    }

    json of(const std::string &topic, const std::string &name) {
        const std::lock_guard guard(mutex_);
        const auto found = payloads_.find({topic, name});
        return found == payloads_.end() ? json::array() : found->second;
    }

  private:
    std::mutex mutex_; // with lanes and pool handlers run at once; guards payloads_
    std::map<std::pair<std::string, std::string>, json> payloads_; // by topic and name
};

/// A handler: the first rule acts whose payload matches and whose times, which are counted down in it, are
/// not used up.
struct FollowRules {
    Record &record;
    std::function<void(const json &call)> perform;
    json name; // null where the case says so, for the library to refuse
    json rules;

    bool operator()(const eventbroker::Message &message) {
        const json payload = text(message.payload);
        record.add(message.topic, name, payload);
        for (json &rule : rules) {
            if (rule.value("match", payload) == payload && rule.value("times", 1) != 0) {
                return act(rule);
            }
        }
        return true;
    }

  private:
    bool act(json &rule) const {
        if (rule.contains("times")) {
            rule["times"] = rule["times"].get<int>() - 1;
        }
        for (const json &call : rule.value("do", json::array())) {
            try {
                perform(call);
            } catch (const std::exception &) { // is passed over
            }
        }
        const json ret = rule.value("ret", json(true));
        if (ret == "throw") {
            throw std::runtime_error("the handler throws");
        }
        return ret;
    }
};

/// A filter: lets through what is in its list pass, throws over what is in throw, passes over the rest.
struct FollowFilter {
    json lists;

    bool operator()(const eventbroker::Message &message) const {
        const json payload = text(message.payload);
        if (has("throw", payload)) {
            throw std::runtime_error("the filter throws");
        }
        return has("pass", payload);
    }

  private:
    bool has(const char *name, const json &payload) const {
        const json list = lists.value(name, json::array());
        return std::find(list.begin(), list.end(), payload) != list.end();
    }
};

} // namespace adapter
