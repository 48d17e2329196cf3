"""Threads, signals and what else may happen in the middle of a call."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from handlers import PROGRAM_HANG

from eventbroker import ClosedError, EventBroker, MessageBroker
from eventbroker.assign import Member, Subscription, range_assign

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

THREADS = 8
EACH = 500


def test_every_record_is_delivered_once_in_each_group() -> None:
    """EB-15: eight threads publish while eight poll and ack, two groups of four."""
    broker = EventBroker(20)
    broker.create("t", THREADS)
    start = threading.Barrier(2 * THREADS)

    def publish(thread: int) -> None:
        start.wait()
        for n in range(EACH):
            while broker.publish("t", n % THREADS, f"{thread}.{n}") < 0:
                assert time.monotonic() < deadline

    def consume(thread: int) -> Counter[str]:
        group, member = f"g{thread % 2}", f"m{thread}"
        seen: Counter[str] = Counter()
        start.wait()
        while done[group] < THREADS * EACH:
            assert time.monotonic() < deadline
            for record in broker.poll("t", group, member, 3):
                assert broker.ack("t", group, member, record.partition, record.offset)
                seen[record.payload] += 1
                with lock:
                    done[group] += 1
        return seen

    lock = threading.Lock()
    done = {"g0": 0, "g1": 0}
    deadline = time.monotonic() + PROGRAM_HANG
    for thread in range(THREADS):
        broker.join("t", f"g{thread % 2}", f"m{thread}")
    with ThreadPoolExecutor(2 * THREADS) as pool:
        publishers = [pool.submit(publish, thread) for thread in range(THREADS)]
        consumers = [pool.submit(consume, thread) for thread in range(THREADS)]
        for publisher in publishers:
            publisher.result()
        seen = [consumer.result() for consumer in consumers]
    every = Counter(f"{thread}.{n}" for thread in range(THREADS) for n in range(EACH))
    assert sum(seen[0::2], Counter()) == every
    assert sum(seen[1::2], Counter()) == every


def test_a_delivery_is_settled_once_however_many_try() -> None:
    """MB-06, MB-11: eight threads share one group's deliveries while others publish."""
    broker = MessageBroker(1)
    broker.create_topic("t")
    start = threading.Barrier(THREADS)
    deadline = time.monotonic() + PROGRAM_HANG

    def work(thread: int) -> tuple[list[int], list[int]]:
        acked, parked = [], []
        start.wait()
        for n in range(EACH):
            broker.publish("t", f"{thread}.{n}")
        while (delivery := broker.poll("t", "g")) is not None:
            assert time.monotonic() < deadline
            if thread % 2 and broker.ack("t", "g", delivery.offset, delivery.attempt):
                acked.append(delivery.offset)
            elif broker.nack("t", "g", delivery.offset, delivery.attempt):
                parked.append(delivery.offset)
        return acked, parked

    with ThreadPoolExecutor(THREADS) as pool:
        settled = list(pool.map(work, range(THREADS)))
    acked = [offset for each, _ in settled for offset in each]
    parked = [offset for _, each in settled for offset in each]
    assert sorted(acked + parked) == [*range(THREADS * EACH)]
    assert [letter.offset for letter in broker.dead_letters("t", "g")] == sorted(parked)


def test_threads_decode_and_divide_at_once() -> None:
    def work(thread: int) -> None:
        data = Subscription(1, [f"t{thread}"] * 100).encode()
        owned = {f"m{thread}": {f"t{thread}": [*range(100)]}}
        for n in range(200):
            topics = Subscription.decode(data).topics
            assert range_assign({topics[n % 100]: 100}, [Member(f"m{thread}", topics)]) == owned
            with pytest.raises(ValueError, match=rf"version {-1 - thread} "):
                Subscription.decode((-1 - thread).to_bytes(2, "big", signed=True))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))


def test_each_thread_gets_the_message_of_its_own_failure(broker: EventBroker) -> None:
    start = threading.Barrier(THREADS)

    def fail(thread: int) -> None:
        start.wait()
        for n in range(200):
            offset = -1 - n * THREADS - thread
            with pytest.raises(ValueError, match=rf"offset: {offset} "):
                broker.ack("t", "g", "m", 0, offset)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(fail, range(THREADS)))


def test_closing_while_other_threads_are_inside() -> None:
    broker = EventBroker(1)
    broker.create("t", 1)
    start = threading.Barrier(THREADS + 1)
    deadline = time.monotonic() + PROGRAM_HANG

    def work() -> None:
        start.wait()
        with contextlib.suppress(ClosedError):
            while time.monotonic() < deadline:
                broker.poll("t", "g", "m", 1)
        assert time.monotonic() < deadline

    with ThreadPoolExecutor(THREADS) as pool:
        workers = [pool.submit(work) for _ in range(THREADS)]
        start.wait()
        broker.close()
        for worker in workers:
            worker.result()


def test_a_signal_handler_may_poll_in_the_middle_of_a_poll() -> None:
    """The inner poll must not write into the frame that the outer one reads."""
    broker = EventBroker(1)
    for topic, payload in (("outer", "o" * 1000), ("inner", "i" * 1000)):
        broker.create(topic, 64)
        broker.join(topic, "g", "m")
        for partition in range(64):
            broker.publish(topic, partition, payload)

    def poll(topic: str) -> None:
        records = broker.poll(topic, "g", "m", 64)
        assert {r.payload for r in records} == {topic[0] * 1000}
        for record in records:
            broker.retry(topic, "g", "m", record.partition, record.offset)

    interruptions = 0

    def on_alarm(*_: object) -> None:
        nonlocal interruptions
        interruptions += 1
        poll("inner")
        signal.setitimer(signal.ITIMER_REAL, 0.001)

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    try:
        while interruptions < 100:
            poll("outer")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_ctrl_c_ends_a_loop_of_calls(run_python: RunPython) -> None:
    done = run_python(
        "import os, signal, threading\n"
        "from eventbroker import EventBroker\n"
        "b = EventBroker(1); b.create('t', 1)\n"
        "def interrupt(): os.kill(os.getpid(), signal.SIGINT)\n"
        "def work():\n"  # since CPython 3.11 lets one out of a try that only calls what is in C
        "    while True: b.poll('t', 'g', 'm', 1)\n"
        "try:\n"
        "    threading.Timer(0.2, interrupt).start()\n"
        "    work()\n"
        "except KeyboardInterrupt: print('interrupted', b.publish('t', 0, 'x'))\n"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted 0\n", "", 0)


def test_faulthandler_enabled_after_the_import_harms_nothing(run_python: RunPython) -> None:
    done = run_python(
        "from eventbroker import EventBroker\n"
        "import faulthandler; faulthandler.enable()\n"
        "b = EventBroker(1); b.create('t', 1); b.join('t', 'g', 'm')\n"
        "for n in range(2000):\n"
        "    assert b.publish('t', 0, 'x') == n\n"
        "    [r] = b.poll('t', 'g', 'm', 1)\n"
        "    assert b.ack('t', 'g', 'm', 0, n)\n"
        "    try: b.create(None, 1)\n"
        "    except ValueError: pass\n"
        "print('fine')\n"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)
