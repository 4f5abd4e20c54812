"""What takes part by the selection of each data set, on generated data in the published layout."""

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.components.parametric import Parametric
from qeframe.data.align import align
from qeframe_wmt import mtme
from qeframe_wmt.selections.selection import load_selection, selection_names
from tests.plugins.qeframe_wmt.published_layout import SYSTEMS, published

READER = Parametric(mtme)
LISTED = [name for name in selection_names() if load_selection(name).primaries]
"""The data sets with a list of primary metrics."""


def read(**parameters):
    return {reading.name: reading for reading in READER(**parameters).read(Path(), "high")}


def systems_of(reading):
    return reading.counts["systems"]


def reasons(reading, what):
    return [note.reason for note in reading.dropped if note.what == what]


@pytest.mark.parametrize("name", LISTED)
def test_what_takes_part(name, tree):
    tree(published(name))
    selection = load_selection(name)
    readings = read(selection=name)
    assert sorted(readings) == sorted(selection.official)
    for pair, reading in readings.items():
        own = selection.of(pair)
        assert {s.name for s in reading.submissions} == set(selection.metrics_of(pair))
        assert {s.name for s in reading.submissions if s.kind == "baseline"} == set(selection.baselines)
        assert systems_of(reading) == len(SYSTEMS) + len(own.references_scored)
        excluded = reasons(reading, "system")
        assert f"{own.reference}: a reference" in excluded
        assert [f"{system}: an outlier" for system in own.outliers] == [r for r in excluded if "outlier" in r]
        assert "not in the list of metrics that take part: own-metric" in reasons(reading, "submission")
        assert reading.counts["segments"] == 9
        align(reading)


def test_both_golds_of_2024_in_one_run(tree):
    tree(published("wmt24"))
    readings = read(selection="wmt24", pairs="all")
    golds = Counter(Path(reading.gold.path).name.split(".")[1] for reading in readings.values())
    assert golds == {"mqm": 3, "esa": 8}
    (official,) = {frozenset(read(selection="wmt24"))}
    assert official == {"en-de", "en-es", "ja-zh"}


def test_both_golds_of_2025(tree):
    tree(published("wmt25"))
    readings = read(selection="wmt25", level="sys")
    golds = Counter(Path(reading.gold.path).name.split(".")[1] for reading in readings.values())
    assert golds == {"mqm": 2, "esa-human1": 14}
    other = read(selection="wmt25", gold="second")
    assert {Path(reading.gold.path).name.split(".")[1] for reading in other.values()} == {"second"}


def test_a_second_reference_of_2022(tree):
    tree(published("wmt22"))
    without, beside = (read(selection="wmt22", human_references=scored)["zh-en"] for scored in (False, True))
    assert (systems_of(without), systems_of(beside)) == (4, 5)
    assert "refB: a reference that is not scored as a system" in reasons(without, "system")
    assert systems_of(read(selection="wmt22")["zh-en"]) == 4


def test_the_rules_of_one_year_on_the_data_of_another(tree):
    tree(published("wmt23", ["en-de", "he-en", "zh-en"]))
    (gold,) = {len(reading.submissions) for reading in read(selection="wmt23").values()}
    assert gold == 32
    known = read(selection="wmt24", primaries="all")
    assert list(known) == ["en-de"]
    assert reasons(known["en-de"], "language pair") == [
        "in the selection wmt24, not in the folder: en-es, ja-zh",
        "not in the selection wmt24: name its gold and reference to add it",
        "not in the selection wmt24: name its gold and reference to add it",
    ]


def test_a_pair_that_the_selection_does_not_know_enters_by_its_gold_and_reference(tree):
    tree(published("wmt23", ["en-de", "he-en"]))
    added = read(selection="wmt24", primaries="all", gold={"he-en": "mqm"}, references={"he-en": "refB"})
    assert list(added) == ["en-de", "he-en"]
    assert len(added["he-en"].submissions) == 33
    assert {s.kind for s in added["he-en"].submissions} == {"real", "baseline", "unofficial"}


@pytest.mark.parametrize("level", ["seg", "sys"])
def test_compressed_files_are_read_as_others(level, tree):
    files = published("wmt23", ["he-en"])
    tree(files)
    plain = read(selection="wmt23", level=level, domain="news")["he-en"]
    for name, text in files.items():
        Path(name).unlink()
        Path(f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    packed = read(selection="wmt23", level=level, domain="news")["he-en"]
    assert [s.name for s in packed.submissions] == [s.name for s in plain.submissions]
    for a, b in zip(packed.submissions, plain.submissions, strict=True):
        np.testing.assert_array_equal(a.values, b.values)
    assert packed.counts == plain.counts
