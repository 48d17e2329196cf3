"""PubSub: messages pushed to handlers, each at its own pace (PS-01 to PS-17)."""

from __future__ import annotations

import threading
import time
import weakref
from ctypes import byref, c_uint64, sizeof
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar

from . import _ffi, _worker
from ._argument import choice, flag, function, integer, milliseconds, option, text
from ._argument import path as path_of
from ._broker import DEFAULT_PAYLOAD, MAX_PAYLOAD, Broker, refuse_closed
from ._delivery import INTERRUPTED, Filter, Handler, Handlers, Subscriber, Taker, drain
from ._ffi import answer
from ._frame import letters, receive, standing

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

Dispatcher: TypeAlias = Literal["synchronous", "lanes", "pool"]
Policy: TypeAlias = Literal["drop", "disconnect", "block"]

_DISPATCHERS = ("synchronous", "lanes", "pool")
_POLICIES = ("drop", "disconnect", "block")
_LANES = _DISPATCHERS.index("lanes")
_MAX_WORKERS = 1024
_MAX_RETAIN = 2**31 - 1
_NO_LIMIT = 2**31 - 1

_AnyHandler = TypeVar("_AnyHandler", bound=Handler)


class Letter(NamedTuple):
    """A message that a subscription gave up: a value of the caller's own (PS-07).

    >>> Letter(7, "a", attempts=3, error="ValueError: boom").attempts
    3
    """

    offset: int
    payload: str
    attempts: int
    """How often it failed."""
    error: str
    """What the last try failed with, "ValueError: boom" say, at most 1,024 bytes of it."""


class Status(NamedTuple):
    """How a subscription stands: a value of the caller's own (PS-17)."""

    subscribed: bool
    """Whether it has a handler."""
    offset: int
    """Of the message that it is to be offered next, -1 where there is no such subscription."""
    attempts: int
    """Failed tries of that message."""
    lost: int
    """Messages that were no longer kept when they would have been offered (PS-13)."""
    reason: str
    """Why it was disconnected, until the name subscribes or unsubscribes; else empty."""


