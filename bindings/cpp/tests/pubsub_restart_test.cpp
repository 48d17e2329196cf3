// A broker on a path (PS-15): what a program finds again, and what it is refused.
#include "seen.hpp"
#include "throws.hpp"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using eventbroker::Dispatcher;
using eventbroker::Letter;
using eventbroker::Message;
using eventbroker::PubSub;
using eventbroker::PubSubOptions;
using eventbroker::Status;

/// A folder of the test's own, and the broker in it.
class Restart : public testing::Test {
  protected:
    Restart() {
        std::string name = testing::TempDir() + "eventbroker-XXXXXX";
        folder_ = ::mkdtemp(name.data());
    }
    ~Restart() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path() const { return (folder_ / "broker").string(); }

    [[nodiscard]] PubSubOptions options(Dispatcher dispatcher = Dispatcher::synchronous) const {
        PubSubOptions options = with(dispatcher);
        options.path = path();
        return options;
    }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::filesystem::path folder_;
};

TEST_F(Restart, FindsEverythingAgain) {
    {
        PubSubOptions durable = options();
        durable.sync = true;
        durable.max_attempts = 2;
        PubSub broker(durable);
        broker.create_topic("t");
        broker.subscribe("t", "n", [](const Message &m) { return m.payload == "good"; });
        broker.publish("t", "bad");
        broker.publish("t", "good");
        broker.publish("t", "tried once");
        broker.drain();
        EXPECT_EQ(broker.drain(), 1);
    }
    PubSub broker(options());
    Seen seen;
    EXPECT_FALSE(broker.create_topic("t"));
    EXPECT_EQ(broker.status("t", "n"), (Status{false, 2, 1, 0, ""}));
    EXPECT_EQ(broker.dead_letters("t", "n"), (std::vector<Letter>{{0, "bad", 2, "the handler returned false"}}));
    EXPECT_EQ(broker.publish("t", "new"), 3);
    broker.subscribe("t", "n", seen.handler());
    EXPECT_EQ(broker.drain(), 2);
    EXPECT_EQ(seen.messages(), (std::vector<Message>{{"t", 2, "tried once", 2}, {"t", 3, "new", 1}}));
}

TEST_F(Restart, DeliversWhatWaitsAsSoonAsItIsSubscribed) {
    for (const Dispatcher dispatcher : {Dispatcher::lanes, Dispatcher::pool}) {
        const std::string topic = dispatcher == Dispatcher::lanes ? "lanes" : "pool";
        {
            PubSub broker(options());
            broker.create_topic(topic);
            broker.subscribe(topic, "n", confirm);
            broker.publish(topic, "a");
        }
        Seen seen;
        PubSub broker(options(dispatcher));
        broker.subscribe(topic, "n", seen.handler());
        seen.wait_for(1);
        broker.close();
        EXPECT_EQ(seen.payloads(), Payloads{"a"});
    }
}

TEST_F(Restart, DeliversPayloadsThatWouldBeTooLongToday) {
    const std::string payload(5000, 'x');
    {
        PubSubOptions large = options();
        large.max_payload = 5000;
        PubSub broker(large);
        broker.create_topic("t");
        broker.subscribe("t", "n", confirm);
        broker.publish("t", payload);
    }
    PubSub broker(options());
    Seen seen;
    broker.subscribe("t", "n", seen.handler());
    EXPECT_EQ(broker.drain(), 1);
    EXPECT_EQ(seen.payloads(), Payloads{payload});
}

TEST_F(Restart, APathInUseIsRefused) {
    {
        PubSub broker(options());
        EXPECT_NE(thrown<eventbroker::in_use_error>([&] { PubSub refused(options()); }), "");
        broker.create_topic("t");
    }
    PubSub broker(options());
    EXPECT_FALSE(broker.create_topic("t"));
}

TEST_F(Restart, AHandlerMayCloseWhatIsThenOpenedAgain) {
    PubSub broker(options());
    broker.create_topic("t");
    broker.subscribe("t", "n", [&](const Message &) {
        broker.close();
        return true;
    });
    broker.publish("t", "x");
    EXPECT_EQ(broker.drain(), 1);
    broker.close();
    PubSub again(options());
    EXPECT_EQ(again.offset("t", "n"), 1) << "the confirmation was not kept";
}

TEST_F(Restart, ADamagedFileIsRefusedAndLeftAsItIs) {
    const std::string text(20000, 'x');
    std::ofstream(path(), std::ios::binary) << text;
    EXPECT_NE(thrown<eventbroker::damaged_error>([&] { PubSub refused(options()); }), "");
    EXPECT_EQ(bytes(), text);
}

/// No file grows while it lives, as on a disk that is full.
class FullDisk {
  public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit none{0, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

TEST_F(Restart, AFullDiskIsSaidSoAndLosesNothing) {
    PubSub broker(options());
    Seen seen;
    broker.create_topic("t");
    broker.subscribe("t", "n", seen.handler());
    EXPECT_EQ(broker.publish("t", "a"), 0);
    {
        const FullDisk full;
        EXPECT_NE(thrown<eventbroker::disk_full_error>([&] { broker.publish("t", "b"); }), "");
        EXPECT_NE(thrown<eventbroker::disk_full_error>([&] { broker.drain(); }), "") << "a confirmation was not kept";
    }
    EXPECT_EQ(broker.publish("t", "b"), 1);
    EXPECT_EQ(broker.drain(), 2);
    EXPECT_EQ(seen.payloads(), (Payloads{"a", "a", "b"}));
}

TEST_F(Restart, ADrainServesTheOthersWhereOneThatFellBehindCannotBeMovedOn) {
    PubSub broker(options());
    Seen behind;
    Seen other;
    for (const char *topic : {"short", "long"}) {
        broker.create_topic(topic, eventbroker::TopicOptions{topic[0] == 's' ? 1 : 9});
    }
    broker.subscribe("short", "n", behind.handler());
    broker.subscribe("long", "n", other.handler());
    broker.publish("short", "lost");
    broker.publish("short", "a");
    broker.publish("long", "b");
    {
        const FullDisk full;
        EXPECT_NE(thrown<eventbroker::disk_full_error>([&] { broker.drain(); }), "");
        EXPECT_EQ(behind.payloads(), Payloads{});
        EXPECT_EQ(other.payloads(), Payloads{"b"}) << "it waited for another's turn";
    }
    EXPECT_EQ(broker.drain(), 2);
    EXPECT_EQ(behind.payloads(), Payloads{"a"});
    EXPECT_EQ(broker.status("short", "n").lost, 1);
}

} // namespace
