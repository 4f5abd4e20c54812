"""Parts of the reading of data."""

import io
import tarfile
import zipfile
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qeframe.core.errors import DataError, PluginError
from qeframe.data import numbers as numbers_module
from qeframe.data.folders import TaskFolder
from qeframe.data.language_pairs import check_pairs, language_code, pair_code
from qeframe.data.numbers import LARGEST, check_same_length, decimals, finite_numbers
from qeframe.data.places import RECORD, data_folder, description, fetched_folder, is_fetched, need_pooch
from qeframe.data.published.data_source import DataSource, SourceFile
from qeframe.data.reader_checks import read, read_submission
from qeframe.data.text_lines import TextFile, read_text_lines
from qeframe.data.translations import read_texts
from qeframe.kinds.scores.batch import Scores
from qeframe.plugin.readers import Dropped, Input, Reader, Reading, Submitted, TextFiles, UnitValues, is_pair
from tests.outcome import failure

# Files in archives are read in place, or refused with one line that names the archive.
TEXT = "eins\nzwei\n"


def packed(path, names=("en-de/gold.txt",)):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, TEXT)
    else:
        with tarfile.open(path, "w" if path.suffix == ".tar" else "w:gz") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = len(TEXT)
                archive.addfile(member, io.BytesIO(TEXT.encode()))
    return path


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz", "a.tar", "a.zip"])
def test_a_file_in_an_archive_is_read_as_if_unpacked(tmp_path, name):
    file = read_text_lines(packed(tmp_path / name) / "en-de" / "gold.txt")
    (tmp_path / "gold.txt").write_text(TEXT)
    assert file.lines == ("eins", "zwei")
    assert file.sha256 == read_text_lines(tmp_path / "gold.txt").sha256
    assert file.error("wrong", line=2).path == tmp_path / name / "en-de" / "gold.txt"


def test_names_that_begin_with_a_point_and_a_slash(tmp_path):
    archive = packed(tmp_path / "a.tar.gz", names=["./gold.txt"])
    assert read_text_lines(archive / "gold.txt").lines == ("eins", "zwei")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_a_file_that_the_archive_lacks(tmp_path, name):
    with pytest.raises(DataError, match=r"the archive has no file en-de/golds.txt; did you mean 'en-de/gold.txt'"):
        read_text_lines(packed(tmp_path / name) / "en-de" / "golds.txt")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
