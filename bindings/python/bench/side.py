"""One side of a comparison, in a process of its own: prints nanoseconds a unit of work.

    python3 side.py NAME SECONDS

Time is that of the processor, of all threads of the process: a machine that does
something else besides slows down neither side. The unit W is:
publish 100 bytes, poll them in one group, ack them.
"""

from __future__ import annotations

import os
import sys
import time
from ctypes import Structure, c_char, c_int32, c_int64, c_uint64, c_void_p
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from handwritten import Broker, RememberingBroker

from eventbroker import BrokerRecord, Consumer, EventBroker, MessageBroker, _ffi, accelerated

if TYPE_CHECKING:
    from collections.abc import Callable

PAYLOAD = "x" * 100
WORK = 500  # units of work between two looks at the clock
MANY = 64


class Head(Structure):
    """struct eb_event_record, for a read through an array of structures."""

    _fields_ = (("offset", c_int64), ("partition", c_int32), ("payload_len", c_int32))


def joined(broker: Any, partitions: int = 1) -> Any:
    """Give the broker a topic and a member."""
    broker.create("orders", partitions)
    broker.join("orders", "billing", "m1")
    return broker


def by_names(broker: Any) -> Callable[[], int]:
    """Do W by plain calls."""

    def work() -> int:
        for _ in range(WORK):
            broker.publish("orders", 0, PAYLOAD)
            for record in broker.poll("orders", "billing", "m1", 1):
                broker.ack("orders", "billing", "m1", record.partition, record.offset)
        return WORK

    return work


def by_handles() -> Callable[[], int]:
    """Do W through handles."""
    topic = joined(EventBroker(1000)).topic("orders")
    consumer = topic.consumer("billing", "m1")

    def work() -> int:
        for _ in range(WORK):
            topic.publish(0, PAYLOAD)
            for record in consumer.poll(1):
                consumer.ack(record.partition, record.offset)
        return WORK

    return work


def in_batches() -> Callable[[], int]:
    """Do W through handles, 64 at a time."""
    topic = joined(EventBroker(1000), MANY).topic("orders")
    consumer = topic.consumer("billing", "m1")
    messages = [(partition, PAYLOAD) for partition in range(MANY)]

    def work() -> int:
        topic.publish_many(messages)
        consumer.ack_many([(r.partition, r.offset) for r in consumer.poll(MANY)])
        return MANY

    return work


def of_messages() -> Callable[[], int]:
    """Do W with a message broker, by plain calls."""
    broker = MessageBroker(3)
    broker.create_topic("orders")

    def work() -> int:
        for _ in range(WORK):
            broker.publish("orders", PAYLOAD)
            delivery = broker.poll("orders", "billing")
            assert delivery is not None
            broker.ack("orders", "billing", delivery.offset, delivery.attempt)
        return WORK

    return work


def polled(poll: Callable[[Consumer], list[BrokerRecord]]) -> Callable[[], tuple[int, int]]:
    """Poll 64 records, whose number it returns with the time that only the polls took."""
    topic = joined(EventBroker(1000), MANY).topic("orders")
    consumer = topic.consumer("billing", "m1")
    topic.publish_many([(partition, PAYLOAD) for partition in range(MANY)])

    def work() -> tuple[int, int]:
        taken = 0
        for _ in range(10):
            begin = time.process_time_ns()
            records = poll(consumer)
            taken += time.process_time_ns() - begin
            assert len(records) == MANY
            consumer.leave()
            consumer.join()
        return 10 * MANY, taken

    return work


class Structures:
    """Polls as the binding does, but reads the frame through an array of structures."""

    def __init__(self) -> None:
        """Make the frame."""
        self.frame: Any = (c_char * (MANY * (16 + 1024)))()
        self.poll = _ffi._function("eb_event_consumer_poll", c_uint64, c_int64, c_void_p, c_int64)
        self.heads = (Head * MANY).from_buffer(self.frame)

    def __call__(self, consumer: Consumer) -> list[BrokerRecord]:
        """Poll 64 records."""
        handle, frame = consumer._handle, self.frame
        count = _ffi.answer(self.poll(handle, MANY, frame, len(frame)))
        records = []
        start = 16 * count
        for i in range(count):
            head = self.heads[i]
            end = start + head.payload_len
            payload = frame[start:end].decode()
            records.append(BrokerRecord(consumer._name, head.partition, head.offset, payload))
            start = end
        return records


SIDES: dict[str, Callable[[], Callable[[], Any]]] = {
    "handwritten": lambda: by_names(joined(Broker(1000))),
    "remembering": lambda: by_names(joined(RememberingBroker(1000))),
    "names": lambda: by_names(joined(EventBroker(1000))),
    "handles": by_handles,
    "batches": in_batches,
    "messages": of_messages,
    "polled": lambda: polled(lambda consumer: consumer.poll(MANY)),
    "structures": lambda: polled(Structures()),
}


def measure(work: Callable[[], Any], seconds: float) -> float:
    """Return the median time of a unit of work in nanoseconds."""
    work()
    times: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.process_time_ns()
        done = work()
        taken = time.process_time_ns() - begin
        count, taken = done if isinstance(done, tuple) else (done, taken)
        times.append(taken / count)
    return median(times)


if __name__ == "__main__":
    if os.environ.get("EVENTBROKER_PURE") == "0" and not accelerated:
        sys.exit("side.py: EVENTBROKER_PURE is 0, but the accelerator is not there")
    print(measure(SIDES[sys.argv[1]](), float(sys.argv[2])))
