"""EventBroker: bounded partitioned logs with consumer groups (EB-01 to EB-16)."""

from __future__ import annotations

from ctypes import c_int32
from typing import TYPE_CHECKING, NamedTuple

from . import _ffi
from ._argument import integer, text
from ._broker import DEFAULT_PAYLOAD, Broker, refuse_closed
from ._ffi import answer
from ._frame import receive, records

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_PARTITIONS = 64
_Partitions = c_int32 * _MAX_PARTITIONS


class BrokerRecord(NamedTuple):
    """A record as poll returns it: a value of the caller's own (EB-16).

    It is a named tuple: immutable, hashable, ordered field by field, and equal
    to a plain tuple of the same four values.

    >>> record = BrokerRecord("orders", 0, 7, "a")
    >>> record.offset
    7
    >>> topic, partition, offset, payload = record
    """

    topic: str
    partition: int
    offset: int
    payload: str


class EventBroker(Broker):
    """A bounded in-memory broker of partitioned topics and consumer groups.

    Any number of threads may use one broker; each call takes effect at one
    point between its start and its return, and none waits for a record, a
    member or room (EB-15). close it, or use it as a context manager; one that
    is forgotten is closed when it is collected, or when the interpreter exits.

    Topics, groups and members are 1 to 64 characters out of A-Z a-z 0-9 _ and -.
    A call that fails has changed nothing (EB-04). Besides the ValueErrors that
    the methods name, every call raises:

        TypeError: an argument is of another type. A bool is not taken for an
            int, nor bytes for a str, and nothing is converted.
        ValueError: None for a str, a str with a lone surrogate, or an int
            outside 64 bits.
        ClosedError: the broker was closed.
        ForkedError: this process is a forked child of the one that imported
            the package.
        InternalError: the library has a defect.

    >>> with EventBroker(1, max_payload=4096) as broker:
    ...     broker.create("orders", 1)
    ...     broker.publish("orders", 0, "a")
    ...     broker.publish("orders", 0, "b")
    True
    0
    -1
    """

    def __init__(self, capacity_per_partition: int, *, max_payload: int = DEFAULT_PAYLOAD) -> None:
        """Make an empty broker.

        Args:
            capacity_per_partition: records a partition retains, 1 through 1,000 (EB-01).
            max_payload: UTF-8 bytes a payload may have, 1 through 1,048,576.

        Raises:
            ValueError: either is out of its range.
        """
        capacity = integer("capacity_per_partition", capacity_per_partition)
        self._open(_ffi.event_new, _ffi.event_close, capacity, max_payload)

    def create(self, topic: str, partition_count: int) -> bool:
        """Make a topic of empty partitions (EB-02).

        Returns:
            True, or False when the topic exists; it is left as it was.

        Raises:
            ValueError: topic is no identifier, or partition_count is outside 1 through 64.
        """
        handle = self._handle or refuse_closed()
        t = text("topic", topic)
        count = integer("partition_count", partition_count)
        return answer(_ffi.event_create(handle, t, len(t), count)) == 1

    def join(self, topic: str, group: str, member: str) -> list[int]:
        """Add the member to the group, made if it is new, and rebalance (EB-07 to EB-10).

        Joining again changes nothing.

        Returns:
            The member's partitions in ascending order, possibly none.

        Raises:
            ValueError: topic does not exist, or a name is no identifier.
        """
        handle = self._handle or refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        owned = _Partitions()
        count = _ffi.event_join(handle, t, len(t), g, len(g), m, len(m), owned, _MAX_PARTITIONS)
        return owned[: answer(count)]

    def leave(self, topic: str, group: str, member: str) -> bool:
        """Remove the member and rebalance. The group's progress stays (EB-11).

        Returns:
            True, or False when there is no such group or member.

        Raises:
            ValueError: topic does not exist, or a name is no identifier.
        """
        handle = self._handle or refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        return answer(_ffi.event_leave(handle, t, len(t), g, len(g), m, len(m))) == 1

    def publish(self, topic: str, partition: int, payload: str) -> int:
        """Append the payload to the partition (EB-05).

        Returns:
            The record's offset, or -1 when the partition is full.

        Raises:
            ValueError: topic does not exist, partition is out of its range, or
                payload takes more than max_payload bytes in UTF-8.
        """
        handle = self._handle or refuse_closed()
        t, p = text("topic", topic), integer("partition", partition)
        data = text("payload", payload)
        return answer(_ffi.event_publish(handle, t, len(t), p, data, len(data)))

    def poll(self, topic: str, group: str, member: str, max_records: int) -> list[BrokerRecord]:
        """Reserve records for the member, one from each partition at rest (EB-12).

        Each is the member's until ack, retry, or a rebalance that moves its
        partition away.

        Returns:
            At most max_records records, by partition; none for an absent group or member.

        Raises:
            ValueError: topic does not exist, a name is no identifier, or
                max_records is outside 1 through 64.
        """
        handle = self._handle or refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        limit = integer("max_records", max_records)
        what = (handle, t, len(t), g, len(g), m, len(m), limit)
        found = receive(records, _ffi.event_poll, what)
        name = t.decode()
        return [BrokerRecord(name, p, offset, payload) for offset, p, payload in found]

    def ack(self, topic: str, group: str, member: str, partition: int, offset: int) -> bool:
        """Commit the record in flight: the group goes on to the next one (EB-13).

        A record that every group of the topic has acknowledged is removed in
        the same instant (EB-14).

        Returns:
            True, or False when the member does not own the partition or exactly
            this offset is not in flight.

        Raises:
            ValueError: topic does not exist, a name is no identifier, partition
                is out of its range, or offset is negative.
        """
        return self._settle(_ffi.event_ack, topic, group, member, partition, offset)

    def retry(self, topic: str, group: str, member: str, partition: int, offset: int) -> bool:
        """End the delivery in flight without committing it: poll gives it again (EB-13).

        Returns and raises what ack does.
        """
        return self._settle(_ffi.event_retry, topic, group, member, partition, offset)

    def _settle(
        self,
        call: Callable[..., int],
        topic: str,
        group: str,
        member: str,
        partition: int,
        offset: int,
    ) -> bool:
        handle = self._handle or refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        p, o = integer("partition", partition), integer("offset", offset)
        return answer(call(handle, t, len(t), g, len(g), m, len(m), p, o)) == 1
