"""Topics and consumers: names that were looked up once, for shorter calls (EB-18)."""

from __future__ import annotations

from ctypes import addressof, byref, c_int32, c_uint64
from itertools import repeat
from struct import Struct
from struct import error as StructError  # noqa: N812 - as exceptions are called
from typing import TYPE_CHECKING, NoReturn

from . import _ffi
from ._accelerate import accelerate
from ._argument import integer, text
from ._batch import accepted, committed, messages_of, positions_of
from ._broker import refuse_closed
from ._error import ClosedError
from ._ffi import BUFFER_TOO_SMALL, answer
from ._frame import HEADER, columns, give_back, larger, spare_frames, take
from ._owner import Owner
from ._record import BrokerRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from ._event import EventBroker

MAX_PARTITIONS = 64
Partitions = c_int32 * MAX_PARTITIONS

# What publish, poll and ack need, which are made most, without a look into a module.
_publish = _ffi.event_topic_publish_packed
_poll = _ffi.event_consumer_poll_packed
_ack = _ffi.event_consumer_ack_packed
_pack_publish = Struct("=Qqq").pack  # struct eb_event_publish_call
_pack_poll = Struct("=QqQq").pack  # struct eb_event_poll_call
_pack_settle = Struct("=Qqq").pack  # struct eb_event_settle_call
_pop = spare_frames.pop
_unpack_head = HEADER.unpack_from
_HEAD = HEADER.size
_new = tuple.__new__  # a named tuple's own is a function of Python


