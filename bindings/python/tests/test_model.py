"""Random calls on a broker and on a few lines of Python that say what is right.

The model is written from the contract for one topic. It is here to show that
nothing changes on the way through the binding; the kit has a model of its own.
"""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from handles import ByHandles
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from eventbroker import EventBroker

GROUPS = st.sampled_from(["g", "h"])
MEMBERS = st.sampled_from(["a", "B", "m10", "m2"])
OFFSETS = st.integers(0, 4) | st.sampled_from([2**31, 2**32, 2**63 - 1])
PAYLOADS = st.text(max_size=8)


class Group:
    """A group's members, progress and deliveries."""

    def __init__(self, committed: list[int]) -> None:
        self.members: list[str] = []
        self.committed = committed
        self.in_flight: set[int] = set()

    def owner(self, partition: int) -> str | None:
        return self.members[partition % len(self.members)] if self.members else None

    def replace(self, members: set[str]) -> None:
        before = [self.owner(p) for p in range(len(self.committed))]
        self.members = sorted(members)
        self.in_flight = {p for p in self.in_flight if self.owner(p) == before[p]}


class Machine(RuleBasedStateMachine):
    """One topic, two groups, four members."""

    kind = EventBroker

    @initialize(capacity=st.integers(1, 3), partitions=st.integers(1, 4))
    def start(self, capacity: int, partitions: int) -> None:
        self.broker = self.kind(capacity)
        assert self.broker.create("t", partitions)
        self.capacity = capacity
        self.partitions = partitions
        self.logs: list[list[str]] = [[] for _ in range(partitions)]
        self.removed = [0] * partitions
        self.groups: dict[str, Group] = {}

    def teardown(self) -> None:
        self.broker.close()

    @rule(partition=st.integers(0, 3), payload=PAYLOADS)
    def publish(self, partition: int, payload: str) -> None:
        partition %= self.partitions
        expected = self.append(partition, payload)
        assert self.broker.publish("t", partition, payload) == expected

    @rule(messages=st.lists(st.tuples(st.integers(0, 3), PAYLOADS), max_size=5))
    def publish_many(self, messages: list[tuple[int, str]]) -> None:
        messages = [(partition % self.partitions, payload) for partition, payload in messages]
        expected = [self.append(*message) for message in messages]
        assert self.broker.publish_many("t", messages) == expected

    def append(self, partition: int, payload: str) -> int:
        log = self.logs[partition]
        if len(log) - self.removed[partition] == self.capacity:
            return -1
        log.append(payload)
        return len(log) - 1

    @rule(name=GROUPS, member=MEMBERS)
    def join(self, name: str, member: str) -> None:
        group = self.groups.setdefault(name, Group(list(self.removed)))
        group.replace({*group.members, member})
        owned = [p for p in range(self.partitions) if group.owner(p) == member]
        assert self.broker.join("t", name, member) == owned

    @rule(name=GROUPS, member=MEMBERS)
    def leave(self, name: str, member: str) -> None:
        group = self.groups.get(name)
        present = group is not None and member in group.members
        assert self.broker.leave("t", name, member) is present
        if group is not None and present:
            group.replace({*group.members} - {member})

    @rule(name=GROUPS, member=MEMBERS, limit=st.integers(1, 5))
    def poll(self, name: str, member: str, limit: int) -> None:
        expected: list[Any] = []
        group = self.groups.get(name)
        for p, log in enumerate(self.logs if group else []):
            assert group is not None
            ready = p not in group.in_flight and group.committed[p] < len(log)
            if group.owner(p) == member and ready and len(expected) < limit:
                group.in_flight.add(p)
                expected.append(("t", p, group.committed[p], log[group.committed[p]]))
        assert self.broker.poll("t", name, member, limit) == expected

    @rule(name=GROUPS, member=MEMBERS, partition=st.integers(0, 3), offset=OFFSETS)
    def ack(self, name: str, member: str, partition: int, offset: int) -> None:
        partition %= self.partitions
        right = self.commit(name, member, partition, offset)
        assert self.broker.ack("t", name, member, partition, offset) is right

    @rule(name=GROUPS, member=MEMBERS, partitions=st.lists(st.integers(0, 3), max_size=5))
    def ack_many(self, name: str, member: str, partitions: list[int]) -> None:
        """Acknowledge what is in flight, and what follows it, which is not."""
        group = self.groups.get(name)
        at = [p % self.partitions for p in partitions]
        positions = [(p, group.committed[p] if group else 0) for p in at]
        expected = [self.commit(name, member, *position) for position in positions]
        assert self.broker.ack_many("t", name, member, positions) == expected

    def commit(self, name: str, member: str, partition: int, offset: int) -> bool:
        if not self.settle(name, member, partition, offset):
            return False
        self.groups[name].committed[partition] += 1
        self.removed[partition] = min(g.committed[partition] for g in self.groups.values())
        return True

    @rule(name=GROUPS, member=MEMBERS, partition=st.integers(0, 3), offset=OFFSETS)
    def retry(self, name: str, member: str, partition: int, offset: int) -> None:
        partition %= self.partitions
        right = self.settle(name, member, partition, offset)
        assert self.broker.retry("t", name, member, partition, offset) is right

    @rule(name=GROUPS)
    def work_off(self, name: str) -> None:
        """Acknowledge what is in flight, which random offsets seldom hit."""
        group = self.groups.get(name)
        for partition in sorted(group.in_flight) if group else []:
            assert group is not None
            owner = group.owner(partition)
            assert owner is not None
            self.ack(name, owner, partition, group.committed[partition])

    def settle(self, name: str, member: str, partition: int, offset: int) -> bool:
        group = self.groups.get(name)
        if group is None or partition not in group.in_flight:
            return False
        if group.owner(partition) != member or group.committed[partition] != offset:
            return False
        group.in_flight.remove(partition)
        return True

    @invariant()
    def what_is_wrong_changes_nothing(self) -> None:
        for wrong in (-1, self.partitions, 2**32, 2**64):
            try:
                self.broker.publish("t", wrong, "x")
            except ValueError:
                continue
            raise AssertionError(wrong)


class MachineByHandles(Machine):
    """The same through topics and consumers that are kept."""

    kind = ByHandles


TestMachine = Machine.TestCase
TestMachineByHandles = MachineByHandles.TestCase
for _case in (TestMachine, TestMachineByHandles):
    _case.settings = settings(max_examples=60, stateful_step_count=40)
