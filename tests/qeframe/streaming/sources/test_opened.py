"""Which source a path is."""

import os

import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.streaming.sources.lines import LineSource
from qeframe.streaming.sources.opened import open_source
from qeframe.streaming.sources.parquet import ParquetSource
from qeframe.streaming.sources.source import ArraySource


def test_lines_parquet_and_arrays(tmp_path):
    (tmp_path / "a.txt").write_text("1\n")
    (tmp_path / "b.dat").write_bytes(b"PAR1 and more")
    (tmp_path / "c::d").write_text("1\n")
    assert isinstance(open_source(Scores, tmp_path / "a.txt", "a"), LineSource)
    assert isinstance(open_source(Scores, [1.0], "a"), ArraySource)
    whole = open_source(Scores, tmp_path / "b.dat", "b")
    column = open_source(Scores, f"{tmp_path}/b.dat::x::y", "b")
    assert isinstance(whole, ParquetSource)
    assert whole.column == ""
    assert isinstance(open_source(Scores, tmp_path / "c::d", "c"), LineSource)
    assert (column.file, column.column) == (f"{tmp_path}/b.dat::x", "y")


def test_what_cannot_be_read(tmp_path):
    (tmp_path / "b.dat").write_bytes(b"PAR1 and more")
    os.mkfifo(tmp_path / "pipe")
    for kind, given, message in [
        (Tags, tmp_path / "b.dat", "a batch of Tags does not hold one number a unit"),
        (Tags, [1], "gold: a batch of Tags does not hold one number a unit"),
        (Texts, "a.txt", "plain files of Texts cannot be read in chunks; .* by 'qeframe score'"),
        (Scores, tmp_path / "none.txt", "there is no such file"),
        (Scores, tmp_path / "pipe", "this is a pipe, a file is expected"),
        (Scores, tmp_path, "this is a folder"),
    ]:
        with pytest.raises(DataError, match=message):
            open_source(kind, given, "gold")
