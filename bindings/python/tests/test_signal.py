"""Signals are the host's: what it does with them, and that a storm of them spoils nothing."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

# SIGPIPE is looked at apart, and SIGKILL and SIGSTOP are nobody's. The others that Go takes are
# SIGBUS, SIGFPE and SIGSEGV, which are faults, and SIGURG; 32 and 33 are glibc's own.
HEAD = """
import os, re, signal, sys, threading, time
from queue import SimpleQueue
HOSTS = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD, signal.SIGUSR1,
         signal.SIGUSR2, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT, signal.SIGPROF]
CODE = {"own": lambda *_: None, "default": signal.SIG_DFL, "ignored": signal.SIG_IGN}

def kernel_says():
    lines = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    sets = [int(lines[name], 16) for name in ("SigBlk", "SigIgn", "SigCgt")]
    return {int(number): [bits >> number - 1 & 1 for bits in sets] for number in HOSTS}

def python_says():
    return {int(number): signal.getsignal(number) for number in HOSTS}

def use_everything():
    with EventBroker(1) as e, MessageBroker(1) as m, PubSub() as s:
        e.create("t", 1); e.publish("t", 0, "x"); m.create_topic("t"); m.publish("t", "x")
        s.create_topic("t"); s.subscribe("t", "a", lambda _: True); s.publish("t", "x"); s.drain()
    for dispatcher in ("lanes", "pool"):
        with PubSub(dispatcher=dispatcher) as b:
            called = threading.Event()
            b.create_topic("t"); b.subscribe("t", "a", lambda _: called.set() is None)
            b.publish("t", "x")
            assert called.wait(60)
"""


@pytest.mark.parametrize("disposition", ["own", "default", "ignored"])
def test_loading_and_using_the_library_leaves_signals_as_they_were(
    run_python: RunPython, disposition: str
) -> None:
    done = run_python(f"""{HEAD}
for number in HOSTS: signal.signal(number, CODE["{disposition}"])
before = kernel_says(), python_says()
import eventbroker
print((kernel_says(), python_says()) == before)
from eventbroker import *
use_everything()
print((kernel_says(), python_says()) == before)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("True\nTrue\n", "", 0)


def test_blocked_signals_stay_blocked(run_python: RunPython) -> None:
    """But for two, which Go's runtime lets through on every thread that calls it."""
    done = run_python(f"""{HEAD}
signal.pthread_sigmask(signal.SIG_BLOCK, HOSTS)
from eventbroker import *
use_everything()
freed = [{{*HOSTS}} - signal.pthread_sigmask(signal.SIG_BLOCK, ())]
freed += [{{number for number, (blocked, _, _) in kernel_says().items() if not blocked}}]
print([numbers <= {{signal.SIGCHLD, signal.SIGPROF}} for numbers in freed])
""")
    assert (done.stdout, done.stderr, done.returncode) == ("[True, True]\n", "", 0)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1"])
@pytest.mark.parametrize("disposition", ["default", "ignored"])
def test_a_signal_does_what_the_host_wants(
    run_python: RunPython, name: str, disposition: str
) -> None:
    """Whichever thread it meets: of Python in the library, of a lane, or of Go's runtime."""
    done = run_python(f"""{HEAD}
import ctypes
signal.signal(signal.{name}, CODE["{disposition}"])
from eventbroker import *
use_everything()
lanes = PubSub(dispatcher="lanes")
lanes.create_topic("t"); lanes.subscribe("t", "a", lambda m: True)
for thread in os.listdir("/proc/self/task"):
    ctypes.CDLL(None).tgkill(os.getpid(), int(thread), signal.{name})
lanes.close()
use_everything()
print("alive")
""")
    wanted = ("", -signal.Signals[name]) if disposition == "default" else ("alive\n", 0)
    assert (done.stdout, done.returncode, done.stderr) == (*wanted, "")


@pytest.mark.parametrize(
    ("disposition", "wanted"),
    [("own", ("own\nbroken\n", 0)), ("default", ("", -13)), ("ignored", ("broken\n", 0))],
)
def test_a_broken_pipe_is_what_it_was(
    run_python: RunPython, disposition: str, wanted: tuple[str, int]
) -> None:
    """Go puts a handler of its own before that of the host and passes SIGPIPE on to it."""
    done = run_python(f"""{HEAD}
CODE["own"] = lambda *_: print("own", flush=True)
signal.signal(signal.SIGPIPE, CODE["{disposition}"])
from eventbroker import *
use_everything()
read, write = os.pipe()
os.close(read)
try: os.write(write, b"x")
except BrokenPipeError: print("broken")
assert signal.getsignal(signal.SIGPIPE) == CODE["{disposition}"]
""")
    assert (done.stdout, done.returncode, done.stderr) == (*wanted, "")


