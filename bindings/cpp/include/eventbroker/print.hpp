/// print.hpp - how the values of lists and what may be absent are printed.
#pragma once

#include <cstdint>
#include <iomanip>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace eventbroker::detail {

/// A value as a program's author would write it: "text", 17, ["a", "b"], null.
template <typename Value>
struct Printed {
    const Value &value;
};

template <typename Value>
Printed(const Value &) -> Printed<Value>;

template <typename Value>
std::ostream &operator<<(std::ostream &out, Printed<Value> printed) {
    return out << printed.value;
}

inline std::ostream &operator<<(std::ostream &out, Printed<std::string> printed) {
    return out << std::quoted(printed.value);
}

template <typename Value>
std::ostream &operator<<(std::ostream &out, Printed<std::optional<Value>> printed) {
    return printed.value ? out << Printed{*printed.value} : out << "null";
}

template <typename Value>
std::ostream &operator<<(std::ostream &out, Printed<std::vector<Value>> printed) {
    const char *separator = "[";
    for (const Value &value : printed.value) {
        out << separator << Printed{value};
        separator = ", ";
    }
    return out << (printed.value.empty() ? "[]" : "]");
}

} // namespace eventbroker::detail
