"""The accelerator: an extension that makes the calls that are made most without ctypes.

It is optional, and changes nothing but the time that they take: the classes
here inherit from its own, whose methods take what is exactly right, and leave
all else to those of the package. EVENTBROKER_PURE=1 turns it off.
"""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, TypeVar

from ._ffi import address

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType, ModuleType

_T = TypeVar("_T")


def _load() -> ModuleType | None:
    if os.environ.get("EVENTBROKER_PURE", "0") not in ("", "0"):
        return None
    try:
        from . import _accel  # noqa: PLC0415 - perhaps it is not there
    except ImportError:
        return None
    try:
        _accel.connect([*map(address, _accel.FUNCTIONS)])
    except (AttributeError, TypeError, ValueError) as error:
        raise ImportError(
            f"{_accel.__file__} is of another state of the package: build it anew "
            "(accel/build.sh), or set EVENTBROKER_PURE=1 to do without"
        ) from error
    return _accel


_module = _load()
accelerated = _module is not None
"""Whether the accelerator is in use."""


def accelerate(polled: type) -> Callable[[type[_T]], type[_T]]:
    """Make a class's most frequent calls by the accelerator; polled is what its poll returns."""

    def decorate(kind: type[_T]) -> type[_T]:
        return kind if _module is None else _fast(_module, kind, polled)

    return decorate


def _fast(module: ModuleType, kind: type[_T], polled: type) -> type[_T]:
    calls = getattr(module, kind.__name__)
    for name in vars(calls):
        if not name.startswith("_"):
            module.describe(kind.__name__, name, _description(getattr(kind, name)))
    named = {name: getattr(kind, name) for name in ("__doc__", "__module__", "__qualname__")}
    named |= {"_slow": kind, "_polled": polled}
    fast: type[_T] = type(kind.__name__, (calls, kind), named)
    return fast


def _description(method: FunctionType) -> str:
    """Return what a method of C says to show a signature and a documentation."""
    _, *parameters = inspect.signature(method).parameters
    return f"{method.__name__}({', '.join(['$self', *parameters])})\n--\n\n{method.__doc__}"
