// wire.hpp - calls and values as the protocol writes them.
#pragma once

#include "adapter.hpp"

#include <eventbroker/argument.hpp>

#include <string>

namespace adapter {

/// The operation that the call names.
template <typename Operations>
auto find(const Operations &operations, const json &call) {
    const auto found = operations.find(call.at(0));
    if (found == operations.end()) {
        throw Misuse("there is no operation " + call.at(0).dump());
    }
    return found->second;
}

inline void require_arguments(const json &call, std::size_t count) {
    if (call.size() != count + 1) {
        throw Misuse("a wrong number of arguments: " + call.dump());
    }
}

/// A string argument, which is null, a string or {"hex": "ff00"}.
class String {
  public:
    explicit String(const json &value) : null_(value.is_null()) {
        if (value.is_object()) {
            read_hex(value.at("hex"));
        } else if (!null_) {
            bytes_ = value.get<std::string>();
        }
    }

    operator eventbroker::Text() const { return null_ ? eventbroker::Text(nullptr) : eventbroker::Text(bytes_); }

    /// For a std::string, which C++ cannot say to be null.
    [[nodiscard]] const std::string &bytes() const {
        if (null_) {
            throw Misuse("a std::string cannot be null");
        }
        return bytes_;
    }

  private:
    void read_hex(const std::string &hex) {
        const std::string digits = "0123456789abcdef";
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
            bytes_ += static_cast<char>(digits.find(hex[i]) * 16 + digits.find(hex[i + 1]));
        }
    }

    bool null_;
    std::string bytes_;
};

inline eventbroker::Integer integer(const json &value) {
    if (!value.is_number_integer()) {
        throw Misuse("not an integer: " + value.dump());
    }
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>();
    }
    return value.get<std::int64_t>();
}

/// Bytes as {"hex": "ff00"}, whatever they are.
inline json bytes(const std::string &bytes) {
    std::string hex;
    for (const unsigned char byte : bytes) {
        hex += "0123456789abcdef"[byte / 16];
        hex += "0123456789abcdef"[byte % 16];
    }
    return {{"hex", hex}};
}

/// Bytes as a string, or as {"hex": "ff00"} where they are not UTF-8.
inline json text(const std::string &text) {
    try {
        (void)json(text).dump();
        return text;
    } catch (const json::type_error &) {
        return bytes(text);
    }
}

} // namespace adapter
