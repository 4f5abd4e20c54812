"""The folder of ``--out``."""

import click
import pytest
from click.testing import CliRunner

from qeframe.cli.shared.result_folder import take_out
from qeframe.core.errors import DataError


def test_no_folder_is_taken_for_none():
    assert take_out(None) is None


def test_a_folder_is_free_again_when_the_command_ends(tmp_path):
    @click.command()
    @click.argument("fails", type=bool)
    def command(fails):
        take_out(tmp_path / "new" / "out")
        assert list(tmp_path.rglob("*lock"))
        if fails:
            raise ValueError("failed")

    for fails in ("true", "false"):
        result = CliRunner().invoke(command, [fails])
        assert (result.exit_code == 1) == (fails == "true")
        assert list(tmp_path.iterdir()) == []


def test_an_input_that_the_results_would_replace_is_refused(tmp_path):
    (tmp_path / "out" / "task").mkdir(parents=True)
    (tmp_path / "out" / "task").rmdir()
    with pytest.raises(DataError, match=r"out: holds the input .*task, which the results would replace; name another"):
        take_out(tmp_path / "out", tmp_path / "out" / "task")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    take_out(tmp_path / "out", tmp_path / "other").close()
