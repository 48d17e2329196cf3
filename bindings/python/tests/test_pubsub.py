"""The pub-sub broker, seen from Python. The corpus proves the clauses themselves."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from handlers import Given, Slow

from eventbroker import (
    ClosedError,
    DamagedError,
    DiskFullError,
    InternalError,
    Letter,
    Message,
    PubSub,
    Status,
    StorageError,
    _ffi,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def broker() -> Iterator[PubSub]:
    """A synchronous broker with a topic t."""
    with PubSub() as made:
        assert made.create_topic("t") is True
        yield made


def standing(offset: int, attempts: int = 0, lost: int = 0) -> Status:
    return Status(subscribed=True, offset=offset, attempts=attempts, lost=lost, reason="")


def publish(broker: PubSub, *payloads: str) -> None:
    for payload in payloads:
        assert broker.publish("t", payload) >= 0


def test_a_handler_is_given_what_is_published_after_it_subscribed(broker: PubSub) -> None:
    publish(broker, "early")
    given = Given()
    broker.subscribe("t", "a", given)
    publish(broker, "x", "y")
    assert given.messages == []  # PS-01: publish calls nobody
    assert broker.drain() == 2
    assert given.messages == [Message("t", 1, "x", 1), Message("t", 2, "y", 1)]
    assert broker.drain() == 0
    assert broker.offset("t", "a") == 3


def test_a_no_is_false_minus_one_or_empty_and_never_raised(broker: PubSub) -> None:
    assert broker.create_topic("t") is False
    assert broker.publish("u", "x") == -1
    assert broker.unsubscribe("t", "a") is False
    assert broker.unsubscribe("u", "a") is False
    assert broker.seek("t", "a", 0) is False
    assert broker.offset("t", "a") == -1
    assert broker.dead_letters("t", "a") == []
    assert broker.redeliver("t", "a") == 0
    assert broker.status("t", "a") == Status(
        subscribed=False, offset=-1, attempts=0, lost=0, reason=""
    )
    assert broker.drain() == 0


class Truth:
    """As true as can be, and yet not True."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


@pytest.mark.parametrize("answer", [None, False, 1, "True", [True], Truth(), NotImplemented])
def test_nothing_but_true_confirms(broker: PubSub, answer: Any) -> None:
    given = Given(lambda _: answer)
    broker.subscribe("t", "a", given)
    publish(broker, "x")
    assert [broker.drain() for _ in range(4)] == [0] * 4
    assert [message.attempt for message in given.messages] == [1, 2, 3]
    said = answer if answer in (None, False) and not isinstance(answer, Truth) else None
    shown = str(said) if answer is None or answer is False else type(answer).__name__
    error = f"the handler returned {shown}, not True"
    assert broker.dead_letters("t", "a") == [Letter(0, "x", 3, error)]


class Mute(Exception):  # noqa: N818
    """One whose text cannot be had."""

    def __str__(self) -> str:
        raise ZeroDivisionError


FAILURES: list[tuple[BaseException, str]] = [
    (ValueError("boom"), "ValueError: boom"),
    (ValueError(), "ValueError"),
    (KeyError("é"), "KeyError: 'é'"),
    (OSError(2, "No such file"), "FileNotFoundError: [Errno 2] No such file"),
    (ClosedError("x"), "ClosedError: x"),
    (RuntimeError("a\0b\nc"), "RuntimeError: a\0b\nc"),
    (RuntimeError("\ud83d"), "RuntimeError: ?"),
    (Mute(), "Mute: <its text raised ZeroDivisionError>"),
    (StopIteration(5), "StopIteration: 5"),
    (RuntimeError("x" * 5000), ("RuntimeError: " + "x" * 5000)[:1024]),
    (RuntimeError("é" * 2000), "RuntimeError: " + "é" * 505),
    (RuntimeError("xé" * 2000), "RuntimeError: " + "xé" * 336 + "x"),
]


