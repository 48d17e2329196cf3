/// simple.hpp - the broker that a careful developer writes in an afternoon: containers of the standard
/// library under one mutex, the same checks, the same answers. The benchmarks compare with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace simple {

struct Record {
    std::string topic;
    int partition;
    std::int64_t offset;
    std::string payload;
};

/// Whether the text is valid UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
inline bool valid_utf8(const std::string &text) {
    const auto *p = reinterpret_cast<const unsigned char *>(text.data());
    for (const unsigned char *end = p + text.size(); p != end;) {
        const unsigned char first = *p++;
        if (first < 0x80) {
            continue;
        }
        const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4 || end - p < more) {
            return false;
        }
        const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (*p < low || *p > high || !std::all_of(p + 1, p + more, [](unsigned char c) { return c >> 6 == 2; })) {
            return false;
        }
        p += more;
    }
    return true;
}

inline void require(bool condition, const char *what) {
    if (!condition) {
        throw std::invalid_argument(what);
    }
}

class Broker {
  public:
    explicit Broker(std::size_t capacity) : capacity_(capacity) {}

    void create(const std::string &topic, int partitions) {
        const std::lock_guard lock(mutex_);
        topics_[topic].partitions.resize(static_cast<std::size_t>(partitions));
    }

    void join(const std::string &topic, const std::string &group, const std::string &member) {
        const std::lock_guard lock(mutex_);
        Topic &t = find(topic);
        const auto [found, made] = t.groups.try_emplace(group);
        Group &g = found->second;
        if (made) {
            for (const Partition &partition : t.partitions) {
                g.committed.push_back(partition.base);
            }
        }
        g.members.insert(std::lower_bound(g.members.begin(), g.members.end(), member), member);
        g.in_flight.assign(t.partitions.size(), "");
    }

    std::int64_t publish(const std::string &topic, int partition, const std::string &payload) {
        require(payload.size() <= 1024, "payload is too long");
        require(valid_utf8(payload), "payload is not UTF-8");
        const std::lock_guard lock(mutex_);
        Partition &p = find(topic).at(partition);
        if (p.records.size() == capacity_) {
            return -1;
        }
        p.records.push_back(payload);
        return p.base + static_cast<std::int64_t>(p.records.size()) - 1;
    }

    std::vector<Record> poll(const std::string &topic, const std::string &group, const std::string &member,
                             std::size_t limit) {
        require(limit >= 1 && limit <= 64, "max_records is out of range");
        std::vector<Record> records;
        const std::lock_guard lock(mutex_);
        Topic &t = find(topic);
        const auto found = t.groups.find(group);
        if (found == t.groups.end()) {
            return records;
        }
        Group &g = found->second;
        const auto place = std::lower_bound(g.members.begin(), g.members.end(), member);
        if (place == g.members.end() || *place != member) {
            return records;
        }
        for (auto i = static_cast<std::size_t>(place - g.members.begin());
             i < t.partitions.size() && records.size() < limit; i += g.members.size()) {
            const Partition &p = t.partitions[i];
            const auto index = static_cast<std::size_t>(g.committed[i] - p.base);
            if (g.in_flight[i].empty() && index < p.records.size()) {
                g.in_flight[i] = member;
                records.push_back({topic, static_cast<int>(i), g.committed[i], p.records[index]});
            }
        }
        return records;
    }

    bool ack(const std::string &topic, const std::string &group, const std::string &member, int partition,
             std::int64_t offset) {
        require(offset >= 0, "offset is negative");
        const std::lock_guard lock(mutex_);
        Topic &t = find(topic);
        Partition &p = t.at(partition);
        const auto i = static_cast<std::size_t>(partition);
        const auto found = t.groups.find(group);
        if (found == t.groups.end() || found->second.in_flight[i] != member || found->second.committed[i] != offset) {
            return false;
        }
        found->second.in_flight[i].clear();
        ++found->second.committed[i];
        trim(t, p, i);
        return true;
    }

  private:
    struct Partition {
        std::int64_t base = 0;
        std::deque<std::string> records;
    };

    struct Group {
        std::vector<std::string> members; // sorted
        std::vector<std::int64_t> committed;
        std::vector<std::string> in_flight; // by partition, who has a record
    };

    struct Topic {
        std::vector<Partition> partitions;
        std::unordered_map<std::string, Group> groups;

        Partition &at(int partition) {
            require(partition >= 0 && static_cast<std::size_t>(partition) < partitions.size(),
                    "partition is out of range");
            return partitions[static_cast<std::size_t>(partition)];
        }
    };

    Topic &find(const std::string &topic) {
        const auto found = topics_.find(topic);
        require(found != topics_.end(), "topic does not exist");
        return found->second;
    }

    /// Drops what every group has acknowledged.
    static void trim(const Topic &t, Partition &p, std::size_t i) {
        std::int64_t least = p.base + static_cast<std::int64_t>(p.records.size());
        for (const auto &[name, group] : t.groups) {
            least = std::min(least, group.committed[i]);
        }
        for (; p.base < least; ++p.base) {
            p.records.pop_front();
        }
    }

    std::mutex mutex_;
    std::size_t capacity_;
    std::unordered_map<std::string, Topic> topics_;
};

} // namespace simple
