"""Commands that cannot be: each is refused in one line, which ``refusals.toml`` has, before it writes a file."""

import shlex
from pathlib import Path

import pytest

from tests.refusals import cases_of, tasks_of, write_broken

CASES = cases_of(tasks_of([Path(__file__).with_name("refusals.toml")]))


@pytest.mark.parametrize("name", CASES)
def test_a_command_is_refused_in_one_line(name, refused, tmp_path, monkeypatch):
    case = CASES[name]
    monkeypatch.chdir(write_broken(tmp_path, case))
    files = sorted(tmp_path.rglob("*"))
    assert refused(*shlex.split(case["run"])) == case["says"]
    assert sorted(tmp_path.rglob("*")) == files


def test_an_option_that_does_not_exist(refused):  # releases of click write its name in two ways
    message = refused("--nonsense")
    assert message.startswith("No such option")
    assert message.endswith("; 'qeframe --help' shows how")
