"""Topics and consumers that were found once (EB-18): what is theirs beside the calls."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int64
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from eventbroker import ClosedError, Consumer, EventBroker, Topic, _ffi

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

# Every call, with good arguments and with bad ones: closed comes first.
TOPIC_CALLS: list[tuple[Any, ...]] = [
    ("publish", 0, "x"),
    ("publish", None, b""),
    ("publish_many", [(0, "x")]),
    ("publish_many", 5),
    ("consumer", "g", "m"),
    ("join", None, 2),
]
CONSUMER_CALLS: list[tuple[Any, ...]] = [
    ("join",),
    ("leave",),
    ("poll", 1),
    ("poll", 2**64),
    ("ack", 0, 0),
    ("ack", True, -1),
    ("ack_many", [(0, 0)]),
    ("ack_many", None),
    ("retry", 0, 0),
    ("retry", 0.5, ""),
]


def every_call_says(text: str, topic: Topic, consumer: Consumer) -> None:
    for owner, calls in ((topic, TOPIC_CALLS), (consumer, CONSUMER_CALLS)):
        for name, *arguments in calls:
            with pytest.raises(ClosedError, match=f"^{text}$"):
                getattr(owner, name)(*arguments)


@pytest.fixture
def topic(broker: EventBroker) -> Topic:
    """The topic t of the broker."""
    return broker.topic("t")


def test_tour(topic: Topic) -> None:
    assert topic.name == "t"
    assert topic.publish(0, "a") == 0
    assert topic.publish_many([(1, "b"), (0, "c")]) == [0, 1]
    consumer = topic.join("g", "m")
    assert consumer.join() == [0, 1]
    assert consumer.poll(2) == [("t", 0, 0, "a"), ("t", 1, 0, "b")]
    assert consumer.ack(0, 0) is True
    assert consumer.retry(1, 0) is True
    assert consumer.poll(2) == [("t", 0, 1, "c"), ("t", 1, 0, "b")]
    assert consumer.ack_many([(1, 0), (0, 1), (0, 1)]) == [True, True, False]
    assert consumer.leave() is True
    assert consumer.leave() is False


def test_every_argument_may_be_named(topic: Topic) -> None:
    assert topic.publish(partition=0, payload="a") == 0
    assert topic.publish_many(messages=[(0, "b")]) == [1]
    consumer = topic.join(group="g", member="m")
    assert consumer.poll(max_records=1) == [("t", 0, 0, "a")]
    assert consumer.retry(partition=0, offset=0) is True
    assert consumer.ack(partition=0, offset=0) is False
    assert consumer.ack_many(positions=[(0, 0)]) == [False]
    assert topic.consumer(group="g", member="m").leave() is True


def test_an_unknown_or_missing_argument_is_a_type_error(topic: Topic) -> None:
    with pytest.raises(TypeError, match="payload"):
        topic.publish(0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        topic.publish(0, "x", 1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="limit"):
        topic.consumer("g", "m").poll(limit=1)  # type: ignore[call-arg]


def test_a_consumer_stands_for_names_and_not_for_a_membership(topic: Topic) -> None:
    topic.publish(0, "a")
    consumer = topic.consumer("g", "m")
    assert consumer.poll(1) == []
    assert consumer.ack(0, 0) is False
    assert consumer.join() == [0, 1]
    assert len(consumer.poll(1)) == 1
    assert consumer.leave() is True
    assert consumer.ack(0, 0) is False
    assert consumer.join() == [0, 1]
    assert len(consumer.poll(1)) == 1


def test_what_cannot_be_found_is_refused(broker: EventBroker, topic: Topic) -> None:
    with pytest.raises(ValueError, match=r'^invalid argument: topic: .*"T"'):
        broker.topic("T")
    with pytest.raises(ValueError, match=r"^invalid argument: group: "):
        topic.consumer("a b", "m")
    with pytest.raises(ValueError, match=r"^invalid argument: member: "):
        topic.join("g", "")


def test_only_a_broker_makes_them() -> None:
    for kind in (Topic, Consumer):
        closed = kind.__new__(kind)
        closed.close()
        assert repr(closed) == f"<{kind.__name__} closed>"
        with pytest.raises(TypeError):
            kind()


def test_closed_comes_first(broker: EventBroker, topic: Topic) -> None:
    consumer = topic.consumer("g", "m")
    topic.close()
    consumer.close()
    consumer.close()
    with pytest.raises(ClosedError, match=r"^topic is closed$"):
        topic.publish(0, "x")
    with pytest.raises(ClosedError, match=r"^consumer is closed$"):
        consumer.poll(None)  # type: ignore[arg-type]
    assert broker.publish("t", 0, "x") == 0


def test_closing_a_topic_leaves_its_consumers(topic: Topic) -> None:
    with topic:
        consumer = topic.join("g", "m")
    with pytest.raises(ClosedError):
        topic.publish(0, "x")
    assert consumer.join() == [0, 1]


def test_closing_the_broker_closes_them(broker: EventBroker, topic: Topic) -> None:
    consumer = topic.join("g", "m")
    broker.close()
    every_call_says("broker is closed", topic, consumer)
    assert repr(topic) == "<Topic closed>"
    assert repr(consumer) == "<Consumer closed>"
    assert topic.name == "t"
    consumer.close()
    topic.close()


def test_closing_the_broker_while_topics_are_found(broker: EventBroker, topic: Topic) -> None:
    found = [topic]
    handles = itertools.count(1 << 62)  # of nothing, which is as good as closed

    def find(frame: FrameType, _event: str, _argument: object) -> Any:  # as other threads would
        if frame.f_code.co_filename == weakref.__file__:
            found.append(Topic._of(broker, "orders", next(handles)))
        return find

    sys.settrace(find)
    try:
        broker.close()
    finally:
        sys.settrace(None)
    assert len(found) > 1
    assert {repr(one) for one in found} == {"<Topic closed>"}


def test_so_does_whoever_else_closes_the_broker() -> None:
    owner = EventBroker(1)
    owner.create("t", 1)
    topic = EventBroker.from_handle(owner.handle).topic("t")
    consumer = topic.join("g", "m")
    owner.close()
    for call in (lambda: topic.publish(0, "x"), lambda: consumer.poll(1), consumer.leave):
        with pytest.raises(ClosedError, match=r"^broker is closed$"):
            call()


def test_what_is_closed_under_its_call_says_so(broker: EventBroker, topic: Topic) -> None:
    consumer = topic.join("g", "m")

    def closing(owner: Topic | Consumer) -> Iterator[tuple[Any, Any]]:
        yield 0, "x" if owner is topic else 0
        owner.close()

    with pytest.raises(ClosedError, match=r"^consumer is closed$"):
        consumer.ack_many(closing(consumer))
    with pytest.raises(ClosedError, match=r"^topic is closed$"):
        topic.publish_many(closing(topic))
    assert broker.publish("t", 0, "x") == 0


@pytest.mark.parametrize("kind", [Topic, Consumer])
def test_one_that_no_broker_made_is_closed(kind: Any) -> None:
    made = kind.__new__(kind)
    with pytest.raises(ClosedError, match=rf"^{kind.__name__.lower()} is closed$"):
        made.publish(0, "x") if kind is Topic else made.poll(1)


def test_a_handle_of_another_kind_is_closed_to_this_one(broker: EventBroker, topic: Topic) -> None:
    with pytest.raises(ClosedError):
        EventBroker.from_handle(topic._handle).create("u", 1)
    assert broker.create("u", 1) is True


def test_they_keep_their_broker() -> None:
    def made() -> Consumer:
        broker = EventBroker(1)
        broker.create("t", 1)
        return broker.topic("t").join("g", "m")

    consumer = made()
    gc.collect()
    assert consumer.join() == [0]


def test_the_broker_does_not_keep_them(broker: EventBroker) -> None:
    topic = broker.topic("t")
    gone = weakref.ref(topic)
    handle = topic._handle
    del topic
    gc.collect()
    assert gone() is None
    assert _ffi.event_topic_publish_many(handle, b"", 0, 0, (c_int64 * 0)()) == _ffi.CLOSED
    assert list(broker._resolved()) == []


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_they_are_neither_copied_nor_pickled(
    topic: Topic, duplicate: Callable[[object], object]
) -> None:
    with pytest.raises(TypeError, match=r"^Topic is not a value"):
        duplicate(topic)
    with pytest.raises(TypeError, match=r"^Consumer is not a value"):
        duplicate(topic.consumer("g", "m"))


def test_repr(topic: Topic) -> None:
    assert repr(topic) == "<Topic t>"
    assert repr(topic.consumer("g", "m")) == "<Consumer t>"


def test_threads_share_them() -> None:
    """EB-15: four threads publish through one topic, four consume through one consumer."""
    with EventBroker(10) as broker:
        broker.create("t", 4)
        topic = broker.topic("t")
        consumer = topic.join("g", "m")
        start = threading.Barrier(8)

        def publish(thread: int) -> None:
            start.wait()
            for n in range(200):
                while topic.publish(n % 4, f"{thread}.{n}") < 0:
                    pass

        def consume() -> list[str]:
            seen: list[str] = []
            start.wait()
            while len(left) > 0:
                for record in consumer.poll(4):
                    assert consumer.ack(record.partition, record.offset)
                    seen.append(record.payload)
                    left.pop()
            return seen

        left = [None] * 800
        with ThreadPoolExecutor(8) as pool:
            consumers = [pool.submit(consume) for _ in range(4)]
            list(pool.map(publish, range(4)))
            seen = [payload for each in consumers for payload in each.result()]
        assert sorted(seen) == sorted(f"{thread}.{n}" for thread in range(4) for n in range(200))


def test_closing_while_another_is_found() -> None:
    """The hook adds one where a thread that was at work in topic would."""
    broker = EventBroker(1)
    broker.create("t", 1)
    topic = broker.topic("t")
    consumers = [topic.consumer("g", "m") for _ in range(3)]
    in_use, numbers = broker._resolved(), count()
    sys.setprofile(lambda *_: in_use.setdefault(next(numbers), topic) and None)
    try:
        broker.close()
    finally:
        sys.setprofile(None)
    assert [consumer._handle for consumer in consumers] == [0, 0, 0]


def test_closing_while_others_call() -> None:
    broker = EventBroker(1000)
    broker.create("t", 1)
    topic = broker.topic("t")
    start = threading.Barrier(5)

    def work() -> None:
        start.wait()
        while True:
            consumer = topic.join("g", "m")
            topic.publish(0, "x")
            for record in consumer.poll(1):
                consumer.ack(record.partition, record.offset)

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(work) for _ in range(4)]
        start.wait()
        broker.close()
        for each in working:
            with pytest.raises(ClosedError, match=r"^(broker|topic|consumer) is closed$"):
                each.result()  # which are closed with it