@pytest.mark.parametrize(("error", "text"), FAILURES)
def test_an_exception_fails_the_message_and_is_kept(error: BaseException, text: str) -> None:
    def fail(_: Message) -> bool:
        raise error

    with PubSub(max_attempts=1) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", fail)
        after = Given()
        broker.subscribe("t", "b", after)
        publish(broker, "x", "y")
        assert broker.drain() == 2  # PS-06: b is served
        letters = broker.dead_letters("t", "a")
    assert letters == [Letter(0, "x", 1, text), Letter(1, "y", 1, text)]
    assert after.payloads == ["x", "y"]


class Stop(BaseException):
    """Neither an Exception nor any of Python's own."""


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, Stop])
def test_what_is_no_exception_fails_the_message_and_comes_out_of_drain(
    broker: PubSub, kind: type[BaseException]
) -> None:
    error = kind("now")

    def fail(message: Message) -> bool:
        if message.attempt < 3:
            raise error
        return True

    before, after = Given(), Given()
    broker.subscribe("t", "before", before)
    broker.subscribe("t", "a", fail)
    broker.subscribe("t", "after", after)
    publish(broker, "x")
    for attempts in (1, 2):
        with pytest.raises(kind) as raised:
            broker.drain()
        assert raised.value is error
        assert broker.status("t", "a") == standing(0, attempts)
    assert (before.payloads, after.payloads) == (["x"], [])
    assert broker.drain() == 2  # nothing is held up, PS-10
    assert after.payloads == ["x"]


def test_it_is_the_letters_error_too() -> None:
    def leave(_: Message) -> bool:
        raise SystemExit(3)

    with PubSub(max_attempts=1) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", leave)
        publish(broker, "x")
        with pytest.raises(SystemExit):
            broker.drain()
        assert broker.dead_letters("t", "a") == [Letter(0, "x", 1, "SystemExit: 3")]
        assert broker.offset("t", "a") == 1


def test_a_decorated_function_stays_what_it_is(broker: PubSub) -> None:
    def handle(_: Message) -> bool:
        return True

    assert broker.subscriber("t", "a")(handle) is handle
    assert broker.subscriber("t", "b", filter=lambda m: m.payload != "x")(handle) is handle
    publish(broker, "x")
    assert broker.drain() == 1
    assert broker.offset("t", "b") == 1


def test_any_callable_is_a_handler(broker: PubSub) -> None:
    class Owner:
        def method(self, message: Message) -> bool:
            return message.offset == 0

    broker.subscribe("t", "method", Owner().method)
    broker.subscribe("t", "builtin", {Message("t", 0, "x", 1)}.__contains__)
    publish(broker, "x")
    assert broker.drain() == 2


def test_every_argument_may_be_named() -> None:
    options: dict[str, Any] = {"dispatcher": "pool", "workers": 1, "handler_timeout": 60}
    with PubSub(
        **options, max_attempts=1, block_timeout=0.5, max_payload=1, path=None, sync=False
    ) as broker:
        assert broker.create_topic(topic="t", retain=1)
        broker.subscribe(
            topic="t", name="a", handler=Given(), group=None, filter=None, policy="block"
        )
        broker.subscriber(topic="t", name="b", group="g", filter=None, policy="drop")(Given())
        assert broker.publish(topic="t", payload="x") == 0
        assert broker.seek(topic="t", name="none", offset=0) is False
        assert broker.offset(topic="t", name="none") == -1
        assert broker.dead_letters(topic="t", name="none") == []
        assert broker.redeliver(topic="t", name="none") == 0
        assert broker.status(topic="t", name="none").offset == -1
        assert broker.unsubscribe(topic="t", name="a") is True


PAYLOADS = ["", "\0", "a\0b", " a ", "é", "e\u0301", "🔥", "\x01" * 1024]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_comes_back_as_it_was(broker: PubSub, payload: str) -> None:
    given = Given(answer=False)
    broker.subscribe("t", "a", given)
    publish(broker, payload)
    assert [broker.drain() for _ in range(3)] == [0, 0, 0]
    assert given.payloads == [payload] * 3
    [letter] = broker.dead_letters("t", "a")
    assert letter.payload == payload


