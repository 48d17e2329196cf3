#include <eventbroker/assign.hpp>

#include <iostream>

int main() {
    const std::string sent = eventbroker::assign::Subscription{0, {"orders"}, {}, {}, -1, {}}.encode();
    // BLOCK
    std::cout << owned.at("m1").at("orders").size() << '\n';
}
