"""The files of scores: their names, what is compressed, and what is parsed once."""

import gzip
from pathlib import Path

import pytest

from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe_wmt import mtme
from qeframe_wmt.readers.metrics.mtme.score_files import MetricFile, ParsedFiles, metric_file, open_folder

READER = Parametric(mtme)


@pytest.mark.parametrize(
    ("name", "base", "references"),
    [
        ("BLEU-refA", "BLEU", ("refA",)),
        ("GEMBA-MQM-src", "GEMBA-MQM", ()),
        ("COMET-22-refA.refB", "COMET-22", ("refA", "refB")),
        ("HuaweiTSC_EE_BERTScore_0.3_With_Human-refA", "HuaweiTSC_EE_BERTScore_0.3_With_Human", ("refA",)),
        ("UniTE-src-src", "UniTE-src", ()),
        ("prism-all", "prism", ("all",)),
        ("plain", "plain", ()),
    ],
)
def test_the_name_of_a_metric_file(name, base, references):
    assert metric_file(name) == MetricFile(name, base, references)


def test_the_names_of_human_scores_may_have_dots(tree):
    tree({"human-scores/en-de.mqm.merged.seg.score": "A 1\n", "metric-scores/en-de/m.seg.s-src.seg.score": "A 1\n"})
    folder = open_folder(Path())
    assert folder.golds("en-de", "seg") == ["mqm.merged"]
    assert [(metric.base, list(levels)) for metric, levels in folder.metrics("en-de").items()] == [("m.seg.s", ["seg"])]


def test_scores_that_are_there_twice(tree, refusal):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\n", "human-scores/en-de.mqm.seg.score.gz": ""})
    message = (
        "human-scores: the same scores are there twice: en-de.mqm.seg.score and en-de.mqm.seg.score.gz; "
        "keep one of the two"
    )
    assert refusal(READER(), ".") == message


def test_a_file_that_unpacks_to_far_more(tree, refusal, monkeypatch):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\nB 2\n", "metric-scores/en-de/x": ""})
    bomb = Path("metric-scores/en-de/M-src.seg.score.gz")
    bomb.write_bytes(gzip.compress(b"A 1\n" * 2_000_000))
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    assert refusal(READER(), ".").startswith(f"{bomb}: a file is too large: the bound is 1 MiB of text; split it")


def test_a_compressed_file_that_is_cut_off(tree, refusal):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\nB 2\n", "metric-scores/en-de/x": ""})
    cut = Path("metric-scores/en-de/M-src.seg.score.gz")
    cut.write_bytes(gzip.compress(b"A 1\nB 2\n")[:-9])
    assert refusal(READER(), ".") == f"{cut}: cannot be unpacked (gzip): it is cut off; get the file again"


def test_a_file_is_parsed_once_until_it_changes(tree):
    tree({"a.seg.score": "A 1\nB 2\n", "b.seg.score": "A 3\nB 4\n"})
    parsed = ParsedFiles()
    first = parsed.systems(Path("a.seg.score"))
    assert parsed.systems(Path("a.seg.score")) is first
    Path("a.seg.score").write_text("A 1\nB 7\n", "utf-8")
    assert parsed.systems(Path("a.seg.score")).cells.tolist() == [[1, 7]]


def test_the_memory_is_bounded(tree):
    tree({f"{i}.seg.score": f"A {i}\nB 2\n" for i in range(5)})
    one = ParsedFiles()
    one.systems(Path("0.seg.score"))
    parsed = ParsedFiles(largest=2 * one.size)
    for i in range(5):
        assert parsed.systems(Path(f"{i}.seg.score")).cells[0, 0] == i
        assert parsed.size <= 2 * one.size
    last = parsed.systems(Path("4.seg.score"))
    assert parsed.systems(Path("4.seg.score")) is last


def test_a_folder_without_human_scores(tree):
    tree({"x": ""})
    with pytest.raises(DataError, match="it has no human-scores"):
        open_folder(Path())
