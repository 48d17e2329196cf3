// threads.cpp - how the lists of calls of a case are made: in turn, or at once on real threads.
#include "adapter.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <typeinfo>
#include <vector>

namespace adapter {

json failure(const std::exception &error) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return {{"error", status == 0 ? name.get() : typeid(error).name()}, {"message", error.what()}};
}

namespace {

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

/// How many calls have overlapped, which only a library with the tag ebtest tells.
std::optional<std::int64_t> overlap() {
    const auto count = reinterpret_cast<std::int64_t (*)()>(dlsym(RTLD_DEFAULT, "eb_test_overlap"));
    return count == nullptr ? std::nullopt : std::optional(count());
}

} // namespace

json run(System &system, const json &lists, bool record) {
    std::vector<json> results(lists.size(), json::array());
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, record && !lists.empty() ? static_cast<unsigned>(lists.size()) : 1);
    const auto work = [&](std::size_t i) {
        pthread_barrier_wait(&barrier);
        for (const json &call : lists[i]) {
            results[i].push_back(perform(system, call, record));
            if (record) {
                std::this_thread::yield(); // a thread is through before the next begins, else
            }
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

void record(System &system, const json &request, json &reply) {
    const json before = request.contains("before") ? json::array({request.at("before")}) : json::array();
    reply["results"] = run(system, before, false);
    const auto already = overlap();
    for (const json &thread : run(system, request.at("threads"), true)) {
        reply["results"].push_back(thread);
    }
    if (already) {
        reply["overlap"] = *overlap() - *already;
    }
}

} // namespace adapter