def test_messages_larger_than_the_usual_frame_come_whole() -> None:
    with PubSub(max_attempts=1, max_payload=1 << 20) as broker:
        topic = "t" * 64
        broker.create_topic(topic)
        given = Given(answer=False)
        broker.subscribe(topic, "a", given)
        payloads = ["x", "x" * (1 << 20), "", "é" * (1 << 19), "y" * 1025]
        for payload in payloads:
            broker.publish(topic, payload)
        assert broker.drain() == 0
        assert given.messages == [Message(topic, n, p, 1) for n, p in enumerate(payloads)]
        assert [letter.payload for letter in broker.dead_letters(topic, "a")] == payloads


def test_a_message_is_a_value(broker: PubSub) -> None:
    given = Given()
    broker.subscribe("t", "a", given)
    publish(broker, "x", "y")
    broker.drain()
    first, _ = given.messages
    topic, offset, payload, attempt = first
    assert (topic, offset, payload, attempt) == ("t", 0, "x", 1) == first
    with pytest.raises(AttributeError):
        first.payload = "z"  # type: ignore[misc]


def test_a_confirmation_that_cannot_be_kept_comes_out_in_the_end(
    broker: PubSub, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, others = Given(), Given()
    broker.subscribe("t", "a", given)
    broker.subscribe("t", "b", others)
    publish(broker, "x")
    settle, statuses = _ffi.pubsub_settle, [_ffi.DISK_FULL]

    def fail_once(*what: Any) -> int:
        status: int = settle(*what)
        return statuses.pop() if statuses else status

    monkeypatch.setattr(_ffi, "pubsub_settle", fail_once)
    with pytest.raises(DiskFullError):
        broker.drain()
    assert (given.payloads, others.payloads) == (["x"], ["x"])
    assert broker.drain() == 0


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (_ffi.DISK_FULL, DiskFullError),
        (_ffi.STORAGE, StorageError),
        (_ffi.DAMAGED, DamagedError),
    ],
)
def test_a_turn_that_could_not_begin_ends_no_drain(
    broker: PubSub, monkeypatch: pytest.MonkeyPatch, status: int, error: type[Exception]
) -> None:
    given = Given()
    broker.subscribe("t", "a", given)
    publish(broker, "x")
    take, statuses = _ffi.pubsub_next, [status]
    monkeypatch.setattr(
        _ffi, "pubsub_next", lambda *what: statuses.pop() if statuses else take(*what)
    )
    with pytest.raises(error):
        broker.drain()
    assert given.payloads == ["x"]


def test_a_drain_ends_where_the_library_fails(
    broker: PubSub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ffi, "pubsub_next", lambda *_: -5)
    with pytest.raises(InternalError):
        broker.drain()


# Filters (PS-12).


def test_a_filter_passes_what_is_true_and_its_messages_count_for_nothing(broker: PubSub) -> None:
    given = Given()
    seen = Given(lambda message: message.payload)
    broker.subscribe("t", "a", given, filter=seen)
    publish(broker, "x", "", "y", "")
    assert broker.drain() == 2
    assert given.payloads == ["x", "y"]
    assert [message.offset for message in seen.messages] == [0, 1, 2, 3]
    assert broker.offset("t", "a") == 4


def test_a_filter_that_raises_is_a_failed_try(broker: PubSub) -> None:
    class Torn:
        def __bool__(self) -> bool:
            raise ValueError("torn")

    given = Given()
    broker.subscribe("t", "a", given, filter=lambda m: Torn() if m.payload == "x" else True)
    publish(broker, "x", "y")
    assert [broker.drain() for _ in range(3)] == [0, 0, 1]
    assert broker.dead_letters("t", "a") == [Letter(0, "x", 3, "ValueError: torn")]
    assert given.payloads == ["y"]


# What a handler does to its own broker (PS-03, PS-08 to PS-10).


