"""Arguments and options that only the pub-sub broker has."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pytest
from handlers import Given
from hypothesis import given

from eventbroker import (
    DamagedError,
    DiskFullError,
    InUseError,
    PubSub,
    StorageError,
    TimedOutError,
    _argument,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from eventbroker import Message

WRONG_TYPES = [True, 1.0, "1", b"1", [1], object()]
NUMBERS = ["1", b"1", [1], True, 1j, Decimal(1), Fraction(1, 2), object()]
POOL: dict[str, Any] = {"dispatcher": "pool"}


@pytest.fixture
def broker() -> Iterator[PubSub]:
    """A broker with a topic t, to which in the end nothing has subscribed."""
    with PubSub() as made:
        made.create_topic("t")
        yield made
        assert made.status("t", "a").subscribed is False
        assert made._handlers is not None
        assert not made._handlers._subscribers


def refused(error: type[Exception], argument: str, **options: Any) -> None:
    with pytest.raises(error, match=f"^invalid argument: {argument}: ") as raised:
        PubSub(**options)
    assert type(raised.value) is error


@pytest.mark.parametrize("value", ["", "Lanes", "pools", "synchronous ", "x" * 1000, "é", None])
def test_no_dispatcher(value: Any) -> None:
    refused(ValueError, "dispatcher", dispatcher=value)


@pytest.mark.parametrize("value", [0, 1, b"lanes", True, ["lanes"]])
def test_another_type_for_the_dispatcher(value: Any) -> None:
    refused(TypeError, "dispatcher", dispatcher=value)


@pytest.mark.parametrize("value", [0, -1, 1025, 2**31, 2**32 + 1, 2**63 - 1, 2**64 + 1, 2**200])
def test_workers_out_of_range(value: int) -> None:
    refused(ValueError, "workers", **POOL, workers=value)


@pytest.mark.parametrize("option", ["workers", "max_attempts", "max_payload"])
@pytest.mark.parametrize("value", WRONG_TYPES)
def test_another_type_for_an_integer(option: str, value: Any) -> None:
    refused(TypeError, option, **POOL, **{option: value})


@pytest.mark.parametrize("dispatcher", ["synchronous", "lanes"])
def test_only_a_pool_has_workers_and_a_time_out(dispatcher: Any) -> None:
    refused(ValueError, "workers", dispatcher=dispatcher, workers=4)
    refused(ValueError, "handler_timeout", dispatcher=dispatcher, handler_timeout=1)


@pytest.mark.parametrize("value", [-1, -(2**31), 2**31, 2**32, 2**32 + 1, 2**63, 2**64 + 1])
def test_max_attempts_out_of_range(value: int) -> None:
    refused(ValueError, "max_attempts", max_attempts=value)


TIMES = [0, 0.0, -1, 0.000999, 86_400.001, 86_401, 1e300, 2**2000, -(2**2000)]
TIMES += [float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("option", ["handler_timeout", "block_timeout"])
@pytest.mark.parametrize("value", TIMES, ids=lambda value: str(value)[:9])
def test_a_time_out_of_its_range(option: str, value: float) -> None:
    refused(ValueError, option, **POOL, **{option: value})


@pytest.mark.parametrize("option", ["handler_timeout", "block_timeout"])
@pytest.mark.parametrize("value", NUMBERS)
def test_another_type_for_a_time_out(option: str, value: Any) -> None:
    refused(TypeError, option, **POOL, **{option: value})


def test_none_where_an_option_has_a_default() -> None:
    for option in ("block_timeout", "sync"):
        refused(ValueError, option, **{option: None})
    for option in ("max_attempts", "max_payload"):
        refused(TypeError, option, **{option: None})


@pytest.mark.parametrize("value", [0, 1, "yes", [True]])
def test_another_type_for_sync(value: Any) -> None:
    refused(TypeError, "sync", sync=value)


@pytest.mark.parametrize("value", [b"path", 1, True, ["path"], object()])
def test_another_type_for_a_path(value: Any) -> None:
    refused(TypeError, "path", path=value)


def test_a_path_that_is_no_utf8() -> None:
    refused(ValueError, "path", path="/tmp/\udcff")


def test_an_unknown_option() -> None:
    with pytest.raises(TypeError, match="max_attempt"):
        PubSub(max_attempt=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        PubSub("lanes")  # type: ignore[call-arg]


def test_the_limits_of_the_options() -> None:
    PubSub(max_attempts=2**31 - 1, block_timeout=86_400, max_payload=1).close()
    PubSub(max_attempts=1, block_timeout=0.001, max_payload=1 << 20).close()
    PubSub(**POOL, workers=1, handler_timeout=0.001).close()
    PubSub(**POOL, workers=50, handler_timeout=86_400.0).close()


@given(st.integers(1, 86_400_000))
def test_seconds_become_the_milliseconds_that_they_are(count: int) -> None:
    assert _argument.milliseconds("t", count / 1000) == count
    assert _argument.milliseconds("t", float(f"{count / 1000:.3f}")) == count


@given(st.floats())
def test_any_float_is_taken_or_refused(seconds: float) -> None:
    if 0.001 <= seconds <= 86_400:
        assert abs(_argument.milliseconds("t", seconds) / 1000 - seconds) < 0.0006
    else:
        with pytest.raises(ValueError, match=r"^invalid argument: t: .* is outside"):
            _argument.milliseconds("t", seconds)


@pytest.mark.parametrize("value", [0, -1, 2**31, 2**32, 2**32 + 1, 2**63 - 1, 2**64 + 1])
def test_retain_out_of_range(broker: PubSub, value: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: retain: "):
        broker.create_topic("u", retain=value)
    with pytest.raises(ValueError, match=r"^invalid argument: retain: "):
        broker.create_topic("t", retain=value)
    assert broker.create_topic("u", retain=2**31 - 1) is True


@pytest.mark.parametrize("value", WRONG_TYPES)
def test_another_type_for_retain(broker: PubSub, value: Any) -> None:
    with pytest.raises(TypeError, match=r"^invalid argument: retain: must be int, not "):
        broker.create_topic("u", retain=value)


@pytest.mark.parametrize("value", [0, "f", b"f", [print], object()])
def test_what_cannot_be_called(broker: PubSub, value: Any) -> None:
    name = type(value).__name__
    with pytest.raises(
        TypeError, match=f"^invalid argument: handler: must be callable, not {name}"
    ):
        broker.subscribe("t", "a", value)
    with pytest.raises(TypeError, match=f"^invalid argument: filter: must be callable, not {name}"):
        broker.subscribe("t", "a", Given(), filter=value)
    with pytest.raises(TypeError, match=r"^invalid argument: handler: "):
        broker.subscriber("t", "a")(value)


def test_none_is_no_handler(broker: PubSub) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: handler: is null$"):
        broker.subscribe("t", "a", None)  # type: ignore[arg-type]


async def coroutine(_: Message) -> bool:
    return True


async def generator(_: Message) -> AsyncIterator[bool]:
    yield True


class Async:
    """An object that is called like a coroutine function."""

    async def __call__(self, _: Message) -> bool:
        return True

    async def method(self, _: Message) -> bool:
        return True


ASYNC = [coroutine, generator, partial(coroutine), Async(), Async().method]


@pytest.mark.parametrize("value", ASYNC)
def test_an_async_function_is_refused(broker: PubSub, value: Any) -> None:
    """It would never return True, and what it returns would always pass as a filter."""
    with pytest.raises(TypeError, match=r"^invalid argument: handler: .*async function"):
        broker.subscribe("t", "a", value)
    with pytest.raises(TypeError, match=r"^invalid argument: filter: .*async function"):
        broker.subscribe("t", "a", Given(), filter=value)


@pytest.mark.parametrize("value", ["", "Drop", "blocks", "é", "x" * 1000, None])
def test_no_policy(broker: PubSub, value: Any) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: policy: "):
        broker.subscribe("t", "a", Given(), policy=value)


@pytest.mark.parametrize("value", [0, b"drop", True, ["drop"]])
def test_another_type_for_policy_or_group(broker: PubSub, value: Any) -> None:
    name = type(value).__name__
    for argument in ("policy", "group"):
        with pytest.raises(
            TypeError, match=f"^invalid argument: {argument}: must be str, not {name}"
        ):
            broker.subscribe("t", "a", Given(), **{argument: value})


@pytest.mark.parametrize("value", ["", "a b", "é", "\ud83d", "x" * 65])
def test_no_group(broker: PubSub, value: str) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: group: "):
        broker.subscribe("t", "a", Given(), group=value)


def test_what_does_not_go_together(broker: PubSub) -> None:
    with pytest.raises(ValueError, match=r"^invalid argument: policy: "):
        broker.subscribe("t", "a", Given(), policy="block")
    with pytest.raises(ValueError, match=r"^invalid argument: filter: "):
        broker.subscribe("t", "a", Given(), group="g", filter=Given())
    broker.subscribe("t", "b", Given(), group="g")
    with pytest.raises(ValueError, match=r"^invalid argument: policy: "):
        broker.subscribe("t", "a", Given(), group="g", policy="disconnect")
    with pytest.raises(ValueError, match=r"^invalid argument: name: "):
        broker.subscribe("t", "b", Given())
    assert broker.unsubscribe("t", "b")


def test_a_seek_to_where_there_is_nothing(broker: PubSub) -> None:
    broker.create_topic("last", retain=1)
    broker.subscribe("last", "a", Given())
    for n in range(3):
        broker.publish("last", str(n))
    for offset in (0, 1, 4, 2**32 + 2, 2**63 - 1):
        with pytest.raises(
            ValueError, match=rf"^invalid argument: offset: {offset} is outside 2 th"
        ):
            broker.seek("last", "a", offset)
    assert broker.seek("last", "a", 2)
    assert broker.seek("last", "a", 3)
    assert broker.unsubscribe("last", "a")


class Text(str):
    """A str that would compare and encode as something else."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def encode(self, *_: object) -> bytes:
        return b"other"


def test_subclasses_of_str_count_by_their_value(broker: PubSub) -> None:
    handler = Given()
    broker.subscribe(Text("t"), Text("b"), handler, policy=Text("drop"), group=Text("g"))  # type: ignore[arg-type]
    broker.publish("t", Text("x"))
    assert broker.drain() == 1
    [message] = handler.messages
    assert message == ("t", 0, "x", 1)
    assert type(message.topic) is type(message.payload) is str
    assert broker.unsubscribe("t", "b")
    refused(ValueError, "dispatcher", dispatcher=Text("x"))


def test_the_errors_are_those_that_a_caller_of_the_system_would_catch() -> None:
    assert issubclass(TimedOutError, TimeoutError)
    kinds = (InUseError, DamagedError, DiskFullError, StorageError)
    assert all(issubclass(kind, OSError) for kind in kinds)
    assert not issubclass(InUseError, TimeoutError)
