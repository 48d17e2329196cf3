#include <eventbroker/message.hpp>

#include <iostream>

int main() {
    // BLOCK
    std::cout << made << offset << *d << acked << letters.size() << '\n';
}
