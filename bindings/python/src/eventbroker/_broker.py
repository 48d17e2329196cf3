"""What every broker is besides its operations: the owner, or a borrower, of a handle."""

from __future__ import annotations

from ctypes import byref, c_uint64, sizeof
from typing import TYPE_CHECKING, NoReturn

from . import _ffi
from ._argument import UINT64_MAX, integer, option
from ._error import ClosedError
from ._owner import Owner

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

DEFAULT_PAYLOAD = 1024
MAX_PAYLOAD = 1024 * 1024


class Broker(Owner):
    """The owner of a broker's handle; operations begin with `self._handle or refuse_closed()`."""

    def _open(
        self,
        new: Callable[..., int],
        close: Callable[[int], int],
        limit: int,
        max_payload: int,
    ) -> None:
        """Make the library's broker, which close frees, with its one positional limit."""
        handle = c_uint64()
        _ffi.answer(new(limit, byref(_options(max_payload)), byref(handle)))
        self._own(handle.value, close)

    @classmethod
    def from_handle(cls, handle: int) -> Self:
        """Return another way to a broker that is open in this process already.

        The broker is borrowed: closing what is returned leaves it open, and it
        must be kept open by whoever made it, in whatever language. The handle
        is looked up by the calls: one that is stale, or a broker's of another
        kind, makes them raise ClosedError.

        >>> from eventbroker import EventBroker
        >>> with EventBroker(1) as owner:
        ...     EventBroker.from_handle(owner.handle).create("orders", 1)
        True

        Raises:
            ValueError: handle is below 1 or outside 64 bits.
        """
        broker = cls.__new__(cls)
        broker._handle = integer("handle", handle, 1, UINT64_MAX)
        return broker

    @property
    def handle(self) -> int:
        """The number by which all languages in this process know the broker."""
        return self._handle or refuse_closed()

    def __repr__(self) -> str:
        state = f"handle={self._handle:#x}" if self._handle else "closed"
        return f"<{type(self).__name__} {state}>"


def refuse_closed() -> NoReturn:
    """Say what a broker says that has no handle any more."""
    raise ClosedError("broker is closed")


def _options(max_payload: int) -> _ffi.Options:
    limit = option("max_payload", max_payload, MAX_PAYLOAD)
    return _ffi.Options(sizeof(_ffi.Options), limit)
