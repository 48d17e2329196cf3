"""Handlers for the tests of the pub-sub broker."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from eventbroker import Message

HANG = 60  # seconds: who waits longer for another thread waits for ever
PROGRAM_HANG = 300  # seconds: that of a whole program, on a machine that has other work


def eventually(holds: Callable[[], object]) -> None:
    """Wait until it holds, where nothing tells that it does."""
    end = time.monotonic() + HANG
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


class Given:
    """A handler that remembers its messages and answers as it is told."""

    def __init__(self, answer: Any = True) -> None:  # noqa: FBT002
        self.messages: list[Message] = []
        self.answer = answer
        self._came = threading.Condition()

    def __call__(self, message: Message) -> Any:
        with self._came:
            self.messages.append(message)
            self._came.notify_all()
        return self.answer(message) if callable(self.answer) else self.answer

    def until(self, count: int) -> None:
        """Wait until it was given so many."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.messages) >= count, HANG)

    @property
    def payloads(self) -> list[str]:
        return [message.payload for message in self.messages]


class Slow:
    """A handler that runs until it may leave."""

    def __init__(self) -> None:
        self.entered, self.leave = threading.Event(), threading.Event()

    def __call__(self, _: Message) -> bool:
        self.entered.set()
        return self.leave.wait(HANG)
