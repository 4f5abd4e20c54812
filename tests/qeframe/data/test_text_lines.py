"""Text files are read whole or refused with one line that says file, line, what and remedy."""

import functools
import gzip
import hashlib
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.data.text_lines import (
    MEBIBYTE,
    TextFile,
    parse_ids,
    parse_numbers,
    read_text_lines,
    refuse_marks,
    split_columns,
)
from tests.outcome import failure


@pytest.fixture
def write(tmp_path):
    def write_bytes(content: bytes, name: str = "a.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write_bytes


def text_file(*lines: str) -> TextFile:
    return TextFile(Path("a.txt"), lines, "")


refusal = functools.partial(failure, DataError)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\nb\n", ("a", "b")),
        (b"a\nb", ("a", "b")),
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\r\nb\r", ("a", "b")),
        (b"\xef\xbb\xbfa\nb\n", ("a", "b")),
        (b"a\n\nb\n", ("a", "", "b")),
        (b"\na\n", ("", "a")),
        (b"a\nb\n\n\n", ("a", "b")),
        (b"a\r\n\r\n", ("a",)),
        (b"a\n \n", ("a", " ")),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n".encode(), ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g",)),
        (b"a\rb\n", ("a\rb",)),
        ("\u00fc\u4e2d\n".encode(), ("\u00fc\u4e2d",)),
    ],
)
def test_lines(write, content, lines):
    file = read_text_lines(write(content))
    assert file.lines == lines
    assert file.sha256 == hashlib.sha256(content).hexdigest()


def test_the_path_is_kept_as_given(write, monkeypatch):
    monkeypatch.chdir(write(b"a\n").parent)
    assert read_text_lines("a.txt").path == Path("a.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty; give a file with one unit a line"),
        (b"\xef\xbb\xbf", "the file is empty; give a file with one unit a line"),
        (b"\n\r\n\n", "the file is empty; give a file with one unit a line"),
        (b"\xff\xfea\0\n\0", "the file is in UTF-16; save it as UTF-8"),
        (b"\xfe\xff\0a\0\n", "the file is in UTF-16; save it as UTF-8"),
        (b"\xff\xfe\0\0a\0\0\0", "the file is in UTF-32; save it as UTF-8"),
        (b"\0\0\xfe\xff\0\0\0a", "the file is in UTF-32; save it as UTF-8"),
        (gzip.compress(b"1\n2\n", mtime=0), "the file is compressed (gzip); unpack it"),
        (b"1\r2\r3", "its lines end in carriage returns alone; save it with line feeds as line ends"),
    ],
)
def test_unusable_files(write, content, message):
    path = write(content)
    assert refusal(read_text_lines, path) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"a\nb\nc\0d\n", 3, "a binary file (NUL byte); give a text file in UTF-8"),
        (b"a\n" * MEBIBYTE + b"\0", MEBIBYTE + 1, "a binary file (NUL byte); give a text file in UTF-8"),
        (b"a\nb\xc3\xa4c\xe4d\n", 2, "not UTF-8: byte 0xe4 at byte 5 of the line; save it as UTF-8"),
        (b"\xef\xbb\xbfa\xff\n", 1, "not UTF-8: byte 0xff at byte 2 of the line; save it as UTF-8"),
        (b"\n\0", 2, "a binary file (NUL byte); give a text file in UTF-8"),
        (b"\n\xff", 2, "not UTF-8: byte 0xff at byte 1 of the line; save it as UTF-8"),
        (b"a\n\xc3", 2, "not UTF-8: byte 0xc3 at byte 1 of the line; save it as UTF-8"),
    ],
)
def test_unusable_lines(write, content, line, message):
    path = write(content)
    assert refusal(read_text_lines, path) == f"{path}:{line}: {message}"


@pytest.mark.parametrize(("content", "line"), [("a\n1\ufeff\n", 2), ("\ufeff\ufeffa\n", 1), ("a\n\ufeffb\nc\n", 2)])
def test_a_mark_within_names_and_numbers(write, content, line):
    path = write(content.encode())
    message = (
        f"{path}:{line}: a byte-order mark (U+FEFF) in the line; remove it: it belongs at the start of a file alone"
    )
    assert refusal(read_text_lines, path) == message


