// Every kind of error, and what it says.
#include "systems.hpp"

#include <eventbroker/assign.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using eventbroker::EventBroker;
using eventbroker::MessageBroker;
namespace assign = eventbroker::assign;

static_assert(std::is_base_of_v<std::logic_error, eventbroker::closed_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::forked_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::internal_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::timed_out_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::in_use_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::damaged_error>);
static_assert(std::is_base_of_v<std::runtime_error, eventbroker::disk_full_error>);

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

TEST(Error, NamesTheArgumentOfAMessageBroker) {
    constexpr std::int64_t most = EB_MESSAGE_MAX_ATTEMPTS;
    MessageBroker broker(most);
    broker.create_topic("t");
    EXPECT_EQ(thrown<std::invalid_argument>([] { MessageBroker refused(0); }),
              "invalid argument: max_attempts: 0 is outside 1 through 2147483647");
    EXPECT_EQ(thrown<std::invalid_argument>([] { MessageBroker refused(1, {0}); }),
              "invalid argument: max_payload: 0 is outside 1 through 1048576");
    EXPECT_EQ(thrown<std::invalid_argument>([&] { broker.publish("orders", "x"); }),
              "invalid argument: topic: \"orders\" does not exist");
    EXPECT_TRUE(refuses("max_attempts", [] { MessageBroker refused(-1); }));
    EXPECT_TRUE(refuses("max_attempts", [] { MessageBroker refused(most + 1); }));
    EXPECT_TRUE(refuses("max_payload", [] { MessageBroker refused(1, {EB_EVENT_MAX_PAYLOAD + 1}); }));
    EXPECT_TRUE(refuses("max_payload", [] { MessageBroker refused(1, {-1}); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create_topic("or ders"); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create_topic(std::string(65, 't')); }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", std::string(1025, 'x')); }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", "\xff"); }));
    EXPECT_TRUE(refuses("topic", [&] { (void)broker.poll("u", "g"); }));
    EXPECT_TRUE(refuses("group", [&] { (void)broker.poll("t", "g\n"); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.ack("t", "g", -1, 1); }));
    EXPECT_TRUE(refuses("attempt", [&] { broker.ack("t", "g", 0, 0); }));
    EXPECT_TRUE(refuses("attempt", [&] { broker.nack("t", "g", 0, most + 1); }));
    EXPECT_FALSE(broker.nack("t", "g", 0, most));
    EXPECT_TRUE(refuses("group", [&] { (void)broker.dead_letters("t", ""); }));
}

TEST(Error, NamesTheArgumentOfAPubSub) {
    using eventbroker::PubSub;
    using eventbroker::PubSubOptions;
    using std::chrono::milliseconds;
    const auto with = [](auto set) {
        return [set] {
            PubSubOptions options;
            set(options);
            PubSub refused(options);
        };
    };
    const auto in_pool = [&](auto set) {
        return with([set](PubSubOptions &options) {
            options.dispatcher = eventbroker::Dispatcher::pool;
            set(options);
        });
    };
    EXPECT_TRUE(refuses("dispatcher", with([](auto &o) { o.dispatcher = static_cast<eventbroker::Dispatcher>(3); })));
    EXPECT_TRUE(refuses("workers", with([](auto &o) { o.workers = 1; })));
    EXPECT_TRUE(refuses("handler_timeout", with([](auto &o) { o.handler_timeout = milliseconds(1); })));
    EXPECT_TRUE(refuses("max_attempts", with([](auto &o) { o.max_attempts = -1; })));
    EXPECT_TRUE(refuses("block_timeout", with([](auto &o) { o.block_timeout = milliseconds(-1); })));
    EXPECT_TRUE(refuses("block_timeout", with([](auto &o) { o.block_timeout = std::chrono::hours(25); })));
    EXPECT_TRUE(refuses("max_payload", with([](auto &o) { o.max_payload = EB_PUBSUB_MAX_PAYLOAD + 1; })));
    EXPECT_TRUE(refuses("sync", with([](auto &o) { o.sync = true; })));
    EXPECT_TRUE(refuses("path", with([](auto &o) { o.path = "/nowhere/to/be/found"; })));
    EXPECT_TRUE(refuses("path", with([](auto &o) { o.path = ""; })));
    EXPECT_TRUE(refuses("workers", in_pool([](auto &o) { o.workers = EB_PUBSUB_MAX_WORKERS + 1; })));
    EXPECT_TRUE(refuses("handler_timeout", in_pool([](auto &o) { o.handler_timeout = milliseconds::max(); })));
    EXPECT_TRUE(refuses("handler_timeout", in_pool([](auto &o) { o.handler_timeout = milliseconds::min(); })));
    EXPECT_EQ(thrown<std::invalid_argument>(in_pool([](auto &o) { o.workers = 0; })),
              "invalid argument: workers: 0 is outside 1 through 1024");
    EXPECT_EQ(thrown<std::invalid_argument>(in_pool([](auto &o) { o.handler_timeout = milliseconds(0); })),
              "invalid argument: handler_timeout: 0s is outside 1ms through 24h0m0s");
    EXPECT_EQ(thrown<std::invalid_argument>(with([](auto &o) { o.block_timeout = milliseconds(0); })),
              "invalid argument: block_timeout: 0s is outside 1ms through 24h0m0s");
    EXPECT_EQ(thrown<std::invalid_argument>(with([](auto &o) { o.max_payload = 0; })),
              "invalid argument: max_payload: 0 is outside 1 through 1048576");
}

