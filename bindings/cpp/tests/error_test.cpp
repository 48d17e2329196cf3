// Every kind of error, and what it says.
#include "throws.hpp"

#include <eventbroker/event.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using eventbroker::EventBroker;

static_assert(std::is_base_of_v<std::logic_error, eventbroker::closed_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::forked_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::internal_error>);

TEST(Error, SaysWhichArgumentAndWhatWasWrong) {
    EventBroker broker(1);
    broker.create("t", 1);
    EXPECT_EQ(thrown<std::invalid_argument>([&] { (void)broker.poll("t", "g", "m", 65); }),
              "invalid argument: max_records: 65 is outside 1 through 64");
    EXPECT_EQ(thrown<std::invalid_argument>([&] { (void)broker.publish("orders", 0, "x"); }),
              "invalid argument: topic: \"orders\" does not exist");
    EXPECT_EQ(thrown<std::invalid_argument>([&] { EventBroker refused(1, {0}); }),
              "invalid argument: max_payload: 0 is outside 1 through 1048576");
}

TEST(Error, NamesTheArgument) {
    EventBroker broker(1);
    broker.create("t", 1);
    EXPECT_TRUE(refuses("capacity_per_partition", [] { EventBroker refused(0); }));
    EXPECT_TRUE(refuses("capacity_per_partition", [] { EventBroker refused(1001); }));
    EXPECT_TRUE(refuses("max_payload", [] { EventBroker refused(1, {EB_EVENT_MAX_PAYLOAD + 1}); }));
    EXPECT_TRUE(refuses("max_payload", [] { EventBroker refused(1, {-1}); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create("or ders", 1); }));
    EXPECT_TRUE(refuses("partition_count", [&] { broker.create("u", 65); }));
    EXPECT_TRUE(refuses("group", [&] { broker.join("t", "g\n", "m"); }));
    EXPECT_TRUE(refuses("member", [&] { broker.leave("t", "g", std::string(65, 'm')); }));
    EXPECT_TRUE(refuses("partition", [&] { (void)broker.publish("t", 1, "x"); }));
    EXPECT_TRUE(refuses("payload", [&] { (void)broker.publish("t", 0, std::string(1025, 'x')); }));
    EXPECT_TRUE(refuses("payload", [&] { (void)broker.publish("t", 0, "\xff"); }));
    EXPECT_TRUE(refuses("max_records", [&] { (void)broker.poll("t", "g", "m", 0); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.ack("t", "g", "m", 0, -1); }));
    EXPECT_TRUE(refuses("partition", [&] { broker.retry("t", "g", "m", -1, 0); }));
}

template <typename Error>
void expect_every_call_to_throw(EventBroker &broker) {
    EXPECT_NE(thrown<Error>([&] { broker.create("t", 1); }), "");
    EXPECT_NE(thrown<Error>([&] { broker.join("t", "g", "m"); }), "");
    EXPECT_NE(thrown<Error>([&] { broker.leave("t", "g", "m"); }), "");
    EXPECT_NE(thrown<Error>([&] { (void)broker.publish("t", 0, "x"); }), "");
    EXPECT_NE(thrown<Error>([&] { (void)broker.poll("t", "g", "m", 1); }), "");
    EXPECT_NE(thrown<Error>([&] { broker.ack("t", "g", "m", 0, 0); }), "");
    EXPECT_NE(thrown<Error>([&] { broker.retry("t", "g", "m", 0, 0); }), "");
}

TEST(Error, AClosedBrokerThrowsAndClosesAgain) {
    EventBroker broker(1);
    broker.create("t", 1);
    broker.close();
    expect_every_call_to_throw<eventbroker::closed_error>(broker);
    broker.close();
}

/// Runs judge in a forked child, for at most ten seconds, and returns its exit code.
template <typename Judge>
int in_child(Judge judge) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        judge();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Error, AForkedChildIsToldAtOnce) {
    EventBroker broker(1);
    broker.create("t", 1);
    EXPECT_EQ(in_child([&] {
                  EventBroker inherited(std::move(broker)); // is destroyed in the child, too
                  expect_every_call_to_throw<eventbroker::forked_error>(inherited);
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { EventBroker refused(1); }), "");
              }),
              0);
    EXPECT_EQ(broker.publish("t", 0, "the parent works on"), 0);
}

TEST(Error, OtherStatusesAreInternalErrors) {
    EXPECT_NE(thrown<eventbroker::internal_error>([] { eventbroker::detail::raise(EB_INTERNAL); }), "");
    EXPECT_NE(thrown<eventbroker::internal_error>([] { eventbroker::detail::raise(-99); }), "");
}

TEST(Error, AnotherMajorVersionIsRefused) {
    eventbroker::detail::require_abi(eb_abi_version());
    eventbroker::detail::require_abi(EB_ABI_MAJOR * 65536 + 7);
    EXPECT_EQ(thrown<eventbroker::internal_error>([] { eventbroker::detail::require_abi(2 * 65536); }),
              "libeventbroker speaks interface version 2, this header version 1");
    EXPECT_NE(thrown<eventbroker::internal_error>([] { eventbroker::detail::require_abi(65535); }), "");
}

} // namespace
