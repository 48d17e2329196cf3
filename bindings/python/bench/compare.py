"""Compares the binding with what else a Python program might use.

    python3 bindings/python/bench/compare.py [--json] [--rounds N] [--seconds S] [ROW ...]

Each round runs one process for each side, one after the other, and only their
ratio counts, since a machine drifts by a third within minutes. --json prints
rows of {"name", "unit", "ours", "peer", "target", "rounds"}, the rounds being
pairs of nanoseconds a unit, ours first.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

SIDE = Path(__file__).with_name("side.py")
WORK = "publish 100 bytes, poll, ack"


@dataclass
class Row:
    """A comparison; a side is a name, with -c behind it for the accelerator."""

    name: str
    unit: str
    ours: str
    peer: str
    target: float | None
    rounds: list[tuple[float, float]]


ROWS = [
    Row("Python, ctypes, W by handles", WORK, "handles", "handwritten", 0.75, []),
    Row("Python, ctypes, W, names remembered", WORK, "handles", "remembering", None, []),
    Row("Python, ctypes, W by names", WORK, "names", "handwritten", None, []),
    Row("Python, ctypes, W in batches of 64", WORK, "batches", "handwritten", None, []),
    Row("Python, ctypes, poll of 64", "a record", "polled", "structures", 0.6, []),
    Row("Python, accelerator, W by handles", WORK, "handles-c", "handwritten", 0.16, []),
    Row("Python, accelerator, W, names remembered", WORK, "handles-c", "remembering", None, []),
    Row("Python, accelerator, W by names", WORK, "names-c", "handwritten", None, []),
    Row("Python, accelerator, W in batches of 64", WORK, "batches-c", "handwritten", None, []),
    Row("Python, accelerator, poll of 64", "a record", "polled-c", "structures", None, []),
    Row("Python, accelerator, message broker's W", WORK, "messages-c", "messages", None, []),
]


def time_of(side: str, seconds: float) -> float:
    """Run a side in a fresh interpreter."""
    pure = "0" if side.endswith("-c") else "1"
    done = subprocess.run(
        [sys.executable, SIDE, side.removesuffix("-c"), str(seconds)],
        env={**os.environ, "EVENTBROKER_PURE": pure},
        stdout=subprocess.PIPE,
        check=True,
    )
    return float(done.stdout)


def shown(row: Row) -> str:
    """Return a line with the median ratio, the least and the greatest."""
    ratios = sorted(ours / peer for ours, peer in row.rounds)
    ours, peer = (median(times) for times in zip(*row.rounds, strict=True))
    target = "" if row.target is None else f"  target {row.target}"
    return (
        f"{row.name:42}{ours:8.0f} ns{peer:8.0f} ns  ratio {median(ratios):.3f} "
        f"({ratios[0]:.3f} to {ratios[-1]:.3f}){target}"
    )


def main() -> None:
    """Run the rounds and print what they came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print all rounds as JSON")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each side in a round")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="words of the rows to run")
    given = parser.parse_args()
    rows = [row for row in ROWS if all(word in row.name for word in given.rows)]
    for _ in range(given.rounds):
        for row in rows:
            ours = time_of(row.ours, given.seconds)
            row.rounds.append((ours, time_of(row.peer, given.seconds)))
    if given.json:
        print(json.dumps([asdict(row) for row in rows]))
    else:
        print(*map(shown, rows), sep="\n")


if __name__ == "__main__":
    main()