TEST(Error, NamesTheArgumentOfACallOfAPubSub) {
    using eventbroker::Handler;
    using eventbroker::SubscribeOptions;
    eventbroker::PubSub broker;
    const Handler confirm = [](const eventbroker::Message &) { return true; };
    broker.create_topic("t");
    broker.subscribe("t", "taken", confirm);
    const auto subscribe = [&](auto set) {
        SubscribeOptions options;
        set(options);
        broker.subscribe("t", "n", confirm, options);
    };
    EXPECT_EQ(thrown<std::invalid_argument>([&] { broker.create_topic("u", {0}); }),
              "invalid argument: retain: 0 is outside 1 through 2147483647");
    EXPECT_TRUE(refuses("retain", [&] { broker.create_topic("u", {-1}); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.create_topic("or ders"); }));
    EXPECT_TRUE(refuses("topic", [&] { broker.subscribe("u", "n", confirm); }));
    EXPECT_TRUE(refuses("name", [&] { broker.subscribe("t", "n\n", confirm); }));
    EXPECT_TRUE(refuses("name", [&] { broker.subscribe("t", "taken", confirm); }));
    EXPECT_TRUE(refuses("handler", [&] { broker.subscribe("t", "n", nullptr); }));
    EXPECT_TRUE(refuses("handler", [&] { broker.subscribe("t", "n", Handler()); }));
    EXPECT_TRUE(refuses(
        "handler", [&] { broker.subscribe("t", "n", static_cast<bool (*)(const eventbroker::Message &)>(nullptr)); }));
    EXPECT_TRUE(refuses("group", [&] { subscribe([](auto &o) { o.group = ""; }); }));
    EXPECT_TRUE(
        refuses("policy", [&] { subscribe([](auto &o) { o.policy = static_cast<eventbroker::Policy>(-1); }); }));
    EXPECT_TRUE(refuses("policy", [&] { subscribe([](auto &o) { o.policy = eventbroker::Policy::block; }); }));
    EXPECT_TRUE(refuses("filter", [&] {
        subscribe([&](auto &o) {
            o.group = "g";
            o.filter = confirm;
        });
    }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", std::string(1025, 'x')); }));
    EXPECT_TRUE(refuses("payload", [&] { broker.publish("t", "\xff"); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.seek("t", "taken", 1); }));
    EXPECT_TRUE(refuses("offset", [&] { broker.seek("t", "taken", -1); }));
    broker.subscribe("t", "n", confirm); // a refused call left nothing behind
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

template <typename System>
class ErrorOfAny : public testing::Test {};

TYPED_TEST_SUITE(ErrorOfAny, Systems, );

TYPED_TEST(ErrorOfAny, AClosedBrokerThrowsAndClosesAgain) {
    typename TypeParam::Broker broker = TypeParam::with_topic("t");
    broker.close();
    TypeParam::template expect_every_call_to_throw<eventbroker::closed_error>(broker);
    broker.close();
}

TYPED_TEST(ErrorOfAny, AForkedChildIsToldAtOnce) {
    using Broker = typename TypeParam::Broker;
    Broker broker = TypeParam::with_topic("t");
    EXPECT_EQ(in_child([&] {
                  Broker inherited(std::move(broker)); // is destroyed in the child, too
                  TypeParam::template expect_every_call_to_throw<eventbroker::forked_error>(inherited);
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { TypeParam::make(); }), "");
              }),
              0);
    EXPECT_EQ(TypeParam::publish(broker, "t"), 0) << "the parent works on";
}

TEST(Error, AForkedChildIsToldByTopicsAndConsumers) {
    EventBroker broker = EventSystem::with_topic("t");
    eventbroker::Topic topic = broker.topic("t");
    eventbroker::Consumer consumer = topic.join("g", "m");
    EXPECT_EQ(in_child([&] {
                  eventbroker::Topic inherited(std::move(topic)); // is destroyed in the child, too
                  EXPECT_NE(thrown<eventbroker::forked_error>([&] { (void)inherited.publish(0, "x"); }), "");
                  EXPECT_NE(thrown<eventbroker::forked_error>([&] { (void)consumer.poll(1); }), "");
                  consumer.close();
              }),
              0);
    EXPECT_EQ(topic.publish(0, "x"), 0) << "the parent works on";
    EXPECT_EQ(consumer.poll(1).size(), 1U);
}

TEST(Error, AForkedChildCannotAssign) {
    EXPECT_EQ(in_child([] {
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { (void)assign::Subscription::decode(""); }), "");
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { (void)assign::Subscription().encode(); }), "");
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { (void)assign::Assignment::decode(""); }), "");
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { (void)assign::Assignment().encode(); }), "");
                  EXPECT_NE(thrown<eventbroker::forked_error>([] { (void)assign::range_assign({}, {}); }), "");
              }),
              0);
}

TEST(Error, EveryStatusHasAType) {
    EXPECT_NE(thrown<eventbroker::timed_out_error>([] { eventbroker::detail::raise(EB_TIMED_OUT); }), "");
    EXPECT_NE(thrown<eventbroker::in_use_error>([] { eventbroker::detail::raise(EB_IN_USE); }), "");
    EXPECT_NE(thrown<eventbroker::damaged_error>([] { eventbroker::detail::raise(EB_DAMAGED); }), "");
    EXPECT_NE(thrown<eventbroker::disk_full_error>([] { eventbroker::detail::raise(EB_DISK_FULL); }), "");
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
