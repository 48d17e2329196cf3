"""Range assignment, against an assignor of a few lines that does it the slow way (RA-04)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from eventbroker.assign import Member, range_assign

NAMES = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(["a", "b", "c"])
TOPICS = st.lists(NAMES, max_size=4)
STATIC = st.none() | NAMES.filter(bool)
MEMBERS = st.lists(
    st.builds(Member, NAMES.filter(bool), TOPICS, STATIC),
    max_size=6,
    unique_by=(lambda m: m.id, lambda m: m.instance_id or m),
)


def oracle(counts: dict[str, int], members: list[Member]) -> dict[str, dict[str, list[int]]]:
    def rank(member: Member) -> tuple[bool, bytes]:
        text = member.id if member.instance_id is None else member.instance_id
        return member.instance_id is None, text.encode("utf-16-be")

    members = sorted(members, key=rank)
    result: dict[str, dict[str, list[int]]] = {member.id: {} for member in members}
    for topic, n in counts.items():
        subscribed = [m.id for m in members if topic in m.topics]
        for p in range(n if subscribed else 0):
            share, extra = divmod(n, len(subscribed))
            long = extra * (share + 1)  # the partitions of those who get one more
            i = p // (share + 1) if p < long else extra + (p - long) // share
            result[subscribed[i]].setdefault(topic, []).append(p)
    return result


@given(st.dictionaries(NAMES, st.integers(0, 12), max_size=5), MEMBERS)
def test_it_is_what_the_oracle_says(counts: dict[str, int], members: list[Member]) -> None:
    owned = range_assign(counts, members)
    assert owned == oracle(counts, members)
    assert list(owned) == list(oracle(counts, members))
    assert range_assign(counts, reversed(members)) == owned


def test_the_order_is_that_of_utf16_code_units() -> None:
    names = ["\uffff", "\U0001f525", "é", "consumer-2", "consumer-10", "B", "a"]
    owned = range_assign({"t": 7}, [Member(name, ["t"]) for name in names])
    order = ["B", "a", "consumer-10", "consumer-2", "é", "\U0001f525", "\uffff"]
    assert owned == {name: {"t": [p]} for p, name in enumerate(order)}
    assert list(owned) == order


def test_the_result_is_the_callers_own() -> None:
    members = [Member("m", ["t"])]
    owned = range_assign({"t": 2}, members)
    owned["m"]["t"].append(7)
    assert range_assign({"t": 2}, members) == {"m": {"t": [0, 1]}}


def test_no_members_and_no_topics() -> None:
    assert range_assign({}, []) == {}
    assert range_assign({"t": 3}, []) == {}
    assert range_assign({}, (Member(name, {"t"}) for name in "ba")) == {"a": {}, "b": {}}  # type: ignore[arg-type]


def test_many_partitions_are_read_whole() -> None:
    owned = range_assign({"t": 1_000_000}, [Member("a", ["t"]), Member("b", ["t"])])
    assert owned == {"a": {"t": [*range(500_000)]}, "b": {"t": [*range(500_000, 1_000_000)]}}


def test_every_argument_may_be_named() -> None:
    member = Member(id="m", topics=["t"], instance_id="i")
    assert range_assign(partitions_by_topic={"t": 1}, members=[member]) == {"m": {"t": [0]}}


class Frozen(Mapping[str, int]):
    """A mapping that is no dict."""

    def __getitem__(self, topic: str) -> int:
        return {"t": 1}[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(("t",))

    def __len__(self) -> int:
        return 1


def test_any_mapping_will_do() -> None:
    assert range_assign(Frozen(), [Member("m", ["t"])]) == {"m": {"t": [0]}}


M = Member("m", ["t"])
# Partitions by topic, members, and what is raised and said of them.
WRONG: list[tuple[Any, Any, type[Exception], str]] = [
    (None, [M], ValueError, "partitions_by_topic: is null"),
    ([("t", 1)], [M], TypeError, "partitions_by_topic: must be Mapping, not list"),
    ("t", [M], TypeError, "partitions_by_topic: must be Mapping, not str"),
    ({None: 1}, [M], ValueError, "partitions_by_topic: a topic is null"),
    ({b"t": 1}, [M], TypeError, "partitions_by_topic: a topic must be str, not bytes"),
    ({"\ud83d": 1}, [M], ValueError, "partitions_by_topic: a topic has a lone surrogate"),
    ({"t": None}, [M], TypeError, "partitions_by_topic: count of topic 't' must be int, not None"),
    ({"t": True}, [M], TypeError, "partitions_by_topic: count of topic 't' must be int, not bool"),
    ({"a:b": 1.0}, [M], TypeError, "partitions_by_topic: count of topic 'a:b' must be int, not fl"),
    ({"t": 2**64}, [M], ValueError, f"partitions_by_topic: count of topic 't' {2**64} is out"),
    ({"t": -1}, [M], ValueError, 'partitions_by_topic: count -1 of topic "t" is negative'),
    ({"t": -(2**63)}, [M], ValueError, "partitions_by_topic: count -9223372036854775808 of topic"),
    ({"t": 2**63 - 1, "u": 2}, [M], ValueError, "partitions_by_topic: there are more than"),
    ({"t": 10_000_000, "u": 1}, [M], ValueError, "partitions_by_topic: there are more than"),
    ({}, None, ValueError, "members: is null"),
    ({}, "m", TypeError, "members: must be a list or another iterable, not str"),
    ({}, {"m": M}, TypeError, "members: must be a list or another iterable, not dict"),
    ({}, M, TypeError, "members: must be a list or another iterable, not Member"),
    ({}, [M, None], ValueError, "members: member 1 is null"),
    ({}, ["m"], TypeError, "members: member 0 must be Member, not str"),
    ({}, [{"id": "m", "topics": []}], TypeError, "members: member 0 must be Member, not dict"),
    ({}, [Member("", [])], ValueError, "members: id of member 0 is empty"),
    ({}, [Member(None, [])], ValueError, "members: id of member 0 is null"),  # type: ignore[arg-type]
    ({}, [Member(1, [])], TypeError, "members: id of member 0 must be str, not int"),  # type: ignore[arg-type]
    ({}, [Member("\ud83d", [])], ValueError, "members: id of member 0 has a lone surrogate"),
    ({}, [M, M], ValueError, "members: id of member 1 is that of member 0 too"),
    ({}, [Member("m", [], "")], ValueError, "members: instance_id of member 0 is empty"),
    ({}, [Member("m", [], b"i")], TypeError, "members: instance_id of member 0 must be str, not b"),  # type: ignore[arg-type]
    (
        {},
        [Member("m", [], "i"), Member("n", [], "i")],
        *(ValueError, "members: instance_id of member 1 is that of member 0 too"),
    ),
    ({}, [M, Member("n", ["a", None])], ValueError, "members: topics[1] of member 1 is null"),  # type: ignore[list-item]
    ({}, [Member("m", [7])], TypeError, "members: topics[0] of member 0 must be str, not int"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("counts", "members", "error", "reason"), WRONG)
def test_what_is_wrong_is_named(
    counts: Any, members: Any, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error) as raised:
        range_assign(counts, members)
    assert type(raised.value) is error
    assert str(raised.value).startswith(f"invalid argument: {reason}")


@pytest.mark.parametrize("value", ["t", b"t", {"t": 1}, 5])
def test_topics_of_a_member_that_are_no_list(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^invalid argument: topics: must be a list or another"):
        Member("m", value)


def test_exactly_as_many_partitions_as_are_allowed() -> None:
    assert range_assign({"t": 9_999_999, "u": 1}, [Member("m", ["u"])]) == {"m": {"u": [0]}}
