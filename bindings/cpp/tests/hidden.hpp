// A part of a program compiled with hidden visibility, in a shared library of its own.
#pragma once

#include <typeinfo>
#include <vector>

namespace hidden {

#pragma GCC visibility push(default)

/// Calls a closed broker.
void throw_closed_error();

/// Creates a topic with a malformed name.
void throw_invalid_argument();

/// Whether call throws closed_error as this part knows it.
bool catches_closed_error(void (*call)());

/// This part's types of errors.
std::vector<const std::type_info *> error_types();

/// How many handlers this thread is inside of, as this part knows it.
int handlers_entered();

#pragma GCC visibility pop

} // namespace hidden
