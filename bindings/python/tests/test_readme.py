"""The pages' programs run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import eventbroker

if TYPE_CHECKING:
    import pytest

_CHECKOUT = Path(__file__).parents[3]


def _programs(page: str) -> list[str]:
    text = (_CHECKOUT / page).read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_tour() -> None:
    names: dict[str, object] = {"eventbroker": eventbroker}
    exec(_programs("README.md")[0], names)
    assert names["made"] is True
    assert names["offset"] == 0
    assert names["owned"] == [0]
    assert names["records"] == [eventbroker.BrokerRecord("orders", 0, 0, "a book")]
    assert names["acked"] is True


def test_message() -> None:
    names: dict[str, object] = {"eventbroker": eventbroker}
    exec(_programs("README.md")[1], names)
    assert names["made"] is True
    assert names["offset"] == 0
    assert names["d"] == eventbroker.Delivery("orders", 0, "a book", 1)
    assert names["acked"] is True
    assert names["letters"] == []


def test_pubsub() -> None:
    names: dict[str, object] = {"eventbroker": eventbroker, "bill": lambda payload: payload > ""}
    exec(_programs("README.md")[2], names)
    assert names["made"] is True
    assert names["offset"] == 0
    assert names["confirmed"] == 1


def test_assign() -> None:
    sent = eventbroker.assign.Subscription(0, ["orders"]).encode()
    names: dict[str, object] = {"assign": eventbroker.assign, "sent": sent}
    exec(_programs("README.md")[3], names)
    assert names["owned"] == {"m1": {"orders": [0, 1, 2]}}


# Each program says in a comment what it prints.
def test_page(capsys: pytest.CaptureFixture[str]) -> None:
    programs = _programs("bindings/python/README.md")
    assert len(programs) == 5
    for program in programs:
        exec(program, {})
        printed = capsys.readouterr().out.splitlines()
        assert printed
        for line in printed:
            assert f"# {line}\n" in program
