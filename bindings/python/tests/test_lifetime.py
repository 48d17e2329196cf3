"""Closing, borrowing, stale handles, and the end of the interpreter."""

from __future__ import annotations

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from eventbroker import ClosedError, EventBroker, InternalError, MessageBroker, PubSub, _ffi

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

# Every call, with good arguments and with bad ones: closed comes first.
CALLS: list[tuple[Any, ...]] = [
    ("create", "t", 1),
    ("join", "t", "g", "m"),
    ("leave", "t", "g", "m"),
    ("publish", "t", 0, "x"),
    ("publish", None, 2**64, b""),
    ("poll", "t", "g", "m", 1),
    ("poll", "t", "g", "m", 65),
    ("ack", "t", "g", "m", 0, 0),
    ("retry", "t", "g", "m", 0, -1),
    ("publish_many", "t", [(0, "x")]),
    ("publish_many", None, 5),
    ("ack_many", "t", "g", "m", [(0, 0)]),
    ("ack_many", "t", "g", None, None),
    ("topic", "t"),
]
MESSAGE_CALLS: list[tuple[Any, ...]] = [
    ("create_topic", "t"),
    ("publish", "t", "x"),
    ("publish", None, b""),
    ("poll", "t", "g"),
    ("ack", "t", "g", 0, 1),
    ("nack", "t", "g", -1, 2**64),
    ("dead_letters", "t", "g"),
]
PUBSUB_CALLS: list[tuple[Any, ...]] = [
    ("create_topic", "t"),
    ("subscribe", "t", "n", lambda _: True),
    ("subscribe", None, b"", 5),
    ("unsubscribe", "t", "n"),
    ("publish", "t", "x"),
    ("publish", None, b""),
    ("drain",),
    ("seek", "t", "n", 0),
    ("seek", "t", "n", 2**64),
    ("offset", "t", "n"),
    ("dead_letters", "t", "n"),
    ("redeliver", "t", "n"),
    ("status", "t", "n"),
]
EVERY: list[tuple[Callable[[], Any], tuple[Any, ...]]]
EVERY = [(partial(EventBroker, 1), call) for call in CALLS]
EVERY += [(partial(MessageBroker, 1), call) for call in MESSAGE_CALLS]
EVERY += [(PubSub, call) for call in PUBSUB_CALLS]


@pytest.mark.parametrize(("make", "call"), EVERY)
def test_after_close_every_call_raises_closed_error(
    make: Callable[[], Any], call: tuple[Any, ...]
) -> None:
    broker = make()
    broker.close()
    broker.close()
    with pytest.raises(ClosedError, match=r"^broker is closed$"):
        getattr(broker, call[0])(*call[1:])
    with pytest.raises(ClosedError):
        _ = broker.handle


def test_closed_error_is_no_value_error() -> None:
    assert issubclass(ClosedError, RuntimeError)
    assert not issubclass(ClosedError, ValueError)


def test_leaving_the_context_closes_and_entering_again_does_not_open() -> None:
    with EventBroker(1) as broker:
        broker.create("t", 1)
    with broker, pytest.raises(ClosedError):
        broker.create("u", 1)


def test_an_exception_in_the_context_goes_on() -> None:
    with pytest.raises(ZeroDivisionError), EventBroker(1) as broker:
        _ = 1 / 0
    with pytest.raises(ClosedError):
        broker.create("t", 1)


def test_repr_shows_the_handle_until_it_is_closed() -> None:
    broker = EventBroker(1)
    assert repr(broker) == f"<EventBroker handle={broker.handle:#x}>"
    broker.close()
    assert repr(broker) == "<EventBroker closed>"


def test_a_borrower_shares_the_broker_and_never_closes_it() -> None:
    with EventBroker(1) as owner:
        with EventBroker.from_handle(owner.handle) as borrower:
            assert borrower.handle == owner.handle
            assert borrower.create("t", 1) is True
        with pytest.raises(ClosedError):
            borrower.create("u", 1)
        del borrower
        gc.collect()
        assert owner.create("t", 1) is False


def test_a_borrower_whose_owner_closed_gets_closed_error() -> None:
    owner = EventBroker(1)
    borrower = EventBroker.from_handle(owner.handle)
    owner.close()
    EventBroker(1)  # may take the same slot
    for name, *arguments in CALLS:
        if None not in arguments:
            with pytest.raises(ClosedError):
                getattr(borrower, name)(*arguments)


