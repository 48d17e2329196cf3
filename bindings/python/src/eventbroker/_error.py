"""Exceptions for what a caller could not have known from the arguments alone.

A wrong argument is a plain ValueError or TypeError.
"""


class ClosedError(RuntimeError):
    """The broker was closed, or its handle never was one."""


class ForkedError(RuntimeError):
    """This process is a forked child of the one that loaded the library.

    The Go runtime inside the library does not survive a fork. Start workers
    with subprocess or with multiprocessing's "spawn" or "forkserver", or import
    this package only in the child.
    """


class InternalError(RuntimeError):
    """A defect of the library; the broker answers nothing else from now on."""


class TimedOutError(TimeoutError):
    """A call waited as long as it may, or would have had to wait where it must not."""


class InUseError(OSError):
    """The path is open elsewhere, in this process or another."""


class DamagedError(OSError):
    """The file at the path is not a broker's, or is damaged; it was left as it is."""


class StorageError(OSError):
    """The system refused to write or sync the file; the text says what it said."""


class DiskFullError(OSError):
    """There is no room on the disk; nothing was changed."""
