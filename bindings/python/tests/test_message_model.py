"""Random calls on a message broker and on a few lines of Python that say what is right."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from eventbroker import MessageBroker

GROUPS = st.sampled_from(["g", "h"])
OFFSETS = st.integers(0, 3) | st.sampled_from([2**31, 2**32, 2**63 - 1])
ATTEMPTS = st.integers(1, 4) | st.just(2**31 - 1)


class Cursor:
    """A group's place in the log."""

    def __init__(self) -> None:
        self.offset = 0
        self.attempt = 0
        self.in_flight = False
        self.dead: list[tuple[int, int]] = []

    def move_on(self) -> None:
        self.offset += 1
        self.attempt = 0


class Machine(RuleBasedStateMachine):
    """One topic, two groups."""

    @initialize(limit=st.integers(1, 3))
    def start(self, limit: int) -> None:
        self.broker = MessageBroker(limit)
        assert self.broker.create_topic("t")
        self.limit = limit
        self.log: list[str] = []
        self.groups: dict[str, Cursor] = {}

    def teardown(self) -> None:
        self.broker.close()

    @rule(payload=st.text(max_size=8))
    def publish(self, payload: str) -> None:
        assert self.broker.publish("t", payload) == len(self.log)
        self.log.append(payload)

    @rule(name=GROUPS)
    def poll(self, name: str) -> None:
        cursor = self.groups.setdefault(name, Cursor())
        waits = cursor.offset < len(self.log)
        if waits and not cursor.in_flight:
            cursor.in_flight = True
            cursor.attempt += 1
        found = self.broker.poll("t", name)
        at = cursor.offset
        assert found == (("t", at, self.log[at], cursor.attempt) if waits else None)

    @rule(name=GROUPS, offset=OFFSETS, attempt=ATTEMPTS)
    def ack(self, name: str, offset: int, attempt: int) -> None:
        right = self.settle(name, offset, attempt)
        assert self.broker.ack("t", name, offset, attempt) is right
        if right:
            self.groups[name].move_on()

    @rule(name=GROUPS, offset=OFFSETS, attempt=ATTEMPTS)
    def nack(self, name: str, offset: int, attempt: int) -> None:
        right = self.settle(name, offset, attempt)
        assert self.broker.nack("t", name, offset, attempt) is right
        if right and attempt == self.limit:
            self.groups[name].dead.append((offset, attempt))
            self.groups[name].move_on()

    @rule(name=GROUPS, keep=st.booleans())
    def work_off(self, name: str, keep: bool) -> None:  # noqa: FBT001
        """Settle what is in flight, which random offsets seldom hit."""
        if (cursor := self.groups.get(name)) and cursor.in_flight:
            (self.nack if keep else self.ack)(name, cursor.offset, cursor.attempt)

    @rule(name=GROUPS)
    def dead_letters(self, name: str) -> None:
        dead = self.groups[name].dead if name in self.groups else []
        expected = [("t", offset, self.log[offset], attempts) for offset, attempts in dead]
        assert self.broker.dead_letters("t", name) == expected

    def settle(self, name: str, offset: int, attempt: int) -> bool:
        cursor = self.groups.get(name)
        if cursor is None or not cursor.in_flight:
            return False
        if (cursor.offset, cursor.attempt) != (offset, attempt):
            return False
        cursor.in_flight = False
        return True


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=60, stateful_step_count=40)
