"""Subscriptions and assignments in Kafka's bytes. The corpus proves the clauses themselves."""

from __future__ import annotations

import contextlib
import struct
from dataclasses import replace
from enum import IntEnum
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from eventbroker.assign import Assignment, Subscription, TopicPartitions

INT16 = st.integers(-(2**15), 2**15 - 1)
INT32 = st.integers(-(2**31), 2**31 - 1)
VERSIONS = st.integers(0, 3)
STRINGS = st.text(max_size=6) | st.just("x" * 32767)
OCTETS = st.none() | st.binary(max_size=9)
PARTITIONS = st.lists(st.builds(TopicPartitions, STRINGS, st.lists(INT32, max_size=5)), max_size=4)
TOPICS = st.lists(STRINGS, max_size=4)
RACKS = st.none() | STRINGS
SUBSCRIPTIONS = st.builds(Subscription, VERSIONS, TOPICS, OCTETS, PARTITIONS, INT32, RACKS)
ASSIGNMENTS = st.builds(Assignment, VERSIONS, PARTITIONS, OCTETS)

OWNED = [TopicPartitions("a", [1]), TopicPartitions("é", [2, -3])]
FULL = Subscription(3, ["a", "é"], b"\0\xff", OWNED, 7, "rack")
FULL_BYTES = bytes.fromhex(
    "0003"
    "00000002 0001 61 0002 c3a9"
    "00000002 00ff"
    "00000002 0001 61 00000001 00000001 0002 c3a9 00000002 00000002 fffffffd"
    "00000007"
    "0004 7261636b"
)
# Where a writer may stop: behind the user data, the owned partitions and the generation.
STOPS = (19, 50, 54)


class Version(IntEnum):
    """A version by name."""

    NEWEST = 3


class Disguise(bytes):
    """Bytes that would convert to something else."""

    def __bytes__(self) -> bytes:
        return b"other"


def without(value: Subscription, fields: int) -> Subscription:
    """Return the subscription with only so many of those that versions added."""
    absent: dict[str, Any] = {"owned_partitions": (), "generation_id": -1, "rack_id": None}
    return replace(value, **dict(list(absent.items())[fields:]))


def test_the_bytes_are_kafkas() -> None:
    assert FULL.encode() == FULL_BYTES
    assert Subscription.decode(FULL_BYTES) == FULL
    owned = Assignment(1, OWNED, b"")
    data = bytes.fromhex("0001") + FULL_BYTES[STOPS[0] : STOPS[1]] + bytes(4)
    assert owned.encode() == data
    assert Assignment.decode(data) == owned


@given(SUBSCRIPTIONS)
def test_a_subscription_comes_back_but_for_what_its_version_lacks(value: Subscription) -> None:
    decoded = Subscription.decode(value.encode())
    assert decoded == without(value, value.version)
    assert decoded.encode() == value.encode()


@given(ASSIGNMENTS)
def test_an_assignment_comes_back(value: Assignment) -> None:
    assert Assignment.decode(value.encode()) == value


@given(st.integers(4, 2**15 - 1), st.binary(max_size=60))
def test_a_version_to_come_is_kept_and_its_tail_never_refused(version: int, tail: bytes) -> None:
    decoded = Subscription.decode(struct.pack(">h", version) + FULL_BYTES[2 : STOPS[0]] + tail)
    assert (decoded.version, decoded.topics, decoded.user_data) == (version, ("a", "é"), b"\0\xff")


@pytest.mark.parametrize(("size", "fields"), [*zip(STOPS, (0, 1, 2), strict=True)])
def test_where_a_writer_may_stop(size: int, fields: int) -> None:
    assert Subscription.decode(FULL_BYTES[:size]) == without(FULL, fields)


