"""The operations, seen from Python. The corpus proves the clauses themselves."""

from __future__ import annotations

import pytest

from eventbroker import BrokerRecord, EventBroker, _frame


def test_retry_delivers_the_same_offset_and_ack_goes_on() -> None:
    broker = EventBroker(2)
    assert broker.create("orders", 1) is True
    assert broker.publish("orders", 0, "a") == 0
    assert broker.publish("orders", 0, "b") == 1
    assert broker.join("orders", "billing", "m1") == [0]
    assert broker.poll("orders", "billing", "m1", 2) == [BrokerRecord("orders", 0, 0, "a")]
    assert broker.retry("orders", "billing", "m1", 0, 0) is True
    assert broker.poll("orders", "billing", "m1", 2) == [BrokerRecord("orders", 0, 0, "a")]
    assert broker.ack("orders", "billing", "m1", 0, 0) is True
    assert broker.poll("orders", "billing", "m1", 2) == [BrokerRecord("orders", 0, 1, "b")]


def test_a_rebalance_moves_partition_1_to_the_second_member() -> None:
    broker = EventBroker(2)
    broker.create("orders", 3)
    broker.publish("orders", 1, "x")
    assert broker.join("orders", "g", "a") == [0, 1, 2]
    assert broker.poll("orders", "g", "a", 3) == [BrokerRecord("orders", 1, 0, "x")]
    assert broker.join("orders", "g", "b") == [1]
    assert broker.join("orders", "g", "a") == [0, 2]
    assert broker.poll("orders", "g", "b", 3) == [BrokerRecord("orders", 1, 0, "x")]
    assert broker.ack("orders", "g", "a", 1, 0) is False


def test_a_no_is_false_or_minus_one_and_never_raised(broker: EventBroker) -> None:
    assert broker.create("t", 64) is False
    assert broker.leave("t", "g", "m") is False
    assert broker.poll("t", "g", "m", 64) == []
    assert broker.ack("t", "g", "m", 0, 0) is False
    assert broker.retry("t", "g", "m", 0, 0) is False
    assert [broker.publish("t", 0, "x") for _ in range(6)] == [0, 1, 2, 3, 4, -1]


def test_a_member_may_own_nothing(broker: EventBroker) -> None:
    broker.join("t", "g", "a")
    broker.join("t", "g", "b")
    assert broker.join("t", "g", "c") == []
    assert broker.leave("t", "g", "a") is True
    assert broker.join("t", "g", "c") == [1]


def test_every_argument_may_be_named(broker: EventBroker) -> None:
    assert broker.create(topic="u", partition_count=1)
    assert broker.publish(topic="u", partition=0, payload="x") == 0
    assert broker.join(topic="u", group="g", member="m") == [0]
    [record] = broker.poll(topic="u", group="g", member="m", max_records=1)
    assert broker.retry(topic="u", group="g", member="m", partition=0, offset=record.offset)
    assert not broker.ack(topic="u", group="g", member="m", partition=0, offset=record.offset)
    assert broker.leave(topic="u", group="g", member="m")
    EventBroker(capacity_per_partition=1, max_payload=1).close()


def test_an_unknown_or_missing_argument_is_a_type_error(broker: EventBroker) -> None:
    with pytest.raises(TypeError, match="partitions"):
        broker.create(topic="u", partitions=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="max_record"):
        EventBroker(1, max_record=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        EventBroker(1, 1024)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="payload"):
        broker.publish("t", 0)  # type: ignore[call-arg]


@pytest.mark.parametrize("payload", ["", "\0", "a\0b", " a ", "é", "e\u0301", "🔥", "\x01" * 1024])
def test_a_payload_comes_back_as_it_was(broker: EventBroker, payload: str) -> None:
    broker.join("t", "g", "m")
    broker.publish("t", 1, payload)
    [record] = broker.poll("t", "g", "m", 1)
    assert record == ("t", 1, 0, payload)
    assert len(record.payload) == len(payload)


def test_64_records_of_the_greatest_default_size_come_in_one_poll() -> None:
    broker = EventBroker(1)
    broker.create("t", 64)
    broker.join("t", "g", "m")
    payloads = [f"{p:02}" + "é" * 511 for p in range(64)]
    for partition, payload in enumerate(payloads):
        broker.publish("t", partition, payload)
    assert [r.payload for r in broker.poll("t", "g", "m", 64)] == payloads


def test_a_frame_larger_than_the_usual_buffer_is_read_whole() -> None:
    broker = EventBroker(1, max_payload=1 << 20)
    broker.create("t", 3)
    broker.join("t", "g", "m")
    payloads = ["x" * (1 << 20), "", "é" * (1 << 19)]
    for partition, payload in enumerate(payloads):
        assert broker.publish("t", partition, payload) == 0
    assert [r.payload for r in broker.poll("t", "g", "m", 64)] == payloads
    assert broker.poll("t", "g", "m", 64) == []
    assert {len(frame) for frame, *_ in _frame.spare_frames} <= {_frame._SIZE}


def test_returned_lists_are_the_callers_own(broker: EventBroker) -> None:
    broker.publish("t", 0, "x")
    parts = broker.join("t", "g", "m")
    parts.append(7)
    assert broker.join("t", "g", "m") == [0, 1]
    records = broker.poll("t", "g", "m", 2)
    records.clear()
    broker.retry("t", "g", "m", 0, 0)
    assert broker.poll("t", "g", "m", 2) == [("t", 0, 0, "x")]


def test_max_payload_moves_the_limit() -> None:
    with EventBroker(9, max_payload=2) as broker:
        broker.create("t", 1)
        assert broker.publish("t", 0, "é") == 0
        with pytest.raises(ValueError, match="payload"):
            broker.publish("t", 0, "aé")
