"""Wrong arguments of every kind, in every argument of every operation."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import pytest

from eventbroker import EventBroker

if TYPE_CHECKING:
    from collections.abc import Iterator

GOOD = {"topic": "t", "group": "g", "member": "m", "partition": 0, "payload": "x"}
GOOD |= {"partition_count": 1, "max_records": 1, "offset": 0}
OPERATIONS = {
    "create": ["topic", "partition_count"],
    "join": ["topic", "group", "member"],
    "leave": ["topic", "group", "member"],
    "publish": ["topic", "partition", "payload"],
    "poll": ["topic", "group", "member", "max_records"],
    "ack": ["topic", "group", "member", "partition", "offset"],
    "retry": ["topic", "group", "member", "partition", "offset"],
}
STRINGS = [(o, a) for o, names in OPERATIONS.items() for a in names if isinstance(GOOD[a], str)]
INTEGERS = [(o, a) for o, names in OPERATIONS.items() for a in names if isinstance(GOOD[a], int)]
IDENTIFIERS = [(o, a) for o, a in STRINGS if a != "payload"]
RANGED = [(o, a) for o, a in INTEGERS if a != "offset"]


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


@pytest.fixture
def untouched() -> Iterator[EventBroker]:
    """A broker on which, in the end, no call has had an effect."""
    with EventBroker(1) as broker:
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


def call(broker: EventBroker, operation: str, argument: str, value: object) -> Any:
    arguments = {name: GOOD[name] for name in OPERATIONS[operation]}
    return getattr(broker, operation)(**{**arguments, argument: value})


@pytest.mark.parametrize(("operation", "argument"), STRINGS)
def test_none_for_a_string(untouched: EventBroker, operation: str, argument: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: is null$"):
        call(untouched, operation, argument, None)


@pytest.mark.parametrize("value", ["\ud83d", "a\udfffb"])
@pytest.mark.parametrize(("operation", "argument"), STRINGS)
def test_lone_surrogate(untouched: EventBroker, operation: str, argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: .*surrogate") as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("value", [b"t", bytearray(b"t"), 1, 1.0, True, ["t"], object()])
@pytest.mark.parametrize(("operation", "argument"), STRINGS)
def test_another_type_for_a_string(
    untouched: EventBroker, operation: str, argument: str, value: object
) -> None:
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"^invalid argument: {argument}: must be str, not {name}$"):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize("value", [True, False, 0.0, 1.0, "0", b"0", None, 1j, Index()])
@pytest.mark.parametrize(("operation", "argument"), INTEGERS)
def test_another_type_for_an_integer(
    untouched: EventBroker, operation: str, argument: str, value: object
) -> None:
    name = type(value).__name__
    with pytest.raises(TypeError, match=f"^invalid argument: {argument}: must be int, not {name}$"):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize(
    "value",
    [2**63, 2**64, 2**64 + 1, -(2**63) - 1, -(2**64), 10**5000, Liar(2**64)],
    ids=["2^63", "2^64", "2^64+1", "-2^63-1", "-2^64", "10^5000", "liar"],
)
@pytest.mark.parametrize(("operation", "argument"), INTEGERS)
def test_integer_outside_64_bits(
    untouched: EventBroker, operation: str, argument: str, value: int
) -> None:
    said = "an integer of more than 128 bits" if value > 2**128 else int.__repr__(value)
    with pytest.raises(
        ValueError, match=f"^invalid argument: {argument}: {said} is outside "
    ) as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("value", [2**31, 2**32, 2**32 + 1, 2**63 - 1, -1, -(2**63)])
@pytest.mark.parametrize(("operation", "argument"), RANGED)
def test_integer_outside_its_range(
    untouched: EventBroker, operation: str, argument: str, value: int
) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: {value} is outside "):
        call(untouched, operation, argument, value)


@pytest.mark.parametrize("value", ["", "a b", "a\0b", "t\n", "é", "٣", "x" * 65, "T.t"])
@pytest.mark.parametrize(("operation", "argument"), IDENTIFIERS)
def test_no_identifier(untouched: EventBroker, operation: str, argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {argument}: ") as raised:
        call(untouched, operation, argument, value)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o != "create"])
def test_a_topic_that_does_not_exist(untouched: EventBroker, operation: str) -> None:
    with pytest.raises(ValueError, match=r'^invalid argument: topic: .*"T"'):
        call(untouched, operation, "topic", "T")


@pytest.mark.parametrize("operation", ["ack", "retry"])
def test_negative_offset(untouched: EventBroker, operation: str) -> None:
    for value in (-1, -(2**63)):
        with pytest.raises(ValueError, match=r"^invalid argument: offset: "):
            call(untouched, operation, "offset", value)


def test_payload_too_long(untouched: EventBroker) -> None:
    for payload in ("x" * 1025, "é" * 513):
        with pytest.raises(ValueError, match=r"^invalid argument: payload: "):
            untouched.publish("t", 0, payload)


def test_wide_offsets_never_match_the_record_in_flight(broker: EventBroker) -> None:
    broker.publish("t", 0, "x")
    broker.join("t", "g", "m")
    assert [r.offset for r in broker.poll("t", "g", "m", 1)] == [0]
    for offset in (2**32, 2**33, 2**63 - 1):
        assert broker.ack("t", "g", "m", 0, offset) is False
        assert broker.retry("t", "g", "m", 0, offset) is False
    assert broker.ack("t", "g", "m", 0, 0) is True


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


@pytest.mark.parametrize("value", [0, -1, 2**20 + 1, 2**32 + 1, 2**64 + 1])
def test_max_payload_out_of_range(value: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: max_payload: "):
        EventBroker(1, max_payload=value)


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_another_type_for_the_constructor(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^invalid argument: capacity_per_partition: "):
        EventBroker(value)
    with pytest.raises(TypeError, match=r"^invalid argument: max_payload: "):
        EventBroker(1, max_payload=value)
