/// frame.hpp - what the library writes into a buffer: records behind their headers, or words.
#pragma once

#include <eventbroker.h>
#include <eventbroker/error.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace eventbroker::detail {

/// Calls write(buffer, bytes) with a buffer large enough for what it writes and returns
/// take(buffer, answer). A call that answers EB_BUFFER_TOO_SMALL had no effect and is made again.
template <typename Unit, typename Write, typename Take>
auto with_buffer(Write write, Take take) {
    std::array<Unit, 8192 / sizeof(Unit)> small; // so that a usual call is the only one
    std::int64_t result = write(small.data(), static_cast<std::int64_t>(sizeof small));
    if (result != EB_BUFFER_TOO_SMALL) {
        return take(small.data(), answer(result));
    }
    std::vector<Unit> large;
    while (result == EB_BUFFER_TOO_SMALL) { // the state may have moved on since eb_needed was right
        large.resize(static_cast<std::size_t>(eb_needed()) / sizeof(Unit) + 1);
        result = write(large.data(), static_cast<std::int64_t>(large.size() * sizeof(Unit)));
    }
    return take(large.data(), answer(result));
}

/// The values that make(header, payload) gives for each of count headers, behind all of which stand
/// the payloads with nothing between.
template <typename Value, typename Header, typename Make>
std::vector<Value> read_frame(const Header *frame, std::int64_t count, Make make) {
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(count));
    const char *payload = reinterpret_cast<const char *>(frame + count);
    for (const Header *header = frame; header != frame + count; ++header) {
        const auto size = static_cast<std::size_t>(header->payload_len);
        values.push_back(make(*header, std::string_view(payload, size)));
        payload += size;
    }
    return values;
}

} // namespace eventbroker::detail
