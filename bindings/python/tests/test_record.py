"""BrokerRecord is a value (EB-16)."""

from __future__ import annotations

import copy
import pickle

import pytest

from eventbroker import BrokerRecord

RECORD = BrokerRecord("t", 1, 2, "x")


def test_its_repr_is_its_constructor() -> None:
    assert repr(RECORD) == "BrokerRecord(topic='t', partition=1, offset=2, payload='x')"
    assert eval(repr(RECORD)) == RECORD


@pytest.mark.parametrize("field", ["topic", "partition", "offset", "payload", "other"])
def test_it_cannot_be_changed(field: str) -> None:
    with pytest.raises(AttributeError):
        setattr(RECORD, field, "hacked")


@pytest.mark.parametrize("field", [0, 1, 2, 3])
def test_it_differs_where_a_field_differs(field: int) -> None:
    fields: list[object] = list(RECORD)
    assert tuple(fields) == RECORD
    fields[field] = None
    assert tuple(fields) != RECORD


def test_equal_records_have_equal_hashes_and_records_sort() -> None:
    twin = BrokerRecord(topic="t", partition=1, offset=2, payload="x")
    assert {RECORD, twin} == {RECORD}
    later = RECORD._replace(offset=3)
    assert sorted([later, RECORD]) == [RECORD, later]


def test_it_survives_pickling_and_copying() -> None:
    for twin in (pickle.loads(pickle.dumps(RECORD)), copy.copy(RECORD), copy.deepcopy(RECORD)):
        assert twin == RECORD
        assert type(twin) is BrokerRecord


def test_it_can_be_matched() -> None:
    match RECORD:
        case BrokerRecord(partition=1, offset=offset):
            assert offset == 2
        case _:
            pytest.fail("no match")
