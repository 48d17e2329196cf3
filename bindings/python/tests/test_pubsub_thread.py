"""Lanes and pools: threads that call handlers (PS-10, PS-11, PS-13)."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import time
import weakref
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from handlers import HANG, Given, Slow, eventually

from eventbroker import (
    ClosedError,
    DiskFullError,
    InternalError,
    Message,
    PubSub,
    TimedOutError,
    _ffi,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from eventbroker._pubsub import Dispatcher


@pytest.fixture(params=["lanes", "pool"])
def dispatcher(request: pytest.FixtureRequest) -> Any:
    """Each of those that have threads."""
    return request.param


def broker_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "eventbroker-pubsub"]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """No test leaves one, not even for a moment: close waits for them."""
    yield
    assert broker_threads() == []


@contextlib.contextmanager
def impatient(workers: int) -> Iterator[PubSub]:
    """A pool with a time-out, which on a busy machine any call may outlive."""
    with PubSub(dispatcher="pool", workers=workers, handler_timeout=0.02, max_attempts=1) as broker:
        broker.create_topic("t")
        yield broker
    eventually(lambda: not broker_threads())  # close does not wait for such calls


@pytest.fixture
def broker(dispatcher: Dispatcher) -> Iterator[PubSub]:
    """A broker with a topic t."""
    with PubSub(dispatcher=dispatcher) as made:
        made.create_topic("t")
        yield made


def test_publish_wakes_delivery(broker: PubSub) -> None:
    given = Given()
    broker.subscribe("t", "a", given)
    for n in range(100):
        broker.publish("t", str(n))
    given.until(100)
    assert given.messages == [Message("t", n, str(n), 1) for n in range(100)]
    assert broker.drain() == 0
    eventually(lambda: broker.offset("t", "a") == 100)


def test_a_slow_subscriber_delays_neither_the_others_nor_the_publisher(broker: PubSub) -> None:
    slow, quick = Slow(), Given()
    broker.subscribe("t", "slow", slow)
    broker.subscribe("t", "quick", quick)
    for n in range(1000):
        assert broker.publish("t", str(n)) == n
    assert slow.entered.wait(HANG)
    quick.until(1000)
    assert broker.offset("t", "slow") == 0
    slow.leave.set()
    eventually(lambda: broker.offset("t", "slow") == 1000)


class Watched:
    """A handler that sees whether it runs twice at once, or out of order."""

    def __init__(self, fail_every: int) -> None:
        self.running = threading.Lock()
        self.faults: list[str] = []
        self.confirmed: list[int] = []
        self.fail_every = fail_every

    def __call__(self, message: Message) -> bool:
        if not self.running.acquire(blocking=False):
            self.faults.append(f"two calls at once: {message}")
            return False
        try:
            if self.confirmed and message.offset != self.confirmed[-1] + 1:
                self.faults.append(f"out of order: {message}")
            if message.attempt == 1 and message.offset % self.fail_every == 1:
                raise ValueError(message.offset)
            self.confirmed.append(message.offset)
            return True
        finally:
            self.running.release()


def test_one_call_at_a_time_and_in_order(dispatcher: Dispatcher) -> None:
    """Eight publishers, ten subscribers of which some fail, drains and seeks to nowhere."""
    publishers, each = 8, 200
    total = publishers * each
    with PubSub(dispatcher=dispatcher) as broker:
        broker.create_topic("t")
        handlers = [Watched(fail_every=total - 1 - 100 * n) for n in range(10)]
        for n, handler in enumerate(handlers):
            broker.subscribe("t", f"s{n}", handler)

        def publish() -> None:
            for n in range(each):
                broker.publish("t", str(n))
                if n % 20 == 0:
                    broker.drain()

        threads = [threading.Thread(target=publish) for _ in range(publishers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)

        def done() -> bool:
            broker.drain()  # no rest after a failure
            return all(len(handler.confirmed) == total for handler in handlers)

        eventually(done)
    assert [handler.faults for handler in handlers] == [[]] * 10
    assert {tuple(handler.confirmed) for handler in handlers} == {tuple(range(total))}


def test_nothing_begins_after_unsubscribe_returned(broker: PubSub) -> None:
    given = Given()
    for n in range(200):
        count = len(given.messages)
        broker.subscribe("t", "a", given)
        broker.publish("t", "early")
        broker.publish("t", "early")
        if n % 2:
            given.until(count + 1)
        assert broker.unsubscribe("t", "a") is True
        broker.publish("t", "late")
    broker.close()
    assert {*given.payloads} == {"early"}


def test_subscriptions_come_and_go_while_messages_flow(dispatcher: Dispatcher) -> None:
    """Each handler that was handed a message is found, and none is kept."""
    stop = threading.Event()
    counts: Counter[str] = Counter()
    with PubSub(dispatcher=dispatcher, max_attempts=1) as broker:
        broker.create_topic("t")

        def flow() -> None:
            while not stop.is_set():
                broker.publish("t", "x")

        def come_and_go(name: str) -> None:
            for n in range(50):
                # In a group, a handler that is not found would leave a dead letter.
                broker.subscribe("t", name, Given(), group="g")
                if n % 3:
                    eventually(lambda: broker.offset("t", name) >= 0)
                counts[name] += len(broker.dead_letters("t", name))
                assert broker.unsubscribe("t", name)

        flows = threading.Thread(target=flow)
        flows.start()
        threads = [threading.Thread(target=come_and_go, args=(f"s{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)
        stop.set()
        flows.join(HANG)
        assert counts.total() == 0
        assert broker._handlers is not None
        eventually(lambda: not broker._handlers or not broker._handlers._subscribers)


def test_a_handler_that_was_handed_a_message_is_found_after_it_unsubscribed(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PS-08: its call has begun, and in a group a failure would count."""
    given = Given()
    wait = _ffi.pubsub_wait

    def wait_and_unsubscribe(*what: Any) -> int:
        status: int = wait(*what)
        if status == 1:
            assert made.unsubscribe("t", "a") is True
        return status

    monkeypatch.setattr(_ffi, "pubsub_wait", wait_and_unsubscribe)
    with PubSub(dispatcher=dispatcher) as made:
        made.create_topic("t")
        made.subscribe("t", "a", given, group="g")
        made.publish("t", "x")
        given.until(1)
        eventually(lambda: made._handlers and not made._handlers._subscribers)
        made.subscribe("t", "b", given, group="g")
        eventually(lambda: made.offset("t", "b") == 1)


