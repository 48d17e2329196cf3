"""Builds the library with Go and puts it into the wheel, for hatchling."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_FILE = "libeventbroker.so.1"


class LibraryHook(BuildHookInterface[Any]):
    """Adds libeventbroker.so.1 beside the modules; in place, to the checkout's build/lib."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library before the wheel is written."""
        checkout = Path(self.root).parents[1]
        self._refuse_where_it_cannot_work(checkout)
        if version == "editable":
            self._build(checkout, checkout / "build" / "lib")
            return
        self._folder = TemporaryDirectory()
        self._build(checkout, Path(self._folder.name))
        build_data["force_include"][f"{self._folder.name}/{_FILE}"] = f"eventbroker/{_FILE}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform().replace('-', '_').replace('.', '_')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built once it is in the wheel."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()

    def _refuse_where_it_cannot_work(self, checkout: Path) -> None:
        if not _platform().startswith("linux"):
            self.app.abort(f"eventbroker is for Linux; this is {_platform()}")
        if "musl" in str(sysconfig.get_config_var("SOABI")):
            self.app.abort("eventbroker needs glibc: under musl a Go library cannot be loaded")
        if not (checkout / "cabi" / "build.sh").is_file():
            self.app.abort("eventbroker is built from a whole checkout, which has cabi/build.sh")

    def _build(self, checkout: Path, folder: Path) -> None:
        built = subprocess.run(
            [checkout / "cabi" / "build.sh", folder],
            check=False,
            capture_output=True,
            text=True,
        )
        if built.returncode != 0:
            self.app.abort(f"eventbroker's library could not be built: {built.stderr.strip()}")


def _platform() -> str:
    return sysconfig.get_platform()