@pytest.mark.parametrize("content", [b"version https://git-lfs.github.com/spec/v1\n", b"", b"\x1f\x8b\x08\x00"])
def test_what_is_no_archive(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be unpacked: .*; get the archive again"):
        read_text_lines(tmp_path / name / "gold.txt")


def test_an_archive_that_is_cut_off(tmp_path):
    archive = packed(tmp_path / "a.tar.gz", names=[f"{n}.txt" for n in range(200)])
    archive.write_bytes(archive.read_bytes()[:-200])
    assert "cannot be unpacked" in failure(DataError, read_text_lines, archive / "gold.txt")


def test_a_path_below_a_file_that_is_no_archive(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    assert "cannot be read: Not a directory" in failure(DataError, read_text_lines, tmp_path / "a.txt" / "gold.txt")


def test_a_large_file_in_an_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("gold.txt")
        member.size = (1 << 20) + 2
        archive.addfile(member, io.BytesIO(b"1\n" * (member.size // 2)))
    assert "too large: the bound is 1 MiB" in failure(DataError, read_text_lines, tmp_path / "a.tar.gz" / "gold.txt")


@pytest.mark.parametrize("lines", [2, 600_000])
def test_the_last_file_of_a_name_counts(tmp_path, lines):
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for word in ("old", "new"):
            content = f"{word}\n".encode() * lines
            member = tarfile.TarInfo("gold.txt")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    assert set(read_text_lines(tmp_path / "a.tar.gz" / "gold.txt").lines) == {"new"}


# Language pairs in several spellings, and files of different ones in a task.
@pytest.mark.parametrize(
    ("name", "code"),
    [("cs", "cs"), ("cz", "cs"), ("CES", "cs"), (" Czech ", "cs"), ("esn", "es"), ("Khmer", "khmer"), ("", "")],
)
def test_codes_of_languages(name: str, code: str) -> None:
    assert language_code(name) == code


@pytest.mark.parametrize("pair", ["cs-en", "cz-en", "Czech-English", "ces-eng"])
def test_codes_of_language_pairs(pair: str) -> None:
    assert pair_code(pair) == "cs-en"


def check(folder: str, *pairs: str) -> None:
    files = [TextFile(Path(f"{folder}/{name}"), ("",), "") for name in "abc"[: len(pairs)]]
    check_pairs(files, pairs, TaskFolder(folder, Path(folder), Path("gold"), ()), line=4)


@pytest.mark.parametrize("folder", ["en-de", "EN-de", "task1"])
def test_one_language_pair(folder: str) -> None:
    check(folder, "en-de", "en-de")


@pytest.mark.parametrize(
    ("folder", "pairs", "message"),
    [
        (
            "en-de",
            ["en-cs"],
            "en-de/a:4: LP 'en-cs' in a folder named en-de; write en-de as LP in every line, or "
            "move the file to the folder of its language pair, or rename the folder",
        ),
        (
            "task1",
            ["en-de", "en-cs", "en-de"],
            "task1/b:4: LP 'en-cs', but 'en-de' in task1/a; a task has one language pair, move the file to its own",
        ),
    ],
)
def test_another_language_pair(folder: str, pairs: list[str], message: str) -> None:
    assert failure(DataError, check, folder, *pairs) == message


def test_the_form_of_a_language_pair() -> None:
    assert all(map(is_pair, ("cs-en", "en-zh_CN", "en-sr_Cyrl_RS", "en-bho_IN")))
    assert not any(map(is_pair, ("", "task", "my-task-1", "wmt-2014", "/tmp/cs-en")))


# Numbers that users give: what is accepted, and what the message names.
@pytest.mark.parametrize(
    "values", [[1, 2.5], (1, 2.5), np.array([1, 2.5], dtype=np.float32), [Decimal(1), Fraction(5, 2)]]
)
def test_any_sequence_of_numbers_becomes_float64(values):
    array = finite_numbers(values, "gold", least=2)
    assert array.dtype == np.float64
    assert array.tolist() == [1.0, 2.5]


def test_the_largest_magnitude_has_finite_sums_of_squares():
    assert np.isfinite(np.sum(finite_numbers([LARGEST, -LARGEST], "gold", least=0) ** 2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["x", 1], "gold values must be numbers, one per unit; give a list or an array of numbers"),
        (["1", "2"], "gold values must be numbers"),
        (np.array([1, "2"], dtype=object), "gold values must be numbers"),
        ([1, 2j], "gold values must be numbers"),
        (np.array([1, 2], dtype="datetime64[s]"), "gold values must be numbers"),
        ([datetime(2026, 1, 1), 1], "gold values must be numbers"),
        ([1, 10**400], "a whole number of gold is too large to compute with; magnitudes up to 1e+100 are accepted"),
        ([[1, 2]], "gold values must have one dimension, not 2"),
        ([1], "too few values: 1 gold; at least 2 are needed"),
        ([1, None], "missing value (NaN) at position 1 of gold; every unit needs a finite number"),
        ([1, -np.inf, np.nan], "infinite value at position 1 of gold"),
        ([1, 2e100], "2e+100 at position 1 of gold is too large to compute with; magnitudes up to 1e+100 are accepted"),
    ],
)
def test_the_first_unusable_value_is_named(values, message):
    assert failure(DataError, finite_numbers, values, "gold", least=2).startswith(message)


def test_lengths():
    check_same_length(3, 3)
    with pytest.raises(DataError, match="length mismatch: 3 gold tags and 2 predicted ones; give both sides"):
        check_same_length(3, 2, unit="tags")


def read_decimals(lines):
    """Return the numbers of lines, and which of them were read as ``float`` reads them."""
    text = "".join(f"{line}\n" for line in lines).encode()
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return decimals(np.frombuffer(text, np.uint8), np.concatenate([[0], ends[:-1] + 1])[: len(ends)], ends)


@given(st.lists(st.from_regex(r"-?([0-9]{0,12}(\.[0-9]{0,12})?|[0-9.eE+-]{1,6})", fullmatch=True), max_size=5))
@example(["9007199254740993", "0.12345678901234567", "9999999999999999999", "12345678901234567890", "-.5"])
@example(["123456789012345", "-.000000000000001", "-0", "5.", "99999999999999.9"])
@example(["95142426273599.37"])  # 16 digits, of which the ratio is rounded twice
@example(["1.2.3", "1"])
@example(["1..2"])
@example(["."])
@example(["1e101"])
def test_decimals_are_those_of_float(lines):
    numbers, is_read = read_decimals(lines)
    for line, number, known in zip(lines, numbers, is_read, strict=True):
        assert not known or repr(float(number)) == repr(float(line))


def test_usual_decimals_are_read_as_such():
    numbers, is_read = read_decimals(["1.5", "-0.25", "12", "-.5", "5.", "99999999999999.9", "1e3"])
    assert is_read.tolist() == [*[True] * 6, False]
    assert numbers[:6].tolist() == [1.5, -0.25, 12.0, -0.5, 5.0, 99999999999999.9]


@given(st.lists(st.floats(-1e18, 1e18).map(repr) | st.integers(-(10**19), 10**19).map(str), min_size=1))
def test_long_decimals_are_those_of_float_without_extended_precision_too(lines):
    for has_64_bits in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(numbers_module, "_HAS_64_BITS", has_64_bits and numbers_module._HAS_64_BITS)
            numbers, is_read = read_decimals(lines)
        for line, number, known in zip(lines, numbers, is_read, strict=True):
            assert not known or repr(float(number)) == repr(float(line))


# Where fetched data are kept.
SOURCE = DataSource(name="made", summary="", files=[SourceFile(url="https://example.org/a", path="a")])


def test_the_cache_can_be_named_or_is_the_user_s(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path))
    assert data_folder(SOURCE) == tmp_path / "made"
    assert data_folder(attrs.evolve(SOURCE, revision="wmt22/x")) == tmp_path / "made-wmt22_x"
    monkeypatch.delenv("QEFRAME_CACHE")
    need_pooch()
    assert data_folder(SOURCE).name == "made"


def test_data_are_fetched_if_the_record_is_of_the_source_as_it_is_today(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path))
    assert fetched_folder(SOURCE) is None
    folder = data_folder(SOURCE)
    folder.mkdir()
    (folder / RECORD).write_text(description(SOURCE))
    assert fetched_folder(SOURCE) == folder
    assert not is_fetched(attrs.evolve(SOURCE, files=[SourceFile(url="https://example.org/b", path="a")]), folder)


# What a reader returns: the readings that pass; tests/mistakes has those that do not.
def test_readings_pass():
    side = UnitValues(name="gold", ids=np.arange(2), values=np.ones(2), lines=np.array([1, 2]))
    reading = Reading(name="t", kind=Scores, gold=side, submissions=(side,), groups={"document": ["a", "b"]})
    own = Reader(name="own", summary="", kind=Scores, read=lambda path, best: (reading,))
    assert read(own, Path("x"), "low") == [reading]


def _side(**changed):
    return UnitValues(**{"name": "a", "ids": np.arange(2), "values": np.ones(2), "lines": np.array([1, 2]), **changed})


OWN = Reader(name="own", summary="", kind=Scores, read=lambda path, best: ())


def test_a_submission_passes():
    parts = (Submitted(answers=_side()),)
    assert read_submission(OWN, Path("x"), lambda path: parts) == list(parts)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ((), "submission returned tuple"),
        (None, "submission returned None"),
        ("text", "submission returned str"),
        ([_side()], "a list with UnitValues"),
        ([Submitted(answers=None)], "None as a side"),
        ([Submitted(answers=_side(values=np.ones(3)))], "values of 'a' of ''"),
        ([Submitted(answers=_side(lines=np.ones(3)))], "3 lines of 'a'"),
    ],
)
def test_a_submission_that_is_none(made, message):
    with pytest.raises(PluginError, match=message):
        read_submission(OWN, Path("x"), lambda path: made)


