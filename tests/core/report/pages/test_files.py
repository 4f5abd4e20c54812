"""Files of a folder are written completely or not at all."""

import os
from pathlib import Path

import pytest

from qeframe.errors import DataError
from qeframe.report import write_report


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("fatal", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("moves", [0, 1, 4])
def test_a_failure_in_the_middle_leaves_the_folder_as_it_was(evaluation, tmp_path, monkeypatch, fatal, moves):
    (tmp_path / "leaderboard.md").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    before, real, done = contents(tmp_path), os.replace, []

    def replace(source, target):
        if Path(source).parent.name != "former":
            if len(done) == moves:
                raise fatal
            done.append(target)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises((DataError, KeyboardInterrupt)):
        write_report(evaluation, [], tmp_path, figures=False)
    assert len(done) == moves
    assert contents(tmp_path) == before


def test_a_failure_takes_away_the_folders_that_were_made(evaluation, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DataError, match="No space left on device"):
        write_report(evaluation, [], tmp_path / "a" / "b", figures=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_file_is_an_error_and_nothing_else_is_written(evaluation, tmp_path):
    (tmp_path / "scores.tsv").mkdir()
    with pytest.raises(DataError, match="cannot write the report"):
        write_report(evaluation, [], tmp_path, figures=False)
    assert [path.name for path in tmp_path.iterdir()] == ["scores.tsv"]


def test_a_file_in_the_place_of_the_folder_is_one_line(evaluation, tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DataError) as caught:
        write_report(evaluation, [], tmp_path / "out")
    assert str(caught.value).startswith(f"{tmp_path / 'out'}: cannot write the report: ")
    assert "\n" not in str(caught.value)
    assert (tmp_path / "out").read_text() == "a file"
