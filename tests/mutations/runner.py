"""Run in a process of its own: for each fault, a fork imports the faulty source and says whether it is found.

What takes long to import and is not the project's is imported once, before the forks.
"""

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import attrs
import hypothesis.strategies  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import scipy.special
import scipy.stats  # noqa: F401

ROOT = Path(__file__).parents[2]
FOUND, NOT_FOUND, SKIPPED = "found", "not found", "skipped"


def copy_with_fault(file: str, old: str, new: str, folder: Path) -> None:
    """Copy the package that a file is in, with the fault."""
    base = ROOT / "plugins" if file.startswith("plugins/") else ROOT
    inside = (ROOT / file).relative_to(base)
    shutil.copytree(base / inside.parts[0], folder / inside.parts[0], ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / file).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{file} has {text.count(old)} times: {old}")
    (folder / inside).write_text(text.replace(old, new), encoding="utf-8")


def breaks_the_law(kind: str, component: str, law: str) -> str:
    """Say whether a component breaks a law."""
    import qeframe
    from qeframe.testing import checks_of
    from qeframe.testing.laws.checks import LAWS

    sys.path.append(str(ROOT))
    from tests.laws.tries import tries_for  # as many examples as the tests of the laws try

    (made,) = (each for each in LAWS if each.__name__ == kind)
    found = qeframe.load().get(made, component)
    (check,) = [check for check in checks_of(found, tries=tries_for(found)) if check.law.name == law]
    return NOT_FOUND if attrs.evolve(check, shrink=False).search().found is None else FOUND


def fails(test: str) -> str:
    """Say whether a test fails; it is skipped where the golden cases are not here."""
    options = [
        "-q",
        "-x",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(ROOT),
    ]
    with contextlib.redirect_stdout(io.StringIO()) as told:
        status = pytest.main([*options, str(ROOT / test)])
    if "skipped" in told.getvalue() and "passed" not in told.getvalue() and status == pytest.ExitCode.OK:
        return SKIPPED
    results = {pytest.ExitCode.OK: NOT_FOUND, pytest.ExitCode.TESTS_FAILED: FOUND}
    return results.get(pytest.ExitCode(status), told.getvalue()[-500:])


def result_of(fault: dict) -> str:
    """Return what became of one fault, in a fork of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        with os.fdopen(reader) as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        return told or "the process ended early"
    try:
        with tempfile.TemporaryDirectory() as folder:
            if fault["old"]:
                copy_with_fault(fault["file"], fault["old"], fault["new"], Path(folder))
            sys.path.insert(0, folder)
            how = fault["found_by"]
            told = fails(how["test"]) if "test" in how else breaks_the_law(**how)
    except BaseException as error:
        told = f"{type(error).__name__}: {error}"
    os.write(writer, told.encode())
    os._exit(0)


if __name__ == "__main__":
    json.dump([result_of(fault) for fault in json.load(sys.stdin)], sys.stdout)
