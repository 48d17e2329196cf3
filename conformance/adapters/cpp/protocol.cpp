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

/// What the adapter says it is, and its systems by name: their constructors.
struct Surface {
    std::string name;
    std::map<std::string, std::unique_ptr<System> (*)(const json &)> systems;
};

const Surface plain{"cpp",
                    {{"event", new_event}, {"message", new_message}, {"pubsub", new_pubsub}, {"assign", new_assign}}};
const Surface by_handle{"cpp-handles", {{"event", new_event_by_handle}}};

json hello(const Surface &surface) {
    json names = json::array();
    for (const auto &[name, make] : surface.systems) {
        names.push_back(name);
    }
    const std::string version = std::to_string(EB_ABI_MAJOR) + "." + std::to_string(EB_ABI_MINOR);
    return {{"protocol", 1},
            {"surface", surface.name},
            {"implementation", "libeventbroker, interface " + version},
            {"runtime", "C++17, compiler " __VERSION__},
            {"systems", names},
            {"features", {"batch", "null_strings", "raw_bytes", "redeliver", "status"}},
            {"errors", {{"invalid_argument", "std::invalid_argument"}, {"timed_out", "eventbroker::timed_out_error"}}}};
}

std::unique_ptr<System> make(const Surface &surface, const json &request) {
    const auto found = surface.systems.find(request.at("system"));
    if (found == surface.systems.end()) {
        throw Misuse("there is no system " + request.at("system").dump());
    }
    return found->second(request.at("new"));
}

json answer(const Surface &surface, const json &request) {
    if (request.contains("hello")) {
        return {{"hello", hello(surface)}};
    }
    json reply = {{"id", request.at("id")}, {"results", json::array()}};
    try {
        const std::unique_ptr<System> system = make(surface, request);
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

int main(int argc, char **argv) {
    const bool handles = argc == 2 && argv[1] == std::string("--handles");
    if (argc != 1 && !handles) {
        std::cerr << "usage: adapter-cpp [--handles]\n";
        return 2;
    }
    const adapter::Surface &surface = handles ? adapter::by_handle : adapter::plain;
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            const adapter::json reply = adapter::answer(surface, adapter::json::parse(line));
            std::cout << reply.dump(-1, ' ', false, adapter::json::error_handler_t::replace) << std::endl;
        } catch (const std::exception &error) {
            std::cerr << "adapter-cpp: " << error.what() << '\n';
            return 1;
        }
    }
    return 0;
}
