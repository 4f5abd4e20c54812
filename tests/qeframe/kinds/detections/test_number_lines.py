import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.detections.number_lines import names_classes, numbers_by_token, parse_classes


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "file"
        path.write_text(text, encoding="utf-8")
        return read_text_lines(path, empty_end=True)

    return written


def test_classes_of_all_spellings(file):
    texts = ["OK", "BAD", "GOOD", "ERR", "NOT", "1", "0", "bad"]
    assert names_classes(texts)
    assert parse_classes(texts, file("x\n")).tolist() == [0, 1, 0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("word", ["Bad", "2", "", "ERROR" * 20])
def test_another_word_is_refused_with_its_line(file, word):
    with pytest.raises(DataError, match=r"file:5: .* is not the name of a class; a class is OK, ok"):
        parse_classes(["OK", word], file("x\n"), skip=3)


def test_one_number_for_each_token(file):
    side = numbers_by_token(file("1 2.5\n\n-3e-1\t4\n"))
    assert side.values.tolist() == [1, 2.5, -0.3, 4]
    assert side.lengths.tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3 x\n", "file:2: 'x' is not a number"),
        ("1 2\n3 1,5\n", "file:2: '1,5' is not a number; write decimals with a point"),
        ("1\nnan 2\n", "file:2: NaN"),
        ("1\n2 1e200\n", "file:2: '1e200' is too large"),
        ("1\n2 1_000\n", "file:2: '1_000' is not a number"),
        ("1\n2 \u0663\n", "file:2: '\u0663' is not a number"),
    ],
)
def test_what_is_no_number_is_refused_with_its_line(file, text, message):
    with pytest.raises(DataError, match=message):
        numbers_by_token(file(text))
