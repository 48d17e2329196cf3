"""A forked child is told so at once, and never hangs; other children work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from eventbroker import EventBroker, ForkedError, MessageBroker
from eventbroker.assign import Assignment, Subscription, range_assign

if TYPE_CHECKING:
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

SECONDS = 20


def exit_code_of_fork(child: Callable[[], None]) -> int:
    """Run child in a forked process; its exit code is 0 if it returned."""
    if (pid := os.fork()) == 0:
        code = 1
        try:
            child()
            code = 0
        finally:
            os._exit(code)
    deadline = time.monotonic() + SECONDS
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


def every_call_is_refused(broker: EventBroker) -> None:
    refused(lambda: broker.create("u", 1))
    refused(lambda: broker.join("t", "g", "m"))
    refused(lambda: broker.leave("t", "g", "m"))
    refused(lambda: broker.publish("t", 0, "x"))
    refused(lambda: broker.poll("t", "g", "m", 1))
    refused(lambda: broker.ack("t", "g", "m", 0, 0))
    refused(lambda: broker.retry("t", "g", "m", 0, 0))
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


def works() -> None:
    """Use a broker of one's own."""
    with EventBroker(2) as broker:
        assert broker.create("u", 1)
        assert broker.publish("u", 0, "x") == 0
        assert broker.join("u", "g", "m") == [0]
        assert broker.poll("u", "g", "m", 1) == [("u", 0, 0, "x")]


def is_refused() -> None:
    """Fail to make a broker."""
    refused(lambda: EventBroker(2))


def test_a_forked_child_is_refused_by_every_call(broker: EventBroker) -> None:
    assert exit_code_of_fork(lambda: every_call_is_refused(broker)) == 0
    assert broker.publish("t", 0, "x") == 0  # the parent goes on


def test_so_is_it_by_the_other_systems() -> None:
    with MessageBroker(1) as messages:
        messages.create_topic("t")
        assert exit_code_of_fork(lambda: every_other_call_is_refused(messages)) == 0
        assert messages.publish("t", "x") == 0


def test_a_child_forked_while_other_threads_are_inside(broker: EventBroker) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            broker.poll("t", "g", "m", 1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert exit_code_of_fork(lambda: every_call_is_refused(broker)) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_forked_child_exits_as_any_other(run_python: RunPython) -> None:
    """Finalisers and exit functions run there too, and do nothing."""
    done = run_python(
        "import os, sys\n"
        "from eventbroker import EventBroker\n"
        "b = EventBroker(1)\n"
        "if (pid := os.fork()) == 0: sys.exit(7)\n"
        "_, status = os.waitpid(pid, 0)\n"
        "print(os.waitstatus_to_exitcode(status), b.create('t', 1))\n",
        PYTHONWARNINGS="ignore",
    )
    assert (done.stdout, done.stderr) == ("7 True\n", "")


@pytest.mark.parametrize(
    ("method", "target"), [("fork", is_refused), ("spawn", works), ("forkserver", works)]
)
def test_multiprocessing(method: str, target: Callable[[], None]) -> None:
    context: Any = multiprocessing.get_context(method)
    process = context.Process(target=target)
    process.start()
    process.join(SECONDS)
    alive = process.is_alive()
    if alive:
        process.kill()
        process.join()
    assert not alive, "the child hangs"
    assert process.exitcode == 0


def test_a_subprocess_started_meanwhile_works(broker: EventBroker) -> None:
    done = subprocess.run(
        ["/bin/echo", "fine"], capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert done.stdout == "fine\n"
    assert broker.publish("t", 0, "x") == 0
