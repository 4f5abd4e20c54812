"""Metrics and judges on pseudo-documents, against slow loops and by hand."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from qeframe.core.runner import Runner
from qeframe.data.reading import Assessments
from qeframe.plugin import DataError, Metric, Texts, additive
from qeframe.statistics.correlation import spearman_of_rows
from qeframe.studies import BETWEEN_JUDGES, correlate_with_judges, judge_pairs
from qeframe.studies.judge_agreement import _judged_texts, document_means, draw_documents

NAN = float("nan")


def lengths(batch):
    return np.stack([np.ones(len(batch)), [len(text.split()) for text in batch.predicted]], axis=1)


def share(sums):
    return np.divide(sums[..., 1], sums[..., 0], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 0] > 0)


LENGTH = Metric(name="length", summary="", kind=Texts, bind=additive(columns=("n", "l"), extract=lengths, score=share))
BREVITY = Metric(
    name="brevity", summary="", kind=Texts, bind=LENGTH.bind, higher_is_better=False
)  # the same, lower is better


def assessed(values, segments, judges):
    table = np.array(values, dtype=float)
    names = tuple("ABCDEFG"[: table.shape[1]])
    return Assessments(scale="rank", systems=names, segments=np.array(segments), judges=tuple(judges), values=table)


def texts_of(words):
    """Make texts of so many words: for each system, one number a segment; segments count from 1."""
    return {
        name: Texts(
            ids=np.arange(1, len(of) + 1),
            gold=Texts.from_plain(["x"] * len(of), [""] * len(of)).gold,
            predicted=np.array([" ".join("w" * n) for n in of], dtype=object),
        )
        for name, of in words.items()
    }


def test_texts_are_those_of_the_judged_segments_in_any_order():
    (texts,) = texts_of({"A": [1, 2, 3, 4]}).values()
    judged = assessed([[1], [2], [3]], [4, 2, 1], ["ann"] * 3)
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        of_system = _judged_texts(judged, {"A": texts.take(np.array(order))})["A"]
        assert (of_system.ids.tolist(), [len(t) for t in of_system.predicted]) == ([1, 2, 4], [1, 3, 7])


rows = st.integers(1, 5).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN]), min_size=n, max_size=n)] * 2)
)


@given(pair=rows)
def test_spearman_over_what_is_known(pair):
    human, scores = (np.array(side) for side in pair)
    (found,) = spearman_of_rows(human[None, :], scores[None, :])
    known = np.isfinite(human)
    if len(set(human[known])) < 2:
        assert np.isnan(found)
    elif np.isnan(scores[known]).any() or len(set(scores[known])) < 2:
        assert found == 0
    else:
        assert found == pytest.approx(spearmanr(human[known], scores[known]).statistic, abs=1e-12)


def test_z_scores_of_each_judge_over_all_looks():
    z = assessed([[1, 2, NAN], [3, 5, 7], [2, NAN, 2]], [1, 2, 3], ["ann", "ben", "cid"]).standardized()
    expected = np.array([[-1, 1, NAN], [-np.sqrt(1.5), 0, np.sqrt(1.5)], [0, NAN, 0]])
    np.testing.assert_allclose(z, expected, atol=1e-12)
    z = assessed([[0, 0], [3, 3]], [1, 2], ["ann", "ann"]).standardized()
    np.testing.assert_allclose(z, [[-1, -1], [1, 1]])


def test_pairs_of_judges():
    looks = assessed([[1, 2]] * 6, [5, 7, 5, 5, 7, 9], ["ann", "ben", "ben", "ann", "ben", "cid"])
    assert sorted(zip(*map(np.ndarray.tolist, looks.pairs()), strict=True)) == [(0, 2), (2, 3)]


def test_judges_by_pair_against_a_loop():
    rng = np.random.default_rng(5)
    values = rng.integers(1, 6, (60, 3)).astype(float)
    values[rng.random(values.shape) < 0.2] = NAN
    judges = rng.choice(["ann", "ben", "cid", "eve"], 60).tolist()
    looks = assessed(values, rng.integers(1, 13, 60), judges)
    z, at = looks.standardized(), looks.segments
    expected = {}
    for a, b in [("ann", "ben"), ("ann", "cid"), ("ann", "eve"), ("ben", "cid"), ("ben", "eve"), ("cid", "eve")]:
        both = [
            (z[i, s], z[j, s])
            for i in range(60)
            for j in range(60)
            for s in range(3)
            if (judges[i], judges[j]) == (a, b) and at[i] == at[j] and np.isfinite(z[[i, j], s]).all()
        ]
        expected[a, b] = (len(both), pearsonr(*zip(*both, strict=True)).statistic)
    result = judge_pairs(looks)
    assert {(pair.first, pair.second): (pair.translations, pair.correlation) for pair in result} == {
        pair: (n, pytest.approx(r, abs=1e-12)) for pair, (n, r) in expected.items()
    }
    assert [pair.correlation for pair in result] == sorted(pair.correlation for pair in result)


def test_two_judges_who_cannot_be_correlated():
    few = assessed([[1, 2], [2, 1]], [1, 1], ["ben", "ann"])
    equal = assessed([[1, 2, 3], [1, 1, 1]], [1, 1], ["ann", "ben"])
    for looks, n in ((few, 2), (equal, 3)):
        (pair,) = judge_pairs(looks)
        assert (pair.first, pair.second, pair.translations) == ("ann", "ben", n)
        assert np.isnan(pair.correlation)
    assert judge_pairs(assessed([[1, NAN], [NAN, 1], [1, 1]], [1, 1, 2], ["ann", "ben", "cid"])) == []


def test_nothing_judged():
    with pytest.raises(DataError, match="no translation was judged on the scale 'rank'"):
        assessed([[NAN, NAN]], [1], ["ann"])


def test_documents_take_looks_evenly_have_their_size_and_weighted_means():
    ((_, counts),) = draw_documents(np.array([3, 1, 3, 3, 1, 2]), 3, 20_000, (1,))
    assert (counts.sum(axis=1) == 3).all()
    np.testing.assert_allclose(counts.mean(axis=0), [1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 2, 1], atol=0.02)
    (block, counts), *more = draw_documents(np.array([3, 3, 5]), 4, 50, (1, 2))
    assert block == slice(0, len(counts)) or not more
    assert (counts.sum(axis=1) == 4).all()
    counts = np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    values = np.array([[1.0, np.nan], [4.0, 5.0], [7.0, np.nan]])
    np.testing.assert_allclose(document_means(counts, values), [[2.0, 5.0], [7.0, np.nan]])


def slow_curves(assessments, words, size, draws, seed):
    """Take the documents apart and score them one by one."""
    z = assessments.standardized()
    _, at = np.unique(assessments.segments, return_inverse=True)
    found = []
    for _, counts in draw_documents(at, size, draws, (seed, size, 0)):
        for document in counts.astype(int):
            looks = np.repeat(np.arange(len(document)), document)
            human, scores = [], []
            for nth, name in enumerate(assessments.systems):
                judged = [look for look in looks if np.isfinite(z[look, nth])]
                human.append(np.mean([z[look, nth] for look in judged]) if judged else NAN)
                own = [words[name][assessments.segments[look] - 1] for look in judged]
                scores.append(np.mean(own) if own else NAN)
            found.append(spearman_of_rows(np.array([human]), np.array([scores]))[0])
    return found


@pytest.mark.parametrize("size", [1, 3, 20])
def test_curves_against_a_loop(size, monkeypatch):
    rng = np.random.default_rng(3)
    values = rng.integers(1, 6, (30, 4)).astype(float)
    values[rng.random(values.shape) < 0.2] = NAN
    looks = assessed(values, rng.integers(1, 13, 30), rng.choice(["ann", "ben", "cid"], 30).tolist())
    words = {name: rng.integers(1, 9, 12).tolist() for name in "ABCD"}
    up, down, judges = correlate_with_judges(looks, texts_of(words), [LENGTH, BREVITY], [size], draws=40, seed=9)
    np.testing.assert_allclose(up.values[0], slow_curves(looks, words, size, 40, 9), atol=1e-12)
    np.testing.assert_allclose(down.values, -up.values, atol=1e-12)
    assert (judges.name, judges.references, up.references) == (BETWEEN_JUDGES, 0, 1)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 200)
    again, *_ = correlate_with_judges(looks, texts_of(words), [LENGTH], [2, size], draws=40, seed=9)
    np.testing.assert_array_equal(again.values[-1], up.values[0])
    with ThreadPoolExecutor(2) as threads:
        pooled, *_ = correlate_with_judges(
            looks, texts_of(words), [LENGTH], [size], draws=40, seed=9, runner=Runner(threads)
        )
    np.testing.assert_array_equal(pooled.values, up.values)
    other, *_ = correlate_with_judges(looks, texts_of(words), [LENGTH], [size], draws=40, seed=8)
    assert not np.array_equal(other.values, up.values, equal_nan=True)


def test_perfect_metric_and_perfect_judges():
    values = [[1, 2, 3], [1, 2, 3], [2, 1, 3], [2, 1, 3]]
    looks = assessed(values, [1, 1, 2, 2], ["ann", "ben", "ann", "ben"])
    words = {"A": [1, 2], "B": [2, 1], "C": [3, 3]}
    metric, judges = correlate_with_judges(looks, texts_of(words), [LENGTH], [1, 4], draws=50)
    assert metric.mean == pytest.approx([1, 1])
    assert judges.mean == pytest.approx([1, 1])
    assert metric.spread == pytest.approx([0, 0], abs=1e-12)
    assert metric.undefined.tolist() == [0, 0]


def test_documents_in_which_judges_tell_nothing_apart_are_left_out():
    looks = assessed([[1, 2], [4, 4]], [1, 2], ["ann", "ben"])
    (metric,) = correlate_with_judges(looks, texts_of({"A": [1, 1], "B": [2, 2]}), [LENGTH], [1], draws=400)
    assert metric.mean == pytest.approx([1])
    assert metric.undefined == pytest.approx([0.5], abs=0.1)


def test_a_metric_that_tells_nothing_apart_scores_0():
    looks = assessed([[1, 2], [1, 4]], [1, 2], ["ann", "ben"])
    (metric,) = correlate_with_judges(looks, texts_of({"A": [1, 1], "B": [1, 1]}), [LENGTH], [1, 2], draws=9)
    assert metric.mean.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [0]}, "draws and sizes must be at least 1; draw one document or more"),
        ({"sizes": []}, "draws and sizes must be at least 1"),
        ({"draws": 0}, "draws and sizes must be at least 1"),
        ({"words": {"A": [1, 1]}}, "system 'B' was judged, but has no texts; give its translations"),
        ({"words": {"A": [1], "B": [1]}}, "segment 2 was judged, but 'A' has no text of it; give its translation"),
        ({"metrics": ["pearson"]}, "pearson works on Scores, not on Texts; name metrics on Texts"),
        ({"values": [[1], [2]]}, "a correlation over systems needs at least two systems; give more systems"),
    ],
)
def test_what_is_refused(registry, change, message):
    looks = assessed(change.get("values", [[1, 2], [1, 4]]), [1, 2], ["ann", "ben"])
    metrics = [registry.get(Metric, name) for name in change.get("metrics", [])] or [LENGTH]
    words = change.get("words", {"A": [1, 1], "B": [1, 1]})
    with pytest.raises(DataError) as caught:
        correlate_with_judges(looks, texts_of(words), metrics, change.get("sizes", [1]), draws=change.get("draws", 2))
    assert str(caught.value).startswith(message)
