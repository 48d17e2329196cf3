"""Judging the type of an argument, which the library never sees.

ctypes cuts an integer to its C type without a word and turns None into a null
pointer, so nothing reaches it that did not pass here. What fits is not judged
further: the library decides whether a value is right. Messages have the
library's form, "invalid argument: NAME: REASON". Where a part of an argument is
wrong, its name is "ARGUMENT: PART": "invalid argument: members: id of member 2 is null".
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., object])

INT32_MIN = -(2**31)
INT32_MAX = 2**31 - 1
INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1
UINT64_MAX = 2**64 - 1

_MIN_SECONDS = 0.001
_MAX_SECONDS = 86_400

_READABLE_BITS = 128  # of an integer that is shown in a message


def integer(name: str, value: int, low: int = INT64_MIN, high: int = INT64_MAX) -> int:
    """Return value as a plain int that is known to lie between low and high.

    An int subclass such as an IntEnum is taken by its value. A bool is refused,
    and nothing is converted, also not by __index__: int(n) is for the caller.

    Raises:
        TypeError: value is no int, or a bool.
        ValueError: value is outside 64 bits.
    """
    if type(value) is not int:
        if type(value) is bool or not _is(value, int):
            raise TypeError(_message(name, f"must be int, not {_type_name(value)}"))
        value = int.__index__(value)
    if not low <= value <= high:
        raise ValueError(_message(name, f"{_written(value)} is outside {low} through {high}"))
    return value


def option(name: str, value: int, high: int) -> int:
    """Return an integer from 1 to high, where 0 is what the library takes for not given.

    Raises:
        TypeError: value is no int, or a bool.
        ValueError: value is 0, or outside 64 bits.
    """
    given = integer(name, value)
    if given == 0:
        raise ValueError(_message(name, f"0 is outside 1 through {high}"))
    return given


def milliseconds(name: str, seconds: float) -> int:
    """Return a time-out of 0.001 through 86,400 seconds in whole milliseconds.

    Raises:
        TypeError: seconds is neither int nor float, or a bool.
        ValueError: seconds is out of its range, or not a number.
    """
    if type(seconds) is bool or not _is(seconds, (int, float)):
        raise _wrong(name, seconds, "float")
    if not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        shown = _written(seconds) if isinstance(seconds, int) else float.__repr__(seconds)
        reason = f"{shown} is outside {_MIN_SECONDS} through {_MAX_SECONDS} seconds"
        raise ValueError(_message(name, reason))
    return round(float(seconds) * 1000)


def choice(name: str, value: str, options: tuple[str, ...]) -> int:
    """Return which of the options value is, counted from 0.

    Raises:
        TypeError: value is no str.
        ValueError: value is None, or none of them.
    """
    given = text(name, value).decode()
    if given not in options:
        raise ValueError(_message(name, f"{given[:64]!a} is none of {', '.join(options)}"))
    return options.index(given)


def flag(name: str, value: bool) -> int:  # noqa: FBT001 - it is what is judged
    """Return 1 for True and 0 for False.

    Raises:
        TypeError: value is no bool.
        ValueError: value is None.
    """
    if type(value) is not bool:
        raise _wrong(name, value, "bool")
    return int(value)


def function(name: str, value: _F) -> _F:
    """Return value, which gives its answer when it is called.

    Raises:
        TypeError: value cannot be called, or is an async function.
        ValueError: value is None.
    """
    if not callable(value):
        raise _wrong(name, value, "callable")
    if any(map(_is_async, (value, type(value).__call__))):
        reason = "must be a plain function: what an async function returns is no answer yet"
        raise TypeError(_message(name, reason))
    return value


def text(name: str, value: str) -> bytes:
    """Return value in UTF-8.

    Raises:
        TypeError: value is no str.
        ValueError: value is None, or has a lone surrogate, which no UTF-8 can say.
    """
    if not _is(value, str):
        raise _wrong(name, value, "str")
    try:
        return str.encode(value)
    except UnicodeEncodeError as error:
        reason = f"has a lone surrogate at index {error.start}"
        raise ValueError(_message(name, reason)) from None


def path(name: str, value: str | os.PathLike[str]) -> bytes:
    """Return the path of a file in UTF-8.

    Raises:
        TypeError: value is neither str nor an os.PathLike of one.
        ValueError: value is None, or is no UTF-8.
    """
    return text(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def octets(name: str, value: bytes | bytearray | memoryview) -> bytes:
    """Return a copy of value, which later changes do not reach.

    Raises:
        TypeError: value is no bytes, bytearray or memoryview.
        ValueError: value is None.
    """
    if type(value) is bytes:
        return value
    if not _is(value, (bytes, bytearray, memoryview)):
        raise _wrong(name, value, "bytes")
    return memoryview(value).tobytes()


def items(name: str, value: Iterable[_T]) -> tuple[_T, ...]:
    """Return a copy of value, which later changes do not reach. Its elements are not judged.

    Raises:
        TypeError: value is a string or a mapping, or cannot be iterated over.
        ValueError: value is None.
    """
    return value if type(value) is tuple else tuple(elements(name, value))


def elements(name: str, value: Iterable[_T]) -> Iterable[_T]:
    """Return value, which is not iterated over yet.

    Raises:
        TypeError: value is a string or a mapping, or cannot be iterated over.
        ValueError: value is None.
    """
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping)) or not isinstance(
        value, Iterable
    ):
        raise _wrong(name, value, "a list or another iterable")
    return value


def instance(name: str, value: _T, kind: type[Any]) -> _T:
    """Return value.

    Raises:
        TypeError: value is of another kind.
        ValueError: value is None.
    """
    if not isinstance(value, kind):
        raise _wrong(name, value, kind.__qualname__)
    return value


def refuse(name: str, reason: str) -> NoReturn:
    """Say why an argument's value is wrong.

    Raises:
        ValueError: always.
    """
    raise ValueError(_message(name, reason))


def refuse_type(name: str, value: object, wanted: str) -> NoReturn:
    """Say that an argument's type is wrong.

    Raises:
        TypeError: value is of another kind than wanted.
        ValueError: value is None.
    """
    raise _wrong(name, value, wanted)


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    """Tell whether value is of the kind, and does not only say so by a __class__ of its own."""
    return issubclass(type(value), kind)


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _wrong(name: str, value: object, wanted: str) -> Exception:
    if value is None:
        return ValueError(_message(name, "is null"))
    return TypeError(_message(name, f"must be {wanted}, not {_type_name(value)}"))


def _message(name: str, reason: str) -> str:
    separator = " " if ":" in name else ": "
    return f"invalid argument: {name}{separator}{reason}"


def _written(value: int) -> str:
    """Return value in decimal, unless it is longer than anybody would read."""
    if value.bit_length() <= _READABLE_BITS:
        return str(value)
    return f"an integer of more than {_READABLE_BITS} bits"


def _type_name(value: object) -> str:
    return type(value).__qualname__
