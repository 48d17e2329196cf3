"""The library: which file is loaded, its functions, and what its statuses mean.

This is the only module that loads anything. CDLL gives up the interpreter's
lock during each call, so other threads run meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import sysconfig
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint8, c_uint64, c_void_p, cast
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._error import (
    ClosedError,
    DamagedError,
    DiskFullError,
    ForkedError,
    InternalError,
    InUseError,
    StorageError,
    TimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CLOSED = -3
BUFFER_TOO_SMALL = -6
TIMED_OUT = -7
DAMAGED = -9
DISK_FULL = -10
STORAGE = -13

_ABI = (1, 0)  # major, minor
_FILE = "libeventbroker.so.1"
_MAX_MESSAGE = 4096  # bytes: the library keeps no more of one
_PACKAGE = Path(__file__).parent
_PROGRAM = Path("/proc/self/exe")

# Every other status has no place in this interface, hence is a defect too.
_EXCEPTIONS: dict[int, type[Exception]] = {
    -2: ValueError,
    CLOSED: ClosedError,
    -4: ForkedError,
    TIMED_OUT: TimedOutError,
    -8: InUseError,
    DAMAGED: DamagedError,
    DISK_FULL: DiskFullError,
    STORAGE: StorageError,
}


def _load() -> ctypes.CDLL:
    """Find the library in the process or load it. Two copies would be two runtimes."""
    if library := _resident():
        _check_version(library, "the library that this process has loaded already")
        return library
    file = _locate()
    library = _open(file)
    _check_version(library, str(file))
    return library


def _resident() -> ctypes.CDLL | None:
    """Return the library that the program, or another package, has loaded already."""
    try:
        return ctypes.CDLL(_FILE, mode=os.RTLD_NOLOAD)
    except OSError:
        program = ctypes.CDLL(None)
        return program if hasattr(program, "eb_abi_version") else None


def _locate() -> Path:
    """Return the file to load: as told, else the package's own, else the checkout's."""
    if told := os.environ.get("EVENTBROKER_LIBRARY"):
        return Path(told).absolute()
    own = _PACKAGE / _FILE
    if own.exists():
        return own
    for checkout in _PACKAGE.parents[3:4]:  # none where the package lies less deep
        built = checkout / "build" / "lib" / _FILE
        if built.exists() and (checkout / "cabi" / "eventbroker.h").exists():
            return built
    raise _refusal(
        f"{own} does not exist, and there is no build/lib/{_FILE} in a checkout around it. "
        "Run 'pip install ./bindings/python' in a checkout, or 'cabi/build.sh build/lib' to use "
        "the package in place (both need Go), or name the file in EVENTBROKER_LIBRARY"
    )


def _open(file: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(file))
    except OSError as error:
        raise _refusal(_why(file) or str(error)) from error


def _why(file: Path) -> str:
    """Say in plain words why a file cannot be loaded, where the loader's words do not."""
    if not file.is_file():
        return f"{file}, which EVENTBROKER_LIBRARY names, is no file"
    if not (machine := _machine(file)):
        return f"{file} is no shared library"
    if machine != _machine(_PROGRAM):
        return f"{file} is built for another processor than this Python"
    if "musl" in str(sysconfig.get_config_var("SOABI")):
        return "a Go library cannot be loaded under musl libc; use a Python built for glibc"
    return ""


def _machine(file: Path) -> bytes:
    """Return class, byte order and machine of an ELF file, nothing for any other file."""
    with file.open("rb") as stream:
        header = stream.read(20)
    return header[4:6] + header[18:20] if header.startswith(b"\x7fELF") else b""


def _check_version(library: ctypes.CDLL, name: str) -> None:
    try:
        function = library["eb_abi_version"]
    except AttributeError:
        raise _refusal(f"{name} is not libeventbroker") from None
    function.restype = c_int64
    major, minor = divmod(function(), 65536)
    if major != _ABI[0] or minor < _ABI[1]:
        wanted = f"{_ABI[0]}.{_ABI[1]} or a later {_ABI[0]}.x"
        raise _refusal(f"{name} has interface version {major}.{minor}, and {wanted} is needed")


