/// handle.hpp - who owns a broker of the C interface.
#pragma once

#include <atomic>
#include <cstdint>

namespace eventbroker::detail {

/// The number of a broker, 0 for none, which is closed with Close by its one owner. A borrowed
/// handle never closes. Any thread may call get and close; moves and the destructor must be alone.
template <auto Close>
class Handle {
  public:
    Handle(std::uint64_t number, bool owned) noexcept : number_(number), owned_(owned) {}
    Handle(Handle &&other) noexcept : number_(other.number_.exchange(0)), owned_(other.owned_) {}
    Handle &operator=(Handle &&other) noexcept {
        if (this != &other) {
            close();
            number_ = other.number_.exchange(0);
            owned_ = other.owned_;
        }
        return *this;
    }
    ~Handle() { close(); }

    [[nodiscard]] std::uint64_t get() const noexcept { return number_.load(std::memory_order_relaxed); }

    void close() noexcept {
        const std::uint64_t number = number_.exchange(0);
        if (owned_) {
            Close(number);
        }
    }

  private:
    std::atomic<std::uint64_t> number_;
    bool owned_;
};

} // namespace eventbroker::detail
