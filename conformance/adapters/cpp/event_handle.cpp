// event_handle.cpp - EventBroker: by topics and consumers that are found once and kept (EB-18).
#include "event.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace adapter {
namespace {

using eventbroker::Consumer;
using eventbroker::EventBroker;
using eventbroker::Integer;
using eventbroker::Text;
using eventbroker::Topic;

/// The methods of an EventBroker, each made of a find and a call.
class ByHandle {
  public:
    using Options = EventBroker::Options;

    ByHandle(Integer capacity_per_partition, Options options) : broker_(capacity_per_partition, options) {}

    bool create(Text topic, Integer partition_count) { return broker_.create(topic, partition_count); }

    std::int64_t publish(Text topic, Integer partition, Text payload) {
        return find(topic).publish(partition, payload);
    }

    std::vector<std::int64_t> publish_many(Text topic, const std::vector<eventbroker::BrokerMessage> &messages) {
        return find(topic).publish_many(messages);
    }

    std::vector<std::int32_t> join(Text topic, Text group, Text member) { return find(topic, group, member).join(); }

    bool leave(Text topic, Text group, Text member) { return find(topic, group, member).leave(); }

    std::vector<eventbroker::BrokerRecord> poll(Text topic, Text group, Text member, Integer max_records) {
        return find(topic, group, member).poll(max_records);
    }

    bool ack(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return find(topic, group, member).ack(partition, offset);
    }

    std::vector<bool> ack_many(Text topic, Text group, Text member,
                               const std::vector<eventbroker::BrokerPosition> &positions) {
        return find(topic, group, member).ack_many(positions);
    }

    bool retry(Text topic, Text group, Text member, Integer partition, Integer offset) {
        return find(topic, group, member).retry(partition, offset);
    }

  private:
    /// What is kept under the names, or what make() makes: null stands for the empty name, which is never kept.
    template <typename Kept, typename Make>
    auto &find(Kept &kept, const typename Kept::key_type &names, Make make) {
        const std::lock_guard guard(mutex_);
        const auto found = kept.find(names);
        return found != kept.end() ? found->second : kept.emplace(names, make()).first->second;
    }

    Topic &find(Text topic) {
        return find(topics_, {topic.string()}, [&] { return broker_.topic(topic); });
    }

    Consumer &find(Text topic, Text group, Text member) {
        Topic &found = find(topic);
        return find(consumers_, {topic.string(), group.string(), member.string()},
                    [&] { return found.consumer(group, member); });
    }

    EventBroker broker_;
    std::mutex mutex_; // a case's threads run at once; guards what follows, but not what is kept in it
    std::map<std::vector<std::string>, Topic> topics_;
    std::map<std::vector<std::string>, Consumer> consumers_;
};

} // namespace

std::unique_ptr<System> new_event_by_handle(const json &arguments) { return make_event<ByHandle>(arguments); }

} // namespace adapter
