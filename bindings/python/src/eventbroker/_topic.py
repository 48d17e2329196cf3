"""Topics and consumers: names that were looked up once, for shorter calls (EB-18)."""

from __future__ import annotations

from ctypes import byref, c_int32, c_uint64
from typing import TYPE_CHECKING, NoReturn

from . import _ffi
from ._argument import integer, text
from ._batch import accepted, committed, messages_of, positions_of
from ._broker import refuse_closed
from ._error import ClosedError
from ._ffi import answer
from ._frame import receive, records
from ._owner import Owner
from ._record import BrokerRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from ._event import EventBroker

MAX_PARTITIONS = 64
Partitions = c_int32 * MAX_PARTITIONS


class Resolved(Owner):
    """What a topic and a consumer are: of no use once their broker is closed."""

    _broker: EventBroker  # which a topic or consumer keeps from being forgotten
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
        return resolved

    def _refuse_closed(self) -> NoReturn:
        if not self._broker._handle:
            refuse_closed()
        raise ClosedError(f"{type(self).__name__.lower()} is closed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name if self._handle else 'closed'}>"


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
        p, data = integer("partition", partition), text("payload", payload)
        return answer(_ffi.event_topic_publish(handle, p, data, len(data)))

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
        limit = integer("max_records", max_records)
        found = receive(records, _ffi.event_consumer_poll, (handle, limit))
        return [BrokerRecord(self._name, p, offset, payload) for offset, p, payload in found]

    def ack(self, partition: int, offset: int) -> bool:
        """Commit the record in flight; see EventBroker.ack."""
        return self._settle(_ffi.event_consumer_ack, partition, offset)

    def ack_many(self, positions: Iterable[tuple[int, int]]) -> list[bool]:
        """Acknowledge each pair of partition and offset; see EventBroker.ack_many."""
        handle = self._handle or self._refuse_closed()
        frame, count = positions_of(positions)
        return committed(_ffi.event_consumer_ack_many, (handle,), frame, count)

    def retry(self, partition: int, offset: int) -> bool:
        """End the delivery in flight without committing it; see EventBroker.retry."""
        return self._settle(_ffi.event_consumer_retry, partition, offset)

    def _settle(self, call: Callable[..., int], partition: int, offset: int) -> bool:
        handle = self._handle or self._refuse_closed()
        p, o = integer("partition", partition), integer("offset", offset)
        return answer(call(handle, p, o)) == 1
