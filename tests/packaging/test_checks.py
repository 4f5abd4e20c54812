"""The checks of a merge find what they are for: skipped tests, dependencies without a floor."""

import os
import runpy
import subprocess
import sys

import pytest

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


def outcomes(root, folder, **variables):
    """Return the last line that pytest prints on a folder of tests, with the hooks of this project."""
    folder.joinpath("test_some.py").write_text(TESTS)
    folder.joinpath("test_module.py").write_text(MODULE)
    environment = {k: v for k, v in os.environ.items() if k not in {"QEFRAME_NOTHING_SKIPPED", "PYTEST_ADDOPTS"}}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "--rootdir", folder, folder]
        + ["-c", str(root / "pyproject.toml"), "--continue-on-collection-errors"],
        env={**environment, "PYTHONPATH": str(root / "tests"), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()[-1].rpartition(" in ")[0]


def test_a_skipped_test_fails_where_nothing_may_be_skipped(root, tmp_path):
    assert outcomes(root, tmp_path) == "3 skipped, 1 xfailed"
    assert outcomes(root, tmp_path, QEFRAME_NOTHING_SKIPPED="1") == "1 failed, 1 skipped, 1 xfailed, 1 error"


def test_floors_are_those_of_the_project(root):
    floors = runpy.run_path(str(root / ".ci" / "floors.py"))["floors"]
    lines = list(floors(["report", "test"]))
    names = [line.partition("==")[0] for line in lines]
    assert {"numpy", "scipy", "matplotlib", "pytest"} <= set(names)
    assert len(names) == len(set(names))
    assert "scipy==1.15" not in lines  # the floor at run time, not that of the peer of the tests


def test_a_dependency_without_a_floor_is_refused(root, tmp_path):
    floors = runpy.run_path(str(root / ".ci" / "floors.py"))["floors"]
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nname = "theirs"\ndependencies = ["numpy"]\n')
    with pytest.raises(SystemExit, match="'numpy' in pyproject"):
        list(floors([], file))
