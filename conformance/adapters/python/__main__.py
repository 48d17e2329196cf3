"""Drives the Python binding for the conformance kit: a line of JSON in, a line out.

Each system has a module of its own with `new` and `call`.
"""

import importlib
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

# What is judged is this checkout, also where some other version is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bindings" / "python" / "src"))

import eventbroker

SYSTEMS = {name: importlib.import_module(name) for name in ("event", "message", "pubsub", "assign")}
HELLO = {
    "protocol": 1,
    "surface": "python",
    "implementation": f"eventbroker {eventbroker.__version__}",
    "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    "systems": list(SYSTEMS),
    "features": ["null_strings", "wide_integers", "redeliver", "status"],
    "errors": {"invalid_argument": "ValueError", "timed_out": "eventbroker.TimedOutError"},
}


def main() -> None:
    """Answer line by line until the input ends."""
    wire = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # a stray print must not get between the answers
    for line in sys.stdin.buffer:
        answer = respond(json.loads(line, object_hook=from_wire))
        print(json.dumps(answer, default=lambda b: {"hex": b.hex()}), file=wire, flush=True)


def from_wire(value: dict[str, Any]) -> Any:
    said = value.get("hex") if len(value) == 1 else None  # a topic may be called hex too
    return bytes.fromhex(said) if isinstance(said, str) else value


def respond(request: dict[str, Any]) -> dict[str, Any]:
    """Carry out a case with a broker of its own, or say hello."""
    if "hello" in request:
        return {"hello": HELLO}
    try:
        system = SYSTEMS[request["system"]]
        broker = system.new(*request["new"])
    except Exception as error:  # whatever it is, it is the answer
        return {"id": request["id"], "new": failure(error), "results": []}
    run = at_once if request.get("record") else in_turn
    with broker:
        results = run(partial(system.call, broker), request["threads"])
    return {"id": request["id"], "results": results}


def in_turn(call: Callable[..., Any], threads: list[Any]) -> list[Any]:
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
    begin = time.monotonic_ns()
    return {**attempt(call, arguments), "at": [begin, time.monotonic_ns()]}


def attempt(call: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    try:
        return {"ok": call(*arguments)}
    except Exception as error:  # whatever it is, it is the answer
        return failure(error)


def failure(error: Exception) -> dict[str, Any]:
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return {"error": name, "message": str(error)}


main()