STORM = """
import ctypes
from collections import Counter
from eventbroker import *

counts = Counter()
def count(number, _): counts[number] += 1
STORM = signal.SIGINT, signal.SIGTERM, signal.SIGALRM
for number in STORM: signal.signal(number, count)

over = threading.Event()
def storm():
    tgkill = ctypes.CDLL(None).tgkill
    while not over.wait(0.001):
        os.kill(os.getpid(), signal.SIGINT)
        for thread in os.listdir("/proc/self/task"):  # also those that Go's runtime started
            tgkill(os.getpid(), int(thread), signal.SIGTERM)

failed = []
threading.excepthook = failed.append
threads = []
def meanwhile(work):
    threads.append(threading.Thread(target=work, daemon=True))
    threads[-1].start()
"""


def test_a_storm_of_signals_spoils_no_answer(run_python: RunPython) -> None:
    """SIGINT, SIGTERM and SIGALRM a thousand times a second, on every thread there is."""
    done = run_python(f"""{HEAD}{STORM}
EACH = 1000

def events(topic, e=EventBroker(5)):
    e.create(topic, 1)
    e.join(topic, "g", "m")
    for n in range(EACH):
        assert e.publish(topic, 0, str(n)) == n
        assert e.poll(topic, "g", "m", 1) == [(topic, 0, n, str(n))]
        assert e.ack(topic, "g", "m", 0, n) is True

def messages(m=MessageBroker(1)):
    m.create_topic("t")
    for n in range(EACH):
        assert m.publish("t", str(n)) == n
        assert m.poll("t", "g") == ("t", n, str(n), 1)
        assert m.ack("t", "g", n, 1) is True

def drains(s=PubSub()):
    s.create_topic("t")
    s.subscribe("t", "a", lambda m: m.payload == str(m.offset))
    for n in range(EACH):
        assert s.publish("t", str(n)) == n
        assert s.drain() == 1

def pushes(dispatcher):
    with PubSub(dispatcher=dispatcher, block_timeout=3600) as b:
        given = Counter()
        b.create_topic("t", retain=5)
        for name in "abc":
            def handle(m, name=name):
                given[name] += m.payload == str(m.offset) == str(given[name])
                return True
            b.subscribe("t", name, handle, policy="block")
        for n in range(EACH):
            assert b.publish("t", str(n)) == n
        while any(b.offset("t", name) < EACH for name in "abc"): time.sleep(0.001)
        assert given == dict.fromkeys("abc", EACH)

meanwhile(storm)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for work in (lambda: events("u"), lambda: events("v"), messages, drains, lambda: pushes("pool")):
    meanwhile(work)
events("t")
pushes("lanes")
for thread in threads[1:]: thread.join()
while min(counts[number] for number in STORM) < 50: drains(PubSub())
print(python_says()[signal.SIGTERM] == python_says()[signal.SIGALRM] == count)
over.set()
signal.setitimer(signal.ITIMER_REAL, 0)
threads[0].join()
print(failed)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("True\n[]\n", "", 0)


def test_ctrl_c_again_and_again_with_pythons_own_handler(run_python: RunPython) -> None:
    """KeyboardInterrupt comes out of drain, at whatever point, and the broker goes on."""
    done = run_python(f"""{HEAD}
from eventbroker import *
b = PubSub(max_attempts=0)
b.create_topic("t"); b.subscribe("t", "a", lambda m: True)
asked = SimpleQueue()
def interrupt():
    while (pause := asked.get()) >= 0:
        time.sleep(pause)
        os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
interruptions = 0
for n in range(300):
    try:
        asked.put(n / 1e6)
        while True: b.publish("t", "x"); b.drain()
    except KeyboardInterrupt:
        interruptions += 1
asked.put(-1)
b.drain()
last = b.publish("t", "z")
print(interruptions, b.drain(), b.offset("t", "a") == last + 1)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
b.close()
""")
    assert (done.stdout, done.stderr, done.returncode) == ("300 1 True\nTrue\n", "", 0)