def _refusal(reason: str) -> ImportError:
    return ImportError(f"cannot load the eventbroker library: {reason}", name="eventbroker")


_library = _load()


def _function(name: str, *argtypes: Any, restype: Any = c_int64) -> Callable[..., Any]:
    function = _library[name]
    function.argtypes = argtypes
    function.restype = restype
    return function


class Options(ctypes.Structure):
    """struct eb_event_options, and eb_message_options, which has the same members."""

    _fields_ = (("size", c_int64), ("max_payload", c_int64))


class PubSubOptions(ctypes.Structure):
    """struct eb_pubsub_options."""

    _fields_ = (
        ("size", c_int64),
        ("dispatcher", c_int64),
        ("workers", c_int64),
        ("handler_timeout", c_int64),
        ("max_attempts", c_int64),
        ("block_timeout", c_int64),
        ("max_payload", c_int64),
        ("path", c_char_p),
        ("path_len", c_int64),
        ("sync", c_int64),
    )


class PubSubSubscription(ctypes.Structure):
    """struct eb_pubsub_subscription."""

    _fields_ = (
        ("size", c_int64),
        ("group", c_char_p),
        ("group_len", c_int64),
        ("policy", c_int64),
        ("filtered", c_int64),
    )


# A string is a pointer and its length in bytes; a broker is its handle.
_STRING = (c_char_p, c_int64)
_TOPIC = (c_uint64, *_STRING)  # of a broker
_GROUP = (*_TOPIC, *_STRING)
_MEMBER = (*_GROUP, *_STRING)
_FRAME = (c_void_p, c_int64)
_MESSAGES = (*_FRAME, c_int64, POINTER(c_int64))
_POSITIONS = (c_void_p, c_int64, POINTER(c_uint8))

needed = _function("eb_needed")
_last_error = _function("eb_last_error", c_char_p, c_int64)
_strerror = _function("eb_strerror", c_int64, restype=c_char_p)

event_new = _function("eb_event_new", c_int64, POINTER(Options), POINTER(c_uint64))
event_close = _function("eb_event_close", c_uint64)
event_create = _function("eb_event_create", *_TOPIC, c_int64)
event_join = _function("eb_event_join", *_MEMBER, POINTER(c_int32), c_int64)
event_leave = _function("eb_event_leave", *_MEMBER)
event_publish = _function("eb_event_publish", *_TOPIC, c_int64, *_STRING)
event_poll = _function("eb_event_poll", *_MEMBER, c_int64, *_FRAME)
event_ack = _function("eb_event_ack", *_MEMBER, c_int64, c_int64)
event_retry = _function("eb_event_retry", *_MEMBER, c_int64, c_int64)
event_publish_many = _function("eb_event_publish_many", *_TOPIC, *_MESSAGES)
event_ack_many = _function("eb_event_ack_many", *_MEMBER, *_POSITIONS)

event_topic = _function("eb_event_topic", *_TOPIC, POINTER(c_uint64))
event_topic_close = _function("eb_event_topic_close", c_uint64)
event_topic_publish_many = _function("eb_event_topic_publish_many", c_uint64, *_MESSAGES)

event_consumer = _function("eb_event_consumer", *_GROUP, POINTER(c_uint64))
event_consumer_close = _function("eb_event_consumer_close", c_uint64)
event_consumer_join = _function("eb_event_consumer_join", c_uint64, POINTER(c_int32), c_int64)
event_consumer_leave = _function("eb_event_consumer_leave", c_uint64)
event_consumer_ack_many = _function("eb_event_consumer_ack_many", c_uint64, *_POSITIONS)


def _packed(name: str) -> Callable[..., int]:
    """Return a function without signature, whose every argument is a pointer in bytes.

    ctypes takes 150 ns to convert an argument by a signature, and 40 to pass bytes.
    """
    function = _library[name]
    function.restype = c_int64
    return function


