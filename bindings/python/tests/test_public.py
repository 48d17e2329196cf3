"""What the package offers by name."""

from __future__ import annotations

import inspect

import pytest

import eventbroker
from eventbroker import assign

PUBLIC = [("eventbroker", name) for name in eventbroker.__all__]
PUBLIC = [one for one in PUBLIC if one[1] not in ("accelerated", "assign")]
PUBLIC += [("eventbroker.assign", name) for name in assign.__all__]


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_a_public_name_is_documented_and_says_where_it_lives(module: str, name: str) -> None:
    public = getattr(eventbroker if module == "eventbroker" else assign, name)
    assert public.__module__ == module
    assert public.__doc__
    for method, function in inspect.getmembers(public, callable):
        assert method.startswith("_") or inspect.getdoc(function), method


def test_the_module_of_assignment_comes_with_the_package() -> None:
    assert eventbroker.assign is assign
    assert "range_assign" in str(assign.__doc__)