class PubSub(Broker):
    """A broker that pushes messages to handlers: functions that take a Message.

    A topic has one log; each subscription reads it at its own place, from where
    the log ended when it subscribed (PS-02). A handler confirms a message by
    returning True, and nothing else confirms it. Anything else, and any
    exception, is a failed try: the message is offered again until it is confirmed
    or has failed max_attempts times, which makes it a dead letter (PS-07). A
    handler that is slow or fails delays its own subscription only. It may call
    anything of the broker (PS-03).

    Whose threads call handlers, the dispatcher says (PS-11): with "synchronous"
    that of drain and no other; with "lanes" every subscription has a thread, and
    with "pool" a fixed number of threads serves all. Lanes and pool offer a
    failed message again after a back-off of 100 ms, doubling up to 10 s. A
    KeyboardInterrupt or SystemExit in a handler is a failed try, and comes out of
    drain; a lane or pool reports it through threading.excepthook and goes on.

    Any number of threads may use one broker; each call takes effect at one point
    between its start and its return, and only drain, close and a publish under
    the policy "block" wait: none of them inside a handler, but for its own drain
    (PS-16). close it, or use it as a context manager; one that is forgotten is
    closed when it is collected, or when the interpreter exits, which waits at
    most a second for handlers.

    Topics, names and groups are 1 to 64 characters out of A-Z a-z 0-9 _ and -. A
    call that fails has changed nothing. Besides the errors that the methods name,
    every call raises what those of EventBroker do. With a path, those that change
    something raise DiskFullError, StorageError or DamagedError where its file cannot
    keep that.

    >>> with PubSub() as broker:
    ...     broker.create_topic("orders")
    ...     broker.subscribe("orders", "billing", lambda message: message.payload == "a")
    ...     broker.publish("orders", "a"), broker.publish("orders", "b")
    ...     broker.drain(), broker.offset("orders", "billing")
    ...     broker.drain(), broker.drain()
    ...     broker.dead_letters("orders", "billing")
    True
    (0, 1)
    (1, 1)
    (0, 0)
    [Letter(offset=1, payload='b', attempts=3, error='the handler returned False, not True')]
    """

    # Of a borrower, which delivers nothing, and of an object whose __init__ did not run to its end.
    _owned = 0
    _handlers: Handlers | None = None
    _lanes = False
    _block_timeout = -1  # ms; -1 is the library's way to say that of the broker

    def __init__(
        self,
        *,
        dispatcher: Dispatcher = "synchronous",
        workers: int | None = None,
        handler_timeout: float | None = None,
        max_attempts: int = 3,
        block_timeout: float = 1.0,
        max_payload: int = DEFAULT_PAYLOAD,
        path: str | os.PathLike[str] | None = None,
        sync: bool = False,
    ) -> None:
        """Make a broker, empty or as the file at path has it.

        Args:
            dispatcher: whose threads call handlers, "synchronous", "lanes" or "pool".
            workers: threads of a pool, 1 through 1,024; 4 unless given. With
                another dispatcher it is refused.
            handler_timeout: seconds that a call in a pool may take, 0.001 through
                86,400; no limit unless given. One that takes longer has failed,
                whatever it answers; it runs on, another thread takes its place,
                and close does not wait for it. With another dispatcher it is
                refused.
            max_attempts: tries of a message, 1 through 2,147,483,647; 0 for no limit.
            block_timeout: seconds that publish waits under the policy "block",
                0.001 through 86,400 (PS-13).
            max_payload: UTF-8 bytes a payload may have, 1 through 1,048,576.
            path: file that keeps topics, messages and offsets (PS-15). A message
                is in it before publish returns. Unless given, nothing outlives
                the broker.
            sync: whether a loss of power is survived, too, and not just the death
                of the process. It costs a write to the disk for every message.

        Raises:
            ValueError: an option is out of its range, or path cannot be opened.
            InUseError: path is open elsewhere, in this process or another.
            DamagedError: the file is not a broker's, or is damaged.
            DiskFullError, StorageError: there is no room to make the file, or the
                system refuses to.
            RuntimeError: the system has no threads left for a pool.
        """
        kept = None if path is None else path_of("path", path)
        options = _ffi.PubSubOptions(
            size=sizeof(_ffi.PubSubOptions),
            dispatcher=choice("dispatcher", dispatcher, _DISPATCHERS),
            workers=0 if workers is None else option("workers", workers, _MAX_WORKERS),
            handler_timeout=_optional_timeout(handler_timeout),
            max_attempts=integer("max_attempts", max_attempts) or _NO_LIMIT,
            block_timeout=milliseconds("block_timeout", block_timeout),
            max_payload=option("max_payload", max_payload, MAX_PAYLOAD),
            path=kept,
            path_len=len(kept or b""),
            sync=flag("sync", sync),
        )
        handle = c_uint64()
        answer(_ffi.pubsub_new(byref(options), byref(handle)))
        self._handle = self._owned = handle.value
        self._handlers = Handlers()
        self._lanes = options.dispatcher == _LANES
        self._block_timeout = options.block_timeout
        _worker.opened(self._owned)
        self._finalizer = weakref.finalize(self, _worker.abandon, self._owned)
        self._finalizer.atexit = False  # by then _worker has closed it
        self._start_pool(weakref.ref(self._handlers))

    def _start_pool(self, handlers: weakref.ref[Handlers]) -> None:
        worker = c_uint64()
        threads = answer(_ffi.pubsub_pool(self._owned, byref(worker)))
        pool = _worker.Pool(self._owned, handlers, worker.value)
        try:
            for _ in range(threads):
                pool.start()
        except RuntimeError:
            self.close()
            raise

    def close(self) -> None:
        """Begin no call any more; wait for those under way and for the broker's threads (PS-08).

        From then on every other call raises ClosedError, also those that wait on
        other threads. Inside a handler, of whatever PubSub, it returns at once.
        It does not wait for calls that have outlived handler_timeout. Closing
        twice is fine: where the first was interrupted, by Ctrl-C say, the second
        waits on. In a forked child it does nothing.
        """
        _ffi.pubsub_close(self._owned, 0)  # before anybody is told that it is closed
        self._handle = 0
        if self._handlers is not None:
            _worker.close(self._owned)
            self._handlers.clear()

    def create_topic(self, topic: str, *, retain: int | None = None) -> bool:
        """Make an empty topic (PS-01).

        Args:
            topic: its name.
            retain: how many messages it keeps, the last ones, 1 through
                2,147,483,647; all unless given (PS-13).

        Returns:
            True, or False when the topic exists; it is left as it was.

        Raises:
            ValueError: topic is no identifier, or retain is out of its range.
        """
        handle = self._handle or refuse_closed()
        t = text("topic", topic)
        kept = 0 if retain is None else option("retain", retain, _MAX_RETAIN)
        return answer(_ffi.pubsub_create_topic(handle, t, len(t), kept)) == 1

    def subscribe(
        self,
        topic: str,
        name: str,
        handler: Handler,
        *,
        group: str | None = None,
        filter: Filter | None = None,  # noqa: A002 - so it is called in every language
        policy: Policy = "drop",
    ) -> None:
        """Add a handler under a name, for what is published from now on (PS-02).

        A subscription that a group or the broker's file has already goes on where
        that stands (PS-14, PS-15).

        Args:
            topic: whose messages.
            name: of the subscription, not in use on the topic.
            handler: is called with a Message, one call at a time (PS-10), and
                returns True to confirm it.
            group: subscriptions of the topic that name the same group share one
                place, and each message goes to one of them (PS-14).
            filter: is called with a Message before the handler, which is passed
                over where the filter returns what is not true (PS-12). An
                exception is a failed try. Not in a group.
            policy: what happens when the next message is no longer kept, to be
                the same in all of a group (PS-13): "drop" goes on with the
                earliest that is, "disconnect" ends the subscription, and "block"
                lets publishers wait before it comes to that, which needs lanes or
                a pool.

        Raises:
            ValueError: topic does not exist, name is in use, name or group is no
                identifier, or group, filter and policy do not go together.
            TypeError: handler or filter cannot be called, or is an async function.
            RuntimeError: the broker is borrowed, or the system has no thread left
                for a lane.
        """
        handle, t, n = self._named(topic, name)
        handlers = self._deliverer()
        subscriber = Subscriber(
            t.decode(),
            function("handler", handler),
            None if filter is None else function("filter", filter),
        )
        g = None if group is None else text("group", group)
        options = _ffi.PubSubSubscription(
            size=sizeof(_ffi.PubSubSubscription),
            group=g,
            group_len=len(g or b""),
            policy=choice("policy", policy, _POLICIES),
            filtered=filter is not None,
        )

        def enter(cookie: int) -> None:
            what = (handle, t, len(t), n, len(n), cookie, byref(options))
            if not self._lanes:
                answer(_ffi.pubsub_subscribe(*what, None))
                return
            worker = c_uint64()
            lane = _worker.Lane(handle, weakref.ref(handlers), cookie)
            try:
                lane.start()  # before there is a subscription that would be without a thread
                answer(_ffi.pubsub_subscribe(*what, byref(worker)))
            finally:
                lane.worker.put(worker.value)  # which no second Ctrl-C can prevent, as it is in C

        handlers.add(subscriber, enter, None if self._lanes else (t, n))

    def subscriber(
        self,
        topic: str,
        name: str,
        *,
        group: str | None = None,
        filter: Filter | None = None,  # noqa: A002 - so it is called in every language
        policy: Policy = "drop",
    ) -> Callable[[_AnyHandler], _AnyHandler]:
        """Decorate a handler: subscribe it, and leave it as it is.

        Takes and raises what subscribe does.

        >>> with PubSub() as broker:
        ...     broker.create_topic("orders")
        ...     @broker.subscriber("orders", "billing")
        ...     def bill(message):
        ...         return print(message.payload) is None
        ...     broker.publish("orders", "a")
        ...     broker.drain()
        True
        0
        a
        1
        """

        def subscribe(handler: _AnyHandler) -> _AnyHandler:
            self.subscribe(topic, name, handler, group=group, filter=filter, policy=policy)
            return handler

        return subscribe

    def unsubscribe(self, topic: str, name: str) -> bool:
        """End a subscription; no call of its handler begins after that (PS-08).

        A call under way runs to its end, and its confirmation counts.

        Returns:
            True, or False when there is no such topic or subscription.

        Raises:
            ValueError: topic or name is no identifier.
        """
        handle, t, n = self._named(topic, name)

        def end() -> bool:
            return answer(_ffi.pubsub_unsubscribe(handle, t, len(t), n, len(n))) == 1

        return end() if self._handlers is None else self._handlers.remove((t, n), end)

    def publish(self, topic: str, payload: str) -> int:
        """Append the payload to the topic's log; handlers are not called by it (PS-01).

        It waits for nobody, except on a topic that is full while a subscription
        with the policy "block" has not taken the earliest message: then up to
        block_timeout, or not at all inside a handler (PS-13).

        Returns:
            The message's offset, from 0, or -1 when the topic does not exist.

        Raises:
            ValueError: topic is no identifier, or payload takes more than
                max_payload bytes in UTF-8.
            TimedOutError: there was no room in time.
        """
        handle = self._handle or refuse_closed()
        t, data = text("topic", topic), text("payload", payload)
        what = (handle, t, len(t), data, len(data))
        status: int = _ffi.pubsub_publish(*what)
        if status == _ffi.TIMED_OUT:
            status = self._wait_for_room(what)
        return answer(status)

    def _wait_for_room(self, what: tuple[object, ...]) -> int:
        """Publish when there is room; the main thread waits in slices, so that Ctrl-C works."""
        if threading.current_thread() is not threading.main_thread() or self._block_timeout < 0:
            return int(_ffi.pubsub_publish_wait(*what, -1))
        left = self._block_timeout
        while True:
            size = min(left, _worker.SLICE)
            end = time.monotonic_ns() + size * 1_000_000
            status: int = _ffi.pubsub_publish_wait(*what, size)
            left -= size
            # Before its end, it is inside a handler, where nothing waits.
            if status != _ffi.TIMED_OUT or left == 0 or time.monotonic_ns() < end:
                return status

    def drain(self) -> int:
        """Call handlers with what waits, on this thread (PS-05).

        Topics take their turn in the order they were created, and subscriptions
        in the order they subscribed, each until it has caught up or fails. A
        handler may drain, too: subscriptions that are being served are passed
        over (PS-10). With lanes and pool, it wakes every subscription, also one
        in back-off, and returns at once (PS-11).

        Returns:
            How many messages were confirmed; with lanes and pool 0.

        Raises:
            DiskFullError, StorageError, DamagedError: an outcome could not be kept,
                so that its message is offered again. Other subscriptions were
                served.
            RuntimeError: the broker is borrowed.
        """
        handle = self._handle or refuse_closed()
        handlers = self._deliverer()
        walk = c_uint64()
        taker = Taker(weakref.ref(handlers), partial(_ffi.pubsub_next, walk))
        try:
            answer(_ffi.pubsub_drain(handle, byref(walk)))
            return drain(taker) if walk.value else 0
        finally:
            # One Ctrl-C may follow on another. Python raises it where a function of its own begins,
            # of which none is called here, or behind a call of one in C, which has then been made.
            try:
                _ffi.pubsub_settle(taker.token, *INTERRUPTED)
            finally:
                try:
                    _ffi.pubsub_end(walk)
                finally:
                    handlers.takers.discard(taker)

    def seek(self, topic: str, name: str, offset: int) -> bool:
        """Move a subscription's place, or its group's, and clear its failed tries (PS-09).

        Where its handler runs meanwhile, that call's answer moves nothing.

        Args:
            topic: of the subscription.
            name: of the subscription.
            offset: of the message to be offered next, from the earliest that is
                kept through the end of the log.

        Returns:
            True, or False when there is no such topic or subscription.

        Raises:
            ValueError: topic or name is no identifier, or offset is out of its range.
        """
        handle, t, n = self._named(topic, name)
        o = integer("offset", offset)
        return answer(_ffi.pubsub_seek(handle, t, len(t), n, len(n), o)) == 1

    def offset(self, topic: str, name: str) -> int:
        """Return the offset of the message that a subscription is to be offered next (PS-04).

        Returns:
            The offset, or -1 when there is no such topic or subscription.

        Raises:
            ValueError: topic or name is no identifier.
        """
        handle, t, n = self._named(topic, name)
        return answer(_ffi.pubsub_offset(handle, t, len(t), n, len(n)))

    def dead_letters(self, topic: str, name: str) -> list[Letter]:
        """Return the messages that a subscription, or its group, gave up (PS-07, PS-16).

        Returns:
            They stay where they are, in the order of parking; none for a
            subscription that does not exist.

        Raises:
            ValueError: topic or name is no identifier.
        """
        handle, t, n = self._named(topic, name)
        found = receive(letters, _ffi.pubsub_dead_letters, (handle, t, len(t), n, len(n)))
        return [Letter(*letter) for letter in found]

    def redeliver(self, topic: str, name: str) -> int:
        """Offer all dead letters again, in the order of parking (PS-17).

        They come before anything else that waits, with their tries counted afresh.

        Returns:
            How many they are; 0 when there is no such topic or subscription.

        Raises:
            ValueError: topic or name is no identifier.
        """
        handle, t, n = self._named(topic, name)
        return answer(_ffi.pubsub_redeliver(handle, t, len(t), n, len(n)))

    def status(self, topic: str, name: str) -> Status:
        """Return how a subscription, or its group, stands (PS-13, PS-17).

        Raises:
            ValueError: topic or name is no identifier.
        """
        handle, t, n = self._named(topic, name)
        return Status(*receive(standing, _ffi.pubsub_status, (handle, t, len(t), n, len(n))))

    def _named(self, topic: str, name: str) -> tuple[int, bytes, bytes]:
        handle = self._handle or refuse_closed()
        return handle, text("topic", topic), text("name", name)

    def _deliverer(self) -> Handlers:
        """Return the handlers of a broker that was made here, where they have to live."""
        if self._handlers is None:
            raise RuntimeError("a borrowed broker calls no handlers; subscribe and drain its owner")
        return self._handlers


def _optional_timeout(seconds: float | None) -> int:
    return 0 if seconds is None else milliseconds("handler_timeout", seconds)
