"""What several test files need."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from handlers import PROGRAM_HANG
from handles import ByHandles
from hypothesis import settings

import eventbroker
from eventbroker import EventBroker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

settings.register_profile("no deadline", deadline=None)  # a busy machine is no failure
settings.load_profile("no deadline")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # for the programs that tests start


@pytest.fixture(params=[EventBroker, ByHandles])
def broker(request: pytest.FixtureRequest) -> Iterator[EventBroker]:
    """A broker whose topic t has two partitions, with room for 5 records each."""
    with request.param(5) as made:
        assert made.create("t", 2)
        yield made


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program in a fresh interpreter that imports this same package."""

    def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
        package = str(Path(eventbroker.__file__).parents[1])
        found = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        return subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": found, **environment},
            capture_output=True,
            text=True,
            timeout=PROGRAM_HANG,
            check=False,
        )

    return run
