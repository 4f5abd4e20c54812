"""Records as frames of three libraries, there and back."""

import narwhals.stable.v2 as nw
import pytest

from qeframe.errors import DataError
from qeframe.frames.records import frame_of_records

RECORDS = [{"name": "A", "value": 0.5, "rank": 1}, {"name": "B", "value": None, "rank": 2}]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_there_and_back(library):
    frame = frame_of_records(RECORDS, library)
    assert type(frame).__module__.partition(".")[0] == library
    table = nw.from_native(frame)
    assert table.columns == ["name", "value", "rank"]
    assert table["name"].to_list() == ["A", "B"]
    assert table["rank"].to_list() == [1, 2]
    assert table["value"].null_count() == 1
    assert len(nw.from_native(frame_of_records([], library))) == 0


def test_a_library_that_is_unknown_or_absent(monkeypatch):
    with pytest.raises(DataError, match=r"there is no data frame of 'panda'; did you mean 'pandas'\?"):
        frame_of_records(RECORDS, "panda")

    def absent(_columns, backend):
        raise ImportError(backend)

    monkeypatch.setattr(nw, "from_dict", absent)
    with pytest.raises(DataError, match='polars is not installed; pip install "polars"'):
        frame_of_records(RECORDS, "polars")
