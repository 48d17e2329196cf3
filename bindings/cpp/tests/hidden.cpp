#include "hidden.hpp"

#include <eventbroker/event.hpp>
#include <eventbroker/pubsub.hpp>

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

std::vector<const std::type_info *> error_types() {
    using namespace eventbroker;
    return {&typeid(closed_error), &typeid(forked_error),  &typeid(internal_error), &typeid(timed_out_error),
            &typeid(in_use_error), &typeid(damaged_error), &typeid(disk_full_error)};
}

int handlers_entered() { return eventbroker::detail::handlers_entered; }

} // namespace hidden