def test_a_finaliser_may_close_on_a_worker_thread(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, closed = _ffi.pubsub_wait, threading.Event()
    made: list[PubSub] = []

    def close_and_wait(*what: Any) -> int:
        eventually(lambda: made)
        made[0].close()
        closed.set()
        return int(wait(*what))

    monkeypatch.setattr(_ffi, "pubsub_wait", close_and_wait)
    with PubSub(dispatcher=dispatcher) as broker, contextlib.suppress(ClosedError):
        made.append(broker)
        broker.create_topic("t")
        for n in range(3):
            broker.subscribe("t", f"s{n}", Given())
    assert closed.wait(HANG)


def test_a_failed_message_is_offered_again_after_a_rest_which_drain_ends(broker: PubSub) -> None:
    given = Given(lambda message: message.attempt > 2)
    broker.subscribe("t", "a", given)
    broker.publish("t", "x")
    eventually(lambda: broker.status("t", "a").attempts > 0 or len(given.messages) > 1)
    broker.drain()
    given.until(2)  # and the third comes by itself
    given.until(3)
    assert [message.attempt for message in given.messages] == [1, 2, 3]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_exception_is_reported_and_the_thread_goes_on(
    broker: PubSub, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)

    def handle(message: Message) -> Any:
        if message.payload == "x":
            raise kind("now")
        return True

    given = Given(handle)
    broker.subscribe("t", "a", given)
    before = broker_threads()
    broker.publish("t", "x")
    broker.publish("t", "y")

    def parked() -> bool:
        broker.drain()
        return broker.offset("t", "a") == 2

    eventually(parked)
    assert [letter.error for letter in broker.dead_letters("t", "a")] == [f"{kind.__name__}: now"]
    assert [(args.exc_type, str(args.exc_value)) for args in reported] == [(kind, "now")] * 3
    assert {args.thread for args in reported} <= {*before}
    assert broker_threads() == before


def test_system_exit_is_silent_and_a_hook_that_raises_is_survived(
    broker: PubSub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)

    replaced = threading.Event()

    def leave(message: Message) -> bool:
        if message.attempt == 2:
            assert replaced.wait(HANG)
        raise SystemExit(1)

    given = Given(lambda message: leave(message) if message.attempt < 3 else True)
    broker.subscribe("t", "a", given)
    broker.publish("t", "x")
    given.until(2)  # by then the first was reported
    assert capsys.readouterr().err == ""

    def broken(_: object) -> None:
        raise ZeroDivisionError

    shown: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", broken)
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: shown.append(kind))
    replaced.set()
    eventually(lambda: broker.drain() == 0 and broker.offset("t", "a") == 1)
    assert shown == [ZeroDivisionError]


