"""Files of texts: one segment a line, or SGML."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import TextFiles
from qeframe.data.translations import read_texts


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
        (
            "A.sgm",
            SEGMENT.format(2),
            "A.sgm:1: the first segment is 2: segment 1 is missing here; number the segments of a document 1, 2, 3 ...",
        ),
        ("A.sgm", '<seg id="1">\n' + SEGMENT.format(2), "A.sgm:1: segment 1 does not end; add </seg>"),
        (
            "A.sgm",
            SEGMENT.format(1) + '<seg id="2">a',
            'A.sgm:2: a segment has no number or no end; write <seg id="1">...</seg>',
        ),
    ],
)
def test_broken_texts(tree, name, text, message):
    tree({"ref": "a\nb\n", name: text})
    with pytest.raises(DataError) as caught:
        read_texts(located(A=name))
    assert str(caught.value) == message


def test_a_segment_beyond_the_texts(tree):
    tree({"ref": "a\n", "A": "a\n"})
    with pytest.raises(DataError, match=r"^ref: segment 2 was judged, but the texts of cs-en are segments 1 to 1; "):
        read_texts(located(A="A"))
