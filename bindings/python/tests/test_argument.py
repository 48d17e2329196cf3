"""Wrong arguments of every kind, in every argument of every operation."""

from __future__ import annotations

from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from handles import ByHandles

from eventbroker import EventBroker, MessageBroker, PubSub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

Kind = type[EventBroker] | type[MessageBroker] | type[PubSub]
GOOD: dict[str, Any]
GOOD = {"topic": "t", "group": "g", "member": "m", "partition": 0, "payload": "x"}
GOOD |= {"partition_count": 1, "max_records": 1, "offset": 0, "attempt": 1}
GOOD |= {"name": "n", "handler": lambda _: True}
OPERATIONS: dict[tuple[Kind, str], list[str]]
OPERATIONS = {
    (EventBroker, "create"): ["topic", "partition_count"],
    (EventBroker, "join"): ["topic", "group", "member"],
    (EventBroker, "leave"): ["topic", "group", "member"],
    (EventBroker, "publish"): ["topic", "partition", "payload"],
    (EventBroker, "poll"): ["topic", "group", "member", "max_records"],
    (EventBroker, "ack"): ["topic", "group", "member", "partition", "offset"],
    (EventBroker, "retry"): ["topic", "group", "member", "partition", "offset"],
    (MessageBroker, "create_topic"): ["topic"],
    (MessageBroker, "publish"): ["topic", "payload"],
    (MessageBroker, "poll"): ["topic", "group"],
    (MessageBroker, "ack"): ["topic", "group", "offset", "attempt"],
    (MessageBroker, "nack"): ["topic", "group", "offset", "attempt"],
    (MessageBroker, "dead_letters"): ["topic", "group"],
    (PubSub, "create_topic"): ["topic"],
    (PubSub, "subscribe"): ["topic", "name", "handler"],
    (PubSub, "unsubscribe"): ["topic", "name"],
    (PubSub, "publish"): ["topic", "payload"],
    (PubSub, "seek"): ["topic", "name", "offset"],
    (PubSub, "offset"): ["topic", "name"],
    (PubSub, "dead_letters"): ["topic", "name"],
    (PubSub, "redeliver"): ["topic", "name"],
    (PubSub, "status"): ["topic", "name"],
}
OPERATIONS |= {(ByHandles, o): names for (k, o), names in OPERATIONS.items() if k is EventBroker}
ARGUMENTS = [(*operation, a) for operation, names in OPERATIONS.items() for a in names]
STRINGS = [(k, o, a) for k, o, a in ARGUMENTS if isinstance(GOOD[a], str)]
INTEGERS = [(k, o, a) for k, o, a in ARGUMENTS if isinstance(GOOD[a], int)]
IDENTIFIERS = [(k, o, a) for k, o, a in STRINGS if a != "payload"]
RANGED = [(k, o, a) for k, o, a in INTEGERS if a != "offset"]
OFFSETS = [(k, o, a) for k, o, a in INTEGERS if a == "offset"]
ELSEWHERE = [(k, o) for k, o in OPERATIONS if k is not PubSub and not o.startswith("create")]
ELSEWHERE += [(PubSub, "subscribe")]


class Index:
    """What operator.index takes for an integer, numpy's integers for example."""

    def __index__(self) -> int:
        return 0


class Liar(int):
    """An int that would pass any comparison, and says that it is 0."""

    def __index__(self) -> int:
        return 0

    def __le__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return True


class Disguise(str):
    """A str that would encode as something else."""

    __slots__ = ()

    def encode(self, *_: object) -> bytes:
        return b"other"


class Partition(IntEnum):
    """Partitions by name."""

    FIRST = 0
    SECOND = 1


@contextmanager
def untouched_events(kind: type[EventBroker]) -> Iterator[EventBroker]:
    """A broker on which, in the end, no call has had an effect."""
    with kind(1) as broker:
        broker.create("t", 2)
        yield broker
        assert broker.publish("t", 0, "first") == 0
        assert broker.publish("t", 1, "first") == 0
        assert broker.leave("t", "g", "m") is False
        # No group was left behind, else it would hold on to the records.
        for partition in (0, 1):
            broker.join("t", "only", "m")
            broker.poll("t", "only", "m", 2)
            assert broker.ack("t", "only", "m", partition, 0)
            assert broker.publish("t", partition, "second") == 1