@pytest.mark.parametrize("size", sorted({*range(len(FULL_BYTES))} - {*STOPS}))
def test_every_other_truncation(size: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: bytes: .* at byte \d+ ") as raised:
        Subscription.decode(FULL_BYTES[:size])
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("size", range(1, 40))
def test_every_truncation_of_an_assignment(size: int) -> None:
    data = Assignment(0, OWNED, b"\0").encode()
    with pytest.raises(ValueError, match=r"^invalid argument: bytes: .* at byte \d+ "):
        Assignment.decode(data[:-size])


HEADER = b"\0\3\0\0\0\1\0\1a"


@pytest.mark.parametrize("length", [-2, -(2**31), 2**31 - 1, 2**24, 5])
@pytest.mark.parametrize(
    ("before", "field"),
    [
        (b"\0\3", "topics count"),
        (HEADER, "user_data"),
        (HEADER + b"\xff\xff\xff\xff", "owned_partitions count"),
        (
            HEADER + b"\xff\xff\xff\xff\0\0\0\1\0\1a",
            r"owned_partitions\[0\]\.partitions count",
        ),
    ],
)
def test_a_hostile_length_names_field_and_byte(before: bytes, field: str, length: int) -> None:
    data = before + struct.pack(">i", length) + b"\0"
    with pytest.raises(ValueError, match=rf"^invalid argument: bytes: {field} .*at byte \d+ "):
        Subscription.decode(data)


@given(st.binary(max_size=80))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    for kind in (Subscription, Assignment):
        with contextlib.suppress(ValueError):
            assert kind.decode(data).version >= 0


@given(SUBSCRIPTIONS, st.data())
def test_a_changed_byte_is_decoded_or_refused(value: Subscription, draw: st.DataObject) -> None:
    data = bytearray(value.encode())
    data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    with contextlib.suppress(ValueError):
        Subscription.decode(data)


@pytest.mark.parametrize("topic", [b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5"])
def test_a_topic_that_is_not_utf8(topic: bytes) -> None:
    data = struct.pack(">hih", 0, 1, len(topic)) + topic + b"\xff\xff\xff\xff"
    with pytest.raises(ValueError, match=r"^invalid argument: bytes: topics\[0\] at byte 8 is not"):
        Subscription.decode(data)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, Disguise])
def test_what_is_like_bytes(kind: Any) -> None:
    assert Subscription.decode(kind(FULL_BYTES)) == FULL
    assert Subscription(0, [], kind(b"ab")) == Subscription(0, [], b"ab")
    assert Subscription.decode(memoryview(bytes(2 * len(FULL_BYTES)))[::2]).topics == ()


@pytest.mark.parametrize("value", ["", "00", 0, 1.0, True, ["a"], [0], object()])
def test_what_is_not(value: Any) -> None:
    name = type(value).__name__
    for kind in (Subscription, Assignment):
        with pytest.raises(
            TypeError, match=f"^invalid argument: bytes: must be bytes, not {name}$"
        ):
            kind.decode(value)
    with pytest.raises(TypeError, match=f"^invalid argument: user_data: must be bytes, not {name}"):
        Subscription(0, [], value)


def test_none_for_bytes() -> None:
    none: Any = None
    for kind in (Subscription, Assignment):
        with pytest.raises(ValueError, match=r"^invalid argument: bytes: is null$"):
            kind.decode(none)


def test_a_user_data_that_is_empty_is_not_null() -> None:
    assert Subscription.decode(Subscription(0, [], b"").encode()).user_data == b""
    assert Subscription.decode(Subscription(0, []).encode()).user_data is None
    assert Assignment.decode(Assignment(0, [], b"").encode()).user_data == b""


def test_a_long_message_is_read_whole() -> None:
    topics = [f"topic-{n}" for n in range(20_000)]
    owned = [TopicPartitions("t", range(50_000)), TopicPartitions("", [])]
    value = Subscription(3, topics, b"\1" * 200_000, owned, 0, "é" * 16_000)
    assert Subscription.decode(value.encode()) == value


# A value that is wrong in one place, that place, and what is said of it.
WRONG: list[tuple[Subscription | Assignment, str, type[Exception], str]] = [
    (replace(FULL, version=4), "version", ValueError, "4 is outside 0 through 3"),
    (replace(FULL, version=-1), "version", ValueError, "-1 is outside 0 through 3"),
    (replace(FULL, version=2**16), "version", ValueError, "65536 does not fit 16 bits"),
    (replace(FULL, version=2**64), "version", ValueError, f"{2**64} is outside"),
    (replace(FULL, version=True), "version", TypeError, "must be int, not bool"),
    (
        replace(FULL, generation_id=2**32),
        "generation_id",
        ValueError,
        "4294967296 does not fit 32 bits",
    ),
    (replace(FULL, generation_id=10**5000), "generation_id", ValueError, "an integer of more"),
    (replace(FULL, generation_id=1.0), "generation_id", TypeError, "must be int, not float"),  # type: ignore[arg-type]
    (replace(FULL, topics=["a", None]), "topics[1]", ValueError, "is null"),  # type: ignore[list-item]
    (replace(FULL, topics=[b"a"]), "topics[0]", TypeError, "must be str, not bytes"),  # type: ignore[list-item]
    (replace(FULL, topics=["\ud83d"]), "topics[0]", ValueError, "has a lone surrogate"),
    (replace(FULL, topics=["x" * 32768]), "topics[0]", ValueError, "is 32768 bytes long"),
    (replace(FULL, topics=["é" * 16384]), "topics[0]", ValueError, "is 32768 bytes long"),
    (replace(FULL, rack_id="x" * 32768), "rack_id", ValueError, "is 32768 bytes long"),
    (replace(FULL, rack_id=5), "rack_id", TypeError, "must be str, not int"),  # type: ignore[arg-type]
    (Assignment(0, [("a", [1])]), "partitions[0]", TypeError, "must be TopicPartitions, not tuple"),  # type: ignore[list-item]
    (Assignment(0, [None]), "partitions[0]", ValueError, "is null"),  # type: ignore[list-item]
    (Assignment(0, [TopicPartitions(None, [])]), "partitions[0].topic", ValueError, "is null"),  # type: ignore[arg-type]
    (
        Assignment(0, [TopicPartitions("x" * 32768, [])]),
        *("partitions[0].topic", ValueError, "is 32768 bytes long"),
    ),
]


@pytest.mark.parametrize(("value", "part", "error", "reason"), WRONG)
def test_a_value_that_cannot_be_encoded_names_its_part(
    value: Subscription | Assignment, part: str, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error) as raised:
        value.encode()
    assert type(raised.value) is error
    argument = type(value).__name__.lower()
    assert str(raised.value).startswith(f"invalid argument: {argument}: {part} {reason}")


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**64, True, 0.0, None])
def test_a_partition_that_does_not_fit_32_bits(value: Any) -> None:
    wide = type(value) is int
    reason = f"{value} is outside -2147483648 through " if wide else "must be int, not "
    owned = Assignment(0, [OWNED[0], TopicPartitions("a", [0, value])])
    with pytest.raises(ValueError if wide else TypeError) as raised:
        owned.encode()
    part = "partitions[1].partitions[1]"
    assert str(raised.value).startswith(f"invalid argument: assignment: {part} {reason}")


