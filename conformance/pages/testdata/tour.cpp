#include <eventbroker/event.hpp>

#include <iostream>

int main() {
    // BLOCK
    std::cout << made << offset << owned.at(0) << records.at(0) << acked << '\n';
}