def test_a_folder_of_the_path(tmp_path):
    """A task that is named by the folder has the name of the path, and files are relative to the path."""
    (tmp_path / "en-de" / "word").mkdir(parents=True)
    names = ("word", "he-en")
    note, file = Dropped("word", "unit", 1, "why"), Input("gold.txt", "0" * 64)
    made = [
        Reading(name=name, kind=Scores, gold=_side(), submissions=(), dropped=(note,), inputs=(file,)) for name in names
    ]
    reader = Reader(name="own", summary="", kind=Scores, folder="word", read=lambda path, best: made)
    found = read(reader, tmp_path / "en-de", "low")
    assert [each.name for each in found] == ["en-de", "he-en"]
    assert [each.inputs[0].path for each in found] == ["word/gold.txt"] * 2
    assert [each.dropped[0].task for each in found] == ["en-de", "word"]
    assert "there is no folder 'word'" in failure(DataError, read, reader, tmp_path, "low")


def located(segments=(1, 2), left_right=None, **systems):
    return TextFiles(
        pair="cs-en",
        systems={name: Path(path) for name, path in systems.items()},
        references=(Path("ref"),),
        segments=np.array(segments),
        left_right=None if left_right is None else np.array(left_right),
        root=Path(),
    )


def test_lines_and_markup(tree):
    documents = "<doc><seg id=\"1\">a &lt; b</seg>\n<SEG ID=2>\nc </SEG></doc><doc><seg id='1'></seg></doc>"
    tree({"ref": "x\n\n<y>\n", "A.sgm": documents, "B": '<refset setid="any">' + documents})
    texts = read_texts(located(A="A.sgm", B="B"))
    assert texts.references == [["x", "", "<y>"]]
    assert texts.systems == {"A": ["a < b", "c", ""], "B": ["a < b", "c", ""]}
    assert [put.path for put in texts.inputs] == ["ref", "A.sgm", "B"]


