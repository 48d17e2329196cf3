// W, the unit of work: publish a 100-byte payload, poll it in one group, ack it. Each way beside the
// broker that is written by hand; and a publish beside an empty call into Go.
//
// Judge by cpu_time, which is the whole process's, so that what the collector does on other threads counts; of the
// publishes by real_time, which stands for the CPU time of what is timed by hand. A run is a round: run it again and
// again for medians, as `--benchmark_format=json --benchmark_min_time=0.05`.
#include "simple.hpp"

#include <benchmark/benchmark.h>
#include <eventbroker/event.hpp>

#include <ctime>

// In a library that was built with the tag ebbench.
extern "C" std::int64_t eb_bench_empty(std::uint64_t broker, const char *topic, std::int64_t topic_len,
                                       std::int64_t partition, const char *payload, std::int64_t payload_len);

namespace {

using eventbroker::BrokerRecord;

const std::string topic = "orders";
const std::string group = "billing";
const std::string member = "m1";
const std::string payload(100, '0');

constexpr int batch = 64; // and as many partitions

template <typename Broker>
void prepare(Broker &broker, int partitions) {
    broker.create(topic, partitions);
    broker.join(topic, group, member);
}

/// W by calls that name everything.
template <typename Broker>
void work(benchmark::State &state, Broker &broker) {
    prepare(broker, 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(broker.publish(topic, 0, payload));
        for (const auto &record : broker.poll(topic, group, member, 1)) {
            broker.ack(topic, group, member, record.partition, record.offset);
        }
    }
    state.SetItemsProcessed(state.iterations());
}

void work_simple(benchmark::State &state) {
    simple::Broker broker(1000);
    work(state, broker);
}

void work_plain(benchmark::State &state) {
    eventbroker::EventBroker broker(1000);
    work(state, broker);
}

void work_handles(benchmark::State &state) {
    eventbroker::EventBroker broker(1000);
    prepare(broker, 1);
    eventbroker::Topic orders = broker.topic(topic);
    eventbroker::Consumer billing = orders.consumer(group, member);
    for (auto _ : state) {
        benchmark::DoNotOptimize(orders.publish(0, payload));
        for (const BrokerRecord &record : billing.poll(1)) {
            billing.ack(record.partition, record.offset);
        }
    }
    state.SetItemsProcessed(state.iterations());
}

/// 64 W a round. By hand there is no batch: the poll returns up to limit of the records, which are acknowledged one by
/// one.
void batch_by_hand(benchmark::State &state, std::size_t limit) {
    simple::Broker broker(1000);
    prepare(broker, batch);
    for (auto _ : state) {
        for (int p = 0; p < batch; ++p) {
            benchmark::DoNotOptimize(broker.publish(topic, p, payload));
        }
        for (int left = batch; left > 0;) {
            for (const simple::Record &record : broker.poll(topic, group, member, limit)) {
                broker.ack(topic, group, member, record.partition, record.offset);
                --left;
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * batch);
}

void batch_simple(benchmark::State &state) { batch_by_hand(state, batch); }

void batch_simple_singly(benchmark::State &state) { batch_by_hand(state, 1); }

void batch_handles(benchmark::State &state) {
    eventbroker::EventBroker broker(1000);
    prepare(broker, batch);
    eventbroker::Topic orders = broker.topic(topic);
    eventbroker::Consumer billing = orders.consumer(group, member);
    std::vector<eventbroker::BrokerMessage> messages;
    std::vector<eventbroker::BrokerPosition> done;
    for (auto _ : state) {
        messages.clear();
        for (int p = 0; p < batch; ++p) {
            messages.push_back({p, payload});
        }
        benchmark::DoNotOptimize(orders.publish_many(messages));
        done.clear();
        for (const BrokerRecord &record : billing.poll(batch)) {
            done.push_back({record.partition, record.offset});
        }
        benchmark::DoNotOptimize(billing.ack_many(done));
    }
    state.SetItemsProcessed(state.iterations() * batch);
}

/// Seconds of CPU that the process has used.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Publishes until the partitions are nearly full, and makes room outside of what is timed.
template <typename Publish>
void publish(benchmark::State &state, Publish publish) {
    constexpr int rounds = 15;
    eventbroker::EventBroker broker(rounds);
    prepare(broker, batch);
    eventbroker::Topic orders = broker.topic(topic);
    eventbroker::Consumer billing = orders.consumer(group, member);
    for (auto _ : state) {
        const double began = cpu_seconds();
        for (int i = 0; i < rounds * batch; ++i) {
            benchmark::DoNotOptimize(publish(broker.handle(), orders.handle(), i % batch));
        }
        state.SetIterationTime(cpu_seconds() - began);
        for (int i = 0; i < rounds; ++i) {
            for (const BrokerRecord &record : billing.poll(batch)) {
                billing.ack(record.partition, record.offset);
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * rounds * batch);
}

void publish_empty(benchmark::State &state) {
    publish(state, [](std::uint64_t broker, std::uint64_t, int p) {
        return eb_bench_empty(broker, topic.data(), 6, p, payload.data(), 100);
    });
}

void publish_plain(benchmark::State &state) {
    publish(state, [](std::uint64_t broker, std::uint64_t, int p) {
        return eb_event_publish(broker, topic.data(), 6, p, payload.data(), 100);
    });
}

void publish_handle(benchmark::State &state) {
    publish(state, [](std::uint64_t, std::uint64_t orders, int p) {
        return eb_event_topic_publish(orders, p, payload.data(), 100);
    });
}

BENCHMARK(work_simple)->MeasureProcessCPUTime();
BENCHMARK(work_plain)->MeasureProcessCPUTime();
BENCHMARK(work_handles)->MeasureProcessCPUTime();
BENCHMARK(batch_simple)->MeasureProcessCPUTime();
BENCHMARK(batch_simple_singly)->MeasureProcessCPUTime();
BENCHMARK(batch_handles)->MeasureProcessCPUTime();
BENCHMARK(publish_empty)->UseManualTime();
BENCHMARK(publish_plain)->UseManualTime();
BENCHMARK(publish_handle)->UseManualTime();

} // namespace

BENCHMARK_MAIN();
