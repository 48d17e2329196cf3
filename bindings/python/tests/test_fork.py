"""A forked child is told so at once, and never hangs; other children work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from handlers import HANG, Given

from eventbroker import Consumer, EventBroker, ForkedError, MessageBroker, PubSub, Topic
from eventbroker.assign import Assignment, Subscription, range_assign

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

DISPATCHERS: tuple[Any, ...] = ("synchronous", "lanes", "pool")


def exit_code_of_fork(child: Callable[[], None]) -> int:
    """Run child in a forked process; its exit code is 0 if it returned."""
    if (pid := os.fork()) == 0:
        code = 1
        try:
            child()
            code = 0
        finally:
            os._exit(code)
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return pytest.fail("the child hangs")


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(ForkedError, match="forked child"):
        call()


def every_call_is_refused(broker: EventBroker, topic: Topic, consumer: Consumer) -> None:
    refused(lambda: topic.publish(0, "x"))
    refused(lambda: topic.publish_many([]))
    refused(lambda: topic.join("g", "m"))
    refused(consumer.join)
    refused(consumer.leave)
    refused(lambda: consumer.poll(1))
    refused(lambda: consumer.ack(0, 0))
    refused(lambda: consumer.ack_many([(0, 0)]))
    refused(lambda: consumer.retry(0, 0))
    consumer.close()
    refused(lambda: broker.create("u", 1))
    refused(lambda: broker.join("t", "g", "m"))
    refused(lambda: broker.leave("t", "g", "m"))
    refused(lambda: broker.publish("t", 0, "x"))
    refused(lambda: broker.poll("t", "g", "m", 1))
    refused(lambda: broker.ack("t", "g", "m", 0, 0))
    refused(lambda: broker.retry("t", "g", "m", 0, 0))
    refused(lambda: broker.publish_many("t", [(0, "x")]))
    refused(lambda: broker.ack_many("t", "g", "m", [(0, 0)]))
    refused(lambda: broker.topic("t"))
    refused(lambda: EventBroker(2))
    refused(lambda: EventBroker.from_handle(broker.handle).create("u", 1))
    broker.close()
    broker.close()


def every_other_call_is_refused(messages: MessageBroker) -> None:
    refused(lambda: messages.create_topic("u"))
    refused(lambda: messages.publish("t", "x"))
    refused(lambda: messages.poll("t", "g"))
    refused(lambda: messages.ack("t", "g", 0, 1))
    refused(lambda: messages.nack("t", "g", 0, 1))
    refused(lambda: messages.dead_letters("t", "g"))
    refused(lambda: MessageBroker(2))
    messages.close()
    refused(lambda: Subscription.decode(bytes(10)))
    refused(lambda: Assignment.decode(bytes(10)))
    refused(Subscription(0, []).encode)
    refused(Assignment(0, []).encode)
    refused(lambda: range_assign({}, []))


def every_pubsub_call_is_refused(pubsub: PubSub) -> None:
    refused(lambda: pubsub.create_topic("u"))
    refused(lambda: pubsub.subscribe("t", "b", lambda _: True))
    refused(lambda: pubsub.unsubscribe("t", "a"))
    refused(lambda: pubsub.publish("t", "x"))
    refused(pubsub.drain)
    refused(lambda: pubsub.seek("t", "a", 0))
    refused(lambda: pubsub.offset("t", "a"))
    refused(lambda: pubsub.dead_letters("t", "a"))
    refused(lambda: pubsub.redeliver("t", "a"))
    refused(lambda: pubsub.status("t", "a"))
    refused(PubSub)
    refused(lambda: PubSub(dispatcher="pool"))
    pubsub.close()
    pubsub.close()


def works() -> None:
    """Use brokers of one's own."""
    with EventBroker(2) as events, MessageBroker(1) as messages:
        assert events.create("u", 1)
        assert events.publish("u", 0, "x") == 0
        assert events.join("u", "g", "m") == [0]
        assert events.poll("u", "g", "m", 1) == [("u", 0, 0, "x")]
        assert messages.create_topic("u")
        assert messages.publish("u", "x") == 0
        assert messages.poll("u", "g") == ("u", 0, "x", 1)
    for dispatcher in DISPATCHERS:
        given = Given()
        with PubSub(dispatcher=dispatcher) as pubsub:
            assert pubsub.create_topic("u")
            pubsub.subscribe("u", "a", given)
            assert pubsub.publish("u", "x") == 0
            pubsub.drain()
            given.until(1)


class Family(NamedTuple):
    """What a parent does with a broker, and what a forked child finds."""

    use: Callable[[], object]
    refusal: Callable[[], None]


