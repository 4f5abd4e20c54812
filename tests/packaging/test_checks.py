"""The checks of a merge find what they are for: skipped tests, dependencies without a floor."""

import ast
import runpy
import subprocess

import pytest

from tests.executed import NAME, with_notes

TESTS = """
import pytest

def test_skipped():
    pytest.skip("nothing to test")

@pytest.mark.needs_program("no-such-program")
def test_of_a_program():
    raise AssertionError("the program is not there")

@pytest.mark.xfail(reason="known")
def test_known_to_fail():
    raise AssertionError
"""
MODULE = "import pytest\npytest.importorskip('no_such_module')\n"


def test_a_skipped_test_fails_where_nothing_may_be_skipped(root, inner_pytest, monkeypatch):
    """With the hooks of this project."""
    hooks = (root / "tests" / "conftest.py").read_text(encoding="utf-8")
    modules = {"test_some": TESTS, "test_module": MODULE, "conftest": hooks}
    for variable, expected in (("", "3 skipped, 1 xfailed"), ("1", "1 failed, 1 skipped, 1 xfailed, 1 error")):
        monkeypatch.setenv("QEFRAME_NOTHING_SKIPPED", variable)
        _, output = inner_pytest(modules, "-c", root / "pyproject.toml", "--continue-on-collection-errors")
        assert output.splitlines()[-1].rpartition(" in ")[0] == expected


@pytest.mark.parametrize(("last", "status"), [("wait", 0), ("false", 1)])
def test_the_run_of_all_checks_ends_with_the_status_of_its_last_command(root, tmp_path, last, status):
    """Whether or not its job in the background has ended; its folders are removed, its job is stopped."""
    (trap,) = (
        line for line in (root / ".ci" / "run").read_text(encoding="utf-8").splitlines() if line.startswith("trap ")
    )
    job = "true" if last == "wait" else "sleep 60"
    script = (
        f"set -euo pipefail\ncopy=copied lowest=lowest third=third\nmkdir $copy $lowest $third\n{trap}\n{job} &\n{last}"
    )
    assert subprocess.run(["bash", "-c", script], cwd=tmp_path, timeout=30, check=False).returncode == status
    assert not list(tmp_path.iterdir())


SOURCE = '''"""Text."""
from __future__ import annotations

@staticmethod
def half(x):
    """Text."""
    try:
        match x // 1:
            case 0:
                return 0
            case y:
                x = (y +
                     1) / 0
    except ZeroDivisionError:
        return 1
    else:
        return 2

class Never:
    """Text."""
    if half(3) > 1:
        never = True
'''
RAN = {2, 4, 5, 7, 8, 11, 12, 14, 15, 19, 21}


def test_each_statement_that_runs_is_noted():
    ran = [0] * 30
    exec(compile(with_notes(ast.parse(SOURCE)), "source", "exec"), {NAME: ran, "__name__": "source"})
    assert {line for line, noted in enumerate(ran) if noted} == RAN


def test_floors_are_those_of_the_project(root):
    lines = list(runpy.run_path(str(root / ".ci" / "floors.py"))["floors"](["report", "test"]))
    names = [line.partition("==")[0] for line in lines]
    assert {"numpy", "scipy", "matplotlib", "pytest"} <= set(names)
    assert len(names) == len(set(names))
    assert "scipy==1.15" not in lines  # the floor at run time, not that of the peer of the tests


@pytest.mark.slow
def test_every_dependency_is_touched_by_tests_of_the_lowest_run(root, monkeypatch):
    monkeypatch.syspath_prepend(root / ".ci")
    touching = runpy.run_path(str(root / ".ci" / "touching.py"))
    files = dict(touching["chosen"]())
    assert set().union(*files.values()) == touching["dependencies"]() - touching["USUAL"]
    everywhere = {name for name in files if name.startswith(touching["EVERYWHERE"])}
    assert {"tests/laws/test_laws.py", "tests/cli/test_run.py"} <= everywhere  # of numpy and attrs
    assert len(files) < 0.6 * sum(1 for _ in (root / "tests").rglob("test_*.py"))


def test_a_dependency_without_a_floor_is_refused(root, tmp_path):
    floors = runpy.run_path(str(root / ".ci" / "floors.py"))["floors"]
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nname = "theirs"\ndependencies = ["numpy"]\n')
    with pytest.raises(SystemExit, match="'numpy' in pyproject"):
        list(floors([], file))
