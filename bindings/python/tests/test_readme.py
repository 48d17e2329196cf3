"""The pages' programs run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import eventbroker

if TYPE_CHECKING:
    import pytest

_CHECKOUT = Path(__file__).parents[3]


def _program(page: str) -> str:
    (program,) = re.findall(
        r"^```python\n(.*?)^```", (_CHECKOUT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return str(program)


def test_tour() -> None:
    names: dict[str, object] = {"eventbroker": eventbroker}
    exec(_program("README.md"), names)
    assert names["made"] is True
    assert names["offset"] == 0
    assert names["owned"] == [0]
    assert names["records"] == [eventbroker.BrokerRecord("orders", 0, 0, "a book")]
    assert names["acked"] is True


def test_page(capsys: pytest.CaptureFixture[str]) -> None:
    exec(_program("bindings/python/README.md"), {})
    assert (
        capsys.readouterr().out
        == "BrokerRecord(topic='orders', partition=0, offset=0, payload='a')\n"
    )