def test_a_handler_that_unsubscribes_itself_gets_no_more(broker: PubSub) -> None:
    given = Given(lambda _: broker.unsubscribe("t", "a"))
    broker.subscribe("t", "a", given)
    publish(broker, "x", "y")
    assert broker.drain() == 1  # the call that ran counts
    assert given.payloads == ["x"]
    assert broker.offset("t", "a") == -1


def test_a_handler_that_unsubscribes_a_later_one(broker: PubSub) -> None:
    later = Given()
    broker.subscribe("t", "a", lambda _: broker.unsubscribe("t", "b"))
    broker.subscribe("t", "b", later)
    publish(broker, "x")
    assert broker.drain() == 1
    assert later.messages == []


def test_a_handler_that_subscribes_itself_anew(broker: PubSub) -> None:
    second = Given()

    def anew(_: Message) -> bool:
        assert broker.unsubscribe("t", "a")
        broker.subscribe("t", "a", second)
        return True

    broker.subscribe("t", "a", anew)
    publish(broker, "x")
    assert broker.drain() == 1
    publish(broker, "y")
    assert broker.drain() == 1
    assert second.payloads == ["y"]


def test_a_handler_that_publishes_is_given_its_own(broker: PubSub) -> None:
    def echo(message: Message) -> bool:
        return message.offset == 9 or broker.publish("t", f"{message.payload}!") > 0

    broker.subscribe("t", "a", echo)
    publish(broker, "x")
    assert broker.drain() == 10
    assert broker.offset("t", "a") == 10


def test_a_handler_that_drains_serves_the_others(broker: PubSub) -> None:
    counts: list[int] = []
    other = Given()

    def drain(_: Message) -> bool:
        counts.append(broker.drain())
        return True

    broker.subscribe("t", "a", drain)
    broker.subscribe("t", "b", other)
    publish(broker, "x", "y")
    assert broker.drain() == 2
    assert counts == [2, 0]
    assert other.payloads == ["x", "y"]


def test_a_handler_that_seeks_wins_over_its_own_answer(broker: PubSub) -> None:
    def again(message: Message) -> bool:
        return len(given.messages) > 3 or broker.seek("t", "a", message.offset)

    given = Given(again)
    broker.subscribe("t", "a", given)
    publish(broker, "x")
    assert broker.drain() == 4
    assert given.payloads == ["x"] * 4


def test_a_handler_that_closes_the_broker(broker: PubSub) -> None:
    def close(_: Message) -> bool:
        broker.close()
        with pytest.raises(ClosedError):
            broker.drain()
        broker.close()
        return True

    broker.subscribe("t", "before", Given())
    broker.subscribe("t", "a", close)
    after = Given()
    broker.subscribe("t", "after", after)
    publish(broker, "x", "y")
    assert broker.drain() == 3  # what it counted
    assert after.messages == []
    with pytest.raises(ClosedError):
        broker.drain()


def test_drains_within_drains_end(broker: PubSub) -> None:
    depth: list[str] = []

    def handle(message: Message) -> bool:
        depth.append(message.topic)
        broker.drain()
        return True

    for n in range(50):
        broker.create_topic(f"t{n}")
        broker.subscribe(f"t{n}", "a", handle)
        broker.publish(f"t{n}", "x")
    assert broker.drain() == 1  # the others were confirmed by drains further in
    assert sorted(depth) == sorted(f"t{n}" for n in range(50))


def test_a_broker_that_another_brokers_handler_uses(broker: PubSub) -> None:
    with PubSub() as other:
        other.create_topic("t")
        inner = Given()
        other.subscribe("t", "a", inner)
        broker.subscribe("t", "a", lambda m: other.publish("t", m.payload) + other.drain() > 0)
        publish(broker, "x", "y")
        assert broker.drain() == 2
    assert inner.payloads == ["x", "y"]


# Retention, groups, dead letters, status (PS-13, PS-14, PS-17).


