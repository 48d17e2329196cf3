"""EventBroker: bounded partitioned logs with consumer groups (EB-01 to EB-18)."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from . import _ffi
from ._accelerate import accelerate
from ._argument import integer, text
from ._batch import accepted, committed, messages_of, positions_of
from ._broker import DEFAULT_PAYLOAD, Broker, refuse_closed
from ._ffi import answer
from ._frame import receive, records
from ._record import BrokerRecord
from ._topic import MAX_PARTITIONS, Partitions, Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._topic import Resolved


@accelerate(BrokerRecord)
class EventBroker(Broker):
    """A bounded in-memory broker of partitioned topics and consumer groups.

    Any number of threads may use one broker; each call takes effect at one
    point between its start and its return, and none waits for a record, a
    member or room (EB-15). close it, or use it as a context manager; one that
    is forgotten is closed when it is collected, or when the interpreter exits.

    A topic that is used again and again is found once, with topic; its calls,
    and those of its consumers, are shorter. publish_many and ack_many do many
    things in one call.

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

    def topic(self, name: str) -> Topic:
        """Find a topic once, for calls that are shorter than those of the broker (EB-18).

        Returns:
            The topic, of no use when the broker is closed.

        Raises:
            ValueError: the topic does not exist, or name is no identifier.
        """
        handle = self._handle or refuse_closed()
        t = text("topic", name)
        found = c_uint64()
        answer(_ffi.event_topic(handle, t, len(t), byref(found)))
        return Topic._of(self, t.decode(), found.value)

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
        owned = Partitions()
        count = _ffi.event_join(handle, t, len(t), g, len(g), m, len(m), owned, MAX_PARTITIONS)
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

    def publish_many(self, topic: str, messages: Iterable[tuple[int, str]]) -> list[int]:
        """Publish each pair of partition and payload in turn, in one call (EB-17).

        All are judged before anything happens, and all take effect at one point.

        Args:
            topic: as for publish.
            messages: at most 1,024 pairs, tuples or lists.

        Returns:
            What publish would have returned for each.

        Raises:
            ValueError: topic does not exist, messages are too many, or one of
                them is wrong; the text names the first one that is, counted from 0.
        """
        handle = self._handle or refuse_closed()
        t, (frame, count) = text("topic", topic), messages_of(messages)
        return accepted(_ffi.event_publish_many, (handle, t, len(t)), frame, count)

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

    def ack_many(
        self, topic: str, group: str, member: str, positions: Iterable[tuple[int, int]]
    ) -> list[bool]:
        """Acknowledge each pair of partition and offset in turn, in one call (EB-17).

        All are judged before anything happens, and all take effect at one point.

        Args:
            topic: as for ack.
            group: as for ack.
            member: as for ack.
            positions: at most 1,024 pairs, tuples or lists.

        Returns:
            What ack would have returned for each.

        Raises:
            ValueError: topic does not exist, a name is no identifier, positions
                are too many, or one of them is wrong; the text names the first
                one that is, counted from 0.
        """
        handle = self._handle or refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        frame, count = positions_of(positions)
        what = (handle, t, len(t), g, len(g), m, len(m))
        return committed(_ffi.event_ack_many, what, frame, count)

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

    def close(self) -> None:
        """Free the broker, and all topics and consumers that were found by it.

        Further calls raise ClosedError. Closing twice is fine. Calls under way on
        other threads finish. In a forked child it does nothing.
        """
        super().close()
        for reference in self._resolved().valuerefs():  # in one step, as others may add to them
            if (resolved := reference()) is not None:
                resolved.close()

    def _resolved(self) -> WeakValueDictionary[int, Resolved]:
        """Return all topics and consumers that are in use, by their handles."""
        in_use: WeakValueDictionary[int, Resolved]
        in_use = self.__dict__.setdefault("_in_use", WeakValueDictionary())
        return in_use
