"""The end of the interpreter, however it comes, with threads inside every broker.

EVENTBROKER_ROUNDS=40 has each end come that often, 200 in all.
"""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

ROUNDS = int(os.environ.get("EVENTBROKER_ROUNDS", "2"))

# How the main thread ends, the status that has to give, and the words.
ENDS = {
    "it returns": ("pass", 0, ""),
    "it exits": ("sys.exit(3)", 3, ""),
    "it exits at once": ("os._exit(4)", 4, ""),
    "it fails": (
        "raise ValueError('meant')",
        1,
        r"Traceback \(most recent call last\):\n  File .*\n(    .*\n)*ValueError: meant\n",
    ),
    "it is terminated": ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, ""),
}

PROGRAM = """
import os, signal, sys, threading, time
from eventbroker import *

inside = threading.Semaphore(0)
def forever(work):
    inside.release()
    try:
        while True: work()
    except ClosedError: pass  # the interpreter's exit has closed the broker

events = EventBroker(1000)
events.create("t", 1); events.join("t", "g", "m")
def event():
    events.publish("t", 0, "x" * 100)
    for r in events.poll("t", "g", "m", 1): events.ack("t", "g", "m", 0, r.offset)

messages = MessageBroker(2)
messages.create_topic("t")
def message():
    messages.publish("t", "x" * 100)
    if d := messages.poll("t", "g"): messages.nack("t", "g", d.offset, d.attempt)

walked = PubSub(max_attempts=1)
walked.create_topic("t", retain=100); walked.subscribe("t", "a", lambda m: m.offset % 2 == 0)
def walk(): walked.publish("t", "x"); walked.drain(); walked.status("t", "a")

pushed = [PubSub(dispatcher="lanes"), PubSub(dispatcher="pool", handler_timeout=0.001)]
called = [threading.Event() for _ in pushed]
for b, once in zip(pushed, called):
    b.create_topic("t", retain=100)
    def handle(m, b=b, once=once): return once.set() is None and b.publish("t", "x") > 0
    for n in range(3): b.subscribe("t", f"s{n}", handle)
    b.publish("t", "x")

for work in (event, event, message, message, walk, lambda: EventBroker(1).create("u", 64)):
    threading.Thread(target=forever, args=(work,), daemon=True).start()
for _ in range(6): assert inside.acquire(timeout=60)
for once in called: assert once.wait(60)
"""


@pytest.mark.parametrize(("end", "status", "words"), ENDS.values(), ids=ENDS)
def test_a_process_ends_with_threads_inside(
    run_python: RunPython, end: str, status: int, words: str
) -> None:
    for n in range(ROUNDS):
        done = run_python(f"{PROGRAM}\ntime.sleep({n % 20} / 1000)\n{end}\n")
        assert (done.returncode, done.stdout) == (status, ""), done.stderr
        assert re.fullmatch(words, done.stderr), done.stderr
