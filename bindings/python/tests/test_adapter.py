"""The conformance kit's adapter of this binding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from handlers import PROGRAM_HANG

import eventbroker

ADAPTER = Path(__file__).resolve().parents[3] / "conformance" / "adapters" / "python"


def answers(
    *requests: dict[str, Any], env: dict[str, str] | None = None, options: tuple[str, ...] = ()
) -> list[Any]:
    """Give the adapter these lines and return its own."""
    done = subprocess.run(
        [sys.executable, ADAPTER, *options],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=PROGRAM_HANG,
        check=False,
        env=env,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def results(*calls: list[Any], system: str = "event", new: tuple[Any, ...] = (2,)) -> list[Any]:
    """Make these calls on a broker and return what became of each."""
    [answer] = answers({"id": 1, "system": system, "new": [*new], "threads": [[*calls]]})
    [thread] = answer["results"]
    return list(thread)


def test_end_of_input_is_exit_0() -> None:
    assert answers() == []


def test_hello() -> None:
    [answer] = answers({"hello": {"protocol": 1}})
    hello = answer["hello"]
    assert hello["surface"] == "python-c" if eventbroker.accelerated else "python"
    assert hello["serial"] is eventbroker.accelerated
    assert hello["systems"] == ["event", "message", "pubsub", "assign"]
    assert hello["features"] == ["null_strings", "wide_integers", "redeliver", "status", "batch"]
    errors = {"invalid_argument": "ValueError", "timed_out": "eventbroker.TimedOutError"}
    assert hello["errors"] == errors


def test_the_checkout_is_judged_and_not_what_is_installed(tmp_path: Path) -> None:
    """An installed version would pass where the one at hand is broken."""
    installed = tmp_path / "eventbroker"
    installed.mkdir()
    (installed / "__init__.py").write_text("raise RuntimeError('the installed one')\n", "utf-8")
    [answer] = answers({"hello": {"protocol": 1}}, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert answer["hello"]["surface"].startswith("python")


def test_a_record_is_a_map() -> None:
    calls: list[Any] = [["create", "t", 1], ["publish", "t", 0, "é\0"], ["join", "t", "g", "m"]]
    records = [{"topic": "t", "partition": 0, "offset": 0, "payload": "é\0"}]
    assert results(*calls, ["poll", "t", "g", "m", 1]) == [
        {"ok": True},
        {"ok": 0},
        {"ok": [0]},
        {"ok": records},
    ]


def test_deliveries_and_dead_letters_are_maps_and_nothing_is_null() -> None:
    calls: list[Any] = [["create_topic", "t"], ["poll", "t", "g"], ["publish", "t", "x"]]
    calls += [["poll", "t", "g"], ["nack", "t", "g", 0, 1], ["dead_letters", "t", "g"], ["close"]]
    said = results(*calls, system="message", new=(1, {"max_payload": 1}))
    assert [answer.get("ok") for answer in said] == [
        *(True, None, 0),
        {"topic": "t", "offset": 0, "payload": "x", "attempt": 1},
        True,
        [{"topic": "t", "offset": 0, "payload": "x", "attempts": 1}],
        None,
    ]
    assert said[-1]["error"] == "LookupError"


def test_handlers_follow_their_rules() -> None:
    inner: list[Any] = [{"ret": "throw"}]
    rules: list[Any] = [
        {"match": "x", "times": 1, "do": [["subscribe", "t", "b", inner], ["subscribe", "t"]]},
        {"match": "y", "ret": False},
    ]
    admits = {"filter": {"pass": ["x"], "throw": ["y"]}, "policy": "disconnect"}
    calls: list[Any] = [
        *(["create_topic", "t", {"retain": 9}], ["subscribe", "t", "a", rules]),
        *(["subscribe", "t", "c", [], admits], ["subscribe", "t", "c", []]),
        *(["publish", "t", "x"], ["drain"], ["publish", "t", "y"], ["publish", "t", "z"]),
        ["drain"],
        *(["calls_of", "t", name] for name in "abcd"),
        *(["dead_letters", "t", name] for name in "abc"),
        *(["redeliver", "t", "a"], ["status", "t", "a"], ["handle"]),
    ]
    said = results(*calls, system="pubsub", new=({"max_attempts": 1},))
    assert [answer.get("ok") for answer in said] == [
        *(True, None, None, None, 0, 2, 1, 2, 1),
        *(["x", "y", "z"], ["y", "z"], ["x"], []),
        [{"offset": 1, "payload": "y", "attempts": 1}],
        [{"offset": n, "payload": "xyz"[n], "attempts": 1} for n in (1, 2)],
        [{"offset": 1, "payload": "y", "attempts": 1}],
        1,
        {"subscribed": True, "offset": 3, "attempts": 0, "lost": 0, "disconnected": False},
        None,
    ]
    assert [answer["error"] for answer in said if "error" in answer] == [
        "ValueError",
        "LookupError",
    ]


def test_subscriptions_and_assignments_are_maps_and_bytes_are_hex() -> None:
    owned = [{"topic": "é", "partitions": [1, 2]}]
    subscription = {
        "version": 3,
        "topics": ["a"],
        "user_data": {"hex": "00ff"},
        "owned_partitions": owned,
        "generation_id": 7,
        "rack_id": None,
    }
    assignment = {"version": 0, "partitions": owned, "user_data": None}
    for name, fields in (("subscription", subscription), ("assignment", assignment)):
        [encoded] = results([f"encode_{name}", fields], system="assign", new=())
        assert encoded["ok"].keys() == {"hex"}
        assert results([f"decode_{name}", encoded["ok"]], system="assign", new=()) == [
            {"ok": fields}
        ]
        left_out = {key: value for key, value in fields.items() if value is not None}
        assert results([f"encode_{name}", left_out], system="assign", new=()) == [encoded]


def test_members_are_maps_and_a_topic_may_be_called_hex() -> None:
    members = [{"id": "b", "topics": ["hex"]}, {"id": "a", "topics": ["hex"], "instance_id": None}]
    calls: list[Any] = [["range_assign", {"hex": 3}, members], ["range_assign", {}, [{}]], ["new"]]
    divided, wrong, unknown = results(*calls, system="assign", new=())
    assert divided == {"ok": {"a": {"hex": [0, 1]}, "b": {"hex": [2]}}}
    assert (wrong["error"], unknown["error"]) == ("TypeError", "LookupError")


def test_by_handles() -> None:
    calls: list[Any] = [
        *(["publish", "t", 0, "x"], ["create", "t", 1], ["publish", "t", 0, "x"]),
        *(["publish", {}, 0, "x"], ["join", "t", "g", "m"], ["poll", "t", "g", "m", 1]),
        *(["ack_many", "t", "g", "m", [[0, 0], [0, 0]]], ["publish_many", "t", [[0, "y"]]]),
    ]
    case = {"id": 1, "system": "event", "new": [2], "threads": [calls]}
    hello, answer = answers({"hello": {"protocol": 1}}, case, options=("--handles",))
    assert hello["hello"]["surface"].endswith("-handles")
    assert hello["hello"]["systems"] == ["event"]
    record = {"topic": "t", "partition": 0, "offset": 0, "payload": "x"}
    assert [made.get("ok", made.get("error")) for made in answer["results"][0]] == [
        *("ValueError", True, 0, "TypeError", [0], [record], [True, False], [1])
    ]


WRONG: list[list[Any]] = [
    ["create", None, 1],
    ["create", "\ud83d", 1],
    ["create", {"hex": "ff00"}, 1],
    ["create", "t", 2**64],
    ["create", "t"],
    ["close"],
    ["__init__", 1],
]


def test_errors_have_their_full_names() -> None:
    said = results(*WRONG)
    assert [r["error"] for r in said] == [
        *("ValueError", "ValueError", "TypeError", "ValueError", "TypeError"),
        *("LookupError", "LookupError"),
    ]
    assert said[0]["message"] == "invalid argument: topic: is null"


def test_options_are_a_map_behind_the_arguments() -> None:
    calls = [["create", "t", 1], ["publish", "t", 0, "ab"]]
    assert results(*calls, new=(2, {"max_payload": 1}))[1]["error"] == "ValueError"
    assert results(*calls, new=(2, {"max_payload": 2}))[1] == {"ok": 0}


def test_a_refused_constructor_has_no_results() -> None:
    [answer] = answers({"id": 7, "system": "event", "new": [0], "threads": [[["create", "t", 1]]]})
    assert answer["id"] == 7
    assert answer["new"]["error"] == "ValueError"
    assert answer["results"] == []


def test_an_unknown_system_is_an_answer() -> None:
    [answer] = answers({"id": 8, "system": "nope", "new": [], "threads": []})
    assert (answer["id"], answer["new"]["error"]) == (8, "KeyError")


def test_recorded_threads_run_at_once_and_tell_when() -> None:
    threads = [[["create", "t", 1]] * 20] * 4
    [answer] = answers({"id": 9, "system": "event", "new": [1], "threads": threads, "record": True})
    made = [result["ok"] for thread in answer["results"] for result in thread]
    assert sorted(made) == [False] * 79 + [True]
    for thread in answer["results"]:
        moments = [moment for result in thread for moment in result["at"]]
        assert moments == sorted(moments)