def test_texts_keep_their_marks(write):
    for content, line in (("\ufeff\ufeffa\nb\n", 1), ("a\n\ufeffb\n", 2)):
        message = f"{write(content.encode())}:{line}: a byte-order mark (U+FEFF) in the line; remove it: it belongs at"
        assert refusal(read_text_lines, write(content.encode()), texts=True).startswith(message)
    file = read_text_lines(write("\ufeffa\nb\ufeffc\n".encode()), texts=True)
    assert (file.lines, file.marked) == (("a", "b\ufeffc"), True)
    message = f"{file.path}:2: a byte-order mark (U+FEFF) in SYSTEM; remove it: it belongs at the start of a file alone"
    assert refusal(refuse_marks, file, file.lines, "SYSTEM") == message
    refuse_marks(file, file.lines[:1], "SYSTEM")


@pytest.mark.parametrize("blank", "\r\v\f\x1c\x1f\x85\xa0\u2028\u3000")
def test_only_blanks_and_tabs_separate_columns_and_surround_numbers(blank):
    file = text_file(f"a{blank}b 1", "c \t 2")
    assert split_columns(file, ("X", "Y")) == [[f"a{blank}b", "c"], ["1", "2"]]
    assert "1 column instead of 2" in refusal(split_columns, text_file(f"a{blank}1"), ("X", "Y"))
    for text in (f"1{blank}", f"{blank}1"):
        assert "is not a number" in refusal(parse_numbers, ["2", text], file)
        assert "is not a whole number" in refusal(parse_ids, ["2", text], file)


@pytest.mark.parametrize(
    ("before", "lines_before"),
    [
        (b"", 0),
        (b"a\n", 1),
        (b"a\n" * MEBIBYTE, MEBIBYTE),
        (b"ab\n" * MEBIBYTE, MEBIBYTE),
        (b"a" * MEBIBYTE + b"\n", 1),
    ],
)
def test_a_line_may_have_one_mebibyte_and_no_more(write, before, lines_before):
    longest = b"x" * 1024 * 1024
    file = read_text_lines(write(before + longest + b"\nb\n"))
    assert len(file.lines[lines_before]) == 1024 * 1024
    for content in (before + longest + b"x\nb\n", before + longest + b"x"):
        path = write(content)
        expected = f"{path}:{lines_before + 1}: the line is longer than 1 MiB; give a file of lines of text"
        assert refusal(read_text_lines, path) == expected


def test_an_endless_line_is_refused_after_two_mebibytes(monkeypatch, write):
    class Endless(io.RawIOBase):
        read_so_far = 0

        def read(self, size=-1):
            assert size > 0
            type(self).read_so_far += size
            return b"x" * size

    path = write(b"1\n")
    monkeypatch.setattr("builtins.open", lambda *_, **__: Endless())
    assert refusal(read_text_lines, path).startswith(f"{path}:1: the line is longer than 1 MiB")
    assert Endless.read_so_far <= 2 * 1024 * 1024


def test_a_missing_file_proposes_its_neighbors(write):
    path = write(b"a\n", "gold.tags").with_name("gold.tag")
    assert refusal(read_text_lines, path) == f"{path}: there is no such file; did you mean 'gold.tags'?"
    far = path.with_name("9999")
    other = path.with_name("nofile.tags")  # its ending alone is that of another file
    assert refusal(read_text_lines, other) == f"{other}: there is no such file; check the path"
    assert refusal(read_text_lines, far) == f"{far}: there is no such file; check the path"
    nowhere = path.parent / "nowhere" / "gold.tags"
    assert refusal(read_text_lines, nowhere) == f"{nowhere}: there is no such file; check the path"


def test_what_is_at_the_path_is_no_file(tmp_path, write):
    assert refusal(read_text_lines, tmp_path) == f"{tmp_path}: this is a folder, a file is expected; name a file in it"
    path = write(b"a\n") / "b"
    assert refusal(read_text_lines, path) == f"{path}: cannot be read: Not a directory; check the path"
    path = tmp_path / "A.txt"
    path.symlink_to(tmp_path / "gone")
    assert refusal(read_text_lines, path) == f"{path}: a link to a file that is not there; repair or remove the link"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "no permission to read it; make it readable for you"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error; check the path"),
    ],
)
def test_an_unreadable_file(monkeypatch, write, error, message):
    def refuse(*_, **__):
        raise error

    path = write(b"1\n")
    monkeypatch.setattr("builtins.open", refuse)
    assert refusal(read_text_lines, path) == f"{path}: {message}"


