"""Kafka's range assignment, and the messages in which its consumers speak of it.

The leader of a consumer group does this work: it reads what every member says
it wants to consume and decides which member owns which partition, with the
answer of Kafka's default range assignor (RA-01 to RA-06). Racks are read and
written, and range_assign does not look at them.

>>> from eventbroker.assign import Assignment, Member, Subscription, TopicPartitions, range_assign
>>> joined = {"m2": Subscription(1, ["a"]).encode(), "m1": Subscription(0, ["b", "a"]).encode()}
>>> members = [Member(id, Subscription.decode(said).topics) for id, said in joined.items()]
>>> owned = range_assign({"a": 3, "b": 1}, members)
>>> owned
{'m1': {'a': [0, 1], 'b': [0]}, 'm2': {'a': [2]}}
>>> Assignment(1, [TopicPartitions(*topic) for topic in owned["m2"].items()])
Assignment(version=1, partitions=(TopicPartitions(topic='a', partitions=(2,)),), user_data=None)

The classes are values: immutable, comparable and hashable. Lists that they are
made of are copied to tuples, and judged when they are encoded or assigned.
Besides the ValueErrors that are named, what encodes, decodes or assigns raises:

    TypeError: a value is of another type. A bool is not taken for an int, nor a
        str for bytes.
    ValueError: None where a value other than an int belongs, a str with a lone
        surrogate, or an int outside its bits.
    ForkedError: this process is a forked child of the one that imported the
        package.
    InternalError: the library has a defect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _ffi
from ._argument import instance, items, octets
from ._frame import contents, receive
from ._words import WordReader, WordWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

__all__ = ["Assignment", "Member", "Subscription", "TopicPartitions", "range_assign"]


@dataclass(frozen=True, slots=True)
class TopicPartitions:
    """Partitions of one topic, in the order of the message."""

    topic: str
    partitions: Sequence[int]

    def __post_init__(self) -> None:
        _keep(self, "partitions", items)


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a member tells its group when it joins: ConsumerProtocolSubscription.

    >>> Subscription.decode(bytes.fromhex("0000 00000001 0001 61 ffffffff")).topics
    ('a',)
    """

    version: int
    topics: Sequence[str]
    user_data: bytes | None = None
    """None for null, which is not the same as empty."""
    owned_partitions: Sequence[TopicPartitions] = ()
    """From version 1: what the member owned before the rebalance."""
    generation_id: int = -1
    """From version 2: the generation in which it owned them, -1 for none."""
    rack_id: str | None = None
    """From version 3."""

    def __post_init__(self) -> None:
        _keep(self, "topics", items)
        _keep(self, "owned_partitions", items)
        if self.user_data is not None:
            _keep(self, "user_data", octets)

    @classmethod
    def decode(cls, data: bytes | bytearray | memoryview, /) -> Self:
        """Read a subscription (RA-01).

        The writer may have stopped before the owned partitions, the generation
        or the rack. A version above 3 is kept and read as 3. Bytes left over
        are ignored.

        Raises:
            ValueError: data is malformed; the message names the field and its
                byte offset (RA-02).
        """
        frame = _answer(_ffi.assign_decode_subscription, octets("bytes", data))
        return cls(
            version=frame.number(),
            topics=frame.texts(),
            user_data=frame.optional_octets(),
            owned_partitions=_read_partitions(frame),
            generation_id=frame.number(),
            rack_id=frame.optional_text(),
        )

    def encode(self) -> bytes:
        """Return the message in its version, without what that version lacks (RA-03).

        Raises:
            ValueError: version is outside 0 through 3, a string takes more than
                32,767 bytes in UTF-8, or another integer more than 32 bits.
        """
        frame = WordWriter("subscription")
        frame.number("version", self.version)
        frame.texts("topics", self.topics)
        frame.optional_octets("user_data", self.user_data)
        _write_partitions(frame, "owned_partitions", self.owned_partitions)
        frame.number("generation_id", self.generation_id)
        frame.optional_text("rack_id", self.rack_id)
        return _bytes(_ffi.assign_encode_subscription, frame.whole())


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the leader of a group tells a member: ConsumerProtocolAssignment.

    It is alike in every version.

    >>> Assignment(0, [TopicPartitions("a", [2])]).encode().hex()
    '0000000000010001610000000100000002ffffffff'
    """

    version: int
    partitions: Sequence[TopicPartitions]
    user_data: bytes | None = None
    """None for null, which is not the same as empty."""

    def __post_init__(self) -> None:
        _keep(self, "partitions", items)
        if self.user_data is not None:
            _keep(self, "user_data", octets)

    @classmethod
    def decode(cls, data: bytes | bytearray | memoryview, /) -> Self:
        """Read an assignment, of which nothing may be missing (RA-03).

        Any version from 0 is read and kept. Bytes left over are ignored.

        Raises:
            ValueError: data is malformed; the message names the field and its
                byte offset (RA-02).
        """
        frame = _answer(_ffi.assign_decode_assignment, octets("bytes", data))
        return cls(
            version=frame.number(),
            partitions=_read_partitions(frame),
            user_data=frame.optional_octets(),
        )

    def encode(self) -> bytes:
        """Return the message (RA-03).

        Raises:
            ValueError: version is outside 0 through 3, a topic takes more than
                32,767 bytes in UTF-8, or a partition more than 32 bits.
        """
        frame = WordWriter("assignment")
        frame.number("version", self.version)
        _write_partitions(frame, "partitions", self.partitions)
        frame.optional_octets("user_data", self.user_data)
        return _bytes(_ffi.assign_encode_assignment, frame.whole())


@dataclass(frozen=True, slots=True)
class Member:
    """One consumer of a group, and the topics that it subscribes to in any order."""

    id: str
    topics: Sequence[str]
    instance_id: str | None = None
    """The group instance id of a static member."""

    def __post_init__(self) -> None:
        _keep(self, "topics", items)


def range_assign(
    partitions_by_topic: Mapping[str, int], members: Iterable[Member]
) -> dict[str, dict[str, list[int]]]:
    """Decide which member owns which partition as Kafka's range assignor does (RA-04).

    Topic by topic, the members that subscribe to it get consecutive partitions,
    those at the front one more where they do not divide evenly. Members are
    sorted by id in the order of UTF-16 code units; those with an instance id
    come first, sorted by that.

    >>> range_assign({"t": 5}, [Member("m1", ["t"]), Member("m2", ["t"], instance_id="i")])
    {'m2': {'t': [0, 1, 2]}, 'm1': {'t': [3, 4]}}

    Args:
        partitions_by_topic: how many partitions each topic has.
        members: those of the group. A topic that is named twice counts once, and
            one without partitions not at all (RA-05).

    Returns:
        For every member, in the order of sorting, the topics that it got and
        their partitions in ascending order; the caller's own.

    Raises:
        ValueError: an id or instance id is empty or used twice, or a count is
            negative, or they are more than 10,000,000 in all (RA-06).
    """
    group = _counts(partitions_by_topic) + _members(members)
    assigned = _answer(_ffi.assign_range, group)
    return {assigned.text(): _read_owned(assigned) for _ in range(assigned.number())}


def _keep(value: object, field: str, judge: Callable[..., object]) -> None:
    """Replace a field of a value that is being made by what judge makes of it."""
    object.__setattr__(value, field, judge(field, getattr(value, field)))


def _bytes(call: Callable[..., int], data: bytes) -> bytes:
    return receive(contents, call, (data, len(data)))


def _answer(call: Callable[..., int], data: bytes) -> WordReader:
    return WordReader(_bytes(call, data))


def _counts(partitions_by_topic: Mapping[str, int]) -> bytes:
    frame = WordWriter("partitions_by_topic")
    counts = list(instance("partitions_by_topic", partitions_by_topic, Mapping).items())
    frame.count(len(counts))
    for topic, count in counts:
        frame.text("a topic", topic)
        frame.number(f"count of topic {topic[:64]!a}", count)
    return frame.whole()


def _members(members: Iterable[Member]) -> bytes:
    frame = WordWriter("members")
    group = items("members", members)
    frame.count(len(group))
    for i, member in enumerate(group):
        instance(frame.name(f"member {i}"), member, Member)
        frame.text(f"id of member {i}", member.id)
        frame.optional_text(f"instance_id of member {i}", member.instance_id)
        frame.count(len(member.topics))
        for j, topic in enumerate(member.topics):
            frame.text(f"topics[{j}] of member {i}", topic)
    return frame.whole()


def _write_partitions(frame: WordWriter, part: str, owned: Sequence[TopicPartitions]) -> None:
    frame.count(len(owned))
    for i, of_topic in enumerate(owned):
        instance(frame.name(f"{part}[{i}]"), of_topic, TopicPartitions)
        frame.text(f"{part}[{i}].topic", of_topic.topic)
        frame.int32s(f"{part}[{i}].partitions", of_topic.partitions)


def _read_partitions(frame: WordReader) -> tuple[TopicPartitions, ...]:
    return tuple(TopicPartitions(frame.text(), frame.int32s()) for _ in range(frame.number()))


def _read_owned(frame: WordReader) -> dict[str, list[int]]:
    return {frame.text(): list(frame.int32s()) for _ in range(frame.number())}
