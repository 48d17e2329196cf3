"""The signatures, statuses and limits here are those of cabi/eventbroker.h."""

from __future__ import annotations

import re
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from pathlib import Path

import pytest

from eventbroker import ClosedError, ForkedError, _broker, _event, _ffi, _frame

HEADER = (Path(__file__).resolve().parents[3] / "cabi" / "eventbroker.h").read_text("utf-8")
DECLARED = re.findall(r"^([\w ]+[ *])(eb_\w+)\(([^)]*)\);", HEADER, re.MULTILINE)
TYPES = {
    "int64_t": c_int64,
    "uint64_t": c_uint64,
    "char *": c_char_p,
    "void *": c_void_p,
    "int32_t *": POINTER(c_int32),
    "uint64_t *": POINTER(c_uint64),
    "eb_event_options *": POINTER(_ffi.Options),
    "eb_message_options *": POINTER(_ffi.Options),
}


def c_type(declaration: str) -> object:
    return TYPES[re.sub(r"\bconst |\b\w+$", "", declaration.strip()).strip()]


def value(name: str) -> int:
    [found] = re.findall(rf"\b{name} =? *(-?\d+)", HEADER)
    return int(found)


@pytest.mark.parametrize(("result", "name", "parameters"), DECLARED)
def test_signature(result: str, name: str, parameters: str) -> None:
    if name == "eb_abi_version":  # called before there are signatures
        return
    function = getattr(_ffi, name.removeprefix("eb_"), None) or getattr(_ffi, f"_{name[3:]}")
    expected = [] if parameters == "void" else [c_type(p) for p in parameters.split(",")]
    assert function.restype is c_type(result + "_")
    assert list(function.argtypes) == expected


def test_the_header_was_read_whole() -> None:
    assert {name for _, name, _ in DECLARED} >= {"eb_needed", "eb_event_new", "eb_assign_range"}
    assert len(DECLARED) == HEADER.count(");\n")


def test_statuses() -> None:
    assert value("EB_BUFFER_TOO_SMALL") == _ffi.BUFFER_TOO_SMALL
    assert {
        value("EB_INVALID_ARGUMENT"): ValueError,
        value("EB_CLOSED"): ClosedError,
        value("EB_FORKED"): ForkedError,
    } == _ffi._EXCEPTIONS


def test_version_and_limits() -> None:
    assert (value("EB_ABI_MAJOR"), value("EB_ABI_MINOR")) == _ffi._ABI
    assert value("EB_EVENT_MAX_PARTITIONS") == _event._MAX_PARTITIONS
    assert value("EB_EVENT_MAX_RECORDS") == _frame.MAX_RECORDS
    assert value("EB_EVENT_DEFAULT_PAYLOAD") == _broker.DEFAULT_PAYLOAD
    assert value("EB_EVENT_MAX_PAYLOAD") == _broker.MAX_PAYLOAD


@pytest.mark.parametrize("name", ["eb_event_options", "eb_message_options"])
def test_options(name: str) -> None:
    [members] = re.findall(rf"struct {name} {{(.*?)}}", HEADER, re.DOTALL)
    declared = re.findall(r"(\w+) (\w+);", members)
    assert [(n, TYPES[t]) for t, n in declared] == list(_ffi.Options._fields_)


@pytest.mark.parametrize("name", ["eb_event_record", "eb_message_header"])
def test_headers_of_records(name: str) -> None:
    [members] = re.findall(rf"struct {name} {{(.*?)}}", HEADER, re.DOTALL)
    codes = [{"int64_t": "q", "int32_t": "i"}[t] for t in re.findall(r"(\w+) \w+;", members)]
    assert "<" + "".join(codes) == _frame.HEADER.format
