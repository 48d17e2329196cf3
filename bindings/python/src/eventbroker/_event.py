"""EventBroker: bounded partitioned logs with consumer groups (EB-01 to EB-16)."""

from __future__ import annotations

import weakref
from ctypes import byref, c_char, c_int32, c_uint64, sizeof
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from . import _ffi
from ._argument import UINT64_MAX, integer, text
from ._error import ClosedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from ctypes import Array
    from types import TracebackType

    from typing_extensions import Self

_MAX_PARTITIONS = 64
_MAX_RECORDS = 64
_DEFAULT_PAYLOAD = 1024
_MAX_PAYLOAD = 1024 * 1024

_HEADER = Struct("<qii")  # offset, partition, payload's length in bytes
_FRAME_SIZE = _MAX_RECORDS * (_HEADER.size + _DEFAULT_PAYLOAD)
_Frame = c_char * _FRAME_SIZE
_Partitions = c_int32 * _MAX_PARTITIONS

# Frames that no poll is using; there are as many as there ever were polls at
# once. Each poll takes one out for itself, so that a signal handler or another
# thread that polls meanwhile gets another. list.pop and append are atomic.
_spare_frames: list[Array[c_char]] = []


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


class EventBroker:
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

    # For an object whose __init__ did not run to its end.
    _handle = 0
    _finalizer: weakref.finalize[[int], EventBroker] | None = None

    def __init__(self, capacity_per_partition: int, *, max_payload: int = _DEFAULT_PAYLOAD) -> None:
        """Make an empty broker.

        Args:
            capacity_per_partition: records a partition retains, 1 through 1,000 (EB-01).
            max_payload: UTF-8 bytes a payload may have, 1 through 1,048,576.

        Raises:
            ValueError: either is out of its range.
        """
        self._handle = _new(capacity_per_partition, max_payload)
        self._finalizer = weakref.finalize(self, _ffi.event_close, self._handle)

    @classmethod
    def from_handle(cls, handle: int) -> Self:
        """Return another way to a broker that is open in this process already.

        The broker is borrowed: closing what is returned leaves it open, and it
        must be kept open by whoever made it, in whatever language. The handle
        is looked up by the calls: a stale one makes them raise ClosedError.

        >>> with EventBroker(1) as owner:
        ...     EventBroker.from_handle(owner.handle).create("orders", 1)
        True

        Raises:
            ValueError: handle is below 1 or outside 64 bits.
        """
        broker = cls.__new__(cls)
        broker._handle = integer("handle", handle, 1, UINT64_MAX)
        return broker

    @property
    def handle(self) -> int:
        """The number by which all languages in this process know the broker."""
        return self._handle or _refuse_closed()

    def close(self) -> None:
        """Free the broker; further calls raise ClosedError. Closing twice is fine.

        Calls under way on other threads finish. In a forked child it does nothing.
        """
        self._handle = 0
        if self._finalizer is not None:
            self._finalizer()

    def create(self, topic: str, partition_count: int) -> bool:
        """Make a topic of empty partitions (EB-02).

        Returns:
            True, or False when the topic exists; it is left as it was.

        Raises:
            ValueError: topic is no identifier, or partition_count is outside 1 through 64.
        """
        handle = self._handle or _refuse_closed()
        t = text("topic", topic)
        count = integer("partition_count", partition_count)
        return _answer(_ffi.event_create(handle, t, len(t), count)) == 1

    def join(self, topic: str, group: str, member: str) -> list[int]:
        """Add the member to the group, made if it is new, and rebalance (EB-07 to EB-10).

        Joining again changes nothing.

        Returns:
            The member's partitions in ascending order, possibly none.

        Raises:
            ValueError: topic does not exist, or a name is no identifier.
        """
        handle = self._handle or _refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        owned = _Partitions()
        count = _ffi.event_join(handle, t, len(t), g, len(g), m, len(m), owned, _MAX_PARTITIONS)
        return owned[: _answer(count)]

    def leave(self, topic: str, group: str, member: str) -> bool:
        """Remove the member and rebalance. The group's progress stays (EB-11).

        Returns:
            True, or False when there is no such group or member.

        Raises:
            ValueError: topic does not exist, or a name is no identifier.
        """
        handle = self._handle or _refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        return _answer(_ffi.event_leave(handle, t, len(t), g, len(g), m, len(m))) == 1

    def publish(self, topic: str, partition: int, payload: str) -> int:
        """Append the payload to the partition (EB-05).

        Returns:
            The record's offset, or -1 when the partition is full.

        Raises:
            ValueError: topic does not exist, partition is out of its range, or
                payload takes more than max_payload bytes in UTF-8.
        """
        handle = self._handle or _refuse_closed()
        t, p = text("topic", topic), integer("partition", partition)
        data = text("payload", payload)
        return _answer(_ffi.event_publish(handle, t, len(t), p, data, len(data)))

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
        handle = self._handle or _refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        limit = integer("max_records", max_records)
        what = (handle, t, len(t), g, len(g), m, len(m), limit)
        frame = _take_frame()
        try:
            while (count := _ffi.event_poll(*what, frame, len(frame))) == _ffi.BUFFER_TOO_SMALL:
                frame = (c_char * _ffi.needed())()
            return _records(t.decode(), frame, _answer(count))
        finally:
            _give_back(frame)

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
        handle = self._handle or _refuse_closed()
        t, g, m = text("topic", topic), text("group", group), text("member", member)
        p, o = integer("partition", partition), integer("offset", offset)
        return _answer(call(handle, t, len(t), g, len(g), m, len(m), p, o)) == 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = f"handle={self._handle:#x}" if self._handle else "closed"
        return f"<{type(self).__name__} {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an EventBroker is not a value: it cannot be copied or pickled")


def _new(capacity_per_partition: int, max_payload: int) -> int:
    capacity = integer("capacity_per_partition", capacity_per_partition)
    limit = integer("max_payload", max_payload)
    if limit == 0:  # to the library, 0 is an option not given
        raise ValueError(f"invalid argument: max_payload: 0 is outside 1 through {_MAX_PAYLOAD}")
    options = _ffi.EventOptions(sizeof(_ffi.EventOptions), limit)
    handle = c_uint64()
    _answer(_ffi.event_new(capacity, byref(options), byref(handle)))
    return handle.value


def _answer(result: int) -> int:
    """Return what a call answered, -1 for a full partition included, or raise its failure."""
    if result < -1:
        raise _ffi.failure(result)
    return result


def _refuse_closed() -> NoReturn:
    raise ClosedError("broker is closed")


def _take_frame() -> Array[c_char]:
    try:
        return _spare_frames.pop()
    except IndexError:
        return _Frame()


def _give_back(frame: Array[c_char]) -> None:
    """Keep a frame for later polls, but none that had to be larger: it may be very large."""
    if len(frame) == _FRAME_SIZE:
        _spare_frames.append(frame)


def _records(topic: str, frame: Array[c_char], count: int) -> list[BrokerRecord]:
    """Read count headers and, behind them, their payloads in the same order."""
    records = []
    view = memoryview(frame)
    start = count * _HEADER.size
    for offset, partition, length in _HEADER.iter_unpack(view[:start]):
        end = start + length
        records.append(BrokerRecord(topic, partition, offset, str(view[start:end], "utf-8")))
        start = end
    return records
