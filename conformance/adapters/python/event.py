"""The system `event` for the adapter."""

import sys
from typing import Any

from handles import ByHandles

from eventbroker import EventBroker

OPERATIONS = (
    *("create", "join", "leave", "publish", "poll", "ack", "retry"),
    *("publish_many", "ack_many"),
)


def new(capacity_per_partition: Any, options: dict[str, Any] | None = None) -> EventBroker:
    """Make a broker; the options are a map behind the positional arguments."""
    kind = ByHandles if "--handles" in sys.argv else EventBroker
    return kind(capacity_per_partition, **options or {})


def call(broker: EventBroker, operation: str, *arguments: Any) -> Any:
    """Carry out an operation and return its result as the wire has it."""
    if operation not in OPERATIONS:
        raise LookupError(f"event has no operation {operation!r}")
    result = getattr(broker, operation)(*arguments)
    return [record._asdict() for record in result] if operation == "poll" else result
