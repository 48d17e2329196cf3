"""Deliveries of a PubSub: taken from the library, judged by a handler, and settled.

The library knows a handler by a cookie, a number that was chosen here. It hands
out a delivery with the cookie; from then until it is settled, the call runs.
"""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections import deque
from ctypes import c_char, c_uint64
from itertools import count
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from . import _ffi
from ._broker import DEFAULT_PAYLOAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._frame import Frame

CONFIRMED, FAILED, FILTERED = range(3)
MAX_REASON = 1024  # bytes of it are kept, hence no more characters

# Token, cookie, offset, attempt, start_worker, and the bytes of topic and payload behind it.
HEADER = Struct("<QQqqqqq")
_MAX_TOPIC = 64
_NO_TAKE = math.inf
INTERRUPTED = (FAILED, b"interrupted", len(b"interrupted"))  # settles what was taken and not judged
_NOT_KEPT = (_ffi.DAMAGED, _ffi.DISK_FULL, _ffi.STORAGE)  # of an outcome, by the broker's file

_cookies = count(1)  # none is ever used again, in any broker


class Message(NamedTuple):
    """A message in a handler's hands: a value of the handler's own (PS-03).

    >>> Message("orders", 7, "a", attempt=2).offset
    7
    """

    topic: str
    offset: int
    payload: str
    attempt: int
    """Which try of the message it is, from 1 (PS-07)."""


Handler: TypeAlias = "Callable[[Message], bool]"
Filter: TypeAlias = "Callable[[Message], object]"


class Verdict(NamedTuple):
    """What became of a call: how it is settled, and what is to be let out of it."""

    outcome: int
    why: bytes = b""
    stray: BaseException | None = None
    """KeyboardInterrupt, SystemExit and their like, which are nobody's to swallow (PS-03)."""


class Subscriber(NamedTuple):
    """What a subscription calls."""

    topic: str
    handler: Handler
    filter: Filter | None

    def judge(self, message: Message) -> Verdict:
        """Show the message to the filter and the handler. Only True confirms (PS-03, PS-12)."""
        try:
            if self.filter is not None and not self.filter(message):
                return Verdict(FILTERED)
            said = self.handler(message)
        except Exception as error:
            return Verdict(FAILED, _reason(error))
        if said is True:
            return Verdict(CONFIRMED)
        shown = said if said is None or said is False else type(said).__qualname__
        return Verdict(FAILED, f"the handler returned {shown}, not True".encode())


