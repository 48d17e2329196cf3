// Who owns a broker, and what is left where it was moved from.
#include "systems.hpp"

#include <utility>

namespace {

using eventbroker::EventBroker;
using eventbroker::MessageBroker;
using eventbroker::PubSub;
using Synchronous = PubSubSystem<eventbroker::Dispatcher::synchronous>;

template <typename System>
class Owner : public testing::Test {
  public:
    using Owned = typename System::Broker;

    static_assert(!std::is_copy_constructible_v<Owned> && !std::is_copy_assignable_v<Owned>);
    static_assert(std::is_nothrow_move_constructible_v<Owned> && std::is_nothrow_move_assignable_v<Owned> &&
                  std::is_nothrow_swappable_v<Owned> && std::is_nothrow_destructible_v<Owned>);

    static Owned with_topic(const char *topic) { return System::with_topic(topic); }
    static bool has(Owned &broker, const char *topic) { return System::publish(broker, topic) >= -1; }
};

TYPED_TEST_SUITE(Owner, Systems, );

TYPED_TEST(Owner, AMoveTakesTheBroker) {
    using Broker = typename TypeParam::Broker;
    Broker a = TestFixture::with_topic("a");
    const std::uint64_t handle = a.handle();
    Broker b(std::move(a));
    EXPECT_EQ(b.handle(), handle);
    EXPECT_TRUE(this->has(b, "a"));
    EXPECT_EQ(a.handle(), 0U);
    EXPECT_NE(thrown<eventbroker::closed_error>([&] { this->has(a, "a"); }), "");
}

TYPED_TEST(Owner, AMovedFromBrokerCanBeAssignedTo) {
    using Broker = typename TypeParam::Broker;
    Broker a = TestFixture::with_topic("a");
    Broker b(std::move(a));
    a = TestFixture::with_topic("again");
    EXPECT_TRUE(this->has(a, "again"));
    EXPECT_TRUE(this->has(b, "a"));
}

TYPED_TEST(Owner, AssignmentClosesWhatWasThere) {
    using Broker = typename TypeParam::Broker;
    Broker a = TestFixture::with_topic("a");
    Broker old = Broker::from_handle(a.handle());
    a = TestFixture::with_topic("b");
    EXPECT_TRUE(this->has(a, "b"));
    EXPECT_THROW(this->has(old, "a"), eventbroker::closed_error);
}

TYPED_TEST(Owner, ASelfMoveChangesNothing) {
    using Broker = typename TypeParam::Broker;
    Broker a = TestFixture::with_topic("a");
    Broker &same = a;
    a = std::move(same);
    EXPECT_TRUE(this->has(a, "a"));
}

TYPED_TEST(Owner, SwapExchangesBrokers) {
    using Broker = typename TypeParam::Broker;
    Broker a = TestFixture::with_topic("a");
    Broker b = TestFixture::with_topic("b");
    using std::swap;
    swap(a, b);
    swap(a, a);
    EXPECT_TRUE(this->has(a, "b"));
    EXPECT_TRUE(this->has(b, "a"));
}

TYPED_TEST(Owner, AVectorMovesThemAsItGrows) {
    using Broker = typename TypeParam::Broker;
    std::vector<Broker> brokers;
    for (int i = 0; i < 10; ++i) {
        brokers.push_back(TestFixture::with_topic("t"));
    }
    for (Broker &broker : brokers) {
        EXPECT_TRUE(this->has(broker, "t"));
    }
}

TYPED_TEST(Owner, TheDestructorCloses) {
    using Broker = typename TypeParam::Broker;
    std::uint64_t handle = 0;
    {
        Broker broker = TypeParam::make();
        handle = broker.handle();
    }
    Broker borrower = Broker::from_handle(handle);
    EXPECT_THROW(this->has(borrower, "t"), eventbroker::closed_error);
}

TYPED_TEST(Owner, ABorrowerSharesTheBrokerAndNeverCloses) {
    using Broker = typename TypeParam::Broker;
    Broker owner = TestFixture::with_topic("t");
    {
        Broker borrower = Broker::from_handle(owner.handle());
        EXPECT_EQ(borrower.handle(), owner.handle());
        EXPECT_TRUE(this->has(borrower, "t"));
        Broker moved(std::move(borrower));
        moved.close();
        EXPECT_THROW(this->has(moved, "t"), eventbroker::closed_error);
    }
    EXPECT_TRUE(this->has(owner, "t"));
}

TYPED_TEST(Owner, AMadeUpHandleThrowsOnUse) {
    using Broker = typename TypeParam::Broker;
    for (const std::uint64_t handle : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        Broker broker = Broker::from_handle(handle);
        EXPECT_THROW(this->has(broker, "t"), eventbroker::closed_error);
    }
}

TEST(OwnerOfAnotherSystem, ItsHandleThrowsOnUseAndIsNotClosed) {
    EventBroker event = EventSystem::with_topic("t");
    MessageBroker message = MessageSystem::with_topic("t");
    PubSub pubsub = Synchronous::with_topic("t");
    {
        EventBroker no_event = EventBroker::from_handle(message.handle());
        MessageBroker no_message = MessageBroker::from_handle(pubsub.handle());
        PubSub no_pubsub = PubSub::from_handle(event.handle());
        EventSystem::expect_every_call_to_throw<eventbroker::closed_error>(no_event);
        MessageSystem::expect_every_call_to_throw<eventbroker::closed_error>(no_message);
        Synchronous::expect_every_call_to_throw<eventbroker::closed_error>(no_pubsub);
    }
    EXPECT_EQ(event.publish("t", 0, "x"), 0);
    EXPECT_EQ(message.publish("t", "x"), 0);
    EXPECT_EQ(pubsub.publish("t", "x"), 0);
}

} // namespace
