"""The threads on which a PubSub with lanes or a pool calls its handlers (PS-11).

Each loops over the library's wait. It holds nothing of its PubSub while it
waits, and is a daemon: neither a forgotten broker nor a handler that hangs keeps
a program alive. When the interpreter exits, all brokers are closed first, and
threads that are not in a handler have ended before it is gone.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from . import _ffi
from ._delivery import Handlers, Taker

if TYPE_CHECKING:
    import weakref
    from collections.abc import Callable

    from ._frame import Frame

SLICE = 100  # ms: the longest wait of a thread that Ctrl-C may have to wake

_LANE_WAIT = 3_600_000  # ms: a message, or its end, wakes a lane
_POOL_WAIT = 1_000  # ms: so soon an idle pool lets go of handlers that were unsubscribed
_GRACE = 1.0  # s: so long the interpreter's exit waits for calls under way

_open: set[int] = set()  # handles of brokers


class WorkerThread(threading.Thread):
    """A thread that delivers. Subclasses say where from."""

    busy = False  # in what a user wrote, which may take for ever

    def __init__(self, broker: int, handlers: weakref.ref[Handlers]) -> None:
        """Make a thread that is not started yet."""
        super().__init__(name="eventbroker-pubsub", daemon=True)
        self.broker = broker
        self._handlers = handlers

    def _serve(self, wait: Callable[[Frame, int], int]) -> None:
        taker = Taker(self._handlers, wait)
        try:
            while self._take(taker):
                pass
        finally:
            taker.give_up()

    def _take(self, taker: Taker) -> bool:
        """Wait for a delivery and carry it out; False where the thread is to end."""
        status = taker.take()
        if status == 1:
            return self._deliver(taker)
        if status != _ffi.CLOSED:
            _ffi.answer(status)
        return status != _ffi.CLOSED

    def _deliver(self, taker: Taker) -> bool:
        """Call the handler and settle; False where the pool has a thread too many."""
        self.busy = True
        if taker.wants_another:
            self._start_another()
        verdict = taker.judge()
        if verdict.stray is not None:
            self._report(verdict.stray)
        self.busy = False
        status = taker.settle(verdict)
        if status < _ffi.CLOSED:
            self._report(_ffi.failure(status))
        return status != 0

    def _start_another(self) -> None:
        """Give the pool another thread while this one makes its call."""

    def _report(self, error: BaseException) -> None:
        """Show what would end any other thread, as Python does: SystemExit silently."""
        self.busy = True
        shown = threading.ExceptHookArgs((type(error), error, error.__traceback__, self))
        try:
            threading.excepthook(shown)
        except BaseException as broken:  # a hook is anybody's
            sys.excepthook(type(broken), broken, broken.__traceback__)
        self.busy = False


class Lane(WorkerThread):
    """The thread of one subscription."""

    def __init__(self, broker: int, handlers: weakref.ref[Handlers], cookie: int) -> None:
        """Make a thread that waits for its worker."""
        super().__init__(broker, handlers)
        self._cookie = cookie
        self.worker: SimpleQueue[int] = SimpleQueue()  # takes one, or 0 where there is none

    def run(self) -> None:
        """Deliver until the subscription, or the broker, ends."""
        worker = self.worker.get()
        try:
            if worker:
                self._serve(partial(_ffi.pubsub_wait, worker, _LANE_WAIT))
        finally:
            _ffi.pubsub_end(worker)
            if handlers := self._handlers():
                handlers.drop(self._cookie)


class Pool:
    """The pool's worker, which its last thread ends."""

    def __init__(self, broker: int, handlers: weakref.ref[Handlers], worker: int) -> None:
        """Begin without a thread."""
        self.worker = worker
        self._broker = broker
        self._handlers = handlers
        self._lock = threading.Lock()
        self._threads = 0
        self._missing = 0  # that the library counts, as it asked for them

    def start(self) -> None:
        """Start a thread.

        Raises:
            RuntimeError: the system has none left.
        """
        with self._lock:
            self._threads += 1
        try:
            _PoolThread(self._broker, self._handlers, self).start()
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Count a thread no more."""
        with self._lock:
            self._threads -= 1
            if self._threads == 0:
                _ffi.pubsub_end(self.worker)

    def miss(self) -> None:
        """Note that the system refused a thread that the library asked for."""
        with self._lock:
            self._missing += 1

    def keep(self) -> bool:
        """Let a thread that the library thinks one too many stand in for one that is missing."""
        with self._lock:
            kept = self._missing > 0
            self._missing -= kept
        return kept


class _PoolThread(WorkerThread):
    def __init__(self, broker: int, handlers: weakref.ref[Handlers], pool: Pool) -> None:
        super().__init__(broker, handlers)
        self._pool = pool

    def run(self) -> None:
        """Deliver until the broker ends, or the pool has a thread too many."""
        try:
            self._serve(partial(_ffi.pubsub_wait, self._pool.worker, _POOL_WAIT))
        finally:
            self._pool.leave()

    def _deliver(self, taker: Taker) -> bool:
        return super()._deliver(taker) or self._pool.keep()

    def _start_another(self) -> None:
        try:
            self._pool.start()
        except RuntimeError as error:
            self._pool.miss()
            if "at interpreter shutdown" not in str(error):  # when nobody needs it any more
                self._report(error)
        self.busy = True


def opened(broker: int) -> None:
    """Note a broker that is to be closed at exit."""
    _open.add(broker)


def abandon(broker: int) -> None:
    """Close a broker that nobody knows any more, from wherever it was collected."""
    _open.discard(broker)
    _ffi.pubsub_close(broker, 0)


def close(broker: int) -> None:
    """Close a broker; wait for calls under way and for its threads, unless inside a handler."""
    while _ffi.pubsub_close(broker, SLICE) == _ffi.TIMED_OUT:
        pass
    if not isinstance(threading.current_thread(), WorkerThread):
        while ending := [thread for thread in _ending() if thread.broker == broker]:
            ending[0].join(SLICE / 1000)


def _ending() -> list[WorkerThread]:
    """Return the threads that end once their broker is closed: those not in a handler.

    Those that are have outlived their time-out, or it is a handler that closes
    (PS-08, PS-11). One that another thread is just starting cannot be joined; it
    finds the broker closed.
    """
    threads = [thread for thread in threading.enumerate() if isinstance(thread, WorkerThread)]
    return [thread for thread in threads if thread.is_alive() and not thread.busy]


def _exit() -> None:
    """Close what is open: no thread may come back from the library into a dead interpreter."""
    brokers = tuple(_open)
    for broker in brokers:
        _ffi.pubsub_close(broker, 0)
    deadline = time.monotonic() + _GRACE
    for broker in brokers:
        _ffi.pubsub_close(broker, max(0, int(1000 * (deadline - time.monotonic()))))
    while (ending := _ending()) and time.monotonic() < deadline:
        ending[0].join(SLICE / 1000)


atexit.register(_exit)
