"""Builds library and accelerator into the wheel, or puts their sources into the sdist."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = "libeventbroker.so.1"
_ACCELERATOR = "_accel.abi3.so"
_UNABLE = 3  # what accel/build.sh says where there is no compiler or no Python.h


class LibraryHook(BuildHookInterface[Any]):
    """Adds libeventbroker.so.1 beside the modules; in place, to the checkout's build/lib.

    The accelerator goes beside the modules in both cases, where it can be built.
    To an sdist it adds, as the folder go, what the library is built from.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library before the wheel is written."""
        sources = self._sources()
        if self.target_name == "sdist":
            for file in _go_files(sources):
                build_data["force_include"][str(file)] = f"go/{file.relative_to(sources)}"
            return
        self._refuse_where_it_cannot_work()
        if version == "editable":
            self._build(sources, sources / "build" / "lib")
            self._build_accelerator(Path(self.root) / "src" / "eventbroker")
            return
        self._folder = TemporaryDirectory()
        built = Path(self._folder.name)
        self._build(sources, built)
        self._build_accelerator(built)
        for file in (built / _FILE, built / _ACCELERATOR, sources / "cabi" / "NOTICES"):
            if file.exists():
                build_data["force_include"][str(file)] = f"eventbroker/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform().replace('-', '_').replace('.', '_')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built once it is in the wheel."""
        del version, build_data, artifact_path
        if hasattr(self, "_folder"):
            self._folder.cleanup()

    def _sources(self) -> Path:
        """Return where the Go sources are: in an sdist, or in the checkout around us."""
        for folder in (Path(self.root) / "go", Path(self.root).parents[1]):
            if (folder / "cabi" / "build.sh").is_file():
                return folder
        self.app.abort("eventbroker is built from an sdist or a whole checkout, with cabi/build.sh")
        raise AssertionError  # abort does not return

    def _refuse_where_it_cannot_work(self) -> None:
        if not _platform().startswith("linux"):
            self.app.abort(f"eventbroker is for Linux; this is {_platform()}")
        if "musl" in str(sysconfig.get_config_var("SOABI")):
            self.app.abort("eventbroker needs glibc: under musl a Go library cannot be loaded")

    def _build(self, sources: Path, folder: Path) -> None:
        built = _run(sources / "cabi" / "build.sh", folder)
        if built.returncode != 0:
            self.app.abort(f"eventbroker's library could not be built: {built.stderr.strip()}")

    def _build_accelerator(self, folder: Path) -> None:
        built = _run(Path(self.root) / "accel" / "build.sh", folder, sys.executable)
        if built.returncode == _UNABLE:
            self.app.display_warning(f"eventbroker without accelerator: {built.stderr.strip()}")
        elif built.returncode != 0:
            self.app.abort(f"eventbroker's accelerator could not be built: {built.stderr.strip()}")


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True)


def _go_files(sources: Path) -> Iterator[Path]:
    """Give each file that cabi/build.sh needs, and the licences that go along."""
    yield from (sources / name for name in ("go.mod", "go.sum", "cabi/build.sh", "cabi/NOTICES"))
    for pattern in ("broker/**/*.go", "cabi/**/*.go", "cabi/*.c", "cabi/*.h", "cabi/*.map"):
        yield from (f for f in sorted(sources.glob(pattern)) if not f.name.endswith("_test.go"))


def _platform() -> str:
    return sysconfig.get_platform()
