"""Batches: what crosses in one call of publish_many and ack_many (EB-17)."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from ctypes import c_int64, c_uint8
from itertools import islice
from struct import pack
from typing import TYPE_CHECKING, Any

from ._argument import integer, items, refuse, refuse_type, text
from ._ffi import answer

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BATCH = 1024


def messages_of(messages: Iterable[tuple[int, str]]) -> tuple[bytes, int]:
    """Return the frame of a batch of messages, and how many there are."""
    given = _pairs("messages", "message", messages)
    payloads = []
    heads = []
    for i, (partition, payload) in enumerate(given):
        heads.append(integer(f"messages: partition of message {i}:", partition))
        payloads.append(text(f"messages: payload of message {i}:", payload))
        heads.append(len(payloads[-1]))
    return pack(f"<{len(heads)}q", *heads) + b"".join(payloads), len(given)


def positions_of(positions: Iterable[tuple[int, int]]) -> tuple[bytes, int]:
    """Return the frame of a batch of positions, and how many there are."""
    given = _pairs("positions", "position", positions)
    numbers = []
    for i, (partition, offset) in enumerate(given):
        numbers.append(integer(f"positions: partition of position {i}:", partition))
        numbers.append(integer(f"positions: offset of position {i}:", offset))
    return pack(f"<{len(numbers)}q", *numbers), len(given)


def _pairs(name: str, element: str, value: Iterable[Any]) -> tuple[Any, ...]:
    """Return a copy of value, whose elements are known to be pairs, and not too many."""
    if isinstance(value, Sized) or not isinstance(value, Iterable):
        given = items(name, value)
        said = str(len(given))
    else:  # perhaps without an end
        given = tuple(islice(value, MAX_BATCH + 1))
        said = f"{len(given)} or more"
    if len(given) > MAX_BATCH:
        refuse(name, f"has {said} elements; at most {MAX_BATCH} are allowed")
    for i, pair in enumerate(given):
        if not isinstance(pair, (tuple, list)):
            refuse_type(f"{name}: {element} {i}:", pair, "a pair")
        if len(pair) != 2:  # noqa: PLR2004 - a pair is two
            refuse(name, f"{element} {i}: has {len(pair)} elements; 2 are needed")
    return given


def accepted(
    call: Callable[..., int], what: tuple[object, ...], frame: bytes, count: int
) -> list[int]:
    """Make the call of publish_many."""
    offsets = (c_int64 * count)()
    answer(call(*what, frame, len(frame), count, offsets))
    return offsets[:]


def committed(
    call: Callable[..., int], what: tuple[object, ...], frame: bytes, count: int
) -> list[bool]:
    """Make the call of ack_many."""
    acked = (c_uint8 * count)()
    answer(call(*what, frame, count, acked))
    return [one == 1 for one in acked]
