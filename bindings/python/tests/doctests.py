"""Runs the examples in the docstrings without pytest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys

import eventbroker


def main() -> int:
    """Return how many examples failed; 1 also when there were none."""
    names = [module.name for module in pkgutil.iter_modules(eventbroker.__path__, "eventbroker.")]
    results = [doctest.testmod(importlib.import_module(name)) for name in ["eventbroker", *names]]
    return sum(result.failed for result in results) if any(r.attempted for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