# Their first argument is a structure of the header, packed by what _topic.py has for it.
event_topic_publish_packed = _packed("eb_event_topic_publish_packed")
event_consumer_poll_packed = _packed("eb_event_consumer_poll_packed")
event_consumer_ack_packed = _packed("eb_event_consumer_ack_packed")
event_consumer_retry_packed = _packed("eb_event_consumer_retry_packed")

message_new = _function("eb_message_new", c_int64, POINTER(Options), POINTER(c_uint64))
message_close = _function("eb_message_close", c_uint64)
message_create_topic = _function("eb_message_create_topic", *_TOPIC)
message_publish = _function("eb_message_publish", *_TOPIC, *_STRING)
message_poll = _function("eb_message_poll", *_GROUP, *_FRAME)
message_ack = _function("eb_message_ack", *_GROUP, c_int64, c_int64)
message_nack = _function("eb_message_nack", *_GROUP, c_int64, c_int64)
message_dead_letters = _function("eb_message_dead_letters", *_GROUP, *_FRAME)

pubsub_new = _function("eb_pubsub_new", POINTER(PubSubOptions), POINTER(c_uint64))
pubsub_close = _function("eb_pubsub_close", c_uint64, c_int64)
pubsub_create_topic = _function("eb_pubsub_create_topic", *_TOPIC, c_int64)
pubsub_subscribe = _function(
    "eb_pubsub_subscribe",
    *(*_GROUP, c_uint64, POINTER(PubSubSubscription), POINTER(c_uint64)),
)
pubsub_unsubscribe = _function("eb_pubsub_unsubscribe", *_GROUP)
pubsub_publish = _function("eb_pubsub_publish", *_TOPIC, *_STRING)
pubsub_publish_wait = _function("eb_pubsub_publish_wait", *_TOPIC, *_STRING, c_int64)
pubsub_drain = _function("eb_pubsub_drain", c_uint64, POINTER(c_uint64))
pubsub_next = _function("eb_pubsub_next", c_uint64, *_FRAME)
pubsub_pool = _function("eb_pubsub_pool", c_uint64, POINTER(c_uint64))
pubsub_wait = _function("eb_pubsub_wait", c_uint64, c_int64, *_FRAME)
pubsub_settle = _function("eb_pubsub_settle", c_uint64, c_int64, *_STRING)
pubsub_end = _function("eb_pubsub_end", c_uint64)
pubsub_seek = _function("eb_pubsub_seek", *_GROUP, c_int64)
pubsub_offset = _function("eb_pubsub_offset", *_GROUP)
pubsub_dead_letters = _function("eb_pubsub_dead_letters", *_GROUP, *_FRAME)
pubsub_redeliver = _function("eb_pubsub_redeliver", *_GROUP)
pubsub_status = _function("eb_pubsub_status", *_GROUP, *_FRAME)

assign_decode_subscription = _function("eb_assign_decode_subscription", *_STRING, *_FRAME)
assign_encode_subscription = _function("eb_assign_encode_subscription", *_FRAME, *_FRAME)
assign_decode_assignment = _function("eb_assign_decode_assignment", *_STRING, *_FRAME)
assign_encode_assignment = _function("eb_assign_encode_assignment", *_FRAME, *_FRAME)
assign_range = _function("eb_assign_range", *_FRAME, *_FRAME)


def address(name: str) -> int:
    """Return where a function of the library is."""
    return cast(_library[name], c_void_p).value or 0


def answer(result: int) -> int:
    """Return what a call on this thread answered, the contract's -1 included, or raise why not."""
    if result < -1:
        raise failure(result)
    return result


def failure(status: int) -> Exception:
    """Return the exception for a status that a call on this thread just answered with."""
    return _EXCEPTIONS.get(status, InternalError)(_message() or _strerror(status).decode())


def _message() -> str:
    # In one call: a signal handler that fails between two would change the text
    # under its own length.
    text = ctypes.create_string_buffer(_MAX_MESSAGE)
    length = _last_error(text, _MAX_MESSAGE)
    return text.raw[: max(length, 0)].decode(errors="replace")
