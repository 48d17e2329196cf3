"""MessageBroker: one retained log a topic, bounded retries a group (MB-01 to MB-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _ffi
from ._accelerate import accelerate
from ._argument import integer, text
from ._broker import DEFAULT_PAYLOAD, Broker, refuse_closed
from ._frame import receive, records

if TYPE_CHECKING:
    from collections.abc import Callable


class Delivery(NamedTuple):
    """A message in a group's hands, as poll returns it: a value of the caller's own.

    >>> Delivery("orders", 7, "a", attempt=2).attempt
    2
    """

    topic: str
    offset: int
    payload: str
    attempt: int
    """Which delivery of the message to the group it is, from 1."""


class DeadLetter(NamedTuple):
    """A message that a group gave up: a value of the caller's own (MB-10).

    >>> DeadLetter("orders", 7, "a", attempts=3).attempts
    3
    """

    topic: str
    offset: int
    payload: str
    attempts: int
    """How often it was delivered to the group."""


@accelerate(Delivery)
class MessageBroker(Broker):
    """An in-memory broker that delivers a message to a group a bounded number of times.

    A topic has one log, which keeps everything; each group reads it at its own
    place, one message at a time (MB-09). A message is delivered until it is
    acknowledged or until its last attempt is refused, which makes it one of the
    group's dead letters.

    Any number of threads may use one broker; each call takes effect at one
    point between its start and its return, and none waits (MB-11). close it, or
    use it as a context manager; one that is forgotten is closed when it is
    collected, or when the interpreter exits.

    Topics and groups are 1 to 64 characters out of A-Z a-z 0-9 _ and -. A call
    that fails has changed nothing. Besides the ValueErrors that the methods
    name, every call raises what those of EventBroker do.

    >>> with MessageBroker(2) as broker:
    ...     broker.create_topic("orders")
    ...     broker.publish("orders", "a")
    ...     broker.poll("orders", "billing")
    ...     broker.nack("orders", "billing", 0, 1)
    ...     broker.poll("orders", "billing")
    ...     broker.nack("orders", "billing", 0, 2)
    ...     broker.poll("orders", "billing")
    ...     broker.dead_letters("orders", "billing")
    True
    0
    Delivery(topic='orders', offset=0, payload='a', attempt=1)
    True
    Delivery(topic='orders', offset=0, payload='a', attempt=2)
    True
    [DeadLetter(topic='orders', offset=0, payload='a', attempts=2)]
    """

    def __init__(self, max_attempts: int, *, max_payload: int = DEFAULT_PAYLOAD) -> None:
        """Make an empty broker.

        Args:
            max_attempts: deliveries of a message to a group, the first one
                included, 1 through 2,147,483,647 (MB-01).
            max_payload: UTF-8 bytes a payload may have, 1 through 1,048,576.

        Raises:
            ValueError: either is out of its range.
        """
        limit = integer("max_attempts", max_attempts)
        self._open(_ffi.message_new, _ffi.message_close, limit, max_payload)

    def create_topic(self, topic: str) -> bool:
        """Make an empty topic (MB-02).

        Returns:
            True, or False when the topic exists; it is left as it was.

        Raises:
            ValueError: topic is no identifier.
        """
        handle = self._handle or refuse_closed()
        t = text("topic", topic)
        return _ffi.answer(_ffi.message_create_topic(handle, t, len(t))) == 1

    def publish(self, topic: str, payload: str) -> int:
        """Append the payload to the topic's log, which keeps it for good (MB-03).

        Returns:
            The message's offset, from 0.

        Raises:
            ValueError: topic does not exist, or payload takes more than
                max_payload bytes in UTF-8.
        """
        handle = self._handle or refuse_closed()
        t, data = text("topic", topic), text("payload", payload)
        return _ffi.answer(_ffi.message_publish(handle, t, len(t), data, len(data)))

    def poll(self, topic: str, group: str) -> Delivery | None:
        """Deliver the message at the group's place, or the one in flight again (MB-04, MB-05).

        The group is made if it is new. Until ack or nack, every poll returns
        the same delivery with the same attempt.

        Returns:
            The group's delivery, or None when nothing waits.

        Raises:
            ValueError: topic does not exist, or group is no identifier.
        """
        handle = self._handle or refuse_closed()
        t, g = text("topic", topic), text("group", group)
        found = receive(records, _ffi.message_poll, (handle, t, len(t), g, len(g)))
        if not found:
            return None
        [(offset, attempt, payload)] = found
        return Delivery(t.decode(), offset, payload, attempt)

    def ack(self, topic: str, group: str, offset: int, attempt: int) -> bool:
        """End the delivery in flight; the group goes on to the next message (MB-06).

        Returns:
            True, or False when exactly this offset and attempt are not in flight.

        Raises:
            ValueError: topic does not exist, group is no identifier, offset is
                negative, or attempt is outside 1 through 2,147,483,647.
        """
        return self._settle(_ffi.message_ack, topic, group, offset, attempt)

    def nack(self, topic: str, group: str, offset: int, attempt: int) -> bool:
        """End the delivery in flight; the next poll delivers the message again (MB-07).

        The nack of the last attempt adds the message to the group's dead
        letters instead, and the group goes on to the next one (MB-08).

        Returns and raises what ack does.
        """
        return self._settle(_ffi.message_nack, topic, group, offset, attempt)

    def dead_letters(self, topic: str, group: str) -> list[DeadLetter]:
        """Return the messages that the group gave up, in the order in which it did (MB-10).

        Returns:
            They stay where they are; none for a group that does not exist.

        Raises:
            ValueError: topic does not exist, or group is no identifier.
        """
        handle = self._handle or refuse_closed()
        t, g = text("topic", topic), text("group", group)
        found = receive(records, _ffi.message_dead_letters, (handle, t, len(t), g, len(g)))
        name = t.decode()
        return [DeadLetter(name, offset, payload, n) for offset, n, payload in found]

    def _settle(
        self, call: Callable[..., int], topic: str, group: str, offset: int, attempt: int
    ) -> bool:
        handle = self._handle or refuse_closed()
        t, g = text("topic", topic), text("group", group)
        o, a = integer("offset", offset), integer("attempt", attempt)
        return _ffi.answer(call(handle, t, len(t), g, len(g), o, a)) == 1