@pytest.mark.parametrize("handle", [1, 1 << 40, 2**63, 2**64 - 1])
def test_a_made_up_handle_raises_at_the_first_call(handle: int) -> None:
    with pytest.raises(ClosedError):
        EventBroker.from_handle(handle).publish("t", 0, "x")


def test_a_handle_of_another_kind_of_broker_is_closed_to_this_one() -> None:
    with EventBroker(1) as events, MessageBroker(1) as messages, PubSub() as pubsub:
        with pytest.raises(ClosedError):
            PubSub.from_handle(messages.handle).create_topic("t")
        with pytest.raises(ClosedError):
            MessageBroker.from_handle(pubsub.handle).create_topic("t")
        with pytest.raises(ClosedError):
            MessageBroker.from_handle(events.handle).create_topic("t")
        with pytest.raises(ClosedError):
            EventBroker.from_handle(messages.handle).create("t", 1)
        assert MessageBroker.from_handle(messages.handle).create_topic("t") is True
        assert events.create("t", 1) is True


def test_what_is_no_handle_is_refused_at_once() -> None:
    for handle in (0, -1, 2**64):
        with pytest.raises(ValueError, match=r"^invalid argument: handle: "):
            EventBroker.from_handle(handle)
    with pytest.raises(TypeError, match=r"^invalid argument: handle: must be int, not EventBroker"):
        EventBroker.from_handle(EventBroker(1))  # type: ignore[arg-type]


def test_a_forgotten_broker_is_closed() -> None:
    broker = EventBroker(1)
    borrower = EventBroker.from_handle(broker.handle)
    del broker
    gc.collect()
    with pytest.raises(ClosedError):
        borrower.create("t", 1)


def test_a_forgotten_message_broker_is_closed() -> None:
    broker = MessageBroker(1)
    borrower = MessageBroker.from_handle(broker.handle)
    del broker
    gc.collect()
    with pytest.raises(ClosedError):
        borrower.create_topic("t")


def test_a_broker_that_was_never_made_is_a_closed_one() -> None:
    broker = EventBroker.__new__(EventBroker)
    assert repr(broker) == "<EventBroker closed>"
    broker.close()
    with pytest.raises(ClosedError):
        broker.create("t", 1)
    pubsub = PubSub.__new__(PubSub)
    pubsub.close()
    with pytest.raises(ClosedError):
        pubsub.drain()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_broker_is_neither_copied_nor_pickled(duplicate: Callable[[object], object]) -> None:
    with EventBroker(1) as events, pytest.raises(TypeError, match=r"^EventBroker is not a value"):
        duplicate(events)
    with MessageBroker(1) as other, pytest.raises(TypeError, match=r"^MessageBroker is not a v"):
        duplicate(other)
    with PubSub() as pubsub, pytest.raises(TypeError, match=r"^PubSub is not a value"):
        duplicate(pubsub)


@pytest.mark.parametrize("status", [-5, -6, -11, -12, -99])
def test_any_other_status_is_an_internal_error(status: int) -> None:
    assert type(_ffi.failure(status)) is InternalError


def test_a_failure_without_a_message_has_its_statuss_name() -> None:
    with ThreadPoolExecutor(1) as fresh:  # where nothing has failed yet
        assert str(fresh.submit(_ffi.failure, -5).result()) == "internal error"


def test_the_interpreter_exits_cleanly_with_brokers_open(run_python: RunPython) -> None:
    done = run_python(
        "from eventbroker import EventBroker\n"
        "b = EventBroker(1); b.create('t', 1); b.itself = b\n"
        "class Late:\n"
        "    def __del__(self):\n"
        "        try: b.publish('t', 0, 'x')\n"
        "        except Exception as e: print(type(e).__name__)\n"
        "late = Late()\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in ("", "ClosedError\n")


def test_the_interpreter_exits_cleanly_with_threads_inside(run_python: RunPython) -> None:
    done = run_python(
        "import threading, time\n"
        "from eventbroker import ClosedError, EventBroker\n"
        "b = EventBroker(1000); b.create('t', 1); b.join('t', 'g', 'm')\n"
        "def work():\n"
        "    try:\n"
        "        while True:\n"
        "            b.publish('t', 0, 'x'); [b.ack('t','g','m',0,r.offset)"
        " for r in b.poll('t','g','m',1)]\n"
        "    except ClosedError: pass\n"
        "for _ in range(8): threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.2)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
