// event.cpp - EventBroker: by names.
#include "event.hpp"

namespace adapter {

std::unique_ptr<System> new_event(const json &arguments) { return make_event<eventbroker::EventBroker>(arguments); }

} // namespace adapter
