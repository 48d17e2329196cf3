"""Batches (EB-17): what is taken for one, what is refused, and what each element did."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import Mock

import pytest
from handles import ByHandles

from eventbroker import EventBroker, _ffi
from eventbroker._batch import accepted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Place(NamedTuple):
    """A position by names."""

    partition: int
    offset: int


@pytest.fixture(params=[EventBroker, ByHandles])
def untouched(request: pytest.FixtureRequest) -> Iterator[EventBroker]:
    """A broker with a record in flight on which, in the end, no call has had an effect."""
    with request.param(2) as broker:
        broker.create("t", 2)
        broker.publish("t", 0, "first")
        broker.join("t", "g", "m")
        broker.poll("t", "g", "m", 1)
        yield broker
        assert broker.publish("t", 0, "second") == 1
        assert broker.publish("t", 1, "first") == 0
        assert broker.ack("t", "g", "m", 0, 0) is True


def test_each_element_gets_the_answer_of_its_own_call(broker: EventBroker) -> None:
    messages = [(0, str(n)) for n in range(6)] + [(1, "é\0🔥")]
    assert broker.publish_many("t", messages) == [0, 1, 2, 3, 4, -1, 0]
    broker.join("t", "g", "m")
    broker.poll("t", "g", "m", 2)
    acked = broker.ack_many("t", "g", "m", [(0, 1), (1, 0), (0, 0), (0, 0), (0, 2**63 - 1)])
    assert acked == [False, True, True, False, False]
    assert all(type(one) is bool for one in acked)


def test_any_iterable_of_pairs_will_do(broker: EventBroker) -> None:
    assert broker.publish_many("t", ((0, c) for c in "ab")) == [0, 1]
    assert broker.publish_many("t", {0: "c"}.items()) == [2]
    assert broker.publish_many("t", ([1, "d"],)) == [0]  # type: ignore[arg-type]
    broker.join("t", "g", "m")
    broker.poll("t", "g", "m", 2)
    assert broker.ack_many("t", "g", "m", [Place(0, 0), Place(1, 0)]) == [True, True]


def test_none_is_fine(broker: EventBroker) -> None:
    assert broker.publish_many("t", []) == []
    assert broker.ack_many("t", "g", "m", ()) == []


def test_1024_are_allowed(broker: EventBroker) -> None:
    assert broker.publish_many("t", [(0, "x" * 1024)] * 1024) == [0, 1, 2, 3, 4] + [-1] * 1019
    assert broker.ack_many("t", "g", "m", [(0, 0)] * 1024) == [False] * 1024


def of_messages(broker: EventBroker, value: Any) -> list[int]:
    return broker.publish_many("t", value)


def of_positions(broker: EventBroker, value: Any) -> list[bool]:
    return broker.ack_many("t", "g", "m", value)


BATCHES = [(of_messages, "messages", "message"), (of_positions, "positions", "position")]


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
@pytest.mark.parametrize("value", ["ab", b"ab", {0: "x"}, 5, object()])
def test_what_is_no_iterable_of_pairs(
    untouched: EventBroker,
    batch: Callable[[EventBroker, Any], object],
    name: str,
    element: str,
    value: object,
) -> None:
    del element
    with pytest.raises(TypeError, match=f"^invalid argument: {name}: must be a list or another"):
        batch(untouched, value)


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
def test_null(
    untouched: EventBroker, batch: Callable[[EventBroker, Any], object], name: str, element: str
) -> None:
    with pytest.raises(ValueError, match=f"^invalid argument: {name}: is null$"):
        batch(untouched, None)
    with pytest.raises(ValueError, match=f"^invalid argument: {name}: {element} 0: is null$"):
        batch(untouched, [None])


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
def test_what_is_no_pair(
    untouched: EventBroker, batch: Callable[[EventBroker, Any], object], name: str, element: str
) -> None:
    for value in ("ab", b"ab", 5, {1, 2}):
        kind = type(value).__name__
        said = f"^invalid argument: {name}: {element} 0: must be a pair, not {kind}$"
        with pytest.raises(TypeError, match=said):
            batch(untouched, [value])
    for size in (0, 1, 3):
        said = f"^invalid argument: {name}: {element} 0: has {size} elements; 2 are needed$"
        with pytest.raises(ValueError, match=said):
            batch(untouched, [(0,) * size])


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
def test_too_many(
    untouched: EventBroker, batch: Callable[[EventBroker, Any], object], name: str, element: str
) -> None:
    del element
    said = f"^invalid argument: {name}: has 1025 elements; at most 1024 are allowed$"
    with pytest.raises(ValueError, match=said):
        batch(untouched, [(0, 0)] * 1025)
    said = f"^invalid argument: {name}: has 1025 or more elements; at most 1024 are allowed$"
    with pytest.raises(ValueError, match=said):
        batch(untouched, repeat((0, 0)))


class Counted:
    """What counts how many of its elements were taken."""

    taken = 0

    def __len__(self) -> int:
        return 2**62

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while self.taken < 5000:
            self.taken += 1
            yield 0, 0


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
def test_no_more_are_taken_than_is_needed_to_refuse(
    untouched: EventBroker, batch: Callable[[EventBroker, Any], object], name: str, element: str
) -> None:
    del element
    value = Counted()
    said = f"^invalid argument: {name}: has 1025 or more elements; at most 1024 are allowed$"
    with pytest.raises(ValueError, match=said):
        batch(untouched, value)
    assert value.taken == 1025
    with pytest.raises(ValueError, match=said):
        batch(untouched, range(2**80))


class Other(list[Any]):
    """A list that says to be of two elements, and iterates over three."""

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[Any]:
        return iter("abc")


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
def test_a_pair_is_what_its_elements_are(
    untouched: EventBroker, batch: Callable[[EventBroker, Any], object], name: str, element: str
) -> None:
    said = f"^invalid argument: {name}: {element} 0: has 3 elements; 2 are needed$"
    with pytest.raises(ValueError, match=said):
        batch(untouched, [Other()])
    said = f"^invalid argument: {name}: {element} 0: must be a pair, not Mock$"
    with pytest.raises(TypeError, match=said):
        batch(untouched, [Mock(spec=list)])


def test_payloads_that_no_broker_takes_are_not_gathered(
    untouched: EventBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = []

    def crossing(_: object, what: tuple[object, ...], frame: bytes, count: int) -> list[int]:
        frames.append(len(frame))
        return accepted(_ffi.event_publish_many, what, frame, count)

    large = "x" * (2**20 + 1)
    monkeypatch.setattr("eventbroker._event.accepted", crossing)
    said = "^invalid argument: messages: payload of message 1: is 1048577 bytes long; at most 1024"
    with pytest.raises(ValueError, match=said):
        EventBroker.publish_many(untouched, "t", [(0, "x"), *[(0, large)] * 20])
    assert frames == [2 * 16 + 1 + len(large)]


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
@pytest.mark.parametrize("value", [True, 0.0, "0", None])
def test_another_type_for_a_partition(
    untouched: EventBroker,
    batch: Callable[[EventBroker, Any], object],
    name: str,
    element: str,
    value: object,
) -> None:
    good: Any = (0, "x") if name == "messages" else (0, 0)
    kind = type(value).__name__
    said = f"^invalid argument: {name}: partition of {element} 1: must be int, not {kind}$"
    with pytest.raises(TypeError, match=said):
        batch(untouched, [good, (value, good[1])])


@pytest.mark.parametrize(("batch", "name", "element"), BATCHES)
@pytest.mark.parametrize("value", [2, -1, 2**32, 2**63 - 1, 2**63, 2**64, 2**999])
def test_a_partition_out_of_range(
    untouched: EventBroker,
    batch: Callable[[EventBroker, Any], object],
    name: str,
    element: str,
    value: int,
) -> None:
    good: Any = (0, "x") if name == "messages" else (0, 0)
    said = f"^invalid argument: {name}: partition of {element} 1: .* is outside "
    with pytest.raises(ValueError, match=said):
        batch(untouched, [good, (value, good[1])])


@pytest.mark.parametrize("payload", ["x" * 1025, "é" * 513, "\ud83d", None])
def test_a_wrong_payload(untouched: EventBroker, payload: Any) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: messages: payload of message 1: "):
        untouched.publish_many("t", [(0, "x"), (0, payload)])


def test_another_type_for_a_payload(untouched: EventBroker) -> None:
    said = "^invalid argument: messages: payload of message 0: must be str, not bytes$"
    with pytest.raises(TypeError, match=said):
        untouched.publish_many("t", [(0, b"x")])  # type: ignore[list-item]


@pytest.mark.parametrize("offset", [-1, -(2**63), 2**63, 2**64])
def test_a_wrong_offset(untouched: EventBroker, offset: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: positions: offset of position 1: "):
        untouched.ack_many("t", "g", "m", [(0, 0), (0, offset)])


def test_names_are_judged_as_everywhere(untouched: EventBroker) -> None:
    with pytest.raises(ValueError, match=r'^invalid argument: topic: .*"T"'):
        untouched.publish_many("T", [])
    with pytest.raises(ValueError, match=r"^invalid argument: topic: is null$"):
        untouched.publish_many(None, [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^invalid argument: group: "):
        untouched.ack_many("t", "a b", "m", [])
    with pytest.raises(TypeError, match=r"^invalid argument: member: must be str, not int$"):
        untouched.ack_many("t", "g", 1, [])  # type: ignore[arg-type]
