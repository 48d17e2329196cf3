"""Batches: what crosses in one call of publish_many and ack_many (EB-17)."""

from __future__ import annotations

from ctypes import c_int64, c_uint8
from itertools import islice
from struct import pack
from typing import TYPE_CHECKING, Any

from ._argument import elements, integer, refuse, refuse_type, text
from ._broker import MAX_PAYLOAD
from ._ffi import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
        if len(payloads[-1]) > MAX_PAYLOAD:  # refused here at the latest: no more is copied
            given = given[: i + 1]
            break
    return pack(f"<{len(heads)}q", *heads) + b"".join(payloads), len(given)


def positions_of(positions: Iterable[tuple[int, int]]) -> tuple[bytes, int]:
    """Return the frame of a batch of positions, and how many there are."""
    given = _pairs("positions", "position", positions)
    numbers = []
    for i, (partition, offset) in enumerate(given):
        numbers.append(integer(f"positions: partition of position {i}:", partition))
        numbers.append(integer(f"positions: offset of position {i}:", offset))
    return pack(f"<{len(numbers)}q", *numbers), len(given)


def _pairs(name: str, element: str, value: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return a copy of value, whose elements are copies of pairs, and not too many."""
    given = [*islice(elements(name, value), MAX_BATCH + 1)]  # perhaps there is no end
    if len(given) > MAX_BATCH:
        known = type(value) is list or type(value) is tuple
        said = len(value) if known else f"{len(given)} or more"  # type: ignore[arg-type]
        refuse(name, f"has {said} elements; at most {MAX_BATCH} are allowed")
    return [_pair(name, f"{element} {i}", pair) for i, pair in enumerate(given)]


def _pair(name: str, element: str, value: Any) -> tuple[Any, ...]:
    if not issubclass(type(value), (tuple, list)):
        refuse_type(f"{name}: {element}:", value, "a pair")
    given = value if type(value) is tuple else tuple(value)
    if len(given) != 2:  # noqa: PLR2004 - a pair is two
        refuse(name, f"{element}: has {len(given)} elements; 2 are needed")
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