@contextmanager
def untouched_messages() -> Iterator[MessageBroker]:
    """A broker with a delivery in flight that, in the end, is there still."""
    with MessageBroker(1) as broker:
        broker.create_topic("t")
        broker.publish("t", "x")
        broker.poll("t", "g")
        yield broker
        assert broker.dead_letters("t", "g") == []
        assert broker.publish("t", "y") == 1
        assert broker.ack("t", "g", 0, 1) is True


@contextmanager
def untouched_pubsub() -> Iterator[PubSub]:
    """A broker with a dead letter and a failed try that, in the end, are there still."""
    with PubSub(max_attempts=2) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "other", lambda _: False)
        broker.publish("t", "x")
        broker.publish("t", "y")
        assert [broker.drain(), broker.drain()] == [0, 0]
        yield broker
        assert broker.offset("t", "n") == -1
        assert broker.status("t", "other")[1:3] == (1, 1)
        assert [letter.payload for letter in broker.dead_letters("t", "other")] == ["x"]
        assert broker.publish("t", "z") == 2


UNTOUCHED: dict[Kind, Callable[[], AbstractContextManager[Any]]]
UNTOUCHED = {
    EventBroker: partial(untouched_events, EventBroker),
    ByHandles: partial(untouched_events, ByHandles),
    MessageBroker: untouched_messages,
    PubSub: untouched_pubsub,
}


@pytest.fixture
def untouched(kind: Kind) -> Iterator[Any]:
    """A broker of that kind which no call has changed in the end."""
    with UNTOUCHED[kind]() as broker:
        yield broker


def call(broker: Any, operation: str, argument: str, value: object) -> Any:
    arguments = {name: GOOD[name] for name in OPERATIONS[type(broker), operation]}
    return getattr(broker, operation)(**{**arguments, argument: value})


@pytest.mark.parametrize(("kind", "operation", "argument"), STRINGS)
def test_none_for_a_string(untouched: Any, operation: str, argument: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: is null$"):
        call(untouched, operation, argument, None)


@pytest.mark.parametrize("value", ["\ud83d", "a\udfffb"])
@pytest.mark.parametrize(("kind", "operation", "argument"), STRINGS)
def test_lone_surrogate(untouched: Any, operation: str, argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: .*surrogate") as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("value", [b"t", bytearray(b"t"), 1, 1.0, True, ["t"], object()])
@pytest.mark.parametrize(("kind", "operation", "argument"), STRINGS)
def test_another_type_for_a_string(
    untouched: Any, operation: str, argument: str, value: object
) -> None:
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"^invalid argument: {argument}: must be str, not {name}$"):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize("value", [True, False, 0.0, 1.0, "0", b"0", None, 1j, Index()])
@pytest.mark.parametrize(("kind", "operation", "argument"), INTEGERS)
def test_another_type_for_an_integer(
    untouched: Any, operation: str, argument: str, value: object
) -> None:
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"^invalid argument: {argument}: must be int, not {name}$"):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize(
    "value",
    [2**63, 2**64, 2**64 + 1, -(2**63) - 1, -(2**64), 10**5000, Liar(2**64)],
    ids=["2^63", "2^64", "2^64+1", "-2^63-1", "-2^64", "10^5000", "liar"],
)
@pytest.mark.parametrize(("kind", "operation", "argument"), INTEGERS)
def test_integer_outside_64_bits(untouched: Any, operation: str, argument: str, value: int) -> None:
    said = "an integer of more than 128 bits" if value > 2**128 else int.__repr__(value)
    with pytest.raises(
        ValueError, match=f"^invalid argument: {argument}: {said} is outside "
    ) as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("value", [2**31, 2**32, 2**32 + 1, 2**63 - 1, -1, -(2**63)])
