import pytest

from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.scores.values import KIND, numbers_by_line
from qeframe.plugin import DataError, Values


def test_plain_values_have_no_gold():
    assert KIND.plain(Values.from_plain(None, [1.0, 2.0])) == {"predicted": [1.0, 2.0]}
    assert KIND.gold_answers is None


def test_numbers_with_and_without_ids(tmp_path):
    (tmp_path / "a.txt").write_text("0.5\n1\n")
    (tmp_path / "b.txt").write_text("7 0.5\n3 1\n")
    ids, values = numbers_by_line(read_text_lines(tmp_path / "a.txt"))
    assert (ids.tolist(), values.tolist()) == ([0, 1], [0.5, 1])
    ids, values = numbers_by_line(read_text_lines(tmp_path / "b.txt"))
    assert (ids.tolist(), values.tolist()) == ([7, 3], [0.5, 1])


def test_three_columns_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("1 2 3\n")
    with pytest.raises(DataError, match="3 columns, where a plain file has one"):
        numbers_by_line(read_text_lines(tmp_path / "a.txt"))
