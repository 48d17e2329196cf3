"""Drives the Python binding for the conformance kit: a line of JSON in, a line out.

Each system has a module of its own with `new` and `call`.
"""

import importlib
import json
import os
import platform
import sys
from functools import partial
from pathlib import Path
from typing import Any

# What is judged is this checkout, also where some other version is installed.
sys.path.insert(0, str(Path(__file__).absolute().parents[3] / "bindings" / "python" / "src"))

os.environ.setdefault("EVENTBROKER_PURE", "1")  # 0 is for the surface python-c

from threads import failure, in_turn, record

import eventbroker

if os.environ["EVENTBROKER_PURE"] == "0" and not eventbroker.accelerated:
    sys.exit("the accelerator is not there: bindings/python/accel/build.sh makes it")

HANDLES = "--handles" in sys.argv
NAMES = ("event",) if HANDLES else ("event", "message", "pubsub", "assign")
SYSTEMS = {name: importlib.import_module(name) for name in NAMES}
HELLO = {
    "protocol": 1,
    "surface": "python" + "-c" * eventbroker.accelerated + "-handles" * HANDLES,
    "implementation": f"eventbroker {eventbroker.__version__}",
    "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    "systems": list(SYSTEMS),
    "serial": eventbroker.accelerated,  # its calls hold the interpreter's lock
    "features": ["null_strings", "wide_integers", "redeliver", "status", "batch"],
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
    call = partial(system.call, broker)
    with broker:
        if request.get("record"):
            before = [request["before"]] if "before" in request else []
            return {"id": request["id"], **record(call, before, request["threads"])}
        return {"id": request["id"], "results": in_turn(call, request["threads"])}


main()
