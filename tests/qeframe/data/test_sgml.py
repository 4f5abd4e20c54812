"""Documents of segments, and files that do not fit together."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError, one_line
from qeframe.data.sgml import check_same_documents, is_marked, read_marked
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.plain_files import plain_reading
from qeframe.kinds.texts.batch import Texts
from tests.outcome import failure


@pytest.fixture
def marked(tmp_path):
    def write(content, name="a.sgm"):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return read_marked(read_text_lines(tmp_path / name))

    return write


def documents(**sizes):
    """Write documents with so many segments each, one a line."""
    return "".join(
        f'<doc docid="{name}">\n' + "".join(f"<seg id={i + 1}>{name} {i + 1}</seg>\n" for i in range(size)) + "</doc>\n"
        for name, size in sizes.items()
    )


def test_documents_and_lines(marked):
    texts = marked(
        "<refset>\n<DOC DOCID='x y'>\n<Seg Id=1> a &amp; b </sEG>\n<p><seg id='2'>\nc</seg></p></doc>"
        '<doc sysid="s" docid=z><seg id="1"></seg></doc>\n<doc><seg id=1>d</seg></doc></refset>\n'
    )
    assert list(texts.texts) == ["a & b", "c", "", "d"]
    assert list(texts.documents) == ["x y", "x y", "z", "3"]
    assert list(texts.lines) == [3, 4, 5, 6]
    assert texts.sizes == {"x y": 2, "z": 1, "3": 1}


def test_segments_without_a_document(marked):
    assert marked("<seg id=1>a</seg><seg id=2>b</seg>").sizes == {"1": 2}


@pytest.mark.parametrize(
    ("name", "first", "wanted"),
    [
        ("a.sgm", "a", True),
        ("a.SGML", "a", True),
        ("a.xml", "a", True),
        ("a", " <refset x>", True),
        ("a.txt", "<document", False),
        ("a", "a <doc>", False),
    ],
)
def test_what_is_taken_for_markup(tmp_path, name, first, wanted):
    (tmp_path / name).write_text(first, encoding="utf-8")
    assert is_marked(read_text_lines(tmp_path / name)) is wanted


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (documents(x=2),
         "b.sgm: document 'y' of a.sgm is missing; add it, with an empty segment for each that was not translated"),
        (documents(x=1, y=2),
         "b.sgm:2: document 'x' ends with segment 1: segment 2 is missing; it has 2 segments in a.sgm"),
        (documents(x=2, y=3), "b.sgm:8: document 'y' has 3 segments, but 2 in a.sgm; give both the same segments"),
        (documents(x=2, y=2, z=1), "b.sgm: document 'z' is not in a.sgm; give both the same documents"),
        (documents(y=2, x=2),
         "b.sgm:2: document 'y' is at another position in a.sgm; give the documents in the same order"),
    ],
)  # fmt: skip
def test_documents_that_differ(marked, tmp_path, monkeypatch, other, message):
    monkeypatch.chdir(tmp_path)
    Path("a.sgm").write_text(documents(x=2, y=2), encoding="utf-8")
    Path("b.sgm").write_text(other, encoding="utf-8")
    standard, found = (read_marked(read_text_lines(Path(name))) for name in ("a.sgm", "b.sgm"))
    assert failure(DataError, check_same_documents, standard, found) == message
    assert failure(DataError, plain_reading, Texts, "a.sgm", ["b.sgm"]) == message


def test_a_document_that_begins_again(marked):
    with pytest.raises(DataError, match=r"a.sgm:4: document 'x' begins again; give every document once"):
        marked(documents(x=1) + documents(x=1))


def test_markup_as_gold_and_submission(tmp_path):
    (tmp_path / "a.sgm").write_text(documents(x=2, y=1), encoding="utf-8")
    (tmp_path / "lines").write_text("x 1\nx 2\nz\n", encoding="utf-8")
    reading = plain_reading(Texts, tmp_path / "a.sgm", [tmp_path / "lines"])
    assert reading.gold.values.tolist() == ["x 1", "x 2", "y 1"]
    assert reading.submissions[0].values.tolist() == ["x 1", "x 2", "z"]


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("<doc>\n<seg id=1>a</seg>\nb c\n</doc>", 3, "b"),
        ("<doc>\n<<<<<<< HEAD\n<seg id=1>a</seg>\n</doc>", 2, "<<<<<<<"),
        ("<doc>\n<seg id=1>a</seg>\n=======\n<seg id=2>a</seg>\n</doc>", 3, "======="),
        ("<doc>\n<seg id=1>a</seg>\n</doc>\n>>>>>>> other\n", 4, ">>>>>>>"),
        ("x <doc>\n<seg id=1>a</seg>\n</doc>", 1, "x"),
        ("<doc><seg id=1>a</seg></doc>\ufeff", 1, "\ufeff"),
    ],
)
def test_text_outside_the_segments(tmp_path, text, line, word):
    path = tmp_path / "a.sgm"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_marked(read_text_lines(path, texts=True))
    message = f"""text outside the segments: '{word}'; write <seg id="N">...</seg> around it, or remove it"""
    assert (caught.value.line, str(caught.value).partition(f":{line}: ")[2]) == (line, one_line(message))


def test_comments_and_declarations_are_no_text(marked):
    head = '<?xml version="1.0"?>\n<!DOCTYPE mteval [\n<!ELEMENT doc ANY>\n]>\n<!-- a <seg> b -->\n<hl>\n'
    assert list(marked(head.replace("<seg>", "seg") + "<doc><p><seg id=1>a</seg></p></doc>\n").texts) == ["a"]


def test_a_mark_in_the_name_of_a_document(tmp_path):
    path = tmp_path / "a.sgm"
    path.write_text('<doc docid="x\ufeff"><seg id=1>a</seg></doc>', encoding="utf-8")
    with pytest.raises(DataError, match=r"a byte-order mark \(U\+FEFF\) in the docid"):
        read_marked(read_text_lines(path, texts=True))


def test_the_number_of_a_segment_has_ascii_digits(marked):
    assert "a segment has no number or no end" in failure(DataError, marked, "<doc><seg id=\uff11>a</seg></doc>")
