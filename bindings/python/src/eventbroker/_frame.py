"""Frames: the buffers into which the library writes what is more than a number."""

from __future__ import annotations

from ctypes import c_char
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ._broker import DEFAULT_PAYLOAD
from ._ffi import BUFFER_TOO_SMALL, answer, needed

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
Frame: TypeAlias = Any  # an array of c_char, whose slices are bytes, as its type does not say

# A record's offset, its partition or attempts, and its payload's length in bytes.
HEADER = Struct("<qii")
LETTER = Struct("<qqii")  # Its offset, its attempts, and the lengths of its payload and its error.
STANDING = Struct("<qqqq")  # An offset, attempts, how many were lost, and the reason's length.

MAX_RECORDS = 64  # of an EventBroker's poll
_SIZE = MAX_RECORDS * (HEADER.size + DEFAULT_PAYLOAD)
_Frame = c_char * _SIZE

# Frames that no call is using; there are as many as there ever were such calls
# at once. Each call takes one out for itself, so that a signal handler or another
# thread that calls meanwhile gets another. list.pop and append are atomic.
_spare: list[Frame] = []


def receive(
    read: Callable[[Frame, int], _T], call: Callable[..., int], arguments: tuple[object, ...]
) -> _T:
    """Make the call with a frame that is large enough, and read it with the call's answer."""
    try:
        frame = _spare.pop()
    except IndexError:
        frame = _Frame()
    try:
        while (count := call(*arguments, frame, len(frame))) == BUFFER_TOO_SMALL:
            frame = (c_char * needed())()
        return read(frame, answer(count))
    finally:
        if len(frame) == _SIZE:  # one that had to be larger may be very large
            _spare.append(frame)


def records(frame: Frame, count: int) -> list[tuple[int, int, str]]:
    """Read count headers and, behind them, their payloads in the same order.

    Each is an offset, a partition or attempts, and a payload.
    """
    if count == 0:  # as most polls of an idle consumer find
        return []
    found = []
    start = count * HEADER.size
    for offset, number, length in HEADER.iter_unpack(frame[:start]):
        end = start + length
        found.append((offset, number, frame[start:end].decode()))
        start = end
    return found


def letters(frame: Frame, count: int) -> list[tuple[int, str, int, str]]:
    """Read count headers and, behind them, a payload and an error for each.

    Each is an offset, a payload, attempts and an error.
    """
    found = []
    start = count * LETTER.size
    for offset, attempts, length, rest in LETTER.iter_unpack(frame[:start]):
        middle, end = start + length, start + length + rest
        found.append((offset, frame[start:middle].decode(), attempts, frame[middle:end].decode()))
        start = end
    return found


def standing(frame: Frame, subscribed: int) -> tuple[bool, int, int, int, str]:
    """Read how a subscription stands, and behind it the reason of a disconnection."""
    offset, attempts, lost, length = STANDING.unpack_from(frame)
    reason = frame[STANDING.size : STANDING.size + length].decode()
    return subscribed == 1, offset, attempts, lost, reason


def contents(frame: Frame, size: int) -> bytes:
    """Return the first size bytes."""
    return bytes(frame[:size])
