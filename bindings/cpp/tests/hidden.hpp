// A part of a program compiled with hidden visibility, in a shared library of its own.
#pragma once

#include <typeinfo>

namespace hidden {

#pragma GCC visibility push(default)

/// Calls a closed broker.
void throw_closed_error();

/// Creates a topic with a malformed name.
void throw_invalid_argument();

/// Whether call throws closed_error as this part knows it.
bool catches_closed_error(void (*call)());

/// This part's types.
const std::type_info &closed_error_type();
const std::type_info &forked_error_type();
const std::type_info &internal_error_type();

#pragma GCC visibility pop

} // namespace hidden
