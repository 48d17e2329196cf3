"""The signatures, statuses and limits here are those of cabi/eventbroker.h."""

from __future__ import annotations

import re
import struct
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eventbroker import (
    ClosedError,
    DamagedError,
    DiskFullError,
    ForkedError,
    InUseError,
    StorageError,
    TimedOutError,
    _argument,
    _batch,
    _broker,
    _delivery,
    _ffi,
    _frame,
    _pubsub,
    _topic,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from struct import Struct

HEADER = (Path(__file__).resolve().parents[3] / "cabi" / "eventbroker.h").read_text("utf-8")
DECLARED = re.findall(r"^([\w ]+[ *])(eb_\w+)\(([^)]*)\);", HEADER, re.MULTILINE)
TYPES = {
    "int64_t": c_int64,
    "uint64_t": c_uint64,
    "char *": c_char_p,
    "void *": c_void_p,
    "int32_t *": POINTER(c_int32),
    "int64_t *": POINTER(c_int64),
    "uint64_t *": POINTER(c_uint64),
    "uint8_t *": POINTER(c_uint8),
    "eb_event_position *": c_void_p,  # of bytes that hold them
    "eb_event_options *": POINTER(_ffi.Options),
    "eb_message_options *": POINTER(_ffi.Options),
    "eb_pubsub_options *": POINTER(_ffi.PubSubOptions),
    "eb_pubsub_subscription *": POINTER(_ffi.PubSubSubscription),
}


def c_type(declaration: str) -> object:
    return TYPES[re.sub(r"\bconst |\b\w+$", "", declaration.strip()).strip()]


def value(name: str) -> int:
    [found] = re.findall(rf"\b{name} =? *(-?\d+)", HEADER)
    return int(found)


# What is called packed instead.
UNUSED = [name.removesuffix("_packed") for _, name, _ in DECLARED if name.endswith("_packed")]


@pytest.mark.parametrize(("result", "name", "parameters"), DECLARED)
def test_signature(result: str, name: str, parameters: str) -> None:
    if name == "eb_abi_version":  # called before there are signatures
        return
    if name in UNUSED:
        assert not hasattr(_ffi, name.removeprefix("eb_"))
        return
    function = getattr(_ffi, name.removeprefix("eb_"), None) or getattr(_ffi, f"_{name[3:]}")
    if name.endswith("_packed"):  # bytes are passed as they are, without a signature
        assert (function.restype, function.argtypes) == (c_int64, None)
        assert parameters.count("*") == len(parameters.split(","))
        return
    expected = [] if parameters == "void" else [c_type(p) for p in parameters.split(",")]
    assert function.restype is c_type(result + "_")
    assert list(function.argtypes) == expected


def test_the_header_was_read_whole() -> None:
    assert {name for _, name, _ in DECLARED} >= {
        "eb_needed",
        "eb_event_new",
        "eb_pubsub_wait",
        "eb_assign_range",
    }
    assert len(DECLARED) == HEADER.count(");\n")


def test_statuses() -> None:
    for name in ("BUFFER_TOO_SMALL", "CLOSED", "TIMED_OUT", "DAMAGED", "DISK_FULL", "STORAGE"):
        assert value(f"EB_{name}") == getattr(_ffi, name)
    assert {
        value("EB_INVALID_ARGUMENT"): ValueError,
        value("EB_CLOSED"): ClosedError,
        value("EB_FORKED"): ForkedError,
        value("EB_TIMED_OUT"): TimedOutError,
        value("EB_IN_USE"): InUseError,
        value("EB_DAMAGED"): DamagedError,
        value("EB_DISK_FULL"): DiskFullError,
        value("EB_STORAGE"): StorageError,
    } == _ffi._EXCEPTIONS


def test_version_and_limits() -> None:
    assert (value("EB_ABI_MAJOR"), value("EB_ABI_MINOR")) == _ffi._ABI
    assert value("EB_EVENT_MAX_PARTITIONS") == _topic.MAX_PARTITIONS
    assert value("EB_EVENT_MAX_BATCH") == _batch.MAX_BATCH
    assert value("EB_EVENT_MAX_RECORDS") == _frame.MAX_RECORDS
    assert value("EB_EVENT_DEFAULT_PAYLOAD") == _broker.DEFAULT_PAYLOAD
    assert value("EB_EVENT_MAX_PAYLOAD") == _broker.MAX_PAYLOAD
    assert value("EB_PUBSUB_DEFAULT_PAYLOAD") == _broker.DEFAULT_PAYLOAD
    assert value("EB_PUBSUB_MAX_PAYLOAD") == _broker.MAX_PAYLOAD
    assert value("EB_PUBSUB_MAX_WORKERS") == _pubsub._MAX_WORKERS
    assert value("EB_PUBSUB_MAX_RETAIN") == _pubsub._MAX_RETAIN
    assert value("EB_PUBSUB_NO_LIMIT") == _pubsub._NO_LIMIT
    assert value("EB_PUBSUB_MAX_TIMEOUT") == _argument._MAX_SECONDS * 1000
    assert value("EB_PUBSUB_MAX_IDENTIFIER") == _delivery._MAX_TOPIC


def test_choices() -> None:
    for prefix, names in (("dispatcher", _pubsub._DISPATCHERS), ("policy", _pubsub._POLICIES)):
        [members] = re.findall(rf"enum eb_pubsub_{prefix} {{ (.*?) }}", HEADER)
        assert members == ", ".join(f"EB_PUBSUB_{n.upper()} = {i}" for i, n in enumerate(names))
    outcomes = (_delivery.CONFIRMED, _delivery.FAILED, _delivery.FILTERED)
    names = ("CONFIRMED", "FAILED", "FILTERED")
    assert tuple(value(f"EB_PUBSUB_{name}") for name in names) == outcomes


def members_of(name: str) -> list[tuple[str, str]]:
    [members] = re.findall(rf"struct {name} {{(.*?)}}", HEADER, re.DOTALL)
    code = re.sub(r"/\*.*?\*/", "", members, flags=re.DOTALL).replace("const ", "")
    return re.findall(r"(\w+ (?:\*)?)(\w+);", code)


CALLS = [
    ("eb_event_publish_call", _topic._pack_publish),
    ("eb_event_poll_call", _topic._pack_poll),
    ("eb_event_settle_call", _topic._pack_settle),
]


@pytest.mark.parametrize(("name", "pack"), CALLS)
def test_packed_calls(name: str, pack: Callable[..., bytes]) -> None:
    codes = {"int64_t": "q", "uint64_t": "Q"}
    members = "".join(codes[kind.strip()] for kind, _ in members_of(name))
    most = [2**64 - 1 if code == "Q" else -(2**63) for code in members]
    assert pack(*most) == struct.pack("=" + members, *most)


OPTIONS = [
    ("eb_event_options", _ffi.Options),
    ("eb_message_options", _ffi.Options),
    ("eb_pubsub_options", _ffi.PubSubOptions),
    ("eb_pubsub_subscription", _ffi.PubSubSubscription),
]


@pytest.mark.parametrize(("name", "structure"), OPTIONS)
def test_options(name: str, structure: type[Structure]) -> None:
    declared = [(member, TYPES[kind.strip()]) for kind, member in members_of(name)]
    assert declared == list(structure._fields_)


RECORDS = [
    ("eb_event_record", _frame.HEADER),
    ("eb_message_header", _frame.HEADER),
    ("eb_pubsub_letter", _frame.LETTER),
    ("eb_pubsub_standing", _frame.STANDING),
    ("eb_pubsub_delivery", _delivery.HEADER),
]


@pytest.mark.parametrize(("name", "record"), RECORDS)
def test_headers_of_records(name: str, record: Struct) -> None:
    codes = {"int64_t": "q", "int32_t": "i", "uint64_t": "Q"}
    assert "<" + "".join(codes[kind.strip()] for kind, _ in members_of(name)) == record.format
