"""The accelerator changes nothing but the time that a call takes.

All other tests run with it and without: EVENTBROKER_PURE is 0 and 1 in ci/test.
"""

from __future__ import annotations

import inspect
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import eventbroker
from eventbroker import BrokerRecord, Consumer, Delivery, EventBroker, MessageBroker, Topic

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

PACKAGE = Path(eventbroker.__file__).parent
SHOW = "import eventbroker as e; print(e.accelerated, e.EventBroker(1).create('t', 1))"
needs_it = pytest.mark.skipif(not eventbroker.accelerated, reason="it is not in use")


def test_it_is_in_use_where_it_was_asked_for() -> None:
    if "EVENTBROKER_PURE" in os.environ:
        assert eventbroker.accelerated is (os.environ["EVENTBROKER_PURE"] == "0")


@pytest.mark.parametrize(("pure", "used"), [("1", False), ("", True), ("0", True)])
def test_a_variable_turns_it_off(run_python: RunPython, pure: str, used: bool) -> None:  # noqa: FBT001
    used = used and (PACKAGE / "_accel.abi3.so").exists()
    assert run_python(SHOW, EVENTBROKER_PURE=pure).stdout == f"{used} True\n"


def test_one_that_cannot_be_loaded_is_passed_over(tmp_path: Path, run_python: RunPython) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    copy = shutil.copytree(PACKAGE, tmp_path / "eventbroker", ignore=ignored)
    (copy / "_accel.abi3.so").write_bytes(b"no library")
    library = str(eventbroker._ffi._locate())
    shown = run_python(
        SHOW, PYTHONPATH=str(tmp_path), EVENTBROKER_LIBRARY=library, EVENTBROKER_PURE=""
    )
    assert (shown.stdout, shown.stderr) == ("False True\n", "")


OTHER = """
import sys, types
other = types.ModuleType("eventbroker._accel")
other.FUNCTIONS, other.__file__ = [], "_accel.abi3.so"
other.connect = lambda addresses, version: None
sys.modules[other.__name__] = other
try:
    import eventbroker
except ImportError as error:
    print(error)
"""


def test_one_of_another_state_of_the_package_says_so(run_python: RunPython) -> None:
    shown = run_python(OTHER, EVENTBROKER_PURE="0").stdout
    assert shown.startswith("_accel.abi3.so is of another state of the package: build it anew")


@needs_it
@pytest.mark.parametrize("kind", [EventBroker, Topic, Consumer, MessageBroker])
def test_help_is_the_same(kind: type) -> None:
    fast, slow = kind.__mro__[1:3]
    assert (kind.__name__, kind.__doc__) == (slow.__name__, slow.__doc__)
    methods = [name for name in vars(fast) if not name.startswith("_")]
    assert len(methods) >= 2
    for name in methods:
        one, other = getattr(kind, name), getattr(slow, name)
        assert one is not other
        assert inspect.getdoc(one) == inspect.getdoc(other)
        assert [*inspect.signature(one).parameters] == [*inspect.signature(other).parameters]


@needs_it
def test_references_are_kept_in_balance() -> None:
    name = "topic-of-this-test"
    kept: list[Any] = [None, True, False, BrokerRecord, Delivery, Topic, Consumer, name]
    with EventBroker(1000) as broker, MessageBroker(1) as messages:
        broker.create(name, 1)
        messages.create_topic(name)
        topic = broker.topic(name)
        consumer = topic.join("g", "m")
        topic.publish(0, "x")

        def work() -> None:
            assert consumer.poll(1) == [(name, 0, 0, "x")]
            assert consumer.retry(0, 0) is True
            assert broker.poll(name, "g", "m", 1) == [(name, 0, 0, "x")]
            assert broker.retry(name, "g", "m", 0, 0) is True
            assert consumer.ack_many([(0, 1)]) == [False]
            assert consumer.ack(0, 1) is False
            with pytest.raises(ValueError, match="offset"):
                consumer.ack(0, -1)
            topic.publish(0, "y")
            broker.publish_many(name, [(0, "y")])
            assert messages.poll(name, "g") is None
            offset = messages.publish(name, "x")
            assert messages.poll(name, "g") == (name, offset, "x", 1)
            assert messages.ack(name, "g", offset, 1) is True

        work()
        counts = [sys.getrefcount(one) for one in kept]
        for _ in range(1000):
            work()
        after = [sys.getrefcount(one) for one in kept]
    # None and True are taken and let go by others too; a leak would be of 1000.
    assert all(abs(one - other) < 500 for one, other in zip(counts, after, strict=True))


INTERPRETERS = """
import _xxsubinterpreters as interpreters
from eventbroker import BrokerRecord, EventBroker
b = EventBroker(1); b.create('t', 1); b.publish('t', 0, 'x'); b.join('t', 'g', 'm')
other = interpreters.create()
interpreters.run_string(other, f'''
from eventbroker import BrokerRecord, EventBroker
[r] = EventBroker.from_handle({b.handle}).topic('t').consumer('g', 'm').poll(1)
assert type(r) is BrokerRecord
''')
interpreters.destroy(other)
assert b.retry('t', 'g', 'm', 0, 0)
[r] = b.poll('t', 'g', 'm', 1)
print(r.payload, type(r) is BrokerRecord)
"""


def test_in_another_interpreter(run_python: RunPython) -> None:
    """Each has a record of its own; a broker's handle is the same in both."""
    pytest.importorskip("_xxsubinterpreters")
    done = run_python(INTERPRETERS)
    assert (done.stdout, done.stderr) == ("x True\n", "")


COLLECTION = """
import gc
from eventbroker import EventBroker
broker = EventBroker(1)
broker.create('t', 64)
topic = broker.topic('t')
topic.publish_many([(p, 'x') for p in range(64)])
lists = [[] for _ in range(200)]  # none is left over that the next list would be made of

class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        lists = [one for one in gc.get_objects() if type(one) is list]
        seen.extend(one[0] for one in lists if len(one) == 64)
        consumer._name = 'u' * 30
        kept.append('v' * 30)

kept, seen = [], []
for patience in range(70):
    consumer = topic.join(f'g{patience}', 'm')
    consumer._name = 't' * int('30')
    Cycle()
    gc.set_threshold(1 + patience, 1000, 1000)
    records = consumer.poll(64)
    gc.set_threshold(0)
    assert {one.topic for one in records} <= {'t' * 30, 'u' * 30}, records[0]
    assert gc.is_tracked(records)
    gc.collect()
print(len(kept))
"""


def test_a_collection_within_a_poll_sees_nothing_half_made(run_python: RunPython) -> None:
    done = run_python(COLLECTION)
    assert (done.stdout, done.stderr, done.returncode) == ("70\n", "", 0)


def test_a_subclass_may_replace_a_call_and_use_it() -> None:
    class Loud(EventBroker):
        """A broker that shouts."""

        def publish(self, topic: str, partition: int, payload: str) -> int:
            return super().publish(topic, partition, payload.upper())

    with Loud(1) as broker:
        broker.create("t", 1)
        broker.publish("t", 0, "x")
        assert broker.topic("t").join("g", "m").poll(1) == [("t", 0, 0, "X")]
