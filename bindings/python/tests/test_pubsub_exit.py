"""Ctrl-C and the end of the interpreter, in programs that must neither hang nor crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

TIMES = 20  # a race at the exit does not show every time

HEAD = """
import faulthandler, os, signal, sys, threading, time
from eventbroker import *

def interrupt_once(holds):
    def interrupt():
        while not holds(): time.sleep(0.001)
        time.sleep(0.05)  # until the main thread is in its wait, or at least on its way there
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()

entered, leave = threading.Event(), threading.Event()
def hang(message):
    entered.set()
    return leave.wait(60)
"""


def test_ctrl_c_in_a_handler_of_drain(run_python: RunPython) -> None:
    done = run_python(f"""{HEAD}
b = PubSub()
b.create_topic("t"); b.subscribe("t", "a", hang); b.publish("t", "x")
interrupt_once(entered.is_set)
try: b.drain()
except KeyboardInterrupt: print(b.status("t", "a").attempts)
leave.set()
print(b.drain())
b.close()
""")
    assert (done.stdout, done.stderr, done.returncode) == ("1\n1\n", "", 0)


def test_ctrl_c_at_any_point_of_drain_holds_up_nothing(run_python: RunPython) -> None:
    """Between the library's handing a message out and its being settled, too."""
    done = run_python(f"""{HEAD}
b = PubSub(max_attempts=0)
b.create_topic("t"); b.subscribe("t", "a", lambda m: True)
def alarm(*_): raise KeyboardInterrupt
signal.signal(signal.SIGALRM, alarm)
interruptions = 0
for n in range(5000):
    try:
        signal.setitimer(signal.ITIMER_REAL, (1 + n % 200) / 1e6)
        b.publish("t", "x"); b.publish("t", "y")
        while True: b.drain()
    except KeyboardInterrupt:
        interruptions += 1
b.drain()
last = b.publish("t", "z")
print(interruptions, b.drain(), b.offset("t", "a") == last + 1)
b.close()
print(len(b._handlers._subscribers), len(b._handlers.takers))
""")
    assert (done.stdout, done.stderr, done.returncode) == ("5000 1 True\n0 0\n", "", 0)


def test_one_ctrl_c_after_another_in_drain_holds_up_nothing(run_python: RunPython) -> None:
    """Also where the second meets what cleans up after the first."""
    done = run_python(f"""{HEAD}
b = PubSub(max_attempts=0)
b.create_topic("t"); b.subscribe("t", "a", lambda m: True)
def alarm(_, frame):
    global shots
    while frame and frame.f_code is not PubSub.drain.__code__: frame = frame.f_back
    if not frame and shots: signal.setitimer(signal.ITIMER_REAL, 1e-3)
    if frame and shots:
        shots -= 1  # a few, or the handler of one is interrupted by the next for ever
        signal.setitimer(signal.ITIMER_REAL, (5 + n % 50) / 1e6)
        raise KeyboardInterrupt
signal.signal(signal.SIGALRM, alarm)
for n in range(500):
    b.publish("t", "x"); b.publish("t", "y")
    shots = 4
    signal.setitimer(signal.ITIMER_REAL, (10 + n) / 1e6)
    try:
        while True: b.drain()
    except KeyboardInterrupt:
        shots = 0
    signal.setitimer(signal.ITIMER_REAL, 0)
    b.drain()
    last = b.publish("t", "z")
    if b.drain() != 1 or b.offset("t", "a") != last + 1: break
else: print("nothing held up")
b.close()
""")
    assert (done.stdout, done.stderr, done.returncode) == ("nothing held up\n", "", 0)


def test_ctrl_c_while_subscribe_starts_a_lane(run_python: RunPython) -> None:
    """It comes out of Thread.start, when the thread is running already."""
    done = run_python(f"""{HEAD}
b = PubSub(dispatcher="lanes")
b.create_topic("t")
start = threading.Thread.start
def interrupted(thread):
    start(thread)
    raise KeyboardInterrupt
threading.Thread.start = interrupted
try: b.subscribe("t", "a", lambda m: True)
except KeyboardInterrupt: print(b.status("t", "a").subscribed)
threading.Thread.start = start
b.close()
print(threading.active_count(), len(b._handlers._subscribers))
""")
    assert (done.stdout, done.stderr, done.returncode) == ("False\n1 0\n", "", 0)


