"""How the lists of calls of a case are made: in turn, or at once on real threads."""

import ctypes
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def record(call: Callable[..., Any], before: list[Any], threads: list[Any]) -> dict[str, Any]:
    """Make the first lists of calls in turn and then the others at once."""
    results = in_turn(call, before)
    already = overlap()
    results += at_once(call, threads)
    return {"results": results, **{key: overlap()[key] - count for key, count in already.items()}}


def overlap() -> dict[str, int]:
    """Say how many calls have overlapped, which only a library with the tag ebtest tells."""
    library = ctypes.CDLL("libeventbroker.so.1", os.RTLD_NOLOAD)
    if not hasattr(library, "eb_test_overlap"):
        return {}
    library.eb_test_overlap.restype = ctypes.c_int64
    return {"overlap": library.eb_test_overlap()}


def in_turn(call: Callable[..., Any], threads: list[Any]) -> list[Any]:
    """Make the calls of each list, one list after the other."""
    return [[attempt(call, arguments) for arguments in calls] for calls in threads]


def at_once(call: Callable[..., Any], threads: list[Any]) -> list[Any]:
    """Make the calls on real threads that start together, and say when each was made."""
    start = threading.Barrier(len(threads))

    def work(calls: list[Any]) -> list[Any]:
        start.wait()
        return [timed(call, arguments) for arguments in calls]

    with ThreadPoolExecutor(len(threads)) as pool:
        return list(pool.map(work, threads))


def timed(call: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """Make a call, say when it was made and when it had returned, and give way."""
    begin = time.monotonic_ns()
    result = {**attempt(call, arguments), "at": [begin, time.monotonic_ns()]}
    time.sleep(0)  # a thread is through before the next begins, else
    return result


def attempt(call: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """Make a call and return what it came to, as the wire has it."""
    try:
        return {"ok": call(*arguments)}
    except Exception as error:  # whatever it is, it is the answer
        return failure(error)


def failure(error: Exception) -> dict[str, Any]:
    """Return an exception as the wire has it."""
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return {"error": name, "message": str(error)}
