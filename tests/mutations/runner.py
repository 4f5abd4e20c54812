"""Run in a process of its own: for each fault, a fork imports the faulty source and says whether it is found.

What is not the project's is imported once, before the forks.
"""

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path

import attrs
import pytest

import qeframe
import qeframe.testing

ROOT = Path(__file__).parents[2]
FOUND, NOT_FOUND, SKIPPED = "found", "not found", "skipped"


def forget_the_project() -> None:
    """Have its modules imported again; what they import of others stays."""
    qeframe.load()
    for name in [name for name in sys.modules if name.startswith("qeframe")]:
        del sys.modules[name]


def plant(file: str, old: str, new: str) -> None:
    """Have a module compiled with the fault."""
    path = ROOT / file
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{file} has {text.count(old)} times: {old}")
    plain = SourceFileLoader.get_code

    def get_code(loader, name):
        if Path(loader.path) == path:
            return compile(text.replace(old, new), path, "exec")
        return plain(loader, name)

    SourceFileLoader.get_code = get_code


def breaks_the_law(kind: str, component: str, law: str) -> str:
    """Say whether a component breaks a law."""
    import qeframe
    from qeframe.testing.laws.checks import LAWS

    sys.path.append(str(ROOT))
    from tests.laws.tries import checks_to_try  # as many examples as the tests of the laws try

    (made,) = (each for each in LAWS if each.__name__ == kind)
    found = qeframe.load().get(made, component)
    (check,) = [check for check in checks_to_try(found) if check.law.name == law]
    return NOT_FOUND if attrs.evolve(check, shrink=False).search().found is None else FOUND


def fails(*tests: str) -> str:
    """Say whether a test fails; it is skipped where the golden cases are not here."""
    options = ["-qx", "--assert=plain", "-pno:cacheprovider", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT]
    with contextlib.redirect_stdout(io.StringIO()) as told:
        status = pytest.main(list(map(str, [*options, *(ROOT / test for test in tests)])))
    if "skipped" in told.getvalue() and "passed" not in told.getvalue() and status == pytest.ExitCode.OK:
        return SKIPPED
    results = {pytest.ExitCode.OK: NOT_FOUND, pytest.ExitCode.TESTS_FAILED: FOUND}
    return results.get(pytest.ExitCode(status), told.getvalue()[-500:])


def result_of(fault: dict) -> str:
    """Say whether a fault is found."""
    plant(fault["file"], fault["old"], fault["new"])
    how = fault["found_by"]
    return fails(how["test"]) if "test" in how else breaks_the_law(**how)


def in_a_fork(work: Callable[..., str], *given: object) -> str:
    """Return what comes of work in a fork of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        with os.fdopen(reader) as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        return told or "the process ended early"
    try:
        told = work(*given)
    except BaseException as error:
        told = f"{type(error).__name__}: {error}"
    os.write(writer, told.encode())
    os._exit(0)


if __name__ == "__main__":
    forget_the_project()
    faults = json.load(sys.stdin)
    cases = sorted({fault["found_by"]["test"] for fault in faults if "test" in fault["found_by"]})
    found = [in_a_fork(result_of, fault) for fault in faults]
    json.dump({"as they are": in_a_fork(fails, *cases), "faults": found}, sys.stdout)
