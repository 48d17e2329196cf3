"""The message broker, seen from Python. The corpus proves the clauses themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from eventbroker import DeadLetter, Delivery, MessageBroker, _frame

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def messages() -> Iterator[MessageBroker]:
    """A broker that delivers twice, with a topic t."""
    with MessageBroker(2) as made:
        assert made.create_topic("t") is True
        yield made


def test_a_message_is_delivered_until_its_last_attempt_is_refused(messages: MessageBroker) -> None:
    assert messages.publish("t", "a") == 0
    assert messages.publish("t", "b") == 1
    assert messages.poll("t", "g") == Delivery("t", 0, "a", 1)
    assert messages.poll("t", "g") == Delivery("t", 0, "a", 1)
    assert messages.nack("t", "g", 0, 1) is True
    assert messages.ack("t", "g", 0, 1) is False
    assert messages.poll("t", "g") == Delivery("t", 0, "a", 2)
    assert messages.dead_letters("t", "g") == []
    assert messages.nack("t", "g", 0, 2) is True
    assert messages.nack("t", "g", 0, 2) is False
    assert messages.dead_letters("t", "g") == [DeadLetter("t", 0, "a", 2)]
    assert messages.poll("t", "g") == Delivery("t", 1, "b", 1)
    assert messages.ack("t", "g", 1, 1) is True
    assert messages.poll("t", "g") is None


def test_a_no_is_false_none_or_empty_and_never_raised(messages: MessageBroker) -> None:
    assert messages.create_topic("t") is False
    assert messages.poll("t", "g") is None
    assert messages.ack("t", "h", 0, 1) is False
    assert messages.nack("t", "h", 2**63 - 1, 2**31 - 1) is False
    assert messages.dead_letters("t", "h") == []


def test_groups_share_the_log_and_nothing_else(messages: MessageBroker) -> None:
    messages.publish("t", "a")
    assert messages.poll("t", "g") == messages.poll("t", "h") == ("t", 0, "a", 1)
    assert messages.ack("t", "g", 0, 1)
    assert messages.poll("t", "h") == ("t", 0, "a", 1)
    assert messages.poll("t", "late") == ("t", 0, "a", 1)


def test_every_argument_may_be_named() -> None:
    with MessageBroker(max_attempts=1, max_payload=1) as broker:
        assert broker.create_topic(topic="t")
        assert broker.publish(topic="t", payload="x") == 0
        delivery = broker.poll(topic="t", group="g")
        assert delivery is not None
        assert not broker.ack(topic="t", group="g", offset=1, attempt=delivery.attempt)
        assert broker.nack(topic="t", group="g", offset=0, attempt=delivery.attempt)
        assert len(broker.dead_letters(topic="t", group="g")) == 1


@pytest.mark.parametrize("payload", ["", "\0", "a\0b", " a ", "é", "e\u0301", "🔥", "\x01" * 1024])
def test_a_payload_comes_back_as_it_was(messages: MessageBroker, payload: str) -> None:
    messages.publish("t", payload)
    for attempt in (1, 2):
        assert messages.poll("t", "g") == ("t", 0, payload, attempt)
        assert messages.nack("t", "g", 0, attempt)
    assert messages.dead_letters("t", "g") == [("t", 0, payload, 2)]


def test_frames_larger_than_the_usual_buffer_are_read_whole() -> None:
    with MessageBroker(1, max_payload=1 << 20) as broker:
        broker.create_topic("t")
        payloads = ["x" * (1 << 20), "", "é" * (1 << 19)] + ["y" * 1000] * 100
        for offset, payload in enumerate(payloads):
            broker.publish("t", payload)
            assert broker.poll("t", "g") == ("t", offset, payload, 1)
            assert broker.poll("t", "g") == ("t", offset, payload, 1)
            assert broker.nack("t", "g", offset, 1)
        letters = broker.dead_letters("t", "g")
    assert letters == [("t", offset, payload, 1) for offset, payload in enumerate(payloads)]
    assert {len(frame) for frame, *_ in _frame.spare_frames} <= {_frame._SIZE}


def test_dead_letters_are_the_callers_own(messages: MessageBroker) -> None:
    messages.publish("t", "a")
    for attempt in (1, 2):
        messages.poll("t", "g")
        messages.nack("t", "g", 0, attempt)
    messages.dead_letters("t", "g").clear()
    assert messages.dead_letters("t", "g") == [("t", 0, "a", 2)]


def test_the_limits_of_attempts_and_payload() -> None:
    MessageBroker(2**31 - 1).close()
    with MessageBroker(1, max_payload=2) as broker:
        broker.create_topic("t")
        assert broker.publish("t", "é") == 0
        with pytest.raises(ValueError, match=r"^invalid argument: payload: "):
            broker.publish("t", "aé")
