// Hidden visibility must not split the exceptions: both parts are compiled with it.
#include "hidden.hpp"

#include <eventbroker/error.hpp>
#include <gtest/gtest.h>

namespace {

TEST(Hidden, WhatThePartThrowsIsCaughtHere) {
    EXPECT_THROW(hidden::throw_closed_error(), eventbroker::closed_error);
    EXPECT_THROW(hidden::throw_invalid_argument(), std::invalid_argument);
}

TEST(Hidden, WhatIsThrownHereIsCaughtInThePart) {
    EXPECT_TRUE(hidden::catches_closed_error([] { throw eventbroker::closed_error("here"); }));
    EXPECT_FALSE(hidden::catches_closed_error([] { throw eventbroker::forked_error("here"); }));
}

// Some C++ libraries compare types by name and would hide a split; this does not.
TEST(Hidden, TheTypesAreOneObjectEach) {
    EXPECT_EQ(&typeid(eventbroker::closed_error), &hidden::closed_error_type());
    EXPECT_EQ(&typeid(eventbroker::forked_error), &hidden::forked_error_type());
    EXPECT_EQ(&typeid(eventbroker::internal_error), &hidden::internal_error_type());
}

} // namespace
