"""What owns a handle of the library: it is closed once, by whoever comes first."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self


class Owner:
    """The owner, or a borrower, of a handle, which is 0 once it is closed."""

    # For an object whose __init__ did not run to its end.
    _handle = 0
    _finalizer: weakref.finalize[[int], Any] | None = None

    def _own(self, handle: int, close: Callable[[int], int]) -> None:
        """Take the handle, which close frees, also when this object is forgotten."""
        self._handle = handle
        self._finalizer = weakref.finalize(self, close, handle)

    def close(self) -> None:
        """Close it; further calls raise ClosedError. Closing twice is fine.

        Calls under way on other threads finish. In a forked child it does nothing.
        """
        self._handle = 0
        if self._finalizer is not None:
            self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"{name} is not a value: it cannot be copied or pickled")
