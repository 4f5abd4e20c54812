"""Every data set of the shared tasks that is at hand, by every profile that reads it: all outputs agree."""

from pathlib import Path

import pytest

import qeframe
from tests.runs.agreement import disagreements
from tests.runs.ways import Case

pytestmark = pytest.mark.slow

ONE = 'computed=["per"]'
"""A metric on texts that is computed quickly."""
READ = [
    ("esa-2023", "wmt25_human"),
    ("esa-2023", "wmt26_human"),
    ("mslc-2023", "mslc23"),
    ("wmt12-metrics", "wmt12_metrics_segment", ONE),
    ("wmt12-metrics", "wmt13_metrics_segment", ONE),
    ("wmt14-metrics", "wmt14_metrics_segment", ONE),
    ("wmt14-qe-task1.2", "wmt14_qe_task1_2"),
    ("wmt20-metrics", "wmt20_metrics_segment"),
    ("wmt20-qe", "wmt20_qe_sentence"),
    ("wmt20-repository", "wmt20_metrics_segment"),
    ("wmt20-repository", "wmt20_metrics_system"),
    ("wmt21-qe-repository", "wmt21_qe_sentence"),
    ("wmt21-qe-repository", "wmt21_qe_hter"),
    ("wmt21-qe-repository", "wmt21_qe_word"),
    ("wmt21-qe-repository", "wmt21_qe_word_source"),
    ("wmt21-qe-repository", "wmt21_qe_word_gaps"),
    ("wmt21-qe-repository", "wmt21_qe_critical"),
    ("wmt22-qe/da", "wmt22_qe_sentence_da"),
    ("wmt22-qe/mqm", "wmt22_qe_sentence_mqm"),
    ("wmt22-qe/word", "wmt22_qe_word"),
    ("wmt22-qe-repository", "wmt22_qe_sentence"),
    ("wmt22-qe-repository", "wmt22_qe_sentence_da"),
    ("wmt22-qe-repository", "wmt22_qe_sentence_mqm"),
    ("wmt22-qe-repository", "wmt22_qe_word"),
    ("wmt22-qe-repository", "wmt22_qe_critical_constrained"),
    ("wmt22-qe-repository", "wmt22_qe_explainable"),
    ("wmt23-metrics", "wmt23_metrics_segment"),
    ("wmt23-metrics", "wmt23_metrics_system"),
    ("wmt23-metrics-pairs", "wmt23_metrics"),
    ("wmt23-qe-repository", "wmt23_qe_sentence"),
    ("wmt23-qe-repository", "wmt23_qe_word"),
    ("wmt23-qe-repository", "wmt23_qe_span"),
    ("wmt23-qe-repository", "wmt23_qe_hallucination", "test=jackknife", "correction=holm"),
    ("wmt25-challenge-sets", "wmt25_challenge_sets"),
    ("wmt25-challenge-sets", "wmt25_mslc_b"),
]
"""A data set, a profile, and further settings."""
OTHERS = {
    "gtm-1.4": "texts and the output of a program",
    "gtm-wmt16": "texts and scores, without systems",
    "mlqe-pe-multiref": "texts and scores, without submissions",
    "mqm-side-by-side-2023": "ratings, which 'qeframe ratings' reads",
}
"""Data sets that no profile reads as they are, with the reason."""


def test_every_data_set_is_in_a_table(shared_data):
    there = {path.name for path in shared_data("wmt12-metrics").parent.iterdir() if path.is_dir()}
    assert there == {name.partition("/")[0] for name, *_ in READ} | set(OTHERS)


@pytest.mark.parametrize("row", READ, ids=" ".join)
def test_a_data_set_by_a_profile(row, shared_data, tmp_path, monkeypatch):
    data, name, *settings = row
    monkeypatch.chdir(tmp_path)
    case = Case(name, qeframe.load(), quick=True)
    words = [shared_data(data), *case.settings, *(part for each in settings for part in ("--set", each))]
    printed = case.start_on_terminal("run", name, *words, "--out", "out")
    assert disagreements(printed, Path("out"), bool(case.profile.parts)) == []
