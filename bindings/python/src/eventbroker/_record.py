"""What a poll returns."""

from __future__ import annotations

from typing import NamedTuple


class BrokerRecord(NamedTuple):
    """A record as poll returns it: a value of the caller's own (EB-16).

    It is a named tuple: immutable, hashable, ordered field by field, and equal
    to a plain tuple of the same four values.

    >>> record = BrokerRecord("orders", 0, 7, "a")
    >>> record.offset
    7
    >>> topic, partition, offset, payload = record
    """

    topic: str
    partition: int
    offset: int
    payload: str
