#include <eventbroker/event.hpp>

#include <iostream>

int main() {
    eventbroker::EventBroker broker(2);
    broker.create("orders", 1);
    const std::int64_t offset = broker.publish("orders", 0, "a");
    broker.join("orders", "billing", "m1");
    for (const eventbroker::BrokerRecord &record : broker.poll("orders", "billing", "m1", 64)) {
        std::cout << record << '\n';
        return record.offset == offset && broker.ack(record.topic, "billing", "m1", 0, offset) ? 0 : 1;
    }
    return 1;
}
