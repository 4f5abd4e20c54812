"""Pairs from rankings and assessments, and human scores of systems: golden cases, hand checks, WMT12 and WMT20."""

import csv

import numpy as np
import pytest

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


@pytest.mark.parametrize("number", ["k10", "k11"])
def test_golden(golden, number):
    (case,) = (c for c in golden if c["function"] == "rank_pairs" and c["id"].startswith(number))
    assert [list(pair) for pair in pairs_from_ranks(case["input"]["ranks"])] == case["expected"]["value"]
    assert sum(c["function"] == "rank_pairs" for c in golden) == 2


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
