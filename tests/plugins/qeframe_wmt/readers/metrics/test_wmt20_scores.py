"""Score files with several metrics, language pairs and references."""

import gzip
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.core.task import Dropped
from qeframe_wmt.formats import tables
from qeframe_wmt.readers.metrics.wmt20_scores import read_published_scores
from tests.plugins.qeframe_wmt.readings import refused

LINE = "{}\t{}\tnewstest2020\t{}\t{}\td1\t{}\t{}\n"
ROWS = [
    (metric, pair, refset, system, segment, round(0.01 * (len(metric) + len(system) + segment), 2))
    for segment in (1, 2)
    for refset in ("newstest2020", "newstestB2020")
    for metric in ("one", "three")
    for pair in ("cs-en", "km-en", "de-en")
    for system in ("A", "BB")
]


def packed(rows=ROWS):
    return gzip.compress("".join(LINE.format(*row) for row in rows).encode())


def read(*names, level="seg"):
    return read_published_scores(map(Path, names), level, pairs=["cs-en", "km-en"], reference_set="newstest2020")


def test_everything_in_one_file(tree):
    tree({"x.gz": packed()})
    found = read("x.gz")
    assert {pair: [each.metric for each in scores] for pair, scores in found.pairs.items()} == {
        "cs-en": ["one", "three"],
        "km-en": ["one", "three"],
    }
    for pair, scores in found.pairs.items():
        for each in scores:
            rows = [(i, r) for i, r in enumerate(ROWS, 1) if r[:3] == (each.metric, pair, "newstest2020")]
            assert list(each.systems) == [row[3] for _, row in rows]
            assert list(each.segments) == [f"d1::{row[4]}" for _, row in rows]
            assert each.scores.tolist() == [row[5] for _, row in rows]
            assert each.lines.tolist() == [line for line, _ in rows]
    reason = "with another REFSET than newstest2020"
    assert found.dropped == (
        *(Dropped(p, "score", 4, f"of {m} {reason}") for m in ("one", "three") for p in ("cs-en", "km-en")),
        Dropped("de-en", "submission", 2, "no assessments: one, three"),
    )


def test_many_labels(tree, monkeypatch):
    tree({"x.gz": packed()})
    usual = read("x.gz")
    monkeypatch.setattr(tables, "MOST_LABELS", 1)
    again = read("x.gz")
    assert again.dropped == usual.dropped
    assert [list(each.systems) for each in again.pairs["cs-en"]] == [list(e.systems) for e in usual.pairs["cs-en"]]


def test_two_files_of_a_metric(tree):
    tree({"x.gz": packed(), "y.gz": packed(ROWS[:1])})
    with pytest.raises(DataError, match=r"^y.gz:1: one has scores of cs-en in x.gz as well; keep one of the files$"):
        read("x.gz", "y.gz")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text + "one\tcs-en\n", "x.gz:49: 2 columns instead of 8 columns by tabs"),
        (lambda text: text.replace("0.05", "nan", 1), "is not a number: NaN"),
        (lambda text: text.replace("\tcs-en", "\t\ufeffcs-en", 1), "x.gz:1: a byte-order mark (U+FEFF) in the line"),
        (lambda text: text.replace("\t", " "), "x.gz:1: 1 column instead of 8 columns by tabs"),
        (lambda text: "", "x.gz: the file is empty; give a file with lines of METRIC LP TESTSET"),
    ],
)
def test_broken_lines(tree, change, message):
    text = "".join(LINE.format(*row) for row in ROWS)
    tree({"x.gz": gzip.compress(change(text).encode())})
    assert message in refused(read, "x.gz")


def test_a_file_that_unpacks_to_too_much(tree, monkeypatch):
    tree({"x.gz": gzip.compress(b"one\tcs-en\n" * 2**18)})
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    assert Path("x.gz").stat().st_size < 2**14
    with pytest.raises(DataError, match=r"^x.gz: a file is too large: the bound is 1 MiB of text; split it, or set"):
        read("x.gz")


def test_a_file_that_is_cut_off(tree):
    tree({"x.gz": packed()[:-20]})
    with pytest.raises(DataError, match=r"^x.gz: cannot be unpacked \(gzip\): it is cut off; get the file again$"):
        read("x.gz")