@pytest.mark.parametrize("dispatcher", ["lanes", "pool"])
def test_ctrl_c_while_close_waits(run_python: RunPython, dispatcher: str) -> None:
    done = run_python(f"""{HEAD}
b = PubSub(dispatcher="{dispatcher}")
b.create_topic("t"); b.subscribe("t", "a", hang); b.publish("t", "x")
entered.wait(60)
def closed():
    try: return b.offset("t", "a") < 0
    except ClosedError: return True
interrupt_once(closed)
try: b.close()
except KeyboardInterrupt: print("interrupted")
try: b.publish("t", "y")
except ClosedError: print("closed")
leave.set()
b.close()
print(threading.active_count() <= 2)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\nclosed\nTrue\n", "", 0)


def test_ctrl_c_while_publish_waits(run_python: RunPython) -> None:
    done = run_python(f"""{HEAD}
b = PubSub(dispatcher="lanes", block_timeout=3600)
b.create_topic("t", retain=1); b.subscribe("t", "a", hang, policy="block"); b.publish("t", "x")
entered.wait(60)
from eventbroker import _ffi
waits, publish_wait = threading.Event(), _ffi.pubsub_publish_wait
_ffi.pubsub_publish_wait = lambda *what: waits.set() or publish_wait(*what)
interrupt_once(waits.is_set)
try: b.publish("t", "y")
except KeyboardInterrupt: print("interrupted")
leave.set()
print(b.publish("t", "z"))
b.close()
""")
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n1\n", "", 0)


def test_a_signal_handler_may_use_the_broker(run_python: RunPython) -> None:
    done = run_python(f"""{HEAD}
b = PubSub()
b.create_topic("t"); b.create_topic("u")
count = 0
def alarm(*_):
    global count
    count += 1
    b.subscribe("u", "inner", lambda m: True)
    b.publish("u", "x")
    b.drain()
    b.unsubscribe("u", "inner")
    signal.setitimer(signal.ITIMER_REAL, 0.0003)
signal.signal(signal.SIGALRM, alarm)
signal.setitimer(signal.ITIMER_REAL, 0.0003)
while count < 300:
    b.subscribe("t", "outer", lambda m: True)
    b.publish("t", "x"); b.drain()
    assert b.offset("t", "outer") > 0
    b.unsubscribe("t", "outer")
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(b._handlers._subscribers))
""")
    assert (done.stdout, done.stderr, done.returncode) == ("0\n", "", 0)


# What a handler is at when the main thread ends; what is left open.
HANDLERS = {
    "nothing waits": "lambda m: True",
    "it confirms": "lambda m: b.publish('t', 'again') > -2",
    "it sleeps for ten seconds": "lambda m: time.sleep(10) is None",
    "it waits for ever": "lambda m: threading.Event().wait()",
    "it computes": "lambda m: all(True for _ in iter(int, 1))",
    "it fails": "lambda m: 1 / 0",
    "it leaves": "lambda m: sys.exit()",
    "it closes": "lambda m: b.close()",
}


@pytest.mark.parametrize("dispatcher", ["synchronous", "lanes", "pool"])
@pytest.mark.parametrize("handler", HANDLERS.values(), ids=HANDLERS)
def test_the_interpreter_exits_with_a_broker_open(
    run_python: RunPython, dispatcher: str, handler: str
) -> None:
    done = run_python(f"""{HEAD}
b = PubSub(dispatcher="{dispatcher}", max_attempts=0)
b.create_topic("t")
for n in range(4): b.subscribe("t", f"s{{n}}", {handler})
b.itself = b
try: b.publish("t", "x")
except ClosedError: pass
def drain():
    try: b.drain()
    except (ClosedError, SystemExit): pass
if "{dispatcher}" == "synchronous": threading.Thread(target=drain, daemon=True).start()
else: time.sleep(0.01)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_interpreter_exits_in_the_middle_of_many_calls(run_python: RunPython) -> None:
    for n in range(TIMES):
        done = run_python(f"""{HEAD}
kept = []
for dispatcher in ("lanes", "pool") * 2:
    limit = 0.001 if dispatcher == "pool" else None
    b = PubSub(dispatcher=dispatcher, handler_timeout=limit)
    kept.append(b)
    b.create_topic("t")
    def handle(m, b=b):
        if m.offset < 2000: b.publish("t", m.payload)
        if m.offset % 7 == 0: os.write(1, b"called\\n")  # print has a lock
        return m.offset % 50 > 0 or 1 / 0
    for n in range(5): b.subscribe("t", f"s{{n}}", handle)
    b.publish("t", "x")
class Late:
    def __del__(self):
        try: kept[0].publish("t", "late"); kept[0].close()
        except ClosedError: pass
late = Late()
time.sleep({n} / 100)
""")
        assert (done.returncode, done.stderr) == (0, "")


def test_an_exit_waits_a_moment_for_handlers(run_python: RunPython) -> None:
    """A longer one here, where all that a busy machine does must go into it."""
    done = run_python(f"""{HEAD}
from eventbroker import _worker
_worker._GRACE *= 60
b = PubSub(dispatcher="lanes")
b.create_topic("t")
@b.subscriber("t", "a")
def handle(m):
    entered.set()
    threading.main_thread().join()  # until the exit has begun
    print("done")
    return True
b.publish("t", "x")
entered.wait(60)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


def test_a_thread_that_is_no_daemon_keeps_its_broker(run_python: RunPython) -> None:
    done = run_python(f"""{HEAD}
b = PubSub(dispatcher="lanes")
b.create_topic("t")
b.subscribe("t", "a", lambda m: print(m.payload) is None)
def work():
    time.sleep(0.1)
    b.publish("t", "x")
    while b.offset("t", "a") < 1: time.sleep(0.001)
threading.Thread(target=work).start()
""")
    assert (done.stdout, done.stderr, done.returncode) == ("x\n", "", 0)


def test_an_exit_function_finds_brokers_closed_or_open_and_never_hangs(
    run_python: RunPython,
) -> None:
    done = run_python("""
import atexit
def before():
    try: print(b.publish("t", "x"))
    except Exception as error: print(type(error).__name__)
atexit.register(before)
from eventbroker import *
b = PubSub(dispatcher="pool")
b.create_topic("t")
atexit.register(before)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("0\nClosedError\n", "", 0)