def test_drop_jumps_and_counts(broker: PubSub) -> None:
    broker.create_topic("last", retain=2)
    given = Given()
    broker.subscribe("last", "a", given)
    for n in range(5):
        broker.publish("last", str(n))
    assert broker.drain() == 2
    assert given.messages == [Message("last", 3, "3", 1), Message("last", 4, "4", 1)]
    assert broker.status("last", "a") == standing(5, lost=3)


def test_disconnect_ends_the_subscription_and_says_why(broker: PubSub) -> None:
    broker.create_topic("last", retain=1)
    given = Given()
    broker.subscribe("last", "a", given, policy="disconnect")
    for n in range(2):
        broker.publish("last", str(n))
    assert broker.drain() == 0
    found = broker.status("last", "a")
    assert (found.subscribed, found.offset, found.lost) == (False, -1, 0)
    assert "no longer kept" in found.reason
    assert broker.unsubscribe("last", "a") is False
    assert broker.status("last", "a").reason == ""
    broker.subscribe("last", "a", given)
    broker.publish("last", "2")
    assert broker.drain() == 1
    assert given.payloads == ["2"]


def test_a_group_takes_turns(broker: PubSub) -> None:
    givens = [Given(), Given(), Given()]
    for n, given in enumerate(givens):
        broker.subscribe("t", f"m{n}", given, group="g")
    publish(broker, *"abcdefg")
    assert broker.drain() == 7
    assert [given.payloads for given in givens] == [[*"adg"], [*"be"], [*"cf"]]
    assert {broker.offset("t", f"m{n}") for n in range(3)} == {7}


def test_dead_letters_are_offered_again(broker: PubSub) -> None:
    given = Given(answer=False)
    broker.subscribe("t", "a", given)
    publish(broker, "x")
    assert [broker.drain() for _ in range(3)] == [0] * 3
    publish(broker, "y")
    given.messages.clear()
    given.answer = True
    assert broker.redeliver("t", "a") == 1
    assert broker.dead_letters("t", "a") == []
    assert broker.drain() == 2
    assert given.messages == [Message("t", 0, "x", 1), Message("t", 1, "y", 1)]


def test_without_a_limit_a_message_is_tried_for_ever() -> None:
    with PubSub(max_attempts=0) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", Given(answer=False))
        publish(broker, "x")
        assert [broker.drain() for _ in range(200)] == [0] * 200
        assert broker.status("t", "a") == standing(0, 200)


# Threads and lifetimes.


def test_drains_on_two_threads_share_the_work(broker: PubSub) -> None:
    """PS-10: one passes over what the other is serving."""
    slow, other = Slow(), Given()
    broker.subscribe("t", "slow", slow)
    broker.subscribe("t", "other", other)
    publish(broker, "x")
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(broker.drain()))
    thread.start()
    assert slow.entered.wait(60)
    assert broker.drain() == 1
    assert other.payloads == ["x"]
    slow.leave.set()
    thread.join(60)
    assert counts == [1]


def until_it_closes(borrower: PubSub) -> None:
    """Wait for the library to say so: the owner does before it calls that."""
    with contextlib.suppress(ClosedError):
        while True:
            borrower.offset("t", "a")


