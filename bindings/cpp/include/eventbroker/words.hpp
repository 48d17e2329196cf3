/// words.hpp - word frames, in which structured values cross the C interface: see eventbroker.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eventbroker::detail {

/// How many words hold so many bytes.
constexpr std::size_t words_of(std::size_t bytes) { return (bytes + 7) / 8; }

/// Builds a word frame.
class WordWriter {
  public:
    void number(std::int64_t value) { words_.push_back(value); }

    void string(std::string_view value) {
        number(static_cast<std::int64_t>(value.size()));
        bytes(value.data(), value.size());
    }

    void nullable_string(const std::optional<std::string> &value) {
        if (value) {
            string(*value);
        } else {
            number(null);
        }
    }

    void int32s(const std::vector<std::int32_t> &values) {
        number(static_cast<std::int64_t>(values.size()));
        bytes(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(std::int32_t));
    }

    /// A list of what write(value) writes.
    template <typename Values, typename Write>
    void list(const Values &values, Write write) {
        number(static_cast<std::int64_t>(values.size()));
        for (const auto &value : values) {
            write(value);
        }
    }

    void strings(const std::vector<std::string> &values) {
        list(values, [this](const std::string &value) { string(value); });
    }

    [[nodiscard]] const void *data() const noexcept { return words_.data(); }

    /// In bytes.
    [[nodiscard]] std::int64_t size() const noexcept {
        return static_cast<std::int64_t>(words_.size() * sizeof(std::int64_t));
    }

    static constexpr std::int64_t null = -1; ///< the length of the null string

  private:
    void bytes(const char *data, std::size_t size) {
        const std::size_t end = words_.size();
        words_.resize(end + words_of(size));
        std::copy_n(data, size, reinterpret_cast<char *>(words_.data() + end));
    }

    std::vector<std::int64_t> words_;
};

/// Takes a word frame of the library's apart, from the front.
class WordReader {
  public:
    explicit WordReader(const std::int64_t *words) noexcept : next_(words) {}

    std::int64_t number() noexcept { return *next_++; }

    std::string string() {
        const auto size = static_cast<std::size_t>(number());
        return std::string(bytes(size), size);
    }

    std::optional<std::string> nullable_string() {
        if (*next_ != WordWriter::null) {
            return string();
        }
        ++next_;
        return std::nullopt;
    }

    std::vector<std::int32_t> int32s() {
        std::vector<std::int32_t> values(static_cast<std::size_t>(number()));
        const std::size_t size = values.size() * sizeof(std::int32_t);
        std::copy_n(bytes(size), size, reinterpret_cast<char *>(values.data()));
        return values;
    }

    /// Calls read() for each element of a list.
    template <typename Read>
    void each(Read read) {
        for (std::int64_t left = number(); left > 0; --left) {
            read();
        }
    }

    /// A list of what read() reads.
    template <typename Read>
    auto list(Read read) {
        std::vector<decltype(read())> values;
        values.reserve(static_cast<std::size_t>(*next_));
        each([&] { values.push_back(read()); });
        return values;
    }

    std::vector<std::string> strings() {
        return list([this] { return string(); });
    }

  private:
    const char *bytes(std::size_t size) noexcept {
        const std::int64_t *words = next_;
        next_ += words_of(size);
        return reinterpret_cast<const char *>(words);
    }

    const std::int64_t *next_;
};

} // namespace eventbroker::detail
