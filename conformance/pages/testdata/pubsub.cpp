#include <eventbroker/pubsub.hpp>

#include <iostream>

static bool bill(const std::string &payload) { return !(std::cout << payload << '\n').fail(); }

int main() {
    // BLOCK
    std::cout << made << offset << confirmed << '\n';
}
