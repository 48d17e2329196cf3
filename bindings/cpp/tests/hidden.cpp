#include "hidden.hpp"

#include <eventbroker/event.hpp>

namespace hidden {

void throw_closed_error() {
    eventbroker::EventBroker broker(1);
    broker.close();
    broker.create("orders", 1);
}

void throw_invalid_argument() { eventbroker::EventBroker(1).create("or ders", 1); }

bool catches_closed_error(void (*call)()) {
    try {
        call();
    } catch (const eventbroker::closed_error &) {
        return true;
    } catch (...) {
    }
    return false;
}

const std::type_info &closed_error_type() { return typeid(eventbroker::closed_error); }

const std::type_info &forked_error_type() { return typeid(eventbroker::forked_error); }

const std::type_info &internal_error_type() { return typeid(eventbroker::internal_error); }

} // namespace hidden
