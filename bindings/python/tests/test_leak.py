"""Many calls of a kind leave the resident size where it was."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from handlers import Given

from eventbroker import EventBroker, MessageBroker, PubSub
from eventbroker.assign import Member, Subscription, TopicPartitions, range_assign

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = 100_000
TIMES = 5
ALLOWED = 4 << 20  # of noise; 40 bytes a call would be as much
MUCH = 32 << 20  # where each call takes so much that Go's heap goes up and down by far more


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def deliver(broker: EventBroker) -> None:
    broker.poll("t", "g", "m", 1)
    broker.retry("t", "g", "m", 0, 0)


def fail(broker: EventBroker) -> None:
    with contextlib.suppress(ValueError):
        broker.publish("t", 99, "x")


def fail_before_the_library(broker: EventBroker) -> None:
    with contextlib.suppress(ValueError):
        broker.poll("t", "g", "\ud83d", 1)


@pytest.mark.parametrize("call", [deliver, fail, fail_before_the_library])
def test_calls(broker: EventBroker, call: Callable[[EventBroker], None]) -> None:
    broker.join("t", "g", "m")
    broker.publish("t", 0, "x" * 1000)
    assert_flat(lambda: call(broker), CALLS)


def deliver_by_handles(broker: EventBroker) -> None:
    with broker.topic("t") as topic, topic.consumer("g", "m") as consumer:
        consumer.poll(2)
        consumer.retry(0, 0)
        with contextlib.suppress(ValueError):
            consumer.ack(0, -1)


def deliver_in_batches(broker: EventBroker) -> None:
    for offset in broker.publish_many("t", [(1, "é" * 20)] * 4):
        broker.poll("t", "g", "m", 2)
        broker.ack_many("t", "g", "m", [(1, offset), (1, offset)])
    with contextlib.suppress(ValueError):
        broker.publish_many("t", [(1, "x"), (1, "\ud83d")])


@pytest.mark.parametrize("call", [deliver_by_handles, deliver_in_batches])
def test_calls_by_handles_and_in_batches(
    broker: EventBroker, call: Callable[[EventBroker], None]
) -> None:
    broker.join("t", "g", "m")
    broker.publish("t", 0, "x" * 1000)
    assert_flat(lambda: call(broker), CALLS // 10)


def deliver_message(broker: MessageBroker) -> None:
    broker.poll("t", "g")
    broker.dead_letters("t", "g")


def fail_with_message(broker: MessageBroker) -> None:
    with contextlib.suppress(ValueError):
        broker.ack("t", "g", -1, 1)


@pytest.mark.parametrize("call", [deliver_message, fail_with_message])
def test_calls_of_the_message_broker(call: Callable[[MessageBroker], None]) -> None:
    with MessageBroker(1) as broker:
        broker.create_topic("t")
        broker.publish("t", "x" * 1000)
        broker.poll("t", "g")
        broker.nack("t", "g", 0, 1)
        broker.publish("t", "x" * 1000)
        assert_flat(lambda: call(broker), CALLS)


VALUE = Subscription(3, ["a"], b"u" * 100, [TopicPartitions("a", range(20))], 1, "rack")
DATA = VALUE.encode()


def decode() -> None:
    Subscription.decode(DATA)


def fail_to_decode() -> None:
    with contextlib.suppress(ValueError):
        Subscription.decode(DATA[:-1])


def encode() -> None:
    VALUE.encode()


def fail_to_encode() -> None:
    with contextlib.suppress(ValueError):
        Subscription(4, []).encode()


def divide() -> None:
    range_assign({"a": 9}, [Member("m", ["a"]), Member("n", ["a"], "i")])


@pytest.mark.parametrize("call", [decode, fail_to_decode])
def test_decoders(call: Callable[[], None]) -> None:
    assert_flat(call, CALLS)


@pytest.mark.parametrize("call", [encode, fail_to_encode, divide])
def test_what_takes_word_frames(call: Callable[[], None]) -> None:
    assert_flat(call, CALLS // 4)


def test_frames_larger_than_usual() -> None:
    broker = EventBroker(1, max_payload=1 << 20)
    broker.create("t", 1)
    broker.join("t", "g", "m")

    def deliver_another_size(n: int = 0) -> None:
        size = 70_000 + len(sizes)
        sizes.append(n)
        offset = broker.publish("t", 0, "x" * size)
        assert len(broker.poll("t", "g", "m", 1)[0].payload) == size
        broker.ack("t", "g", "m", 0, offset)

    sizes: list[int] = []
    assert_flat(deliver_another_size, 2000, MUCH)  # a leaked frame a call is 140 MB


def test_brokers_made_and_forgotten() -> None:
    def make() -> None:
        broker = EventBroker(1)
        broker.create("t", 64)
        broker.publish("t", 0, "x" * 1000)

    assert_flat(make, 2000)


def test_message_brokers_made_and_forgotten() -> None:
    def make() -> None:
        broker = MessageBroker(1)
        broker.create_topic("t")
        broker.publish("t", "x" * 1000)

    assert_flat(make, 2000)


def test_pubsub_deliveries() -> None:
    """A message that fails, becomes a dead letter and is confirmed when it comes again."""

    def confirm_the_second(_: object) -> bool:
        return len(given.messages) == 2

    given = Given(confirm_the_second)
    with PubSub(max_attempts=1) as broker:
        broker.create_topic("t", retain=1)
        broker.subscribe("t", "a", given)

        def deliver() -> None:
            broker.publish("t", "x" * 1000)
            assert broker.drain() == 0
            assert broker.redeliver("t", "a") == 1
            assert broker.drain() == 1
            given.messages.clear()

        assert_flat(deliver, CALLS // 10)


def test_pubsub_subscriptions_that_come_and_go() -> None:
    with PubSub() as broker:
        broker.create_topic("t")

        def come_and_go() -> None:
            kept = bytes(1000)
            broker.subscribe("t", "a", lambda _: len(kept) > 0)
            broker.status("t", "a")
            broker.unsubscribe("t", "a")

        assert_flat(come_and_go, CALLS // 4)


@pytest.mark.parametrize("dispatcher", ["synchronous", "lanes", "pool"])
def test_pubsub_brokers_made_and_forgotten(dispatcher: Any) -> None:
    def make() -> None:
        broker = PubSub(dispatcher=dispatcher)
        broker.create_topic("t")
        broker.subscribe("t", "a", lambda _: True)
        broker.publish("t", "x" * 1000)
        broker.close()

    assert_flat(make, 500)


def assert_flat(call: Callable[[], object], times: int, allowed: int = ALLOWED) -> None:
    """A leak shows every time; what collectors are behind with on a busy machine does not."""
    for _ in range(times // 4):
        call()
    grown: list[int] = []
    while not grown or grown[-1] >= allowed:
        assert len(grown) < TIMES, grown
        before = resident()
        for _ in range(times):
            call()
        grown.append(resident() - before)