@pytest.mark.parametrize("text", ["a\n\n", "a\n\n\n", "a\r\n\r\n\r\n", "a\n\n \n"])
def test_empty_segments_at_the_end_are_segments(tree, text):
    segments = ["a", *[""] * (text.count("\n") - 1)]
    tree({"ref": "x\n" * len(segments), "A": text, "B": ("x\n" * len(segments))[:-1]})
    texts = read_texts(located(segments=[1], A="A", B="B"))
    assert texts.systems == {"A": segments, "B": ["x"] * len(segments)}


def test_answers():
    scores = np.array([[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]])
    assert located(segments=[2, 1, 2]).answers(scores).tolist() == scores[[1, 0, 1]].tolist()
    judged = located(segments=[2, 1, 2], left_right=[[0, 1], [2, 0], [1, 2]])
    assert judged.answers(scores).tolist() == [[1.1, 1.2], [0.3, 0.1], [1.2, 1.3]]


SEGMENT = '<seg id="{}">a</seg>\n'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("A", "1\n", "A: 1 segment, but 2 in ref; give both one line (or <seg>) a segment, in the same order"),
        ("A", "", "A: the file is empty; give a file with one unit a line"),
        ("A.sgm", "a\nb\n", 'A.sgm: no segment is here; write <seg id="1">...</seg>, or one segment a line'),
        (
            "A.sgm",
            "<doc>\n" + SEGMENT.format(1) + SEGMENT.format(3),
            "A.sgm:3: segment 3 after segment 1: segment 2 is missing here; "
            "number the segments of a document 1, 2, 3 ...",
        ),
        ("A.sgm", SEGMENT.format(2),
         "A.sgm:1: the first segment is 2: segment 1 is missing here; number the segments of a document 1, 2, 3 ..."),
        ("A.sgm", '<seg id="1">\n' + SEGMENT.format(2), "A.sgm:1: segment 1 does not end; add </seg>"),
        ("A.sgm", SEGMENT.format(1) + '<seg id="2">a',
         'A.sgm:2: a segment has no number or no end; write <seg id="1">...</seg>'),
    ],
)  # fmt: skip
def test_broken_texts(tree, name, text, message):
    tree({"ref": "a\nb\n", name: text})
    assert failure(DataError, read_texts, located(A=name)) == message


def test_a_segment_beyond_the_texts(tree):
    tree({"ref": "a\n", "A": "a\n"})
    with pytest.raises(DataError, match=r"^ref: segment 2 was judged, but the texts of cs-en are segments 1 to 1; "):
        read_texts(located(A="A"))