class Handlers:
    """The subscribers of one broker by cookie.

    One whose subscription has ended stays until no delivery to it can be on its
    way: between the library's handing it out and its being found here, another
    thread may unsubscribe. Such threads are the takers.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.renew_lock()
        _all.add(self)
        self._subscribers: dict[int, Subscriber] = {}
        self._named: dict[tuple[bytes, bytes], int] = {}  # topic and name => cookie
        self._ended: deque[tuple[int, int]] = deque()  # cookie, and the epoch in which it ended
        self._epoch = 0  # how many have ended
        self.takers: set[Taker] = set()

    def renew_lock(self) -> None:
        """Make the lock anew: a finaliser may come back for it in the middle of a change."""
        self._lock = threading.RLock()

    def add(
        self,
        subscriber: Subscriber,
        subscribe: Callable[[int], object],
        name: tuple[bytes, bytes] | None,
    ) -> None:
        """Enter the subscriber under a new cookie and subscribe with it.

        With a name it leaves by remove, and without one by drop. Of those it has
        to be the same for all of a broker.
        """
        cookie = next(_cookies)
        with self._lock:
            self._subscribers[cookie] = subscriber  # deliveries may come before subscribe returns
            try:
                subscribe(cookie)
            except Exception:
                self.drop(cookie)
                raise
            if name is not None:
                self._end(name)  # it was disconnected (PS-13)
                self._named[name] = cookie
        self.sweep()

    def remove(self, name: tuple[bytes, bytes], unsubscribe: Callable[[], bool]) -> bool:
        """Unsubscribe, and let go of the subscriber of that name as soon as possible."""
        with self._lock:
            removed = unsubscribe()
            self._end(name)
        self.sweep()
        return removed

    def clear(self) -> None:
        """Let go of all that have a name: the broker is closed."""
        with self._lock:
            for name in tuple(self._named):
                self._end(name)
        self.sweep()

    def drop(self, cookie: int) -> None:
        """Let go of a subscriber to which no delivery is on its way."""
        self._subscribers.pop(cookie, None)

    def find(self, cookie: int) -> Subscriber | None:
        """Return the subscriber that a delivery is for."""
        return self._subscribers.get(cookie)

    def begin(self, taker: Taker) -> None:
        """Note that the taker is about to take a delivery, of whatever has not ended yet."""
        taker.since = self._epoch
        self.takers.add(taker)

    def end(self, taker: Taker) -> None:
        """Note that the taker has taken none, or has found its subscriber."""
        self.takers.discard(taker)
        if self._ended:
            self.sweep()

    def _end(self, name: tuple[bytes, bytes]) -> None:
        cookie = self._named.pop(name, None)
        if cookie is not None:
            self._ended.append((cookie, self._epoch))
            self._epoch += 1

    def sweep(self) -> None:
        """Let go of those that had ended before any of the takers began."""
        with self._lock:
            oldest = min((taker.since for taker in tuple(self.takers)), default=_NO_TAKE)
            free = []
            while self._ended and self._ended[0][1] < oldest:
                free.append(self._subscribers.pop(self._ended.popleft()[0]))
        del free  # outside the lock: what it frees may run anything


_all: weakref.WeakSet[Handlers] = weakref.WeakSet()


def _renew_locks() -> None:
    """Free a forked child of the locks that threads held which it does not have."""
    for handlers in _all:
        handlers.renew_lock()


os.register_at_fork(after_in_child=_renew_locks)


class Taker:
    """A thread's place at a walk or a worker, which takes one delivery after the other.

    It holds no handler while it waits, so that a broker that nobody else knows
    can be collected.
    """

    def __init__(self, handlers: weakref.ref[Handlers], take: Callable[[Frame, int], int]) -> None:
        """Begin without a delivery; take writes one into a frame."""
        self.since: float = _NO_TAKE
        self._handlers = handlers
        self._take = take
        self._make_room(HEADER.size + _MAX_TOPIC + DEFAULT_PAYLOAD)
        self._subscriber: Subscriber | None = None

    def _make_room(self, size: int) -> None:
        self._frame: Frame = (c_char * size)()
        self.token = c_uint64.from_buffer(self._frame)  # of the delivery; 0 where there is none

    def take(self) -> int:
        """Take a delivery and find its subscriber. Answers as the library does."""
        if not self._note(Handlers.begin):
            return _ffi.CLOSED
        try:
            while (status := self._take(self._frame, len(self._frame))) == _ffi.BUFFER_TOO_SMALL:
                self._make_room(_ffi.needed())
            if status == 1 and (handlers := self._handlers()):
                self._subscriber = handlers.find(HEADER.unpack_from(self._frame)[1])
        finally:
            self._note(Handlers.end)
        return status

    def _note(self, what: Callable[[Handlers, Taker], None]) -> bool:
        if handlers := self._handlers():
            what(handlers, self)
        return handlers is not None

    @property
    def wants_another(self) -> bool:
        """Whether the pool needs another thread while this one makes its call (PS-11)."""
        return bool(HEADER.unpack_from(self._frame)[4])

    def judge(self) -> Verdict:
        """Call the handler with the delivery that was taken."""
        subscriber, self._subscriber = self._subscriber, None
        if subscriber is None:
            return Verdict(FAILED, b"the handler does not exist any more")
        _, _, offset, attempt, _, topic_size, size = HEADER.unpack_from(self._frame)
        start = HEADER.size + topic_size
        payload = self._frame[start : start + size].decode()
        try:
            return subscriber.judge(Message(subscriber.topic, offset, payload, attempt))
        except BaseException as error:
            return Verdict(FAILED, _reason(error), error)

    def settle(self, verdict: Verdict) -> int:
        """End the delivery. Answers as the library does."""
        status: int = _ffi.pubsub_settle(self.token, verdict.outcome, verdict.why, len(verdict.why))
        self.token.value = 0
        return status

    def give_up(self) -> None:
        """Settle what an exception in the middle of a call has left."""
        self._note(Handlers.end)
        if self.token.value:
            _ffi.pubsub_settle(self.token, *INTERRUPTED)


def drain(taker: Taker) -> int:
    """Carry out what comes on this thread, and return how many were confirmed (PS-05).

    Whoever calls it settles what an exception has left, in a function without a loop:
    some Pythons let a KeyboardInterrupt at the end of a loop go past the finally
    around it.
    """
    confirmed, failure = 0, None
    while (status := taker.take()) == 1 or status in _NOT_KEPT:
        if status == 1:
            verdict = taker.judge()
            status = taker.settle(verdict)
            if verdict.stray is not None:
                raise verdict.stray
            confirmed += status == 1 and verdict.outcome == CONFIRMED
        if status < 0:  # the turn ended, and the message is offered again; others are served
            failure = _ffi.failure(status)
    if status != _ffi.CLOSED:  # a handler may have closed the broker
        _ffi.answer(status)
    if failure is not None:
        raise failure
    return confirmed


def _reason(error: BaseException) -> bytes:
    """Return what is kept of an exception: "ValueError: boom"."""
    name = type(error).__qualname__
    try:
        text = f"{name}: {said}" if (said := str(error)[:MAX_REASON]) else name
    except Exception as broken:
        text = f"{name}: <its text raised {type(broken).__qualname__}>"
    return text.encode(errors="replace")
