"""Plain files that cannot be used: each is refused in one line, which ``refusals.toml`` has."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.plain_files import plain_reading
from qeframe.testing import registered_kinds
from tests.outcome import failure
from tests.refusals import cases_of, tasks_of, write_broken

CASES = cases_of(tasks_of([Path(__file__).with_name("refusals.toml")]))
KINDS = {kind.batch.__name__: kind.batch for kind in registered_kinds()}


@pytest.mark.parametrize("name", CASES)
def test_plain_files_are_refused_in_one_line(name, tmp_path, monkeypatch):
    case = CASES[name]
    monkeypatch.chdir(write_broken(tmp_path, case))
    gold, *answers = map(Path, case["files"])
    assert failure(DataError, plain_reading, KINDS[case["kind"]], gold, answers) == case["says"]
