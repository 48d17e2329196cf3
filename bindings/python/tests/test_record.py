"""What calls return are values (EB-16, MB-10)."""

from __future__ import annotations

import copy
import pickle

import pytest

from eventbroker import BrokerRecord, DeadLetter, Delivery
from eventbroker.assign import Assignment, Member, Subscription, TopicPartitions

RECORD = BrokerRecord("t", 1, 2, "x")
TUPLES = [RECORD, Delivery("t", 1, "x", 2), DeadLetter("t", 1, "x", 2)]
OWNED = TopicPartitions("t", [1, 2])
SUBSCRIPTION = Subscription(3, ["t"], b"u", [OWNED], 4, "rack")
VALUES = [*TUPLES, OWNED, SUBSCRIPTION, Assignment(0, [OWNED]), Member("m", ["t"], "i")]
REPRS = """
BrokerRecord(topic='t', partition=1, offset=2, payload='x')
Delivery(topic='t', offset=1, payload='x', attempt=2)
DeadLetter(topic='t', offset=1, payload='x', attempts=2)
TopicPartitions(topic='t', partitions=(1, 2))
Subscription(version=3, topics=('t',), user_data=b'u', owned_partitions=({0},), generation_id=4, \
rack_id='rack')
Assignment(version=0, partitions=({0},), user_data=None)
Member(id='m', topics=('t',), instance_id='i')
"""


@pytest.mark.parametrize(
    ("value", "shown"), [*zip(VALUES, REPRS.format(OWNED).split("\n")[1:-1], strict=True)]
)
def test_its_repr_is_its_constructor(value: object, shown: str) -> None:
    assert repr(value) == shown
    assert eval(shown) == value


@pytest.mark.parametrize("value", VALUES)
def test_it_cannot_be_changed(value: object) -> None:
    for field in (*type(value).__annotations__, "other"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, field, "hacked")


@pytest.mark.parametrize("value", TUPLES)
@pytest.mark.parametrize("field", [0, 1, 2, 3])
def test_it_differs_where_a_field_differs(value: tuple[object, ...], field: int) -> None:
    fields: list[object] = list(value)
    assert tuple(fields) == value
    fields[field] = None
    assert tuple(fields) != value


@pytest.mark.parametrize("value", VALUES)
def test_equal_values_have_equal_hashes(value: object) -> None:
    assert len({value, copy.deepcopy(value)}) == 1


def test_records_sort() -> None:
    later = RECORD._replace(offset=3)
    assert sorted([later, RECORD]) == [RECORD, later]


@pytest.mark.parametrize("value", VALUES)
def test_it_survives_pickling_and_copying(value: object) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert twin == value
        assert type(twin) is type(value)


def test_it_can_be_matched() -> None:
    match RECORD, SUBSCRIPTION:
        case BrokerRecord(partition=1, offset=offset), Subscription(3, (topic,)):
            assert (offset, topic) == (2, "t")
        case _:
            pytest.fail("no match")