def test_columns():
    file = text_file("header", "a\tb c", "\td")
    assert split_columns(file, ("X", "Y"), separator="\t", skip=1) == [["a", ""], ["b c", "d"]]
    assert split_columns(text_file("a \t b", " c d "), ("X", "Y")) == [["a", "c"], ["b", "d"]]
    message = "a.txt: no lines after the header; every line after it is X Y"
    assert refusal(split_columns, text_file("h"), ("X", "Y"), skip=1) == message


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (("a b", "a", "a b c"), {}, "a.txt:2: 1 column instead of 2 columns by blanks or tabs (X Y)"),
        (("a b", " "), {}, "a.txt:2: an empty line instead of 2 columns by blanks or tabs (X Y)"),
        (("a b", ""), {}, "a.txt:2: an empty line instead of 2 columns by blanks or tabs (X Y)"),
        (("", "a\tb"), {"separator": "\t"}, "a.txt:1: an empty line instead of 2 columns by tabs (X Y)"),
        (
            ("h", "a\tb", "a\tb\t"),
            {"separator": "\t", "skip": 1},
            "a.txt:3: 3 columns instead of 2 columns by tabs (X Y)",
        ),
    ],
)
def test_misshapen_columns(lines, options, message):
    assert refusal(split_columns, text_file(*lines), ("X", "Y"), **options) == message + "; repair or remove the line"


@given(st.lists(st.text("ab\t ", max_size=6).map(str.strip), min_size=1, max_size=4))
@example(["a\tb", "b\ta"])
@example(["a\t\tb", "a"])
@example(["a\tb", "\ta"])
def test_columns_are_those_of_each_line(lines):
    rows = [line.split() for line in lines]
    if {len(row) for row in rows} == {2}:
        assert split_columns(text_file(*lines), ("X", "Y")) == [list(column) for column in zip(*rows, strict=True)]
    else:
        assert "instead of 2 columns" in refusal(split_columns, text_file(*lines), ("X", "Y"))


def test_one_column_too_many():
    message = (
        "a.txt:1: 2 columns instead of 1 column (X); correct this line, as lines are units by position; a file with "
        "ids, ID NUMBER, may leave units out"
    )
    assert refusal(split_columns, text_file("a b"), ("X",)) == message


def test_numbers_up_to_the_largest():
    found = parse_numbers(["1", "-2.5", "1e-3", " 4 ", "+.5"], text_file())
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, -2.5, 0.001, 4.0, 0.5]
    assert parse_numbers(["-1e100", "1e100"], text_file()).tolist() == [-1e100, 1e100]


@pytest.mark.parametrize(
    ("texts", "line", "message"),
    [
        (["1", "abc"], 4, "'abc' is not a number; every line needs a number"),
        (["1", ""], 4, "'' is not a number; every line needs a number"),
        (["1_0"], 3, "'1_0' is not a number; every line needs a number"),
        (["0x10"], 3, "'0x10' is not a number; every line needs a number"),
        (["\u0661"], 3, "'\u0661' is not a number; every line needs a number"),
        (["0,25"], 3, "'0,25' is not a number; write decimals with a point, as in 0.25"),
        (["lp,score"], 3, "'lp,score' is not a number; every line needs a number"),
        (["1", "2", "nan", "x"], 5, "NaN (a missing value); every unit needs a finite number"),
        (["1", "-inf"], 4, "an infinite value ('-inf'); every unit needs a finite number"),
        (["1e400"], 3, "an infinite value ('1e400'); every unit needs a finite number"),
        (["2", "-1e101"], 4, "'-1e101' is too large to compute with; magnitudes up to 1e+100 are accepted"),
        (["x" * 40], 3, f"'{'x' * 40}' is not a number; every line needs a number"),
        (["x" * 41], 3, f"'{'x' * 40}...' is not a number; every line needs a number"),
    ],
)
def test_what_is_no_number(texts, line, message):
    assert refusal(parse_numbers, texts, text_file(), skip=2) == f"a.txt:{line}: {message}"


def test_ids_up_to_18_digits():
    found = parse_ids(["0", "01", "12 ", "9" * 18], text_file())
    assert found.dtype == np.int64
    assert found.tolist() == [0, 1, 12, 10**18 - 1]
    message = f"a.txt:1: '{'1' * 19}' has more than 18 digits; use smaller numbers"
    assert refusal(parse_ids, ["1" * 19], text_file()) == message


@pytest.mark.parametrize("text", ["", "1_0", "1.0", "-1", "+1", "\u0661", "\u00b2", "1 2", "x"])
def test_what_is_no_id(text):
    message = f"a.txt:4: '{text}' is not a whole number from 0; write digits only, without sign, point or blank"
    assert refusal(parse_ids, ["7", text, "?"], text_file(), skip=2) == message
