"""Plain lines of tags: fast, every spelling, and the first word that is none."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe.data.text_lines import TextFile
from qeframe.kinds.plain_files import plain_reading, read_plain
from qeframe.kinds.tags.batch import SPELLINGS, Tags
from qeframe.kinds.tags.lines import tags_by_line

WORDS = st.one_of(st.sampled_from(sorted(SPELLINGS)), st.text(alphabet="OKBADGokbadg", min_size=1, max_size=5))
LINES = st.lists(
    st.lists(st.tuples(WORDS, st.sampled_from([" ", "\t", "  "])), max_size=5), min_size=1, max_size=4
).map(lambda rows: tuple("".join(word + blank for word, blank in row) for row in rows))


def file(*lines: str) -> TextFile:
    return TextFile(Path("a.tags"), lines, "")


def rows(*lines: str) -> list[list[int]]:
    _, values = tags_by_line(file(*lines))
    return [row.tolist() for row in values]


def test_every_spelling_and_empty_sentences() -> None:
    assert rows("OK BAD", "", "  GOOD\tbad ok  good ", "\t") == [[0, 1], [], [0, 1, 0, 0], []]
    ids, values = tags_by_line(file("OK", "BAD"))
    assert (ids.tolist(), values.values.dtype) == ([0, 1], np.int8)


@given(LINES)
def test_as_a_dictionary_says(lines: tuple[str, ...]) -> None:
    words = [re.split(r"[ \t]+", line.strip(" \t")) if line.strip(" \t") else [] for line in lines]
    unknown = [(number, word) for number, row in enumerate(words, 1) for word in row if word not in SPELLINGS]
    if unknown:
        number, word = unknown[0]
        with pytest.raises(DataError, match=rf"^a\.tags:{number}: unknown tag '{re.escape(word)}', "):
            tags_by_line(file(*lines))
    else:
        assert rows(*lines) == [[int(SPELLINGS[word] == "BAD") for word in row] for row in words]


KNOWN = "a line has the tags of one sentence, OK, ok, GOOD, good, BAD, bad"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("OK OKAY", f"unknown tag 'OKAY', word 2 of the line; {KNOWN}"),
        ("OKOK", f"unknown tag 'OKOK', word 1 of the line; {KNOWN}"),
        ("OK\u00a0OK", f"unknown tag 'OK\\xa0OK', word 1 of the line; {KNOWN}"),
        ("OK\x0bOK", f"unknown tag 'OK\\x0bOK', word 1 of the line; {KNOWN}"),
        ("gut" * 20, f"unknown tag '{('gut' * 20)[:40]}...', word 1 of the line; {KNOWN}"),
        (
            "OK\tÉ",
            f"unknown tag 'É', word 2 of the line; {KNOWN}; "
            "the formats of shared tasks are read by the readers of profiles",
        ),
    ],
)
def test_unknown_tags(line: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        tags_by_line(file("OK", line, "more"))
    assert str(caught.value) == f"a.tags:2: {message}"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def write_bytes(name: str, content: bytes) -> str:
        Path(name).write_bytes(content)
        return name

    return write_bytes


def test_windows_line_ends_and_no_final_one(write: Any) -> None:
    side = read_plain(Tags, write("a.tags", b"\xef\xbb\xbfOK BAD\r\n\r\nBAD"), name="a")
    assert [row.tolist() for row in side.values] == [[0, 1], [], [1]]
    assert side.lines is not None
    assert side.lines.tolist() == [1, 2, 3]


def test_a_reading_of_plain_files(write: Any) -> None:
    reading = plain_reading(Tags, write("gold.tags", b"OK BAD\nBAD\n"), [write("a.tags", b"OK OK\nBAD\n")])
    (batch,) = align(reading).batches.values()
    assert isinstance(batch, Tags)
    assert batch.predicted.values.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"OK BAD\nOK BAD OK\nOK\n", "a:2: 3 tags in sentence 2, 2 expected as in gold:2"),
        (b"OK\nOK BAD\nOK\n", "a:1: 1 tag in sentence 1, 2 expected as in gold:1"),
        (b"OK\nOK\nOK\n", "a:1: 1 tag in sentence 1, 2 expected as in gold:1 (and 1 more)"),
    ],
)
def test_a_tag_too_many_or_too_few(write: Any, text: bytes, message: str) -> None:
    gold = write("gold", b"OK BAD\nOK BAD\nOK\n")
    with pytest.raises(DataError) as caught:
        plain_reading(Tags, gold, [write("a", text)])
    assert str(caught.value) == f"{message}; give one tag a word"
