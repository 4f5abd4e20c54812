"""Options that several commands share."""

import click
import pytest
from click.testing import CliRunner

from qeframe.cli.shared.options import confirm_writable, path_type
from qeframe.errors import DataError


@click.command()
@click.argument("path", type=path_type)
def show(path):
    click.echo(repr(path))


def test_an_empty_path_is_not_the_current_folder():
    assert "PosixPath('a')" in CliRunner().invoke(show, ["a"]).output
    refused = CliRunner().invoke(show, [""])
    assert refused.exit_code == 2
    assert "the path is empty; '.' is the current folder" in refused.output


def test_a_folder_that_does_not_exist_yet_is_writable(tmp_path):
    confirm_writable(None)
    confirm_writable(tmp_path / "new" / "folder")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("below", ["", "folder"])
def test_a_file_is_refused(tmp_path, below):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="is a file, not a folder" if not below else "cannot be written"):
        confirm_writable(tmp_path / "file" / below)
