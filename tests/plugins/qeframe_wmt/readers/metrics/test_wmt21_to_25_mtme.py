"""The layout of mt-metrics-eval."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import mtme
from tests.plugins.qeframe_wmt.readings import refused

READER = Parametric(mtme)


def column(**systems):
    return "".join(f"{system}\t{score}\n" for system, scores in systems.items() for score in scores.split())


GOLD = column(A="-1 None 0", B="-2 None None", refA="0 0 0", C="None None None")
METRIC = column(B="1 2 None", A="4 5 6", synthetic="7 8 9", C="0 0 0")
FILES = {
    "t/human-scores/en-de.mqm.seg.score": GOLD,
    "t/human-scores/en-de.mqm.sys.score": column(A="-.5", B="-2", refA="0"),
    "t/metric-scores/en-de/M-refA.seg.score": METRIC,
    "t/metric-scores/en-de/M-refA.sys.score": column(A="5", B="1"),
    "t/metric-scores/en-de/N-src.sys.score": column(A="5", B="1", refA="2"),
    "t/documents/en-de.docs": "news x\nnews x\ntalks y\n",
}
REFERENCES = ("refA", "synthetic")


def read(path="t", **parameters):
    return READER(references=REFERENCES, **parameters).read(Path(path), "high")


def test_segments(tree):
    tree(FILES)
    (reading,) = read()
    (batch,) = align(reading).batches.values()
    np.testing.assert_array_equal(batch.gold, [[-1, -2], [0, np.nan]])
    np.testing.assert_array_equal(batch.predicted, [[4, 1], [6, np.nan]])
    assert (batch.ids.tolist(), reading.counts) == ([1, 3], {"systems": 2, "system_pairs": 1, "segments": 2})
    assert reading.groups == {"domain": ["news", "talks"], "document": ["x", "y"]}
    assert [(note.what, note.count, note.reason) for note in reading.dropped] == [
        ("system", 1, "refA: a reference"),
        ("system", 1, "C: no human scores"),
        ("system", 1, "synthetic: a reference"),
        ("segment", 1, "no human scores"),
        ("submission", 1, "no segment scores: N-src"),
    ]
    assert len(reading.inputs) == 3


def test_systems(tree):
    tree(FILES)
    (reading,) = read(level="sys")
    batches = {submission.name: batch for submission, batch in align(reading).batches.items()}
    assert [batch.predicted.tolist() for batch in batches.values()] == [[[5, 1]]] * 2
    assert list(batches) == ["M-refA", "N-src"]
    assert (batches["N-src"].gold.tolist(), reading.groups) == ([[-0.5, -2]], {})


def test_language_pairs(tree):
    other = {name.replace("en-de", "de-en"): text for name, text in FILES.items() if "metric" not in name}
    tree({**FILES, **other, "t/metric-scores/he-en/M-refA.seg.score": "A 1\n"})
    bare, full = read()
    assert (bare.name, align(bare).batches, align(bare).units) == ("de-en", {}, 2)
    assert full.dropped[-1] == Dropped("he-en", "language pair", 1, "no human scores of the level seg")


ACC_EQ = {
    "XCOMET-Ensemble-refA": 0.604, "MetricX-23-refA": 0.603, "COMET-refA": 0.574, "GEMBA-MQM-src": 0.572,
    "BLEU-refA": 0.520, "chrF-refA": 0.519,
}  # fmt: skip


def test_wmt23(shared_data):
    folder, references = shared_data("wmt23-metrics"), ("refA", "synthetic_ref")
    segments, systems = (
        align(*READER(references=references, gold="mqm", level=level).read(folder, "high")) for level in ("seg", "sys")
    )
    assert (segments.units, len(segments.batches), len(systems.batches)) == (460, 68, 71)
    scores = {s.name: qeframe.score("acc_eq", b, None) for s, b in segments.batches.items() if s.name in ACC_EQ}
    assert {name: round(score, 3) for name, score in scores.items()} == ACC_EQ
    assert {(note.what, note.count) for note in segments.dropped} == {("system", 1), ("segment", 97), ("submission", 3)}
    (gold,) = {tuple(batch.gold[0]) for batch in systems.batches.values()}
    means = next(iter(segments.batches.values())).gold.mean(axis=0)
    assert means == pytest.approx(gold)


@pytest.mark.parametrize("name", ["documents/en-de.docs", "metric-scores/en-de", "metric-scores/cs-en", "documents"])
@pytest.mark.parametrize("target", ["nothing", "en-de.docs", "en-de", "cs-en", "documents"])
def test_a_link_that_leads_nowhere(tree, refusal, name, target):
    tree({file: text for file, text in FILES.items() if not file.startswith(f"t/{name}")})
    path = Path("t", name)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target if target == path.name else "nothing")
    assert refusal(READER(references=REFERENCES), "t").startswith(f"t/{name}: a link ")


def test_a_name_that_nothing_has(tree):
    tree({**FILES, "own.toml": 'extends = "wmt23_metrics_segment"\ntest = ""\ninterval = ""\n'})
    result = qeframe.evaluate("own.toml", "t", settings=["primaries=all"])
    assert [s.name for s in result.submissions] == ["M"]
    with pytest.raises(DataError, match=r"no metric of the list of wmt23 is here; en-de has M, N; set primaries=all"):
        qeframe.evaluate("own.toml", "t")


@pytest.mark.parametrize(
    ("setting", "remedy"),
    [
        ("outliers+=[refX]", "did you mean 'refA'?"),
        ("primaries=[M,refX]", "known: M, N"),
        ("primaries=[M,A]", "known: M, N"),
        ("human_row=refX", "known: mqm, other"),
        ("human_row=othr", "did you mean 'other'?"),
    ],
)
def test_a_name_that_no_pair_has_is_refused_with_its_parameter(tree, setting, remedy):
    tree({**FILES, "t/human-scores/en-de.other.sys.score": column(A="5", B="1")})
    key, _, name = setting.replace("+", "").replace("[M,", "[").partition("=")
    message = f"{key}: '{name.strip('[]')}' is in no file of scores or judgments; {remedy}"
    settings = ["test=", "interval=", *(["primaries=[M]"] if key != "primaries" else []), setting]
    assert refused(qeframe.evaluate, "wmt23_metrics_segment", "t", settings=settings) == message


def test_other_human_scores_that_one_pair_has_are_enough(tree):
    more = {name.replace("en-de", "zh-en"): text for name, text in FILES.items()}
    tree({**FILES, **more, "t/human-scores/zh-en.other.seg.score": GOLD})
    lacking, there = READER(human_row="other", gold="mqm", references=("refA",)).read(Path("t"), "high")
    assert (lacking.unmatched["human_row"], there.unmatched["human_row"]) == (["other"], [])
    settings = ["test=", "interval=", "primaries=all", "human_row=other"]
    found = qeframe.evaluate("wmt23_metrics_segment", "t", settings=settings)
    assert "human (other)" in [each.name for each in found.submissions]
