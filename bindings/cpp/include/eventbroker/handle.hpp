/// handle.hpp - who owns a broker of the C interface, or another thing with a number.
#pragma once

#include <eventbroker.h>
#include <eventbroker/error.hpp>

#include <atomic>
#include <cstdint>
#include <string>

namespace eventbroker::detail {

/// A constructor of the C interface.
template <typename Options>
using Create = std::int64_t (*)(std::int64_t argument, const Options *options, std::uint64_t *broker);

/// The number of something of the C interface, 0 for none, which is closed with Close by its one owner.
/// A borrower never closes. Any thread may call handle and close; moves and the destructor must be alone.
template <auto Close>
class Handle {
  public:
    Handle(Handle &&other) noexcept : handle_(other.handle_.exchange(0)), owned_(other.owned_) {}
    Handle &operator=(Handle &&other) noexcept {
        if (this != &other) {
            close();
            handle_ = other.handle_.exchange(0);
            owned_ = other.owned_;
        }
        return *this;
    }

    /// The number other languages of the process reach it by; 0 after close or move. It is good until
    /// the owner closes.
    [[nodiscard]] std::uint64_t handle() const noexcept { return handle_.load(std::memory_order_relaxed); }

    /// Frees it; calls under way on other threads finish. Closing again is fine. What was borrowed is
    /// only let go.
    void close() noexcept {
        const std::uint64_t handle = handle_.exchange(0);
        if (owned_) {
            Close(handle);
        }
    }

  protected:
    Handle(std::uint64_t handle, bool owned) noexcept : handle_(handle), owned_(owned) {}
    ~Handle() { close(); }

  private:
    std::atomic<std::uint64_t> handle_;
    bool owned_;
};

/// What every broker is.
template <typename Broker, auto Close>
class Owner : public Handle<Close> {
  public:
    /// A second way to a broker of this process, made in whatever language: its handle() there. It
    /// borrows: closing or destroying it leaves the broker open for its owner. Never fails for a
    /// wrong number; the calls then throw closed_error.
    [[nodiscard]] static Broker from_handle(std::uint64_t handle) {
        require_abi(eb_abi_version());
        return Broker(Owner(handle, false));
    }

  protected:
    /// Owns what create makes of its one argument and the option that all brokers have.
    template <typename Options>
    Owner(Create<Options> create, std::int64_t argument, std::int64_t max_payload)
        : Owner(open(create, argument, max_payload), true) {}

  private:
    using Handle<Close>::Handle;

    template <typename Options>
    static std::uint64_t open(Create<Options> create, std::int64_t argument, std::int64_t max_payload) {
        require_abi(eb_abi_version());
        if (max_payload == 0) { // to the C interface it is the default, which is spelt out here
            refuse("max_payload", "0 is outside 1 through " + std::to_string(EB_EVENT_MAX_PAYLOAD));
        }
        const Options options{sizeof(Options), max_payload};
        std::uint64_t handle = 0;
        answer(create(argument, &options, &handle));
        return handle;
    }
};

} // namespace eventbroker::detail
