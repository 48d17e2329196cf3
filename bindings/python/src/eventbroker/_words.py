"""Word frames, as eventbroker.h describes them: how structured values cross the border."""

from __future__ import annotations

from struct import pack, unpack_from
from typing import TYPE_CHECKING

from ._argument import INT32_MAX, INT32_MIN, integer, octets, text

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = 8
_NULL = -1


class WordWriter:
    """Puts a frame together out of the parts of an argument, and judges their types.

    A part's name is what errors call it.
    """

    def __init__(self, argument: str) -> None:
        """Begin an empty frame for the argument of that name."""
        self._argument = argument
        self._parts: list[bytes] = []

    def whole(self) -> bytes:
        """Return what was written."""
        return b"".join(self._parts)

    def count(self, count: int) -> None:
        """Write how many elements follow."""
        self._parts.append(pack("<q", count))

    def number(self, part: str, value: int) -> None:
        """Write an integer of which the library knows the range."""
        self.count(integer(self.name(part), value))

    def int32s(self, part: str, values: Sequence[int]) -> None:
        """Write integers that the frame itself has no more than 32 bits for."""
        judged = [
            value
            if type(value) is int and INT32_MIN <= value <= INT32_MAX
            else integer(self.name(f"{part}[{i}]"), value, INT32_MIN, INT32_MAX)
            for i, value in enumerate(values)
        ]
        self.count(len(judged))
        self._padded(pack(f"<{len(judged)}i", *judged))

    def text(self, part: str, value: str) -> None:
        """Write a string in UTF-8."""
        self._string(text(self.name(part), value))

    def texts(self, part: str, values: Sequence[str]) -> None:
        """Write a list of strings."""
        self.count(len(values))
        for i, value in enumerate(values):
            self.text(f"{part}[{i}]", value)

    def optional_text(self, part: str, value: str | None) -> None:
        """Write a string in UTF-8, or null."""
        if value is None:
            self.count(_NULL)
        else:
            self.text(part, value)

    def optional_octets(self, part: str, value: bytes | None) -> None:
        """Write bytes, or null."""
        if value is None:
            self.count(_NULL)
        else:
            self._string(octets(self.name(part), value))

    def name(self, part: str) -> str:
        """Return what an error calls the part."""
        return f"{self._argument}: {part}"

    def _string(self, data: bytes) -> None:
        self.count(len(data))
        self._padded(data)

    def _padded(self, data: bytes) -> None:
        self._parts.append(data)
        self._parts.append(bytes(-len(data) % _WORD))


class WordReader:
    """Takes a frame of the library's apart from the front."""

    def __init__(self, frame: bytes) -> None:
        """Begin at the first word."""
        self._frame = frame
        self._at = 0

    def number(self) -> int:
        """Read an integer, or how many elements follow."""
        number: int
        (number,) = unpack_from("<q", self._frame, self._at)
        self._at += _WORD
        return number

    def int32s(self) -> tuple[int, ...]:
        """Read integers of 32 bits."""
        count = self.number()
        values = unpack_from(f"<{count}i", self._frame, self._at)
        self._skip(4 * count)
        return values

    def text(self) -> str:
        """Read a string that is not null."""
        return self._string(self.number()).decode()

    def texts(self) -> tuple[str, ...]:
        """Read a list of strings."""
        return tuple(self.text() for _ in range(self.number()))

    def optional_text(self) -> str | None:
        """Read a string, or None for null."""
        data = self.optional_octets()
        return None if data is None else data.decode()

    def optional_octets(self) -> bytes | None:
        """Read bytes, or None for null."""
        length = self.number()
        return None if length == _NULL else self._string(length)

    def _string(self, length: int) -> bytes:
        start = self._at
        self._skip(length)
        return self._frame[start : start + length]

    def _skip(self, length: int) -> None:
        self._at += length + -length % _WORD
