"""The system `message` for the adapter."""

from typing import Any

from eventbroker import MessageBroker

OPERATIONS = ("create_topic", "publish", "poll", "ack", "nack", "dead_letters")


def new(max_attempts: Any, options: dict[str, Any] | None = None) -> MessageBroker:
    """Make a broker; the options are a map behind the positional arguments."""
    return MessageBroker(max_attempts, **options or {})


def call(broker: MessageBroker, operation: str, *arguments: Any) -> Any:
    """Carry out an operation and return its result as the wire has it."""
    if operation not in OPERATIONS:
        raise LookupError(f"message has no operation {operation!r}")
    result = getattr(broker, operation)(*arguments)
    if operation == "poll":
        return None if result is None else result._asdict()
    return [letter._asdict() for letter in result] if operation == "dead_letters" else result
