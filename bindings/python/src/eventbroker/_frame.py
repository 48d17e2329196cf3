"""Frames: the buffers into which the library writes what is more than a number."""

from __future__ import annotations

from ctypes import addressof, c_char
from itertools import accumulate
from struct import Struct, unpack_from
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ._broker import DEFAULT_PAYLOAD
from ._ffi import BUFFER_TOO_SMALL, answer, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")
Frame: TypeAlias = Any  # an array of c_char, whose slices are bytes, as its type does not say

# A record's offset, its partition or attempts, and its payload's length in bytes.
HEADER = Struct("<qii")
LETTER = Struct("<qqii")  # Its offset, its attempts, and the lengths of its payload and its error.
STANDING = Struct("<qqqq")  # An offset, attempts, how many were lost, and the reason's length.

MAX_RECORDS = 64  # of an EventBroker's poll
_SIZE = MAX_RECORDS * (HEADER.size + DEFAULT_PAYLOAD)
_Frame = c_char * _SIZE
_HEADERS = [Struct("<" + "qii" * count) for count in range(MAX_RECORDS + 1)]

# Frames that no call is using, with their addresses and sizes; there are as many
# as there ever were such calls at once. Each call takes one out for itself, so
# that a signal handler or another thread that calls meanwhile gets another.
# list.pop and append are atomic.
spare_frames: list[tuple[Frame, int, int]] = []


def take() -> tuple[Frame, int, int]:
    """Return a frame of the usual size, its address and its size."""
    try:
        return spare_frames.pop()
    except IndexError:
        frame = _Frame()
        return frame, addressof(frame), _SIZE


give_back = spare_frames.append


def larger() -> Frame:
    """Return a frame as large as the last call needed. It may be very large and is not kept."""
    return (c_char * needed())()


def receive(
    read: Callable[[Frame, int], _T], call: Callable[..., int], arguments: tuple[object, ...]
) -> _T:
    """Make the call with a frame that is large enough, and read it with the call's answer."""
    spare = take()
    try:
        frame = spare[0]
        while (count := call(*arguments, frame, len(frame))) == BUFFER_TOO_SMALL:
            frame = larger()
        return read(frame, answer(count))
    finally:
        give_back(spare)


def records(frame: Frame, count: int) -> list[tuple[int, int, str]]:
    """Read count headers and, behind them, their payloads in the same order.

    Each is an offset, a partition or attempts, and a payload.
    """
    return [*zip(*columns(frame, count), strict=True)]


def columns(frame: Frame, count: int) -> tuple[Sequence[int], Sequence[int], Sequence[str]]:
    """Read what records reads, and return the offsets, the partitions and the payloads."""
    if count == 0:  # as most polls of an idle consumer find
        return (), (), ()
    if count <= MAX_RECORDS:
        heads = _HEADERS[count].unpack_from(frame)
    else:  # only dead letters are as many
        heads = unpack_from("<" + "qii" * count, frame)
    return heads[::3], heads[1::3], _cut(frame, count * HEADER.size, heads[2::3])


def _cut(frame: Frame, start: int, lengths: Sequence[int]) -> list[str]:
    """Return the strings of these lengths in bytes that follow each other from start."""
    ends = [*accumulate(lengths)]
    data = frame[start : start + ends[-1]]
    if data.isascii():  # then a byte is a character
        text = data.decode()
        return [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]
    return [data[end - length : end].decode() for end, length in zip(ends, lengths, strict=True)]


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
