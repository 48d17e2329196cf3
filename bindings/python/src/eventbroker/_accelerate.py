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
    from types import FunctionType, ModuleType

_T = TypeVar("_T")


def _load() -> ModuleType | None:
    if os.environ.get("EVENTBROKER_PURE", "0") not in ("", "0"):
        return None
    try:
        from . import _accel  # noqa: PLC0415 - perhaps it is not there
    except ImportError:
        return None
    return _accel


_module = _load()
accelerated = _module is not None
"""Whether the accelerator is in use."""


def accelerate(kind: type[_T]) -> type[_T]:
    """Return a class whose most frequent calls are made by the accelerator, where it is there."""
    if _module is None:
        return kind
    calls = getattr(_module, kind.__name__)
    for name in vars(calls):
        if not name.startswith("_"):
            _module.describe(kind.__name__, name, _description(getattr(kind, name)))
    named = {name: getattr(kind, name) for name in ("__doc__", "__module__", "__qualname__")}
    fast: type[_T] = type(kind.__name__, (calls, kind), named)
    return fast


def _description(method: FunctionType) -> str:
    """Return what a method of C says to show a signature and a documentation."""
    _, *parameters = inspect.signature(method).parameters
    return f"{method.__name__}({', '.join(['$self', *parameters])})\n--\n\n{method.__doc__}"


def connect(record: type, delivery: type) -> None:
    """Give the accelerator the library's functions, and what polls return."""
    if _module is not None:
        _module.connect(record, delivery, [*map(address, _module.FUNCTIONS)])