def test_a_handler_that_was_handed_a_message_is_found_after_it_unsubscribed(
    broker: PubSub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PS-08: its call has begun when another thread unsubscribes, and its confirmation counts."""
    given = Given()
    broker.subscribe("t", "a", given)
    publish(broker, "x", "y")
    take = _ffi.pubsub_next

    def take_and_unsubscribe(*what: Any) -> int:
        status: int = take(*what)
        assert broker.unsubscribe("t", "a") is (status == 1)
        return status

    monkeypatch.setattr(_ffi, "pubsub_next", take_and_unsubscribe)
    assert broker.drain() == 1
    assert given.payloads == ["x"]
    assert broker._handlers is not None
    assert not broker._handlers._subscribers


def test_close_waits_for_a_call_on_another_thread(broker: PubSub) -> None:
    slow, closed = Slow(), threading.Event()
    broker.subscribe("t", "a", slow)
    publish(broker, "x", "y")
    counts: list[int] = []
    drains = threading.Thread(target=lambda: counts.append(broker.drain()))
    drains.start()
    assert slow.entered.wait(60)

    def close() -> None:
        broker.close()
        closed.set()

    borrower = PubSub.from_handle(broker.handle)
    closes = threading.Thread(target=close)
    closes.start()
    until_it_closes(borrower)  # which is at once, while close waits
    assert not closed.is_set()
    slow.leave.set()
    for thread in (drains, closes):
        thread.join(60)
    assert closed.is_set()
    assert counts == [1]


def handler_of(owner: object) -> Callable[[Message], bool]:
    """Return a handler that keeps the owner alive."""
    return lambda _: owner is not None


class Owner:
    """Something of which a weak reference can tell when it is gone."""


def test_handlers_live_as_long_as_their_subscription(broker: PubSub) -> None:
    owners = {name: Owner() for name in ("ended", "disconnected", "refused", "closed")}
    alive = {name: weakref.ref(owner) for name, owner in owners.items()}
    broker.create_topic("last", retain=1)
    broker.subscribe("t", "ended", handler_of(owners["ended"]))
    broker.subscribe("last", "a", handler_of(owners["disconnected"]), policy="disconnect")
    with pytest.raises(ValueError, match="in use"):
        broker.subscribe("t", "ended", handler_of(owners["refused"]))
    broker.subscribe("t", "closed", handler_of(owners["closed"]), filter=handler_of(owners))
    owners.clear()
    gc.collect()
    assert [name for name, ref in alive.items() if ref()] == ["ended", "disconnected", "closed"]
    broker.unsubscribe("t", "ended")
    broker.publish("last", "x")
    broker.publish("last", "y")
    broker.drain()
    broker.subscribe("last", "a", Given())
    gc.collect()
    assert [name for name, ref in alive.items() if ref()] == ["closed"]
    broker.close()
    gc.collect()
    assert not any(ref() for ref in alive.values())


def test_a_handler_that_dies_while_it_runs_is_finished_first(broker: PubSub) -> None:
    class Last:
        def __call__(self, _: Message) -> bool:
            broker.unsubscribe("t", "a")
            gc.collect()
            return True

    handler = Last()
    alive = weakref.ref(handler)
    broker.subscribe("t", "a", handler)
    del handler
    publish(broker, "x")
    assert broker.drain() == 1
    gc.collect()
    assert alive() is None


def test_a_handlers_finaliser_may_call_the_broker(broker: PubSub) -> None:
    class Chain:
        def __init__(self, length: int) -> None:
            self.length = length

        def __call__(self, _: Message) -> bool:
            return True

        def __del__(self) -> None:
            if self.length:
                broker.subscribe("t", "a", Chain(self.length - 1))
                broker.unsubscribe("t", "a")

    broker.subscribe("t", "a", Chain(5))
    assert broker.unsubscribe("t", "a")
    assert broker._handlers is not None
    assert not broker._handlers._subscribers


def test_a_forgotten_broker_is_closed_also_one_that_its_handler_refers_to() -> None:
    broker = PubSub()
    broker.create_topic("t")
    other = PubSub.from_handle(broker.handle)
    broker.subscribe("t", "a", handler_of(broker))
    del broker
    gc.collect()
    with pytest.raises(ClosedError):
        other.create_topic("u")


def test_a_borrower_calls_no_handlers(broker: PubSub) -> None:
    given = Given()
    broker.subscribe("t", "a", given)
    with PubSub.from_handle(broker.handle) as borrower:
        assert borrower.publish("t", "x") == 0
        assert borrower.offset("t", "a") == 0
        for call in (borrower.drain, lambda: borrower.subscribe("t", "b", given)):
            with pytest.raises(RuntimeError, match="borrowed"):
                call()
        assert borrower.unsubscribe("t", "b") is False
    assert broker.drain() == 1
