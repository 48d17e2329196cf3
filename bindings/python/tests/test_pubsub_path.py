"""A pub-sub broker that is kept in a file (PS-15)."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from handlers import HANG, Given, Slow, eventually

import eventbroker
from eventbroker import DamagedError, DiskFullError, InUseError, Letter, Message, PubSub

if TYPE_CHECKING:
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where there is no file yet."""
    return tmp_path / "é broker"


@pytest.mark.parametrize("sync", [False, True])
@pytest.mark.parametrize("kind", [str, Path])
def test_everything_is_there_again(path: Path, kind: Callable[[Path], Any], sync: bool) -> None:  # noqa: FBT001
    with PubSub(path=kind(path), sync=sync, max_attempts=2) as broker:
        assert broker.create_topic("t")
        broker.subscribe("t", "a", Given(lambda message: message.payload == "ok"))
        for payload in ("ok", "bad", "worse", "waits"):
            broker.publish("t", payload)
        assert [broker.drain(), broker.drain()] == [1, 0]
        assert broker.status("t", "a").attempts == 1
    with PubSub(path=kind(path), sync=sync, max_attempts=2) as broker:
        assert broker.create_topic("t") is False
        found = broker.status("t", "a")
        assert (found.subscribed, found.offset, found.attempts) == (False, 2, 1)
        error = "the handler returned False, not True"
        assert broker.dead_letters("t", "a") == [Letter(1, "bad", 2, error)]
        given = Given()
        broker.subscribe("t", "a", given)  # goes on
        assert broker.drain() == 2
        assert given.messages == [Message("t", 2, "worse", 2), Message("t", 3, "waits", 1)]
        assert broker.publish("t", "x") == 4
        assert broker.unsubscribe("t", "a")
    with PubSub(path=kind(path)) as broker:
        assert broker.offset("t", "a") == -1
        broker.subscribe("t", "a", Given())
        assert broker.offset("t", "a") == 5


@pytest.mark.parametrize("dispatcher", ["lanes", "pool"])
def test_lanes_and_pools_go_on_too(path: Path, dispatcher: Any) -> None:
    with PubSub(path=path, dispatcher=dispatcher) as broker:
        broker.create_topic("t")
        slow = Slow()
        broker.subscribe("t", "a", slow)
        for n in range(10):
            broker.publish("t", str(n))
        assert slow.entered.wait(HANG)
        assert broker.offset("t", "a") == 0
        slow.leave.set()
        eventually(lambda: broker.offset("t", "a") == 10)
        broker.publish("t", "late")
    with PubSub(path=path, dispatcher=dispatcher) as broker:
        given = Given()
        broker.subscribe("t", "a", given)
        broker.publish("t", "later")
        eventually(lambda: broker.offset("t", "a") == 12)
    assert given.payloads[-1] == "later"


def test_messages_longer_than_new_ones_may_be_are_delivered(path: Path) -> None:
    with PubSub(path=path, max_payload=1 << 20) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", Given())
        broker.publish("t", "x" * (1 << 20))
    with PubSub(path=path) as broker:
        given = Given()
        broker.subscribe("t", "a", given)
        assert broker.drain() == 1
        assert given.payloads == ["x" * (1 << 20)]


def test_a_path_in_use_is_refused(path: Path) -> None:
    with PubSub(path=path) as broker:
        with pytest.raises(InUseError) as raised:
            PubSub(path=path)
        assert isinstance(raised.value, OSError)
        assert str(path) in str(raised.value)
        assert broker.create_topic("t") is True
    PubSub(path=path).close()


def test_so_is_one_in_use_by_another_process(path: Path, run_python: RunPython) -> None:
    with PubSub(path=path):
        done = run_python(
            "import sys\n"
            "from eventbroker import *\n"
            f"try: PubSub(path={str(path)!r})\n"
            "except InUseError: print('in use')\n"
        )
    assert (done.stdout, done.stderr) == ("in use\n", "")


def test_a_path_is_free_again_when_its_broker_is_forgotten(path: Path) -> None:
    broker = PubSub(path=path)
    broker.create_topic("t")
    del broker
    gc.collect()
    with PubSub(path=path) as again:
        assert again.create_topic("t") is False


def test_a_path_is_in_use_until_the_last_call_has_ended(path: Path) -> None:
    broker = PubSub(path=path, dispatcher="pool", workers=1)
    broker.create_topic("t")
    slow = Slow()
    broker.subscribe("t", "a", slow)
    broker.publish("t", "x")
    assert slow.entered.wait(HANG)
    slow.leave.set()
    broker.close()
    with PubSub(path=path) as again:
        assert again.offset("t", "a") == 1


CONTENTS = [b"no broker's", b"\0" * 100_000, os.urandom(5000)]


@pytest.mark.parametrize("content", CONTENTS, ids=["text", "zeros", "random"])
def test_another_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DamagedError) as raised:
        PubSub(path=path)
    assert isinstance(raised.value, OSError)
    assert path.read_bytes() == content


def test_a_path_that_cannot_be_opened(path: Path) -> None:
    for wrong in (path / "nowhere" / "file", path.parent, Path("/proc/nowhere"), ""):
        with pytest.raises(ValueError, match=r"^invalid argument: path: "):
            PubSub(path=wrong)
    with pytest.raises(ValueError, match=r"^invalid argument: path: "):
        PubSub(path=f"{path}\0x")


def test_sync_needs_a_path() -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: sync: "):
        PubSub(sync=True)


def test_a_process_that_is_killed_loses_nothing_it_was_told(path: Path) -> None:
    program = f"""
import sys
from eventbroker import PubSub
b = PubSub(path={str(path)!r})
if b.create_topic("t"): pass
b.subscribe("t", "a", lambda m: True)
while True:
    print(b.publish("t", "x"), flush=True)
    b.drain()
    print("drained", flush=True)
"""
    said = -1
    for n in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(eventbroker.__file__).parents[1])},
        )
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(10 + n)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
        process.wait(HANG)
        process.stdout.close()
        said = max([int(line) for line in lines if line[:-1].isdigit() and line.endswith("\n")])
        with PubSub(path=path) as broker:
            drained = sum(line == "drained\n" for line in lines)
            assert broker.offset("t", "a") >= drained
            assert broker.publish("t", "mine") > said
            given = Given()
            broker.subscribe("t", "a", given)
            broker.drain()
            assert given.payloads[-1] == "mine"


def test_a_full_disk(run_python: RunPython, path: Path) -> None:
    """A limit of the file's size is as good as a disk that is full."""
    done = run_python(f"""
import resource, signal
from eventbroker import *
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
b = PubSub(path={str(path)!r}, max_payload=1 << 20)
b.create_topic("t")
b.subscribe("t", "a", lambda m: True)
resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, resource.RLIM_INFINITY))
count = 0
try:
    while count < 100: count = b.publish("t", "x" * (1 << 20)) + 1
except DiskFullError as error: print("full", isinstance(error, OSError))
try: b.drain()
except DiskFullError: pass
b.close()
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
b = PubSub(path={str(path)!r}, max_payload=1 << 20)
print(b.publish("t", "y") == count)
""")
    assert DiskFullError.__mro__[1] is OSError
    assert (done.stdout, done.stderr, done.returncode) == ("full True\nTrue\n", "", 0)
