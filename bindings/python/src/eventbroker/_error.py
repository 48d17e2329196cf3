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
