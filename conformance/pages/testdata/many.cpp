#include <eventbroker/event.hpp>

#include <iostream>

int main() {
    eventbroker::EventBroker b(1000);
    b.create("orders", 1);
    // BLOCK
    std::cout << offsets.at(0) << offsets.at(1) << records.at(0) << acked.at(0) << '\n';
}
