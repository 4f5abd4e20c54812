"""Pages of commands."""

from pathlib import Path

import pytest

from qeframe.cli.shared.pages import page_bytes, write_page, written_to
from qeframe.core.errors import DataError
from qeframe.report.layouts.table import Cell, Column, Table

TABLE = Table(title="T", columns=(Column("x"),), rows=((Cell("bad\udcff"),),))


def test_a_page_is_written_and_named(tmp_path, capsys):
    page = page_bytes("Title", [TABLE], notes=["a note"])
    write_page(tmp_path / "new" / "x.html", page, quiet=False)
    assert (tmp_path / "new" / "x.html").read_bytes() == page
    assert b"bad\\udcff" in page
    assert capsys.readouterr().err == f"qeframe: written to {tmp_path / 'new' / 'x.html'}, in a new folder\n"
    write_page(tmp_path / "y.html", page, quiet=True)
    assert capsys.readouterr().err == ""


def test_without_the_option_nothing_is_written():
    write_page(None, b"", quiet=False)


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        write_page(tmp_path, b"", quiet=False)


def test_a_replaced_file_and_a_new_folder_are_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert written_to(Path("a.html")) == "written to a.html"
    assert written_to(Path("none/below/a.html")) == "written to none/below/a.html, in a new folder"
    Path("a.html").write_text("")
    assert written_to(Path("a.html")) == "written to a.html, in place of an earlier file"
