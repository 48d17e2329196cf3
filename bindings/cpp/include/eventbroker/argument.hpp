/// argument.hpp - how strings and integers are taken: whatever C++ calls a string or an integer,
/// and nothing that only converts to one.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace eventbroker {

/// A string argument, made of a literal, const char *, std::string, std::string_view or what
/// converts to one. A null const char * is the null string, which every call refuses with
/// std::invalid_argument; a default std::string_view is the empty string. Bytes are taken as they
/// are, embedded NUL included, except that a const char * ends at its first NUL.
///
/// A view: it lives no longer than what it was made of.
class Text {
  public:
    constexpr Text(const char *text) noexcept
        : data_(text), size_(text == nullptr ? 0 : std::char_traits<char>::length(text)) {}

    template <typename String, typename = std::enable_if_t<std::is_convertible_v<const String &, std::string_view> &&
                                                           !std::is_convertible_v<const String &, const char *>>>
    constexpr Text(const String &string) : Text(std::string_view(string), 0) {}

    /// The bytes; null only for the null string.
    [[nodiscard]] constexpr const char *data() const noexcept { return data_; }

    /// Their number.
    [[nodiscard]] constexpr std::int64_t size() const noexcept { return static_cast<std::int64_t>(size_); }

    /// A copy of them; not for the null string.
    [[nodiscard]] std::string string() const { return std::string(data_, size_); }

  private:
    constexpr Text(std::string_view view, int) noexcept
        : data_(view.data() == nullptr ? "" : view.data()), size_(view.size()) {}

    const char *data_;
    std::size_t size_;
};

/// An integer argument, made of any integer type; bool, char and floating point do not compile.
/// A value is never cut: what is outside the argument's range is std::invalid_argument.
class Integer {
  public:
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T> && sizeof(T) <= sizeof(std::int64_t) &&
                                                      !std::is_same_v<T, bool> && !std::is_same_v<T, char>>>
    constexpr Integer(T value) noexcept
        : value_(static_cast<std::int64_t>(value)), fits_(std::is_signed_v<T> || value_ >= 0) {}

    /// The value; throws std::invalid_argument with the argument's name when it needs more than 63 bits.
    [[nodiscard]] std::int64_t value(const char *name) const {
        if (!fits_) {
            throw std::invalid_argument("invalid argument: " + std::string(name) + ": " +
                                        std::to_string(static_cast<std::uint64_t>(value_)) + " is outside " +
                                        std::to_string(std::numeric_limits<std::int64_t>::min()) + " through " +
                                        std::to_string(std::numeric_limits<std::int64_t>::max()));
        }
        return value_;
    }

  private:
    std::int64_t value_;
    bool fits_;
};

} // namespace eventbroker