@pytest.fixture(params=["event", "message", *DISPATCHERS])
def family(request: pytest.FixtureRequest) -> Iterator[Family]:
    if request.param == "event":
        with EventBroker(5) as events:
            events.create("t", 2)
            topic = events.topic("t")
            consumer = topic.consumer("g", "m")
            use = partial(consumer.poll, 1)
            yield Family(use, partial(every_call_is_refused, events, topic, consumer))
    elif request.param == "message":
        with MessageBroker(1) as messages:
            messages.create_topic("t")
            use_it = partial(messages.publish, "t", "x")
            yield Family(use_it, partial(every_other_call_is_refused, messages))
    else:
        with PubSub(dispatcher=request.param) as pubsub:
            pubsub.create_topic("t", retain=100)
            pubsub.subscribe("t", "a", lambda _: True)
            publish = partial(pubsub.publish, "t", "x")
            yield Family(
                lambda: (publish(), pubsub.drain()), partial(every_pubsub_call_is_refused, pubsub)
            )


def test_a_forked_child_is_refused_by_every_call(broker: EventBroker) -> None:
    topic = broker.topic("t")
    consumer = topic.consumer("g", "m")
    assert exit_code_of_fork(lambda: every_call_is_refused(broker, topic, consumer)) == 0
    assert broker.publish("t", 0, "x") == 0  # the parent goes on


def test_so_is_it_by_the_other_systems() -> None:
    with MessageBroker(1) as messages:
        messages.create_topic("t")
        assert exit_code_of_fork(lambda: every_other_call_is_refused(messages)) == 0
        assert messages.publish("t", "x") == 0


@pytest.mark.parametrize("dispatcher", DISPATCHERS)
def test_so_is_it_by_a_broker_with_threads(dispatcher: Any) -> None:
    with PubSub(dispatcher=dispatcher) as pubsub:
        pubsub.create_topic("t")
        pubsub.subscribe("t", "a", lambda _: True)
        for n in range(20):
            pubsub.publish("t", "x")
            if n % 5 == 0:
                assert exit_code_of_fork(lambda: every_pubsub_call_is_refused(pubsub)) == 0
        assert pubsub.publish("t", "x") == 20  # the parent goes on
        assert pubsub.unsubscribe("t", "a") is True


def test_a_child_forked_while_handlers_come_and_go() -> None:
    """A lock that another thread held at the fork is held in the child for ever."""
    stop = threading.Event()
    with PubSub(dispatcher="lanes") as pubsub:
        pubsub.create_topic("t")

        def work(name: str) -> None:
            while not stop.is_set():
                pubsub.subscribe("t", name, lambda _: True)
                pubsub.publish("t", "x")
                pubsub.unsubscribe("t", name)

        threads = [threading.Thread(target=work, args=(f"s{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(10):
                assert exit_code_of_fork(lambda: every_pubsub_call_is_refused(pubsub)) == 0
        finally:
            stop.set()
            for thread in threads:
                thread.join()


@pytest.mark.parametrize("dispatcher", DISPATCHERS)
def test_a_fork_in_a_handler(dispatcher: Any) -> None:
    """On a thread of the broker's own, too, of which the child is made."""
    codes: SimpleQueue[int] = SimpleQueue()
    with PubSub(dispatcher=dispatcher) as pubsub:
        pubsub.create_topic("t")

        def handle(_: object) -> bool:
            codes.put(exit_code_of_fork(lambda: every_pubsub_call_is_refused(pubsub)))
            return True

        pubsub.subscribe("t", "a", handle)
        pubsub.publish("t", "x")
        pubsub.drain()
        assert codes.get(timeout=2 * HANG) == 0  # longer than it waits for the child


def test_a_child_forked_while_other_threads_are_inside(family: Family) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            family.use()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert exit_code_of_fork(family.refusal) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    family.use()


def test_a_forked_child_exits_as_any_other(run_python: RunPython) -> None:
    """Finalisers and exit functions run there too, and do nothing."""
    done = run_python(
        "import os, sys\n"
        "from eventbroker import EventBroker, PubSub\n"
        "b = EventBroker(1)\n"
        "lanes, pool = PubSub(dispatcher='lanes'), PubSub(dispatcher='pool')\n"
        "if (pid := os.fork()) == 0: sys.exit(7)\n"
        "_, status = os.waitpid(pid, 0)\n"
        "print(os.waitstatus_to_exitcode(status), b.create('t', 1))\n",
        PYTHONWARNINGS="ignore",
    )
    assert (done.stdout, done.stderr) == ("7 True\n", "")


def exit_code_of_process(method: str, target: Callable[[], None]) -> int | None:
    context: Any = multiprocessing.get_context(method)
    process = context.Process(target=target)
    process.start()
    process.join(HANG)
    if process.is_alive():
        process.kill()
        process.join()
        pytest.fail("the child hangs")
    code: int | None = process.exitcode
    return code


def test_multiprocessing_that_forks(family: Family) -> None:
    family.use()
    assert exit_code_of_process("fork", family.refusal) == 0
    family.use()


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_multiprocessing_that_starts_afresh(method: str) -> None:
    assert exit_code_of_process(method, works) == 0


def test_subprocesses_started_meanwhile_work(family: Family, run_python: RunPython) -> None:
    family.use()
    tests = str(Path(__file__).parent)
    done = run_python(
        f"import sys; sys.path.append({tests!r}); import test_fork; test_fork.works()"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    family.use()
