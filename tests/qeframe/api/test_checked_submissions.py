"""Submissions are checked without evaluating them: a folder without a gold file by file, one file by its reader."""

from pathlib import Path

import pytest

from qeframe.api.checked_submissions import reader_of_file, validate_folder
from qeframe.api.read import choose_profile
from qeframe.core.errors import DataError
from qeframe.core.profiles.resolved import resolve


@pytest.fixture(scope="module")
def rules(registry):
    return choose_profile("qe_parts", (), registry)


def test_a_folder_without_a_gold_is_checked_file_by_file(registry, tmp_path):
    (tmp_path / "submissions").mkdir()
    for name, text in {"a": "1\n2\nx\n4\n", "b": "1\n", "c": "4\n2\n3\n1\n"}.items():
        (tmp_path / "submissions" / f"{name}.txt").write_text(text)
    checked = validate_folder(choose_profile("qe_sentence", (), registry), tmp_path)
    assert [each.submission for each in checked.mistakes] == ["a"]
    assert checked.valid == {"": ("b", "c")}


@pytest.mark.parametrize(
    ("path", "level", "expected"),
    [
        ("in/word/a.txt", "", "word_columns_2020"),
        ("a.txt", "span", "spans_2023"),
        ("in/word/a.txt", "sentence", "qe_sentence"),
    ],
)
def test_which_reader_a_file_is_for(rules, registry, path, level, expected):
    assert reader_of_file(resolve(rules, registry), Path(path), level).name == expected


def test_a_file_that_is_for_no_reader_or_for_several(rules, registry):
    resolved = resolve(rules, registry)
    with pytest.raises(DataError, match="reads several levels, and the path names none; give --level: sentence, word"):
        reader_of_file(resolved, Path("a.txt"))
    with pytest.raises(DataError, match="there is no level 'words'; give --level: sentence, word, span"):
        reader_of_file(resolved, Path("a.txt"), "words")
    plain = resolve(choose_profile("qe_sentence", (), registry), registry)
    assert reader_of_file(plain, Path("word/a.txt")) is plain.reader
    with pytest.raises(DataError, match="the profile has no level 'word'; leave out --level"):
        reader_of_file(plain, Path("a.txt"), "word")
