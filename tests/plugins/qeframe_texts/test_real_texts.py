"""Real translations with two references and human scores; scores of segments, also of those that are missing."""

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.metric import segment_scores
from qeframe.data.align import align
from qeframe.data.reading import Reading, UnitValues
from qeframe.kinds.texts.batch import Texts, text_array


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data("mlqe-pe-multiref")


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def batches(folder):
    candidates = lines(folder / "mt.en")
    references = list(zip(lines(folder / "ref-1.en"), lines(folder / "ref-2.en"), strict=True))
    return {n: Texts.from_plain([list(of[:n]) for of in references], candidates) for n in (1, 2)}


@pytest.mark.parametrize(("several", "correlation"), [(1, 0.508), (2, 0.554)])
def test_chrf_of_segments_correlates_with_humans(folder, batches, named, several, correlation):
    human = np.loadtxt(folder / "DA-z.scores")
    scores = segment_scores(named("chrf"), batches[several])
    assert qeframe.score("pearson", human, scores) == pytest.approx(correlation, abs=0.0005)


@pytest.mark.parametrize("name", ["bleu", "chrf", "sentence_bleu", "ter", "wer", "per", "cder", "nist"])
def test_a_second_reference_helps_every_metric(batches, named, name):
    measure = named(name)
    one, two = (qeframe.score(measure, batches[n], None) for n in (1, 2))
    assert (two > one) == measure.higher_is_better


def test_cder_forgives_order_and_per_forgives_more(batches, named):
    errors = {name: segment_scores(named(name), batches[1]) for name in ("wer", "cder", "per")}
    assert (errors["cder"] <= errors["wer"] + 1e-9).all()
    assert (errors["per"] <= errors["wer"] + 1e-9).all()


def test_a_missing_segment_is_scored_as_an_empty_candidate(measure):
    ids, texts = np.arange(3), text_array(["a b", "c d", "e f"])
    gold = UnitValues(name="gold", ids=ids, values=texts)
    submission = UnitValues(name="s", ids=ids[:2], values=texts[:2])
    reading = Reading(name="t", kind=Texts, gold=gold, submissions=(submission,))
    with pytest.raises(DataError, match="segment 2 is missing in s"):
        align(reading)
    task = align(reading, missing="score_as_worst")
    (batch,) = task.batches.values()
    assert batch.predicted.tolist() == ["a b", "c d", ""]
    assert measure("wer", batch) == pytest.approx(100 / 3)


def test_scores_of_segments(named):
    batch = Texts.from_plain(["a b", "c d", ""], ["a b", "c", ""])
    assert segment_scores(named("wer"), batch).tolist() == [0, 50, 0]
    empty = Texts.from_plain([], [])
    for name in ("wer", "nist"):
        assert segment_scores(named(name), empty).shape == (0,)


def test_scores_of_segments_beyond_one_block(named, monkeypatch):
    batch = Texts.from_plain(["a b", "c d e", "a b c", "d"], ["a b", "c d", "c b", "d"])
    whole = segment_scores(named("nist"), batch)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 16)
    np.testing.assert_array_equal(segment_scores(named("nist"), batch), whole)
    alone = [float(named("nist").bind(batch.take(np.array([i])))(np.ones(1))) for i in range(4)]
    np.testing.assert_allclose(whole, alone, rtol=0, atol=1e-12)