@pytest.mark.parametrize(("kind", "operation", "argument"), RANGED)
def test_integer_outside_its_range(
    untouched: Any, operation: str, argument: str, value: int
) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: {value} is outside "):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize("value", ["", "a b", "a\0b", "t\n", "é", "٣", "x" * 65, "T.t"])
@pytest.mark.parametrize(("kind", "operation", "argument"), IDENTIFIERS)
def test_no_identifier(untouched: Any, operation: str, argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: ") as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize(("kind", "operation"), ELSEWHERE)
def test_a_topic_that_does_not_exist(untouched: Any, operation: str) -> None:
    with pytest.raises(ValueError, match=r'^invalid argument: topic: .*"T"'):
        call(untouched, operation, "topic", "T")


@pytest.mark.parametrize(("kind", "operation", "argument"), STRINGS + INTEGERS)
def test_what_only_says_to_be_of_the_type(untouched: Any, operation: str, argument: str) -> None:
    """As mocks do, whose __class__ is what they were told."""
    kind = type(GOOD[argument])
    said = f"^invalid argument: {argument}: must be {kind.__name__}, not Mock$"
    with pytest.raises(TypeError, match=said):
        call(untouched, operation, argument, Mock(spec=kind))


@pytest.mark.parametrize(("kind", "operation", "argument"), OFFSETS)
def test_negative_offset(untouched: Any, operation: str, argument: str) -> None:
    for value in (-1, -(2**63)):
        with pytest.raises(ValueError, match=rf"^invalid argument: offset: {value} is negative"):
            call(untouched, operation, argument, value)


@pytest.mark.parametrize("kind", [EventBroker, ByHandles, MessageBroker, PubSub])
def test_payload_too_long(untouched: Any) -> None:
    for payload in ("x" * 1025, "é" * 513):
        with pytest.raises(ValueError, match=r"^invalid argument: payload: "):
            call(untouched, "publish", "payload", payload)


def test_wide_offsets_never_match_the_record_in_flight(broker: EventBroker) -> None:
    broker.publish("t", 0, "x")
    broker.join("t", "g", "m")
    assert [r.offset for r in broker.poll("t", "g", "m", 1)] == [0]
    for offset in (2**32, 2**33, 2**63 - 1):
        assert broker.ack("t", "g", "m", 0, offset) is False
        assert broker.retry("t", "g", "m", 0, offset) is False
    assert broker.ack("t", "g", "m", 0, 0) is True


def test_wide_attempts_and_offsets_never_match_the_delivery_in_flight() -> None:
    with MessageBroker(1) as broker:
        broker.create_topic("t")
        broker.publish("t", "x")
        broker.poll("t", "g")
        for settle in (broker.ack, broker.nack):
            assert settle("t", "g", 2**32, 1) is False
            assert settle("t", "g", 0, 2**31 - 1) is False
            with pytest.raises(ValueError, match="attempt: 4294967297 is outside 1 through "):
                settle("t", "g", 0, 2**32 + 1)
        assert broker.ack("t", "g", 0, 1) is True


def test_an_embedded_nul_ends_nothing(broker: EventBroker) -> None:
    with pytest.raises(ValueError, match="topic"):
        broker.create("a\0b", 1)
    assert broker.create("a", 1) is True


def test_int_and_str_subclasses_count_by_their_value(broker: EventBroker) -> None:
    assert broker.publish(Disguise("t"), Partition.SECOND, Disguise("x")) == 0
    broker.join("t", "g", Disguise("m"))
    [record] = broker.poll(Disguise("t"), "g", "m", 1)
    assert record == ("t", 1, 0, "x")
    assert type(record.topic) is str
    assert broker.ack("t", "g", "m", Partition.SECOND, Liar(0)) is True


def test_a_numpy_integer_is_refused_like_any_other_type(broker: EventBroker) -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="partition: must be int, not int64"):
        broker.publish("t", numpy.int64(0), "x")


@pytest.mark.parametrize("value", [0, -1, 1001, 2**31, 2**32 + 1, 2**63 - 1, 2**64 + 1])
def test_capacity_out_of_range(value: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: capacity_per_partition: "):
        EventBroker(value)


@pytest.mark.parametrize("value", [0, -1, 2**31, 2**32 + 1, 2**63 - 1, 2**64 + 1])
def test_attempts_out_of_range(value: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: max_attempts: "):
        MessageBroker(value)


@pytest.mark.parametrize("kind", [partial(EventBroker, 1), partial(MessageBroker, 1), PubSub])
@pytest.mark.parametrize("value", [0, -1, 2**20 + 1, 2**32 + 1, 2**64 + 1])
def test_max_payload_out_of_range(kind: Callable[..., object], value: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: max_payload: "):
        kind(max_payload=value)


@pytest.mark.parametrize(
    ("kind", "limit"), [(EventBroker, "capacity_per_partition"), (MessageBroker, "max_attempts")]
)
@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_another_type_for_the_constructor(
    kind: type[EventBroker | MessageBroker], limit: str, value: Any
) -> None:
    with pytest.raises(TypeError, match=rf"^invalid argument: {limit}: "):
        kind(value)
    with pytest.raises(TypeError, match=r"^invalid argument: max_payload: "):
        kind(1, max_payload=value)
