"""Several interpreters in one process: each uses the package, and they may share brokers.

The kind with the process's lock ("legacy") can do everything. In the other kind
Python itself refuses things, differently in each version, and the test of it says what.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

OWN_LOCK_WITHOUT_CTYPES = sys.version_info[:2] == (3, 12)

# Python gives no public way to all of this in any version.
HEAD = """
import sys, threading
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
else:
    import _xxsubinterpreters as interpreters

def create(kind):
    if sys.version_info >= (3, 13): return interpreters.create(kind)
    return interpreters.create(isolated=kind == "isolated")

def run(interpreter, program):
    try: failure = interpreters.run_string(interpreter, program)
    except interpreters.RunFailedError as error: failure = error
    if failure: print(getattr(failure, "formatted", failure), flush=True)

# Before 3.12 destroy refuses an interpreter that has threads without running its exit functions,
# as an end through Python's C interface does, and what is left brings the process down.
LAST = "" if sys.version_info >= (3, 12) else "import atexit; atexit._run_exitfuncs()"

def at_once(*works):
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""

EVERYTHING = """
import threading
from eventbroker import *
from eventbroker.assign import Subscription

e, m, s = EventBroker(2), MessageBroker(1), PubSub()
e.create("t", 1); e.publish("t", 0, "x"); e.join("t", "g", "m")
assert e.poll("t", "g", "m", 1) == [("t", 0, 0, "x")]
m.create_topic("t"); m.publish("t", "x")
assert m.poll("t", "g") == ("t", 0, "x", 1)
s.create_topic("t"); s.subscribe("t", "a", lambda m: m.payload == "x"); s.publish("t", "x")
assert s.drain() == 1
assert Subscription.decode(Subscription(0, ["a"]).encode()).topics == ("a",)
try: e.create("t", 0)
except ValueError as error: assert "partition_count" in str(error)
else: assert False
"""

PUSHES = """
pushed = [PubSub(dispatcher="lanes"), PubSub(dispatcher="pool")]
for b in pushed:
    called = threading.Event()
    b.create_topic("t"); b.subscribe("t", "a", lambda _: called.set() is None)
    b.publish("t", "x")
    assert called.wait(60)
"""


def test_several_interpreters_on_several_threads(run_python: RunPython) -> None:
    done = run_python(f"""{HEAD}
def work():
    for _ in range(3):
        interpreter = create("legacy")
        run(interpreter, {EVERYTHING + PUSHES!r} + "for b in (e, m, s, *pushed): b.close()")
        interpreters.destroy(interpreter)
at_once(work, work, work)
{EVERYTHING}{PUSHES}
print("fine")
""")
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)


def test_an_interpreter_ends_with_brokers_and_their_threads_alive(run_python: RunPython) -> None:
    """What it had is closed to those that borrowed it, and nothing else is."""
    done = run_python(f"""{HEAD}
import os
from eventbroker import *
own = EventBroker(1)
read, write = os.pipe()
for _ in range(5):
    interpreter = create("legacy")
    run(interpreter, {EVERYTHING + PUSHES!r} + f'''
from eventbroker import _worker
_worker._GRACE *= 60  # where threads are left, the end of an interpreter is that of the process
def again(message): return pushed[message.offset % 2].publish("t", "y") > 0
for b in pushed: b.subscribe("t", "again", again); b.publish("t", "x")
import os
os.write({{write}}, repr([b.handle for b in (e, m, s, *pushed)]).encode())
''' + LAST)
    interpreters.destroy(interpreter)
    handles = eval(os.read(read, 1000))
    for kind, handle in zip((EventBroker, MessageBroker, PubSub, PubSub, PubSub), handles):
        topic = ("t", 0) if kind is EventBroker else ("t",)
        try: print(kind.from_handle(handle).publish(*topic, "x"))
        except ClosedError: pass
print(own.create("t", 1), threading.active_count())
""")
    assert (done.stdout, done.stderr, done.returncode) == ("True 1\n", "", 0)


@pytest.mark.parametrize(
    "kind",
    [
        "legacy",
        pytest.param(
            "isolated",
            marks=pytest.mark.skipif(
                OWN_LOCK_WITHOUT_CTYPES, reason="Python 3.12 has no ctypes in them"
            ),
        ),
    ],
)
def test_interpreters_share_a_broker_by_its_handle(run_python: RunPython, kind: str) -> None:
    done = run_python(f"""{HEAD}
from eventbroker import *
m, s, given = MessageBroker(1), PubSub(dispatcher="lanes"), []
m.create_topic("t"); s.create_topic("t")
def handle(message):
    given.append(message.offset)
    return True
s.subscribe("t", "a", handle)
program = f'''
from eventbroker import *
with MessageBroker.from_handle({{m.handle}}) as m, PubSub.from_handle({{s.handle}}) as s:
    for n in range(300): m.publish("t", str(n)); s.publish("t", str(n))
    try: s.drain()
    except RuntimeError as error: assert "borrowed" in str(error)
'''
def work():
    interpreter = create("{kind}")
    run(interpreter, program)
    interpreters.destroy(interpreter)
at_once(work, work, work)
offsets = []
while d := m.poll("t", "g"): offsets.append(d.offset); m.ack("t", "g", d.offset, 1)
while s.offset("t", "a") < 900: pass
s.close()
print(offsets == given == [*range(900)])
""")
    assert (done.stdout, done.stderr, done.returncode) == ("True\n", "", 0)


def test_an_isolated_interpreter_works_or_says_why_not(run_python: RunPython) -> None:
    """It may have no thread that is a daemon, as those of lanes and pool are."""
    done = run_python(f"""{HEAD}
interpreter = create("isolated")
run(interpreter, {EVERYTHING!r} + '''
def refused(call):
    try: call()
    except RuntimeError as error: print(error)
lanes = PubSub(dispatcher="lanes")
lanes.create_topic("t")
refused(lambda: lanes.subscribe("t", "a", print))
print(lanes.status("t", "a").subscribed, len(lanes._handlers._subscribers))
refused(lambda: PubSub(dispatcher="pool"))
print("fine", flush=True)
''')
interpreters.destroy(interpreter)
{EVERYTHING}
""")
    assert (done.stderr, done.returncode) == ("", 0)
    if OWN_LOCK_WITHOUT_CTYPES:
        assert "module _ctypes does not support loading in subinterpreters" in done.stdout
        return
    why, *lines = done.stdout.splitlines()
    assert "thread" in why
    assert lines == ["False 0", why, "fine"]
