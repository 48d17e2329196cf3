// protocol.cpp - the adapter's loop: a line of JSON is a case, a line answers it.
#include "adapter.hpp"

#include <eventbroker.h>

#include <chrono>
#include <iostream>
#include <map>
#include <string>

namespace adapter {

std::int64_t now_ns() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {

/// Systems by name: their constructors.
const std::map<std::string, std::unique_ptr<System> (*)(const json &)> systems = {
    {"event", new_event}, {"message", new_message}, {"pubsub", new_pubsub}, {"assign", new_assign}};

json hello() {
    json names = json::array();
    for (const auto &[name, make] : systems) {
        names.push_back(name);
    }
    const std::string version = std::to_string(EB_ABI_MAJOR) + "." + std::to_string(EB_ABI_MINOR);
    return {{"protocol", 1},
            {"surface", "cpp"},
            {"implementation", "libeventbroker, interface " + version},
            {"runtime", "C++17, compiler " __VERSION__},
            {"systems", names},
            {"features", {"null_strings", "raw_bytes", "redeliver", "status"}},
            {"errors", {{"invalid_argument", "std::invalid_argument"}, {"timed_out", "eventbroker::timed_out_error"}}}};
}

std::unique_ptr<System> make(const json &request) {
    const auto found = systems.find(request.at("system"));
    if (found == systems.end()) {
        throw Misuse("there is no system " + request.at("system").dump());
    }
    return found->second(request.at("new"));
}

json answer(const json &request) {
    if (request.contains("hello")) {
        return {{"hello", hello()}};
    }
    json reply = {{"id", request.at("id")}, {"results", json::array()}};
    try {
        const std::unique_ptr<System> system = make(request);
        if (request.value("record", false)) {
            record(*system, request, reply);
        } else {
            reply["results"] = run(*system, request.at("threads"), false);
        }
    } catch (const std::exception &error) {
        reply["new"] = failure(error);
    }
    return reply;
}

} // namespace
} // namespace adapter

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            const adapter::json reply = adapter::answer(adapter::json::parse(line));
            std::cout << reply.dump(-1, ' ', false, adapter::json::error_handler_t::replace) << std::endl;
        } catch (const std::exception &error) {
            std::cerr << "adapter-cpp: " << error.what() << '\n';
            return 1;
        }
    }
    return 0;
}
