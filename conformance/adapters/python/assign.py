"""The system `assign` for the adapter: functions, without a broker."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from typing import Any

from eventbroker.assign import Assignment, Member, Subscription, TopicPartitions, range_assign


def new() -> AbstractContextManager[None]:
    """Make nothing: there is no state."""
    return nullcontext()


def call(_: object, operation: str, *arguments: Any) -> Any:
    """Carry out an operation and return its result as the wire has it."""
    if operation not in OPERATIONS:
        raise LookupError(f"assign has no operation {operation!r}")
    return OPERATIONS[operation](*arguments)


def _subscription(fields: dict[str, Any]) -> Subscription:
    owned = [TopicPartitions(**of_topic) for of_topic in fields["owned_partitions"]]
    return Subscription(**{**fields, "owned_partitions": owned})


def _assignment(fields: dict[str, Any]) -> Assignment:
    owned = [TopicPartitions(**of_topic) for of_topic in fields["partitions"]]
    return Assignment(**{**fields, "partitions": owned})


OPERATIONS: dict[str, Callable[..., Any]] = {
    "decode_subscription": lambda data: asdict(Subscription.decode(data)),
    "encode_subscription": lambda fields: _subscription(fields).encode(),
    "decode_assignment": lambda data: asdict(Assignment.decode(data)),
    "encode_assignment": lambda fields: _assignment(fields).encode(),
    "range_assign": lambda counts, members: range_assign(counts, [Member(**m) for m in members]),
}
