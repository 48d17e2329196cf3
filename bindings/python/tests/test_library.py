"""Which library is loaded, and what is said when none can be."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from handlers import PROGRAM_HANG

from eventbroker import _ffi

if TYPE_CHECKING:
    from collections.abc import Callable

    RunPython = Callable[..., subprocess.CompletedProcess[str]]

LIBRARY = Path(_ffi._library._name)
SHOW = "import eventbroker; print(eventbroker._ffi._library._name)"
USE = "from eventbroker import *; print(EventBroker(1).create('t', 1))"


def compiled(folder: Path, source: str) -> Path:
    """Compile a small library that is not ours."""
    (folder / "other.c").write_text(source, encoding="utf-8")
    file = folder / "other.so"
    subprocess.run(["gcc", "-shared", "-o", file, folder / "other.c"], check=True)
    return file


def refusal(run_python: RunPython, file: Path | str) -> str:
    """Import the package with that library and return what ImportError said."""
    program = "try: import eventbroker\nexcept ImportError as e: print(e.name, e, sep=': ')"
    done = run_python(program, EVENTBROKER_LIBRARY=str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("eventbroker: cannot load the eventbroker library: ")
    return done.stdout


def test_the_library_is_called_without_the_interpreters_lock() -> None:
    assert type(_ffi._library) is ctypes.CDLL


def test_the_environment_names_another_copy(run_python: RunPython, tmp_path: Path) -> None:
    copy = shutil.copy(LIBRARY, tmp_path / "renamed.so")
    assert run_python(SHOW, EVENTBROKER_LIBRARY=str(copy)).stdout.strip() == str(copy)


def test_one_that_could_be_loaded_but_is_not_does_not_come_first(
    run_python: RunPython, tmp_path: Path
) -> None:
    shutil.copy(LIBRARY, tmp_path)
    done = run_python(SHOW, EVENTBROKER_LIBRARY=str(LIBRARY), LD_LIBRARY_PATH=str(tmp_path))
    assert done.stdout.strip() == str(LIBRARY)


@pytest.mark.parametrize("scope", ["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_a_library_in_the_process_comes_first(
    run_python: RunPython, tmp_path: Path, scope: str
) -> None:
    resident = shutil.copy(LIBRARY, tmp_path)
    done = run_python(
        f"import ctypes; ctypes.CDLL({str(resident)!r}, mode=ctypes.{scope})\n"
        f"{USE}\n"
        "print(sorted({l.split()[-1] for l in open('/proc/self/maps') if 'libeventbroker' in l}))",
        EVENTBROKER_LIBRARY="/nowhere",
    )
    assert (done.stdout, done.stderr) == (f"True\n[{str(resident)!r}]\n", "")


def test_a_program_that_links_the_library_shares_its_broker(tmp_path: Path) -> None:
    """A host written in C embeds Python; both use one broker and one runtime."""
    python = sysconfig.get_config_vars()
    if not python["Py_ENABLE_SHARED"] or not Path(python["INCLUDEPY"], "Python.h").exists():
        pytest.skip("there is no libpython or no header to embed this Python with")
    (tmp_path / "host.c").write_text(HOST, encoding="utf-8")
    folder = python["LIBDIR"]
    subprocess.run(
        [
            *("gcc", "-o", tmp_path / "host", tmp_path / "host.c", f"-I{python['INCLUDEPY']}"),
            *(LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}"),
            *(f"-L{folder}", f"-Wl,-rpath,{folder}", f"-lpython{python['LDVERSION']}"),
        ],
        check=True,
    )
    done = subprocess.run(
        [tmp_path / "host"],
        env={"PYTHONPATH": str(Path(_ffi.__file__).parents[1]), "EVENTBROKER_LIBRARY": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=PROGRAM_HANG,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True False\n0\n", "")


HOST = r"""
#include <Python.h>
extern int64_t eb_event_new(int64_t, const void *, uint64_t *);
extern int64_t eb_event_publish(uint64_t, const char *, int64_t, int64_t, const char *, int64_t);
int main(void) {
    uint64_t broker;
    char program[256];
    if (eb_event_new(1, NULL, &broker) != 0) return 1;
    Py_Initialize();
    snprintf(program, sizeof program,
             "from eventbroker import EventBroker\n"
             "b = EventBroker.from_handle(%llu)\n"
             "print(b.create('t', 1), b.create('t', 1))\n", (unsigned long long)broker);
    if (PyRun_SimpleString(program) != 0 || Py_FinalizeEx() != 0) return 1;
    printf("%d\n", (int)eb_event_publish(broker, "t", 1, 0, "x", 1)); /* still open */
    return 0;
}
"""


def test_a_file_that_does_not_exist(run_python: RunPython, tmp_path: Path) -> None:
    assert "EVENTBROKER_LIBRARY names, is no file" in refusal(run_python, tmp_path / "none.so")
    assert "EVENTBROKER_LIBRARY names, is no file" in refusal(run_python, tmp_path)


def test_a_file_that_is_no_library(run_python: RunPython, tmp_path: Path) -> None:
    for content in (b"", b"#!/bin/sh\n"):
        (tmp_path / "text.so").write_bytes(content)
        assert "is no shared library" in refusal(run_python, tmp_path / "text.so")


def test_another_processor(run_python: RunPython, tmp_path: Path) -> None:
    content = bytearray(LIBRARY.read_bytes())
    content[18:20] = b"\xf3\x00"  # RISC-V
    (tmp_path / "other.so").write_bytes(content)
    assert "another processor" in refusal(run_python, tmp_path / "other.so")


def test_another_library(run_python: RunPython, tmp_path: Path) -> None:
    assert "is not libeventbroker" in refusal(run_python, compiled(tmp_path, "int x;"))


@pytest.mark.parametrize("version", ["0.9", "2.0"])
def test_another_major_version(run_python: RunPython, tmp_path: Path, version: str) -> None:
    major, minor = version.split(".")
    source = f"long long eb_abi_version(void) {{ return {major} * 65536LL + {minor}; }}"
    said = refusal(run_python, compiled(tmp_path, source))
    assert f"has interface version {version}, and 1.0 or a later 1.x is needed" in said


UNRESOLVED = "int missing(void); int other(void) { return missing(); }"


def test_a_library_the_loader_refuses(run_python: RunPython, tmp_path: Path) -> None:
    said = refusal(run_python, compiled(tmp_path, UNRESOLVED))
    assert "other.so: undefined symbol: missing" in said


def test_under_musl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: "cpython-311-x86_64-linux-musl")
    with pytest.raises(ImportError, match="musl"):
        _ffi._open(compiled(tmp_path, UNRESOLVED))


def test_no_library_at_all_says_how_to_get_one(run_python: RunPython, tmp_path: Path) -> None:
    package = tmp_path / "a" / "b" / "c" / "eventbroker"
    shutil.copytree(Path(_ffi.__file__).parent, package, ignore=shutil.ignore_patterns("*.so*"))
    done = run_python("import eventbroker", PYTHONPATH=str(package.parent), EVENTBROKER_LIBRARY="")
    assert done.returncode == 1
    for words in (
        "pip install ./bindings/python",
        "cabi/build.sh build/lib",
        "EVENTBROKER_LIBRARY",
    ):
        assert words in done.stderr


def test_a_package_near_the_root_has_no_checkout_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_ffi, "_PACKAGE", Path("/app/eventbroker"))
    monkeypatch.setenv("EVENTBROKER_LIBRARY", "")
    with pytest.raises(ImportError, match=r"^cannot load .* /app/eventbroker/lib.* does not exist"):
        _ffi._locate()


def test_a_message_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a signal handler that fails meanwhile makes of it from one call to the next."""
    texts = iter([b"a long message", "é".encode(), b"another"])

    def changing(buffer: ctypes.Array[ctypes.c_char] | None, size: int) -> int:
        text = next(texts)
        if buffer is not None:
            ctypes.memmove(buffer, text, min(len(text), size))
        return len(text)

    monkeypatch.setattr(_ffi, "_last_error", changing)
    assert str(_ffi.failure(-2)) == "a long message"
