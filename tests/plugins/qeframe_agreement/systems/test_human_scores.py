"""Wins, shares of wins and z-scores of judges; abilities after Bradley and Terry against the likelihood."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement import (
    count_wins,
    expected_wins,
    pairs_from_ranks,
    pairs_from_scores,
    pairs_of_rankings,
    standardize_by_judge,
    win_ratio,
)
from qeframe_agreement.systems.human_scores import bradley_terry


def test_golden(cases_of):
    for case in cases_of("rank_pairs"):
        assert [list(pair) for pair in pairs_from_ranks(case["input"]["ranks"])] == case["expected"]["value"], case[
            "id"
        ]


@pytest.mark.parametrize("rank", [0, -2, 1.5, "1", True])
def test_a_rank_that_is_none(rank):
    with pytest.raises(DataError, match=r"is no rank of 'A'"):
        pairs_from_ranks({"A": rank, "B": 1})


def test_many_rankings_are_one_after_the_other():
    ranks = [[1, 2, 2, -1], [3, 1, -1, -1], [-1, -1, -1, 1]]
    systems = [[0, 1, 2, 3], [2, -1, 0, 1], [0, 1, 2, 3]]
    found = pairs_of_rankings(ranks, systems)
    assert found.source.tolist() == [0, 0, 0]  # the reference (-1) and what was not judged are in no pair
    assert list(zip(found.left, found.right, found.human, strict=True)) == [(0, 1, 1), (0, 2, 1), (1, 2, 0)]
    with pytest.raises(DataError, match="below 1"):
        pairs_of_rankings([[0, 1]], [[0, 1]])
    with pytest.raises(DataError, match="length mismatch"):
        pairs_of_rankings([[1, 1]], [[0]])


def test_assessments_far_enough_apart():
    scores = [[50, 75, 80], [10, np.nan, 10]]
    at, beyond = pairs_from_scores(scores), pairs_from_scores(scores, strict=True)
    assert list(zip(at.left, at.right, at.human, strict=True)) == [(0, 1, -1), (0, 2, -1)]
    assert list(zip(beyond.left, beyond.right, strict=True)) == [(0, 2)]
    assert len(pairs_from_scores(scores, threshold=0).human) == 3
    with pytest.raises(DataError, match="segments x systems"):
        pairs_from_scores([1, 2])


HUMAN, LEFT, RIGHT = [1, 1, -1, 0, 1], [0, 0, 1, 0, 2], [1, 1, 2, 1, 0]


def test_wins():
    wins, ties = count_wins(HUMAN, LEFT, RIGHT, systems=4)
    assert wins.tolist() == [[0, 2, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert ties.tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert win_ratio(wins) == pytest.approx([2 / 3, 0, 1, np.nan], nan_ok=True)
    assert win_ratio(wins, ties, count_ties="half") == pytest.approx([2.5 / 4, 0.5 / 4, 1, np.nan], nan_ok=True)
    assert win_ratio(wins, ties, count_ties="win") == pytest.approx([3 / 4, 1 / 4, 1, np.nan], nan_ok=True)
    assert expected_wins(wins) == pytest.approx([0.5, 0, 1, np.nan], nan_ok=True)


def test_wins_under_weights():
    weights = np.array([[1.0, 0, 2, 1, 0], [0, 0, 0, 0, 3]])
    wins, ties = count_wins(HUMAN, LEFT, RIGHT, systems=3, weights=weights)
    for row, (won, tied) in enumerate(zip(wins, ties, strict=True)):
        again = np.repeat(np.arange(5), weights[row].astype(int))
        expected = count_wins(*(np.array(side)[again] for side in (HUMAN, LEFT, RIGHT)), systems=3)
        assert won.tolist() == expected[0].tolist()
        assert tied.tolist() == expected[1].tolist()
    assert win_ratio(wins).shape == expected_wins(wins).shape == (2, 3)


def test_a_system_that_is_none():
    with pytest.raises(DataError, match="outside of the 2 systems"):
        count_wins([1], [0], [2], systems=2)
    with pytest.raises(DataError, match="length mismatch"):
        count_wins([1, 1], [0], [1], systems=2)


def test_scores_in_units_of_each_judge():
    z = standardize_by_judge([1, 3, 10, 30, 50, 7, 5, 5], ["a", "a", "b", "b", "b", "c", "d", "d"])
    half = np.sqrt(0.5)
    assert z == pytest.approx([-half, half, -1, 0, 1, np.nan, np.nan, np.nan], nan_ok=True)


def test_a_missing_score_is_left_out_of_its_judge_alone():
    z = standardize_by_judge([1, 3, np.nan, 10, 30, np.nan], ["a", "a", "a", "b", "b", "c"])
    half = np.sqrt(0.5)
    assert z == pytest.approx([-half, half, np.nan, -half, half, np.nan], nan_ok=True)
    assert len(standardize_by_judge([], [])) == 0
    with pytest.raises(DataError, match="infinite score at position 1"):
        standardize_by_judge([1, np.inf], ["a", "a"])


@pytest.mark.parametrize("sign", [2, -3, 0.5, np.nan])
def test_a_sign_that_is_none_is_refused(sign):
    with pytest.raises(DataError, match="at position 1 is no relation"):
        count_wins([1, sign], [0, 1], [1, 0], systems=2)


def test_no_judgments_are_no_wins():
    wins, ties = count_wins([], [], [], systems=2, weights=np.ones((3, 0)))
    assert not wins.any()
    assert wins.shape == ties.shape == (3, 2, 2)


WMT12 = {"cs-en": (11021, 1754), "en-fr": (11562, 3787)}
LANGUAGES = {"Czech": "cs", "English": "en", "French": "fr", "German": "de", "Spanish": "es"}


def test_wmt12_pair_counts(shared_data):
    """Decided and tied pairs of two language pairs."""
    with (shared_data("wmt12-metrics") / "rankings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for pair, counts in WMT12.items():
        source, target = (next(k for k, v in LANGUAGES.items() if v == code) for code in pair.split("-"))
        of = [row for row in rows if (row["srclang"], row["trglang"]) == (source, target)]
        ranks = [[int(row[f"system{k}rank"]) for k in range(1, 6)] for row in of]
        found = pairs_of_rankings(ranks, [[0, 1, 2, 3, 4]] * len(of))
        decided = int((found.human != 0).sum())
        assert (decided, len(found.human) - decided) == counts, pair


def test_wmt20_darr(shared_data, registry):
    """The pairs of cs-en, and the official values of chrF and TER on them."""
    folder = shared_data("wmt20-metrics")
    assessed = {}
    (path,) = folder.rglob("cs-en.seg.csv")
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        system, segment, raw, *_ = line.split()
        if not system.startswith("Human"):
            assessed[segment, system] = float(raw)
    systems, segments = (sorted({key[i] for key in assessed}) for i in (1, 0))
    grid = np.array([[assessed.get((segment, system), np.nan) for system in systems] for segment in segments])
    found = pairs_from_scores(grid)
    assert len(found.human) == 14_018
    for metric, value in {"chrF": 0.0863, "TER": -0.0401}.items():
        scores = {}
        for line in (folder / "scores" / f"{metric}.cs-en.seg.tsv").read_text(encoding="utf-8").splitlines():
            _, _, _, references, system, document, segment, score = line.split()
            if references == "newstest2020":
                scores[f"{document}::{segment}", system] = float(score)
        sides = ((found.source, found.left), (found.source, found.right))
        predicted = [[scores[segments[i], systems[k]] for i, k in zip(*side, strict=True)] for side in sides]
        batch = Judgments.from_plain(found.human, np.transpose(predicted))
        assert round(qeframe.score("kendall(ties=darr)", batch, None, registry=registry), 4) == value, metric


def by_iteration(wins, steps=20_000):
    """Return log abilities by the iteration of Zermelo, system by system."""
    count = len(wins)
    strength = np.ones(count)
    for _ in range(steps):
        for i in range(count):
            met = sum((wins[i, j] + wins[j, i]) / (strength[i] + strength[j]) for j in range(count) if j != i)
            strength[i] = wins[i].sum() / met
        strength /= np.exp(np.log(strength).mean())
    return np.log(strength)


def test_against_the_plain_iteration():
    wins = np.array([[0, 5, 3, 9], [2, 0, 4, 1], [1, 3, 0, 2], [1, 0, 2, 0]], dtype=float)
    assert bradley_terry(wins) == pytest.approx(by_iteration(wins, 3000), abs=1e-9)


def test_two_systems_are_their_log_odds():
    assert bradley_terry(np.array([[0.0, 9.0], [1.0, 0.0]])) == pytest.approx(np.array([1, -1]) * np.log(9) / 2)
    far = bradley_terry(np.array([[0.0, 1e6], [1.0, 0.0]]))
    assert far == pytest.approx(np.array([1, -1]) * np.log(1e6) / 2)


@pytest.mark.parametrize("systems", [5, 12, 20, 40])
@pytest.mark.parametrize("odds", [2000.0, 1e6])
def test_a_chain_of_neighbors_is_as_far_apart_as_its_odds(systems, odds):
    """The maximum is known: neighbors differ by their log odds, so that the ends differ by hundreds."""
    wins = odds * np.eye(systems, k=1) + np.eye(systems, k=-1)
    found = bradley_terry(np.stack([wins, np.ones((systems, systems)) - np.eye(systems)]))
    assert -np.diff(found[0]) == pytest.approx(np.full(systems - 1, np.log(odds)), rel=1e-6)
    assert found[1] == pytest.approx(np.zeros(systems), abs=1e-12)


def test_what_is_not_reached_is_undefined(monkeypatch):
    monkeypatch.setattr("qeframe_agreement.systems.human_scores._STEPS", 5)
    assert np.isnan(bradley_terry(2000 * np.eye(9, k=1) + np.eye(9, k=-1))).all()
    assert not np.isnan(bradley_terry(2 * np.eye(3, k=1) + np.eye(3, k=-1))).any()


@given(seed=st.integers(0, 999), systems=st.integers(2, 6), draws=st.integers(1, 4))
def test_the_slope_is_zero_in_every_draw(seed, systems, draws):
    """At the maximum every system is expected to win as often as it did; each draw is that of its own table."""
    wins = np.random.default_rng(seed).poisson(1.5, (draws, systems, systems)).astype(float)
    wins *= 1 - np.eye(systems)
    found = bradley_terry(wins)
    for table, abilities in zip(wins, found, strict=True):
        assert bradley_terry(table) == pytest.approx(abilities, nan_ok=True)
        there = ~np.isnan(abilities)
        if there.any():
            chances = 1 / (1 + np.exp(abilities[there][None] - abilities[there][:, None]))
            inner = table[np.ix_(there, there)]
            assert ((inner + inner.T) * chances).sum(axis=1) == pytest.approx(inner.sum(axis=1), abs=1e-8)
            assert abilities[there].mean() == pytest.approx(0, abs=1e-9)


def test_without_a_maximum_all_are_undefined():
    always_wins = np.array([[0, 2, 2], [0, 0, 1], [0, 1, 0]], dtype=float)
    always_loses = always_wins.T
    apart = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], dtype=float)
    for wins in (always_wins, always_loses, apart, np.zeros((2, 2))):
        assert np.isnan(bradley_terry(wins)).all()
    assert bradley_terry(np.zeros((0, 3, 3))).shape == (0, 3)


def test_a_system_that_was_not_compared_is_left_out():
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]], dtype=float)
    assert bradley_terry(wins) == pytest.approx([np.log(3) / 2, -np.log(3) / 2, np.nan], nan_ok=True)
