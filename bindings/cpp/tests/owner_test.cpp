// Who owns a broker, and what is left where it was moved from.
#include "throws.hpp"

#include <eventbroker/event.hpp>

#include <utility>

namespace {

using eventbroker::EventBroker;

static_assert(!std::is_copy_constructible_v<EventBroker> && !std::is_copy_assignable_v<EventBroker>);
static_assert(std::is_nothrow_move_constructible_v<EventBroker> && std::is_nothrow_move_assignable_v<EventBroker> &&
              std::is_nothrow_swappable_v<EventBroker> && std::is_nothrow_destructible_v<EventBroker>);

EventBroker with_topic(const char *topic) {
    EventBroker broker(1);
    broker.create(topic, 1);
    return broker;
}

bool has(EventBroker &broker, const char *topic) { return broker.publish(topic, 0, "x") >= -1; }

TEST(Owner, AMoveTakesTheBroker) {
    EventBroker a = with_topic("a");
    const std::uint64_t handle = a.handle();
    EventBroker b(std::move(a));
    EXPECT_EQ(b.handle(), handle);
    EXPECT_TRUE(has(b, "a"));
    EXPECT_EQ(a.handle(), 0U);
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { (void)a.publish("a", 0, "x"); }), "");
}

TEST(Owner, AMovedFromBrokerCanBeAssignedTo) {
    EventBroker a = with_topic("a");
    EventBroker b(std::move(a));
    a = with_topic("again");
    EXPECT_TRUE(has(a, "again"));
    EXPECT_TRUE(has(b, "a"));
}

TEST(Owner, AssignmentClosesWhatWasThere) {
    EventBroker a = with_topic("a");
    EventBroker old = EventBroker::from_handle(a.handle());
    a = with_topic("b");
    EXPECT_TRUE(has(a, "b"));
    EXPECT_THROW(has(old, "a"), eventbroker::closed_error);
}

TEST(Owner, ASelfMoveChangesNothing) {
    EventBroker a = with_topic("a");
    EventBroker &same = a;
    a = std::move(same);
    EXPECT_TRUE(has(a, "a"));
}

TEST(Owner, SwapExchangesBrokers) {
    EventBroker a = with_topic("a");
    EventBroker b = with_topic("b");
    using std::swap;
    swap(a, b);
    swap(a, a);
    EXPECT_TRUE(has(a, "b"));
    EXPECT_TRUE(has(b, "a"));
}

TEST(Owner, AVectorMovesThemAsItGrows) {
    std::vector<EventBroker> brokers;
    for (int i = 0; i < 10; ++i) {
        brokers.push_back(with_topic("t"));
    }
    for (EventBroker &broker : brokers) {
        EXPECT_TRUE(has(broker, "t"));
    }
}

TEST(Owner, TheDestructorCloses) {
    std::uint64_t handle = 0;
    {
        EventBroker broker(1);
        handle = broker.handle();
    }
    EXPECT_THROW(EventBroker::from_handle(handle).create("t", 1), eventbroker::closed_error);
}

TEST(Owner, ABorrowerSharesTheBrokerAndNeverCloses) {
    EventBroker owner = with_topic("t");
    {
        EventBroker borrower = EventBroker::from_handle(owner.handle());
        EXPECT_EQ(borrower.handle(), owner.handle());
        EXPECT_EQ(borrower.publish("t", 0, "x"), 0);
        EventBroker moved(std::move(borrower));
        moved.close();
        EXPECT_THROW(has(moved, "t"), eventbroker::closed_error);
    }
    EXPECT_EQ(owner.publish("t", 0, "x"), -1);
}

TEST(Owner, AMadeUpHandleThrowsOnUse) {
    for (const std::uint64_t handle : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        EventBroker broker = EventBroker::from_handle(handle);
        EXPECT_THROW(has(broker, "t"), eventbroker::closed_error);
    }
}

} // namespace