class Resolved(Owner):
    """What a topic and a consumer are: of no use once their broker is closed."""

    _broker: EventBroker  # which a topic or consumer keeps from being forgotten, once it is made
    _name: str
    _free: Callable[[int], int]

    def __init__(self) -> None:
        """Refuse: it is for a broker to find one."""
        name = type(self).__name__
        raise TypeError(f"a {name} is made by EventBroker.topic and the methods of Topic")

    @classmethod
    def _of(cls, broker: EventBroker, topic: str, handle: int) -> Self:
        """Take the handle, which is the broker's."""
        resolved = cls.__new__(cls)
        resolved._broker = broker
        resolved._name = topic
        resolved._own(handle, cls._free)
        broker._resolved()[handle] = resolved
        if not broker._handle:  # whose close may have come too early to know of this one
            resolved.close()
        return resolved

    def _refuse_closed(self) -> NoReturn:
        if "_broker" in self.__dict__ and not self._broker._handle:
            refuse_closed()
        raise ClosedError(f"{type(self).__name__.lower()} is closed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name if self._handle else 'closed'}>"


@accelerate(BrokerRecord)
class Topic(Resolved):
    """A topic of an EventBroker that was found once; EventBroker.topic returns it.

    Each call does what the broker's call of that name does, and raises what that
    raises. Any number of threads may use one. It is of no use, and says
    ClosedError, when its broker is closed. close it, or use it as a context
    manager, when it is not needed any more; one that is forgotten is closed when
    it is collected. The topic itself stays as it is.

    >>> from eventbroker import EventBroker
    >>> with EventBroker(2) as broker:
    ...     broker.create("orders", 1)
    ...     topic = broker.topic("orders")
    ...     topic.publish_many([(0, "a"), (0, "b"), (0, "c")])
    ...     consumer = topic.join("billing", "m1")
    ...     consumer.poll(10)
    ...     consumer.ack_many([(0, 0)])
    True
    [0, 1, -1]
    [BrokerRecord(topic='orders', partition=0, offset=0, payload='a')]
    [True]
    """

    _free = staticmethod(_ffi.event_topic_close)

    @property
    def name(self) -> str:
        """The topic's name."""
        return self._name

    def publish(self, partition: int, payload: str) -> int:
        """Append the payload to the partition; see EventBroker.publish."""
        handle = self._handle or self._refuse_closed()
        try:
            if type(partition) is int and type(payload) is str:
                data = payload.encode()
                head = _pack_publish(handle, partition, len(data))
            else:
                head, data = _publishing(handle, partition, payload)
        except (UnicodeEncodeError, StructError):
            head, data = _publishing(handle, partition, payload)
        offset: int = _publish(head, data)
        return offset if offset >= -1 else answer(offset)

    def publish_many(self, messages: Iterable[tuple[int, str]]) -> list[int]:
        """Publish each pair of partition and payload; see EventBroker.publish_many."""
        handle = self._handle or self._refuse_closed()
        frame, count = messages_of(messages)
        return accepted(_ffi.event_topic_publish_many, (handle,), frame, count)

    def consumer(self, group: str, member: str) -> Consumer:
        """Return what stands for the member of the group; it does not join.

        The member need not have joined, and may leave and join again.

        Raises:
            ValueError: a name is no identifier.
        """
        handle = self._handle or self._refuse_closed()
        g, m = text("group", group), text("member", member)
        found = c_uint64()
        answer(_ffi.event_consumer(handle, g, len(g), m, len(m), byref(found)))
        return Consumer._of(self._broker, self._name, found.value)

    def join(self, group: str, member: str) -> Consumer:
        """Return what stands for the member of the group, and join.

        Raises:
            ValueError: a name is no identifier.
        """
        consumer = self.consumer(group, member)
        consumer.join()
        return consumer


@accelerate(BrokerRecord)
class Consumer(Resolved):
    """A topic, a group and a member that were found once; Topic.consumer returns it.

    It stands for the names and not for a membership: join and leave are calls
    like all others. Each does what the broker's call of that name does, and
    raises what that raises; closing it does not leave. Otherwise it is as a Topic.
    """

    _free = staticmethod(_ffi.event_consumer_close)

    def join(self) -> list[int]:
        """Add the member to the group and return its partitions; see EventBroker.join."""
        handle = self._handle or self._refuse_closed()
        owned = Partitions()
        return owned[: answer(_ffi.event_consumer_join(handle, owned, MAX_PARTITIONS))]

    def leave(self) -> bool:
        """Remove the member from the group; see EventBroker.leave."""
        handle = self._handle or self._refuse_closed()
        return answer(_ffi.event_consumer_leave(handle)) == 1

    def poll(self, max_records: int) -> list[BrokerRecord]:
        """Reserve records for the member; see EventBroker.poll."""
        handle = self._handle or self._refuse_closed()
        if type(max_records) is not int:
            max_records = integer("max_records", max_records)
        try:
            spare = _pop()
        except IndexError:
            spare = take()
        try:
            frame, address, size = spare
            count = _poll(_pack_poll(handle, max_records, address, size))
            if count == 1:
                offset, partition, length = _unpack_head(frame)
                payload = frame[_HEAD : _HEAD + length].decode()
                return [_new(BrokerRecord, (self._name, partition, offset, payload))]
            if count == 0:
                return []
            while count == BUFFER_TOO_SMALL:
                frame = larger()
                count = _poll(_pack_poll(handle, max_records, addressof(frame), len(frame)))
            offsets, partitions, payloads = columns(frame, answer(count))
        except StructError:
            integer("max_records", max_records)
            raise
        finally:
            give_back(spare)
        found = zip(repeat(self._name), partitions, offsets, payloads)
        return [_new(BrokerRecord, fields) for fields in found]

    def ack(self, partition: int, offset: int) -> bool:
        """Commit the record in flight; see EventBroker.ack."""
        handle = self._handle or self._refuse_closed()
        try:
            exact = type(partition) is type(offset) is int
            call = (_pack_settle if exact else _settling)(handle, partition, offset)
        except StructError:
            call = _settling(handle, partition, offset)
        status = _ack(call)
        return status == 1 if status >= 0 else answer(status) == 1

    def ack_many(self, positions: Iterable[tuple[int, int]]) -> list[bool]:
        """Acknowledge each pair of partition and offset; see EventBroker.ack_many."""
        handle = self._handle or self._refuse_closed()
        frame, count = positions_of(positions)
        return committed(_ffi.event_consumer_ack_many, (handle,), frame, count)

    def retry(self, partition: int, offset: int) -> bool:
        """End the delivery in flight without committing it; see EventBroker.retry."""
        handle = self._handle or self._refuse_closed()
        return answer(_ffi.event_consumer_retry_packed(_settling(handle, partition, offset))) == 1


def _publishing(handle: int, partition: int, payload: str) -> tuple[bytes, bytes]:
    p, data = integer("partition", partition), text("payload", payload)
    return _pack_publish(handle, p, len(data)), data


def _settling(handle: int, partition: int, offset: int) -> bytes:
    return _pack_settle(handle, integer("partition", partition), integer("offset", offset))
