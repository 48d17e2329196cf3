"""The event broker that a careful developer writes by hand in an afternoon, to be compared with.

Dictionaries, lists and one lock; the same checks and the same answers.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
_MAX_OFFSET = 2**63 - 1


def _integer(name: str, value: int, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: must be int, not {type(value).__name__}")
    if not low <= value <= high:
        raise ValueError(f"{name}: {value} is outside {low} through {high}")


class Record(NamedTuple):
    """A record as poll returns it."""

    topic: str
    partition: int
    offset: int
    payload: str


@dataclass
class _Log:
    """A partition: the records that are retained, from an offset on."""

    first: int = 0
    payloads: deque[str] = field(default_factory=deque)


@dataclass
class _Group:
    """Who reads a topic, how far they are, and what they have in hand."""

    committed: list[int]
    in_flight: list[bool]
    members: list[str] = field(default_factory=list)
    owned: dict[str, list[int]] = field(default_factory=dict)


class _Topic:
    def __init__(self, partitions: int) -> None:
        self.logs = [_Log() for _ in range(partitions)]
        self.groups: dict[str, _Group] = {}


class Broker:
    """Bounded partitioned logs with consumer groups."""

    def __init__(self, capacity: int, max_payload: int = 1024) -> None:
        """Make an empty broker."""
        self._capacity = capacity
        self._max_payload = max_payload
        self._lock = Lock()
        self._topics: dict[str, _Topic] = {}

    def create(self, topic: str, partitions: int) -> bool:
        """Make a topic."""
        self._check("topic", topic)
        _integer("partitions", partitions, 1, 64)
        with self._lock:
            if topic in self._topics:
                return False
            self._topics[topic] = _Topic(partitions)
            return True

    def publish(self, topic: str, partition: int, payload: str) -> int:
        """Append a payload and return its offset, or -1 when the partition is full."""
        found = self._find(topic)
        _integer("partition", partition, 0, len(found.logs) - 1)
        if not isinstance(payload, str):
            raise TypeError(f"payload: must be str, not {type(payload).__name__}")
        if len(payload.encode()) > self._max_payload:
            raise ValueError(f"payload: takes more than {self._max_payload} bytes")
        with self._lock:
            log = found.logs[partition]
            if len(log.payloads) == self._capacity:
                return -1
            log.payloads.append(payload)
            return log.first + len(log.payloads) - 1

    def join(self, topic: str, group: str, member: str) -> list[int]:
        """Add a member to a group and return its partitions."""
        found = self._find(topic)
        self._check("group", group)
        self._check("member", member)
        with self._lock:
            if group not in found.groups:
                first = [log.first for log in found.logs]
                found.groups[group] = _Group(first, [False] * len(first))
            members = found.groups[group].members
            if member not in members:
                self._divide(found.groups[group], sorted([*members, member]))
            return list(found.groups[group].owned[member])

    def leave(self, topic: str, group: str, member: str) -> bool:
        """Remove a member from a group."""
        found = self._find(topic)
        self._check("group", group)
        self._check("member", member)
        with self._lock:
            if group not in found.groups or member not in found.groups[group].members:
                return False
            members = found.groups[group].members
            self._divide(found.groups[group], [m for m in members if m != member])
            return True

    def poll(self, topic: str, group: str, member: str, max_records: int) -> list[Record]:
        """Reserve a record of each partition of the member that is at rest."""
        found = self._find(topic)
        self._check("group", group)
        self._check("member", member)
        _integer("max_records", max_records, 1, 64)
        with self._lock:
            records: list[Record] = []
            reader = found.groups.get(group)
            if reader is None or member not in reader.owned:
                return records
            for partition in reader.owned.get(member, ()):
                log = found.logs[partition]
                offset = reader.committed[partition]
                if not reader.in_flight[partition] and offset < log.first + len(log.payloads):
                    reader.in_flight[partition] = True
                    payload = log.payloads[offset - log.first]
                    records.append(Record(topic, partition, offset, payload))
                    if len(records) == max_records:
                        break
            return records

    def ack(self, topic: str, group: str, member: str, partition: int, offset: int) -> bool:
        """Commit the record in flight."""
        found = self._find(topic)
        self._check("group", group)
        self._check("member", member)
        _integer("partition", partition, 0, len(found.logs) - 1)
        _integer("offset", offset, 0, _MAX_OFFSET)
        with self._lock:
            reader = found.groups.get(group)
            if reader is None or not self._holds(reader, member, partition, offset):
                return False
            reader.in_flight[partition] = False
            reader.committed[partition] += 1
            log = found.logs[partition]
            oldest = min([group.committed[partition] for group in found.groups.values()])
            while log.first < oldest:
                log.payloads.popleft()
                log.first += 1
            return True

    def retry(self, topic: str, group: str, member: str, partition: int, offset: int) -> bool:
        """End the delivery of the record in flight."""
        found = self._find(topic)
        self._check("group", group)
        self._check("member", member)
        _integer("partition", partition, 0, len(found.logs) - 1)
        _integer("offset", offset, 0, _MAX_OFFSET)
        with self._lock:
            reader = found.groups.get(group)
            if reader is None or not self._holds(reader, member, partition, offset):
                return False
            reader.in_flight[partition] = False
            return True

    def _find(self, topic: str) -> _Topic:
        self._check("topic", topic)
        found = self._topics.get(topic)
        if found is None:
            raise ValueError(f"topic: there is no {topic!r}")
        return found

    def _check(self, name: str, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"{name}: must be str, not {type(value).__name__}")
        if not _IDENTIFIER(value):
            raise ValueError(f"{name}: {value!r} is no identifier")

    def _holds(self, reader: _Group, member: str, partition: int, offset: int) -> bool:
        return (
            reader.in_flight[partition]
            and reader.committed[partition] == offset
            and partition in reader.owned.get(member, ())
        )

    def _divide(self, reader: _Group, members: list[str]) -> None:
        before = {p: member for member, owned in reader.owned.items() for p in owned}
        count = len(reader.committed)
        reader.members = members
        reader.owned = {m: [*range(i, count, len(members))] for i, m in enumerate(members)}
        after = {p: member for member, owned in reader.owned.items() for p in owned}
        for partition in range(count):
            if before.get(partition) != after.get(partition):
                reader.in_flight[partition] = False


class RememberingBroker(Broker):
    """The same with a second thought: a name that was judged is not judged again."""

    def __init__(self, capacity: int, max_payload: int = 1024) -> None:
        """Make an empty broker."""
        super().__init__(capacity, max_payload)
        self._known: set[str] = set()

    def _check(self, name: str, value: str) -> None:
        if value not in self._known:
            super()._check(name, value)
            self._known.add(value)
