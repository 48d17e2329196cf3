"""What pip builds: a wheel with the library inside, or a sentence that says why not."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

PROJECT = Path(__file__).resolve().parents[1]
CHECKOUT = PROJECT.parents[1]
BUILD = "import build_backend; build_backend.build_wheel({!r})"

for needed in ("hatchling", "auditwheel"):
    pytest.importorskip(needed)
pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")


def build(project: Path, wheels: Path, program: str = "", **environment: str) -> str:
    """Build a wheel as pip does and return what was said."""
    done = subprocess.run(
        [sys.executable, "-c", program + BUILD.format(str(wheels))],
        cwd=project,
        env=environment or None,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout.strip()


def files(folder: Path) -> set[Path]:
    caches = {".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "__pycache__"}
    return {p for p in folder.rglob("*") if caches.isdisjoint(p.parts)}


def test_a_wheel_has_the_library_and_leaves_nothing_behind(
    tmp_path: Path, run_python: RunPython
) -> None:
    before = files(PROJECT)
    assert build(PROJECT, tmp_path) == ""
    assert files(PROJECT) == before
    [wheel] = tmp_path.iterdir()
    assert "-py3-none-manylinux_" in wheel.name
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    shown = run_python(
        "import eventbroker as e\n"
        "print(e.accelerated, e.EventBroker(1).create('t', 1), e._ffi._library._name)",
        PYTHONPATH=str(tmp_path / "site"),
        EVENTBROKER_LIBRARY="",
        EVENTBROKER_PURE="",
    )
    library = tmp_path / "site" / "eventbroker" / "libeventbroker.so.1"
    assert shown.stdout == f"True True {library}\n"
    assert (tmp_path / "site" / "eventbroker" / "py.typed").exists()


def test_where_the_accelerator_cannot_be_built_it_says_so(tmp_path: Path) -> None:
    """Python.h is in a package of its own; the wheel does without."""
    said = build(
        PROJECT,
        tmp_path,
        "import subprocess\n"
        "run = subprocess.run\n"
        "def unable(command, **options):\n"
        "    if 'accel' not in str(command[0]): return run(command, **options)\n"
        "    return subprocess.CompletedProcess(command, 3, '', 'Python.h is missing')\n"
        "subprocess.run = unable\n",
    )
    assert said == "eventbroker without accelerator: Python.h is missing"
    [wheel] = tmp_path.iterdir()
    assert "eventbroker/_accel.abi3.so" not in zipfile.ZipFile(wheel).namelist()


def test_without_go_it_says_so(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("bash", "dirname", "gcc"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    said = build(PROJECT, tmp_path, PATH=str(tools))
    assert "go is missing" in said
    assert len(said.splitlines()) == 1


def test_under_musl_it_says_so(tmp_path: Path) -> None:
    said = build(
        PROJECT,
        tmp_path,
        "import sysconfig; sysconfig.get_config_var = lambda name: 'cpython-311-linux-musl'\n",
    )
    assert said == "eventbroker needs glibc: under musl a Go library cannot be loaded"


def test_outside_a_checkout_it_says_so(tmp_path: Path) -> None:
    project = tmp_path / "bindings" / "python"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("tests", ".*", "__pycache__"))
    assert "built from an sdist or a whole checkout" in build(project, tmp_path)


def test_a_wheel_that_auditwheel_refuses_says_why(tmp_path: Path) -> None:
    """Made by a hatchling that puts no library in."""
    said = build(
        PROJECT,
        tmp_path,
        "import zipfile, build_backend\n"
        "def build_wheel(folder, *_):\n"
        "    with zipfile.ZipFile(f'{folder}/e-1-py3-none-any.whl', 'w') as wheel:\n"
        "        wheel.writestr('e-1.dist-info/WHEEL', 'Tag: py3-none-any')\n"
        "        wheel.writestr('e-1.dist-info/RECORD', '')\n"
        "    return 'e-1-py3-none-any.whl'\n"
        "build_backend.hatchling.build_wheel = build_wheel\n",
    )
    assert said.startswith("eventbroker's wheel could not be tagged: ")
    assert "no ELF executable or shared library" in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_license_is_that_of_the_checkout() -> None:
    """A link to it would lead out of the sdist."""
    assert (PROJECT / "LICENSE").read_bytes() == (CHECKOUT / "LICENSE").read_bytes()


def test_a_defect_of_the_library_is_an_internal_error(
    tmp_path: Path, run_python: RunPython
) -> None:
    """A library built with a hook that panics poisons its broker, and only that one."""
    builder = CHECKOUT / "cabi" / "build.sh"
    subprocess.run([builder, tmp_path, "-tags", "ebtest"], check=True, timeout=300)
    done = run_python(
        "from eventbroker import EventBroker, InternalError, _ffi\n"
        "broken, other = EventBroker(1), EventBroker(1)\n"
        "panic = _ffi._function('eb_test_panic', _ffi.c_uint64)\n"
        "assert type(_ffi.failure(panic(broken.handle))) is InternalError\n"
        "try: broken.create('t', 1)\n"
        "except InternalError as error: print(str(error).splitlines()[0])\n"
        "broken.close()\n"
        "print(other.create('t', 1))\n",
        EVENTBROKER_LIBRARY=str(tmp_path / "libeventbroker.so.1"),
    )
    assert done.stderr == ""
    said, other = done.stdout.splitlines()
    assert said.startswith("internal error: asked to")
    assert other == "True"
