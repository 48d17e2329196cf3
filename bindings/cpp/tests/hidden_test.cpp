// Hidden visibility must not split the exceptions: both parts are compiled with it.
#include "hidden.hpp"

#include <eventbroker/pubsub.hpp>
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
    using namespace eventbroker;
    EXPECT_EQ(hidden::error_types(),
              (std::vector<const std::type_info *>{
                  &typeid(closed_error), &typeid(forked_error), &typeid(internal_error), &typeid(timed_out_error),
                  &typeid(in_use_error), &typeid(damaged_error), &typeid(disk_full_error)}));
}

TEST(Hidden, ThePartKnowsThatItIsCalledByAHandler) {
    eventbroker::PubSub broker;
    int inside = 0;
    broker.create_topic("t");
    broker.subscribe("t", "n", [&](const eventbroker::Message &) { return ++inside == hidden::handlers_entered(); });
    broker.publish("t", "x");
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(hidden::handlers_entered(), 0);
}

} // namespace
