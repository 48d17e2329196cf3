"""Random calls on a synchronous pub-sub broker and on a few lines that say what is right."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from eventbroker import Letter, Message, PubSub, Status

NAMES = st.sampled_from(["a", "b", "c"])
ANSWERS = st.sampled_from([True, True, False, None, 1, ValueError, ZeroDivisionError])


class Place:
    """A subscription's place in the log."""

    def __init__(self, offset: int) -> None:
        self.offset, self.attempts = offset, 0
        self.dead: list[Letter] = []
        self.given: list[Message] = []


class Machine(RuleBasedStateMachine):
    """One topic, three names, handlers whose answers are drawn beforehand."""

    @initialize(limit=st.integers(0, 3), answers=st.lists(ANSWERS, min_size=1, max_size=30))
    def start(self, limit: int, answers: list[object]) -> None:
        self.broker = PubSub(max_attempts=limit)
        assert self.broker.create_topic("t")
        self.limit = limit or 2**31 - 1
        self.log: list[str] = []
        self.places: dict[str, Place] = {}
        self.answers = answers
        self.given: dict[str, list[Message]] = {}

    def teardown(self) -> None:
        self.broker.close()

    def answer(self, name: str, message: Message) -> object:
        """What a handler makes of a message depends on both, and on the try."""
        return self.answers[(message.offset * 7 + message.attempt + ord(name)) % len(self.answers)]

    @rule(payload=st.text(max_size=8))
    def publish(self, payload: str) -> None:
        assert self.broker.publish("t", payload) == len(self.log)
        self.log.append(payload)

    @rule(name=NAMES)
    def subscribe(self, name: str) -> None:
        if name in self.places:
            return
        self.given[name] = []

        def handle(message: Message) -> bool:
            self.given[name].append(message)
            answer = self.answer(name, message)
            if isinstance(answer, type):
                raise answer(name)
            return answer  # type: ignore[return-value]

        self.broker.subscribe("t", name, handle)
        self.places[name] = Place(len(self.log))

    @rule(name=NAMES)
    def unsubscribe(self, name: str) -> None:
        assert self.broker.unsubscribe("t", name) is (self.places.pop(name, None) is not None)

    @rule(name=NAMES, offset=st.integers(0, 12))
    def seek(self, name: str, offset: int) -> None:
        if offset > len(self.log):
            return
        assert self.broker.seek("t", name, offset) is (name in self.places)
        if place := self.places.get(name):
            place.offset, place.attempts = offset, 0

    @rule()
    def drain(self) -> None:
        expected = sum(self.serve(name, place) for name, place in self.places.items())
        assert self.broker.drain() == expected
        for name, place in self.places.items():
            assert self.given[name] == place.given

    def serve(self, name: str, place: Place) -> int:
        confirmed = 0
        while place.offset < len(self.log):
            payload, attempt = self.log[place.offset], place.attempts + 1
            message = Message("t", place.offset, payload, attempt)
            place.given.append(message)
            answer = self.answer(name, message)
            if answer is True:
                confirmed += 1
            elif attempt < self.limit:
                place.attempts = attempt
                break
            else:
                place.dead.append(Letter(place.offset, payload, attempt, said(name, answer)))
            place.offset, place.attempts = place.offset + 1, 0
        return confirmed

    @rule(name=NAMES)
    def look(self, name: str) -> None:
        place = self.places.get(name)
        assert self.broker.offset("t", name) == (place.offset if place else -1)
        assert self.broker.dead_letters("t", name) == (place.dead if place else [])
        offset, attempts = (place.offset, place.attempts) if place else (-1, 0)
        expected = Status(place is not None, offset, attempts, 0, "")
        assert self.broker.status("t", name) == expected


def said(name: str, answer: object) -> str:
    if isinstance(answer, type):
        return f"{answer.__name__}: {name}"
    return f"the handler returned {'int' if answer == 1 else answer}, not True"


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=60, stateful_step_count=40)
