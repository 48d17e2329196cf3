// adapter.hpp - what the protocol loop and a system's file know of each other.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>

namespace adapter {

using nlohmann::json;

/// Nanoseconds of the process's one monotonic clock.
std::int64_t now_ns();

/// The times just before and just after the library was called.
struct Span {
    std::int64_t call = 0;
    std::int64_t end = 0;
};

/// A case's broker. One object serves all the threads of a case.
class System {
  public:
    virtual ~System() = default;

    /// Carries out ["operation", argument...] and returns its value. Throws what the library throws,
    /// and Misuse.
    virtual json call(const json &call, Span &span) = 0;
};

/// What the runner should not have asked.
class Misuse : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// These make a system from the constructor's arguments.
std::unique_ptr<System> new_event(const json &arguments);
std::unique_ptr<System> new_event_by_handle(const json &arguments);
std::unique_ptr<System> new_message(const json &arguments);
std::unique_ptr<System> new_pubsub(const json &arguments);
std::unique_ptr<System> new_assign(const json &arguments);

/// An exception as a result.
json failure(const std::exception &error);

/// Runs lists of calls, with record all at once, each on a thread of its own, and returns their results.
json run(System &system, const json &lists, bool record);

/// Runs the list before and then the threads at once; adds their results, and how many calls overlapped.
void record(System &system, const json &request, json &reply);

} // namespace adapter