def test_what_a_version_lacks_is_not_judged_by_the_library() -> None:
    assert Subscription(0, [], None, OWNED, 5, "x" * 32768).encode() == bytes(6) + b"\xff" * 4


def test_subclasses_of_int_count_by_their_value() -> None:
    assert replace(FULL, version=Version.NEWEST).encode() == FULL_BYTES
    assert Assignment(0, [TopicPartitions("a", [Version.NEWEST])]).encode()[-8:-4] == b"\0\0\0\3"


def test_lists_are_copied() -> None:
    topics, user_data = ["a"], bytearray(b"u")
    value = Subscription(0, topics, user_data)  # type: ignore[arg-type]
    topics.append("b")
    user_data += b"v"
    assert (value.topics, value.user_data) == (("a",), b"u")
    assert TopicPartitions("a", range(2)) == TopicPartitions("a", (n for n in (0, 1)))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["ab", b"ab", {"a": 1}, 5, 1.5, object()])
def test_what_is_no_list(value: Any) -> None:
    name = type(value).__name__
    for field, make in (
        ("topics", lambda: Subscription(0, value)),
        ("owned_partitions", lambda: Subscription(0, [], None, value)),
        ("partitions", lambda: Assignment(0, value)),
        ("partitions", lambda: TopicPartitions("a", value)),
    ):
        with pytest.raises(TypeError, match=rf"^invalid argument: {field}: must be .*not {name}$"):
            make()


def test_none_for_a_list() -> None:
    none: Any = None
    with pytest.raises(ValueError, match=r"^invalid argument: topics: is null$"):
        Subscription(0, none)
    with pytest.raises(ValueError, match=r"^invalid argument: partitions: is null$"):
        Assignment(0, none)
