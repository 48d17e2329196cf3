/// error.hpp - what the brokers throw, and how a status of the C interface becomes it.
///
/// Besides the types below, a call throws std::invalid_argument, whose what() names the argument
/// ("invalid argument: max_records: 65 is outside 1 through 64"), and std::bad_alloc. A call that
/// threw has changed nothing.
#pragma once

#include <eventbroker.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace eventbroker {

// The types are visible whatever -fvisibility says: a program whose parts are compiled with hidden
// visibility would otherwise have one type a part, and a catch in one would miss a throw in another.

/// The broker was closed or moved from, or the number given to from_handle is no broker's.
class [[gnu::visibility("default")]] closed_error : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// This process is a forked child of the one that loaded the library. The runtime inside does not
/// survive fork, so no call works here; exec and posix_spawn are fine.
class [[gnu::visibility("default")]] forked_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A defect of the library, or a library that this header cannot use. The broker answers nothing
/// else from now on; other brokers are not touched.
class [[gnu::visibility("default")]] internal_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A deadline passed: a publisher found no room in a topic, as a subscription with the policy block has
/// not taken its earliest message. Nothing was appended.
class [[gnu::visibility("default")]] timed_out_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The file is open elsewhere, in this process or another.
class [[gnu::visibility("default")]] in_use_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The file is none of a broker's, or is damaged. It was left as it is.
class [[gnu::visibility("default")]] damaged_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The system refused to write or sync the file; the text says what it said.
class [[gnu::visibility("default")]] storage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// There is no room on the disk.
class [[gnu::visibility("default")]] disk_full_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

namespace detail {

/// The library's message of this thread's last failure, or the status's short name where it has none.
inline std::string message(std::int64_t status) {
    const std::int64_t size = eb_last_error(nullptr, 0);
    if (size <= 0) {
        return eb_strerror(status);
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    eb_last_error(text.data(), size);
    return text;
}

/// Throws what the status means.
[[noreturn]] inline void raise(std::int64_t status) {
    switch (status) {
    case EB_INVALID_ARGUMENT: throw std::invalid_argument(message(status));
    case EB_CLOSED: throw closed_error(message(status));
    case EB_FORKED: throw forked_error(message(status));
    case EB_TIMED_OUT: throw timed_out_error(message(status));
    case EB_IN_USE: throw in_use_error(message(status));
    case EB_DAMAGED: throw damaged_error(message(status));
    case EB_STORAGE: throw storage_error(message(status));
    case EB_DISK_FULL: throw disk_full_error(message(status));
    default: throw internal_error(message(status));
    }
}

/// What raise throws, for a better time.
inline std::exception_ptr error_of(std::int64_t status) noexcept {
    try {
        raise(status);
    } catch (...) {
        return std::current_exception();
    }
}

/// Throws std::invalid_argument, as the library words it.
[[noreturn]] inline void refuse(const std::string &argument, const std::string &reason) {
    throw std::invalid_argument("invalid argument: " + argument + ": " + reason);
}

/// The answer of a call, -1 included, which is the contract's own "no"; throws on a status.
inline std::int64_t answer(std::int64_t result) {
    if (result < -1) {
        raise(result);
    }
    return result;
}

/// Throws internal_error unless a library of this version speaks the interface of this header.
inline void require_abi(std::int64_t version) {
    if (version / 65536 != EB_ABI_MAJOR) {
        throw internal_error("libeventbroker speaks interface version " + std::to_string(version / 65536) +
                             ", this header version " + std::to_string(EB_ABI_MAJOR));
    }
}

} // namespace detail
} // namespace eventbroker