class Sly(Exception):  # noqa: N818
    """One whose text ends the thread that asks for it."""

    def __str__(self) -> str:
        raise SystemExit


def test_a_text_that_raises_ends_no_thread(broker: PubSub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def handle(message: Message) -> bool:
        if message.payload == "x":
            raise Sly
        return True

    broker.subscribe("t", "a", handle)
    before = broker_threads()
    broker.publish("t", "x")
    broker.publish("t", "y")
    eventually(lambda: broker.drain() == 0 and broker.offset("t", "a") == 2)
    assert broker_threads() == before


def test_a_full_disk_is_reported_and_the_thread_goes_on(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    settle, statuses = _ffi.pubsub_settle, [_ffi.DISK_FULL]

    def fail_once(*what: Any) -> int:
        status: int = settle(*what)
        return statuses.pop() if statuses else status

    monkeypatch.setattr(_ffi, "pubsub_settle", fail_once)
    with PubSub(dispatcher=dispatcher) as broker:
        broker.create_topic("t")
        given = Given()
        broker.subscribe("t", "a", given)
        broker.publish("t", "x")
        broker.publish("t", "y")
        given.until(2)
        eventually(lambda: reported)  # in a pool by another thread, for which close does not wait
    assert [args.exc_type for args in reported] == [DiskFullError]
    eventually(lambda: not broker_threads())


def test_another_failure_ends_the_thread_with_a_report(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    monkeypatch.setattr(_ffi, "pubsub_wait", lambda *_: -5)
    with PubSub(dispatcher=dispatcher) as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", Given())
        eventually(lambda: broker_threads() == [])
    assert {args.exc_type for args in reported} == {InternalError}


def test_a_handler_does_what_it_likes(broker: PubSub) -> None:
    """It publishes, drains, unsubscribes itself and subscribes another."""
    second = Given()

    def handle(_: Message) -> bool:
        broker.create_topic("u")
        broker.subscribe("u", "b", second)
        for n in range(10):
            broker.publish("u", str(n))
        assert broker.drain() == 0
        return broker.unsubscribe("t", "a")

    broker.subscribe("t", "a", handle)
    broker.publish("t", "x")
    second.until(10)
    eventually(lambda: broker.offset("t", "a") == -1)


def test_a_handler_that_closes_the_broker(broker: PubSub) -> None:
    ended = threading.Event()

    def close(_: Message) -> bool:
        broker.close()
        broker.close()
        ended.set()
        return True

    broker.subscribe("t", "a", close)
    broker.publish("t", "x")
    with contextlib.suppress(ClosedError):  # it may be as soon as that
        broker.publish("t", "y")
    assert ended.wait(HANG)
    with pytest.raises(ClosedError):
        broker.offset("t", "a")
    broker.close()
    assert broker_threads() == []


def test_a_handler_that_closes_another_broker_does_not_wait(broker: PubSub) -> None:
    slow, closed = Slow(), threading.Event()
    with PubSub(dispatcher="pool") as other:
        other.create_topic("t")
        other.subscribe("t", "slow", slow)
        other.publish("t", "x")
        assert slow.entered.wait(HANG)

        def close(_: Message) -> bool:
            other.close()
            closed.set()
            return True

        broker.subscribe("t", "a", close)
        broker.publish("t", "x")
        assert closed.wait(HANG)
        slow.leave.set()


def test_close_waits_for_calls_and_for_threads(broker: PubSub) -> None:
    slow = Slow()
    broker.subscribe("t", "slow", slow)
    broker.publish("t", "x")
    assert slow.entered.wait(HANG)
    closes = [threading.Thread(target=broker.close) for _ in range(3)]
    for thread in closes:
        thread.start()
    with pytest.raises(ClosedError):
        eventually(lambda: broker.offset("t", "slow") < 0)
    assert all(thread.is_alive() for thread in closes)
    slow.leave.set()
    for thread in closes:
        thread.join(HANG)
    assert broker_threads() == []


def test_a_lane_or_pool_opens_and_closes_quickly_under_load(dispatcher: Dispatcher) -> None:
    for _ in range(50):
        with PubSub(dispatcher=dispatcher) as broker:
            broker.create_topic("t")
            for n in range(5):
                broker.subscribe("t", f"s{n}", Given())
                broker.publish("t", "x")
        assert broker_threads() == []


def test_close_while_a_lane_is_being_started() -> None:
    """Its thread is listed already, and cannot be joined yet."""
    for _ in range(100):
        broker = PubSub(dispatcher="lanes")
        broker.create_topic("t")
        begun = threading.Event()

        def subscribe(broker: PubSub = broker, begun: threading.Event = begun) -> None:
            with contextlib.suppress(ClosedError):
                for n in range(1000):
                    broker.subscribe("t", f"n{n}", Given())
                    begun.set()

        subscriber = threading.Thread(target=subscribe)
        subscriber.start()
        begun.wait()
        broker.close()
        subscriber.join()
        broker.close()  # once more, for a lane that was only starting


def test_a_lane_ends_with_its_subscription() -> None:
    with PubSub(dispatcher="lanes") as broker:
        broker.create_topic("t")
        broker.create_topic("last", retain=1)
        for n in range(20):
            broker.subscribe("t", f"s{n}", Given())
        slow = Slow()
        broker.subscribe("last", "behind", slow, policy="disconnect")
        broker.publish("last", "0")
        assert slow.entered.wait(HANG)
        broker.publish("last", "1")
        broker.publish("last", "2")
        assert len(broker_threads()) == 21
        for n in range(20):
            broker.unsubscribe("t", f"s{n}")
        eventually(lambda: len(broker_threads()) == 1)
        slow.leave.set()
        eventually(lambda: broker_threads() == [])
        assert broker._handlers is not None
        assert not broker._handlers._subscribers


def test_a_refused_subscription_leaves_no_lane() -> None:
    with PubSub(dispatcher="lanes") as broker:
        broker.create_topic("t")
        broker.subscribe("t", "a", Given())
        with pytest.raises(ValueError, match="in use"):
            broker.subscribe("t", "a", Given())
        with pytest.raises(ValueError, match=r"^invalid argument: topic: "):
            broker.subscribe("u", "a", Given())
        eventually(lambda: len(broker_threads()) == 1)


def no_more_threads(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    start, left = threading.Thread.start, [after]

    def refuse(thread: threading.Thread) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)


def test_without_threads_nothing_is_subscribed(monkeypatch: pytest.MonkeyPatch) -> None:
    with PubSub(dispatcher="lanes") as broker:
        broker.create_topic("t")
        no_more_threads(monkeypatch, after=0)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            broker.subscribe("t", "a", Given())
        assert broker.offset("t", "a") == -1
        assert broker._handlers is not None
        assert not broker._handlers._subscribers


def test_without_threads_there_is_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    no_more_threads(monkeypatch, after=2)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        PubSub(dispatcher="pool")
    assert broker_threads() == []


def test_a_pool_that_gets_no_spare_thread_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    no_more_threads(monkeypatch, after=2)
    with impatient(workers=1) as broker:
        slow, quick = Slow(), Given()
        broker.subscribe("t", "slow", slow)
        broker.publish("t", "x")
        eventually(lambda: broker.dead_letters("t", "slow"))
        broker.subscribe("t", "quick", quick)
        broker.publish("t", "y")
        quick.until(1)
        assert [str(args.exc_value) for args in reported] == ["can't start new thread"]
        slow.leave.set()


def test_a_lost_thread_that_comes_back_stands_in_for_a_refused_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    no_more_threads(monkeypatch, after=2)
    with impatient(workers=1) as broker:
        first, second, quick = Slow(), Slow(), Given()
        handlers: dict[str, Callable[[Message], bool]] = {"t": first, "u": second, "v": quick}
        for topic, handler in handlers.items():
            broker.create_topic(topic)
            broker.subscribe(topic, "a", handler)
        broker.publish("t", "x")
        eventually(lambda: broker.dead_letters("t", "a"))
        broker.publish("v", "x")
        quick.until(1)  # by the last thread, beside which none could be started
        first.leave.set()
        broker.publish("u", "x")
        assert second.entered.wait(HANG)
        broker.publish("v", "y")
        quick.until(2)  # while the second one runs on
        second.leave.set()


# A pool's time-out (PS-11).


def test_a_lost_worker_is_replaced_and_its_late_answer_ignored() -> None:
    with impatient(workers=1) as broker:
        slow, quick = Slow(), Given()
        broker.subscribe("t", "slow", slow)
        broker.subscribe("t", "quick", quick)
        broker.publish("t", "x")
        broker.publish("t", "y")
        quick.until(2)
        assert slow.entered.wait(HANG)
        eventually(lambda: broker.dead_letters("t", "slow"))
        [letter] = broker.dead_letters("t", "slow")
        assert (letter.offset, letter.attempts) == (0, 1)
        assert "longer than 20ms" in letter.error
        assert broker.offset("t", "slow") == 1
        lost = len(broker_threads())
        slow.leave.set()
        eventually(lambda: broker.offset("t", "slow") == 2)
        eventually(lambda: len(broker_threads()) < lost)


def test_close_does_not_wait_for_a_call_past_its_time_out() -> None:
    broker = PubSub(dispatcher="pool", workers=2, handler_timeout=0.01)
    broker.create_topic("t")
    slow = Slow()
    broker.subscribe("t", "slow", slow)
    broker.publish("t", "x")
    assert slow.entered.wait(HANG)
    broker.close()
    [lost] = broker_threads()
    slow.leave.set()
    lost.join(HANG)


def test_many_lost_workers_come_back() -> None:
    with impatient(workers=2) as broker:
        slows = [Slow() for _ in range(8)]
        quick = Given()
        for n, slow in enumerate(slows):
            broker.subscribe("t", f"slow{n}", slow)
        broker.subscribe("t", "quick", quick)
        for n in range(5):
            broker.publish("t", str(n))
        quick.until(5)
        for slow in slows:
            assert slow.entered.wait(HANG)
            slow.leave.set()
        eventually(lambda: all(broker.offset("t", f"slow{n}") == 5 for n in range(8)))
        eventually(lambda: len(broker_threads()) == 3)  # two and one that stands by


def test_a_pool_has_as_many_threads_as_it_was_told() -> None:
    with PubSub(dispatcher="pool", workers=7):
        assert len(broker_threads()) == 7
    with PubSub(dispatcher="pool"):
        assert len(broker_threads()) == 4


# Block (PS-13).


def test_a_full_topic_holds_up_its_publisher_for_a_while(broker: PubSub) -> None:
    broker.create_topic("last", retain=1)
    slow = Slow()
    broker.subscribe("last", "slow", slow, policy="block")
    assert broker.publish("last", "x") == 0
    assert slow.entered.wait(HANG)
    with PubSub.from_handle(broker.handle) as borrower, pytest.raises(TimedOutError):
        borrower.publish("last", "y")  # after a second
    slow.leave.set()


def test_it_goes_on_as_soon_as_there_is_room(dispatcher: Dispatcher) -> None:
    with PubSub(dispatcher=dispatcher, block_timeout=86_400) as broker:
        broker.create_topic("last", retain=1)
        slow = Slow()
        broker.subscribe("last", "slow", slow, policy="block")
        assert broker.publish("last", "x") == 0
        assert slow.entered.wait(HANG)
        offsets: list[int] = []
        waits = threading.Thread(target=lambda: offsets.append(broker.publish("last", "y")))
        waits.start()
        slow.leave.set()
        waits.join(HANG)
        assert offsets == [1]


@pytest.mark.parametrize("block_timeout", [0.001, 0.05, 0.25])
def test_publish_gives_up_in_time(block_timeout: float) -> None:
    with PubSub(dispatcher="lanes", block_timeout=block_timeout) as broker:
        broker.create_topic("last", retain=1)
        slow = Slow()
        broker.subscribe("last", "slow", slow, policy="block")
        broker.publish("last", "x")
        began = time.monotonic()
        with pytest.raises(TimedOutError, match="full") as raised:
            broker.publish("last", "y")
        assert time.monotonic() - began >= block_timeout
        assert isinstance(raised.value, TimeoutError)
        slow.leave.set()
        eventually(lambda: broker.offset("last", "slow") == 1)
        assert broker.publish("last", "z") == 1  # no offset was used up


def test_inside_a_handler_publish_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait would be for a day, and for itself. In drain it is the main thread."""
    asked: list[int] = []
    publish_wait = _ffi.pubsub_publish_wait

    def ask(*what: Any) -> int:
        asked.append(what[-1])
        return int(publish_wait(*what))

    monkeypatch.setattr(_ffi, "pubsub_publish_wait", ask)
    refused: list[BaseException] = []
    with PubSub(dispatcher="lanes", block_timeout=86_400) as broker, PubSub() as other:
        broker.create_topic("last", retain=1)
        other.create_topic("t")

        def handle(_: Message) -> bool:
            try:
                broker.publish("last", "y")
            except TimedOutError as error:
                refused.append(error)
            return True

        given = Given(handle)
        broker.subscribe("last", "a", given, policy="block")
        broker.publish("last", "x")
        given.until(1)
        eventually(lambda: len(refused) == 1)
        slow = Slow()
        broker.subscribe("last", "slow", slow, policy="block")
        eventually(lambda: broker.offset("last", "a") == 1)
        broker.publish("last", "z")
        other.subscribe("t", "a", handle)
        other.publish("t", "x")
        assert slow.entered.wait(HANG)
        asked.clear()
        monkeypatch.setattr(time, "monotonic_ns", lambda: 0)  # no slice ends before its answer
        assert other.drain() == 1
        assert asked.count(100) == 1  # a slice; on the lane's thread it is -1
        slow.leave.set()
    assert len(refused) >= 2


def test_close_ends_a_publisher_that_waits(dispatcher: Dispatcher) -> None:
    broker = PubSub(dispatcher=dispatcher, block_timeout=86_400)
    broker.create_topic("last", retain=1)
    slow = Slow()
    broker.subscribe("last", "slow", slow, policy="block")
    broker.publish("last", "x")
    assert slow.entered.wait(HANG)
    ended: list[BaseException] = []

    def publish() -> None:
        try:
            broker.publish("last", "y")
        except ClosedError as error:
            ended.append(error)

    waits = threading.Thread(target=publish)
    waits.start()
    closes = threading.Thread(target=broker.close)
    closes.start()
    waits.join(HANG)
    assert len(ended) == 1
    slow.leave.set()
    closes.join(HANG)


# Brokers that are forgotten.


def forget(dispatcher: Dispatcher, subscribe: Callable[[PubSub], None]) -> int:
    broker = PubSub(dispatcher=dispatcher)
    broker.create_topic("t")
    subscribe(broker)
    return broker.handle


def is_collected(handle: int) -> bool:
    gc.collect()
    try:
        PubSub.from_handle(handle).create_topic("u")
    except ClosedError:
        return True
    return False


def subscribe_itself(broker: PubSub) -> None:
    """A handler that keeps its broker alive, as most do."""
    broker.subscribe("t", "a", lambda _: broker.drain() == 0)


@pytest.mark.parametrize("subscribe", [subscribe_itself, lambda _: None])
def test_a_forgotten_broker_ends_its_threads(
    dispatcher: Dispatcher, subscribe: Callable[[PubSub], None]
) -> None:
    handle = forget(dispatcher, subscribe)
    eventually(lambda: is_collected(handle))  # not while a thread looks its handlers up
    eventually(lambda: broker_threads() == [])


def test_a_broker_forgotten_while_it_delivers(dispatcher: Dispatcher) -> None:
    slow = Slow()
    alive: list[weakref.ref[PubSub]] = []

    def subscribe(broker: PubSub) -> None:
        alive.append(weakref.ref(broker))
        broker.subscribe("t", "slow", slow)
        broker.publish("t", "x")
        broker.publish("t", "y")
        assert slow.entered.wait(HANG)

    forget(dispatcher, subscribe)
    gc.collect()
    assert alive[0]() is None
    slow.leave.set()
    eventually(lambda: broker_threads() == [])


def test_the_last_reference_may_go_in_a_handler(dispatcher: Dispatcher) -> None:
    kept: list[PubSub] = []
    gone = threading.Event()

    def handle(_: Message) -> bool:
        kept.clear()
        gc.collect()
        gone.set()
        return True

    def subscribe(broker: PubSub) -> None:
        kept.append(broker)
        broker.subscribe("t", "a", handle)
        broker.publish("t", "x")

    handle_of_it = forget(dispatcher, subscribe)
    assert gone.wait(HANG)
    with pytest.raises(ClosedError):
        PubSub.from_handle(handle_of_it).create_topic("u")
    eventually(lambda: broker_threads() == [])
