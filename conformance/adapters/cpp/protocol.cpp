// protocol.cpp - the adapter's loop: a line of JSON is a case, a line answers it.
#include "adapter.hpp"

#include <eventbroker.h>

#include <cxxabi.h>
#include <pthread.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

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

json failure(const std::exception &error) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return {{"error", status == 0 ? name.get() : typeid(error).name()}, {"message", error.what()}};
}

json perform(System &system, const json &call, bool record) {
    Span span{now_ns(), 0};
    json result;
    try {
        result = {{"ok", system.call(call, span)}};
    } catch (const std::exception &error) {
        span.end = now_ns();
        result = failure(error);
    }
    if (record) {
        result["at"] = {span.call, span.end};
    }
    return result;
}

/// Runs the lists, with record all at once, each on a thread of its own.
json run(System &system, const json &lists, bool record) {
    std::vector<json> results(lists.size(), json::array());
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, record && !lists.empty() ? static_cast<unsigned>(lists.size()) : 1);
    const auto work = [&](std::size_t i) {
        pthread_barrier_wait(&barrier);
        for (const json &call : lists[i]) {
            results[i].push_back(perform(system, call, record));
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (record) {
            threads.emplace_back(work, i);
        } else {
            work(i);
        }
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    pthread_barrier_destroy(&barrier);
    return results;
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
        reply["results"] = run(*system, request.at("threads"), request.value("record", false));
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
