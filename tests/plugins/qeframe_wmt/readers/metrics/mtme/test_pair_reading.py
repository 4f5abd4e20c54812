"""One language pair: domains, scores of systems by segment, the human row, metrics outside the list."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.task import Submission
from qeframe.data.align import align
from qeframe.report import as_text, leaderboard
from qeframe_wmt import mtme
from tests.plugins.qeframe_wmt.published_layout import DOMAINS, domains, published

READER = Parametric(mtme)


@pytest.fixture
def read(tree):
    def of(changed=(), without=(), **parameters):
        files = {name: text for name, text in published("wmt23", ["he-en"]).items() if name not in without}
        tree(files | dict(changed))
        (reading,) = READER(selection="wmt23", **parameters).read(Path(), "high")
        return reading

    return of


def value_of(reading, name):
    (values,) = [s.values for s in reading.submissions if s.name == name]
    return values


@pytest.mark.parametrize("domain", ["", *DOMAINS])
def test_scores_of_systems_by_segment_have_the_scores_of_systems_as_means(read, domain):
    systems = read(level="sys", domain=domain)
    segments = read(level="sys", units="segments", domain=domain)
    np.testing.assert_allclose(np.nanmean(segments.gold.values, axis=0), systems.gold.values[0], atol=1e-12)
    present = ~np.isnan(segments.gold.values)
    for name in ("BLEU", "GEMBA-MQM"):
        cells = np.where(present, value_of(segments, name), np.nan)
        np.testing.assert_allclose(np.nanmean(cells, axis=0), value_of(systems, name)[0], atol=1e-12)
        by_row, by_segment = (
            align(each).batches[Submission(name, kind)]
            for each, kind in ((each, "baseline" if name == "BLEU" else "real") for each in (systems, segments))
        )
        assert qeframe.score("system_pearson", by_segment, None) == pytest.approx(
            qeframe.score("system_pearson", by_row, None), abs=1e-9
        )
    assert set(segments.groups) == {"domain", "document"}
    assert systems.groups == {}


def test_a_domain(read):
    whole, part = read(), read(domain="social")
    inside = [label == "social" for label in whole.groups["domain"]]
    np.testing.assert_array_equal(part.gold.values, whole.gold.values[inside])
    assert set(part.groups["domain"]) == {"social"}
    reasons = {(note.count, note.reason) for note in part.dropped if note.what == "segment"}
    assert reasons == {(3, "no human scores"), (domains().count("news") - 3, "not of the domain 'social'")}


def test_without_a_file_of_domain_scores_means_are_taken_and_counted(read):
    name = "metric-scores/he-en/BLEU-refB"
    reading = read(without=[f"{name}.domain.score"], level="sys", domain="news")
    (note,) = [note for note in reading.dropped if note.what == "domain score"]
    assert (note.count, note.reason) == (1, "no file of domain scores, means of segments are used: BLEU")
    cells = dict.fromkeys(line.split("\t")[0] for line in Path(f"{name}.seg.score").read_text("utf-8").splitlines())
    for system in cells:
        lines = Path(f"{name}.seg.score").read_text("utf-8").splitlines()
        cells[system] = np.mean([float(x.split("\t")[1]) for x in lines if x.startswith(f"{system}\t")][::2])
    gold = Path("human-scores/he-en.mqm.sys.score").read_text("utf-8").splitlines()
    expected = [cells[line.split("\t")[0]] for line in gold]
    np.testing.assert_allclose(value_of(reading, "BLEU")[0], expected)


@pytest.mark.parametrize("parameters", [{}, {"level": "sys"}, {"level": "sys", "units": "segments"}])
def test_other_human_scores_in_a_row_of_their_own(read, parameters):
    reading = read(human_row="second", **parameters)
    row = reading.submissions[-1]
    assert (row.name, row.kind) == ("human (second)", "human")
    batch = align(reading).batches[Submission("human (second)", "human")]
    np.testing.assert_allclose(batch.predicted, batch.gold, atol=1e-12)


def test_cells_that_other_humans_did_not_score_are_left_out_of_their_row_alone(read):
    files = published("wmt23", ["he-en"])
    name = "human-scores/he-en.second.seg.score"
    lines = files[name].splitlines()
    lines[1] = "alpha\tNone"
    lines = [line for line in lines if not line.startswith("beta")]
    reading = read({name: "\n".join(lines)}, human_row="second")
    (note,) = [note for note in reading.dropped if note.what == "answer"]
    assert (note.count, note.reason) == (10, "missing in human (second), left out of its own scores")
    task = align(reading)
    human, other = (task.batches[Submission(*s)] for s in (("human (second)", "human"), ("BLEU", "baseline")))
    assert np.isnan(human.gold).sum() == np.isnan(other.gold).sum() + 10
    assert human.unanswered == 0


def test_human_scores_that_are_not_there(read):
    reading = read(human_row="third")
    assert "no segment scores: human (third)" in [note.reason for note in reading.dropped]
    assert "human" not in {submission.kind for submission in reading.submissions}


def test_a_metric_of_ones_own_is_marked(read):
    reading = read(primaries=("official", "own-metric"))
    assert [s.name for s in reading.submissions if s.kind == "unofficial"] == ["own-metric"]
    assert len(reading.submissions) == 33
    assert [s.name for s in read(primaries=("own-metric",)).submissions] == ["own-metric"]


def test_two_variants_of_a_metric_keep_their_names(read):
    reading = read(references=("refA", "refB"), primaries=("BLEU", "MetricX-23-QE"))
    assert [s.name for s in reading.submissions] == ["BLEU-refA", "BLEU-refB", "MetricX-23-QE"]


@pytest.fixture
def result(tree):
    tree(published("wmt23", ["he-en"]))
    few = ["test=permutation(draws=99, unit=pair)", "interval=", "secondary=[]", "primaries=[BLEU, XLsim]"]
    return qeframe.evaluate(
        "wmt23_metrics_segment", Path(), settings=[*few, "primaries+=[own-metric]", "human_row=second"]
    )


def test_what_is_not_official_is_compared_and_human_scores_are_not(result):
    found = {s.name: s for s in result.submissions}
    kinds = {name: s.kind for name, s in found.items()}
    assert kinds == {"BLEU": "baseline", "XLsim": "real", "own-metric": "unofficial", "human (second)": "human"}
    assert sorted(s.rank for s in result.submissions if s.kind != "human") == [1, 2, 3]
    assert (found["human (second)"].rank, found["human (second)"].cluster) == (1, None)
    assert {name for c in result.comparisons for name in (c.a, c.b)} == {"BLEU", "XLsim", "own-metric"}
    assert result.signature.changed["primaries"] == '[BLEU, XLsim, "own-metric"]'


def test_a_human_row_that_a_language_pair_lacks_has_no_overall_score_and_no_rank(tree):
    files = published("wmt23", ["en-de", "he-en"])
    tree({name: text for name, text in files.items() if not name.startswith("human-scores/he-en.second")})
    settings = ["test=", "interval=", "secondary=[]", "primaries=[BLEU, XLsim]", "human_row=second"]
    result = qeframe.evaluate("wmt23_metrics_segment", Path(), settings=settings)
    (row,) = [s for s in result.submissions if s.kind == "human"]
    score = row.scores[result.primary]
    assert np.isnan(score.value)
    assert {name: of.value for name, of in score.tasks.items()} == {"en-de": pytest.approx(1.0)}
    printed = as_text(leaderboard(result))
    line = next(line for line in printed.splitlines() if "human (second)" in line)
    assert line.split()[0] == "n/a"
    assert [cell for cell in line.split() if cell in {"1.000", "n/a"}] == ["n/a", "n/a", "1.000", "n/a"]
