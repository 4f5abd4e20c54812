"""The default test and its corrections against obvious loops: other scores, documents, tasks, families.

What is drawn is taken from the draws of the program; scores, differences, counts and step-downs are not.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.draws import bootstrap_counts, draw_blocks, exchange_masks
from qeframe.core.ranking import Aggregation
from qeframe.plugin import Grid
from qeframe_significance.families.max_t import max_t
from qeframe_significance.jackknife_and_exchange import exchange, jackknife_and_exchange, romano_wolf_and_max_t
from tests.examples import FEWER
from tests.plugins.contests import contest, slow_step_down

Score = Callable[[Sequence[Any], Sequence[Any]], float]
SLACK = 1e-12
ALL = 5000


def mae(gold: Sequence[float], answers: Sequence[float]) -> float:
    return sum(abs(g - a) for g, a in zip(gold, answers, strict=True)) / len(gold)


def counts(gold: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> tuple[int, int, int, int]:
    pairs = [(g, a) for of, by in zip(gold, answers, strict=True) for g, a in zip(of, by, strict=True)]
    told = [pairs.count((g, a)) for g, a in (("BAD", "BAD"), ("OK", "BAD"), ("BAD", "OK"), ("OK", "OK"))]
    return told[0], told[1], told[2], told[3]


def mcc(gold: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> float:
    tp, fp, fn, tn = counts(gold, answers)
    root = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return (tp * tn - fp * fn) / root if root else 0.0


def f1_bad(gold: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> float:
    tp, fp, fn, _ = counts(gold, answers)
    return 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def accuracy(gold: Sequence[Sequence[float]], answers: Sequence[Sequence[float]]) -> float:
    """Return the share of pairs of systems, by their means over segments, that are in the order of the gold."""
    systems = range(len(gold[0]))
    human, metric = ([sum(row[s] for row in side) for s in systems] for side in (gold, answers))
    pairs = list(itertools.combinations(systems, 2))
    return sum((human[i] - human[j]) * (metric[i] - metric[j]) > 0 for i, j in pairs) / len(pairs)


def swapped(a: Sequence[Any], b: Sequence[Any], mask: Sequence[bool]) -> tuple[list[Any], list[Any]]:
    mixed = [(y, x) if swap else (x, y) for x, y, swap in zip(a, b, mask, strict=True)]
    return [x for x, _ in mixed], [y for _, y in mixed]


def p_of_all(score: Score, gold: Sequence[Any], a: Sequence[Any], b: Sequence[Any], groups: Sequence[int]) -> float:
    """Return the share of all exchanges of groups of units whose difference is at least as large as the observed."""
    observed, extreme, total = abs(score(gold, a) - score(gold, b)), 0, 2 ** (max(groups) + 1)
    for of_groups in itertools.product([False, True], repeat=max(groups) + 1):
        x, y = swapped(a, b, [of_groups[group] for group in groups])
        extreme += abs(score(gold, x) - score(gold, y)) >= observed - SLACK
    return extreme / total


def exchanged(metric: str, gold: Any, a: Any, b: Any, groups: Sequence[int] | None = None) -> float:
    labels = None if groups is None else [f"d{group}" for group in groups]
    (pair,) = qeframe.compare(
        metric, gold, {"a": a, "b": b}, test=f"exchange(draws={ALL})", correction="none", groups=labels
    )
    return float(pair.p)


NUMBERS = st.lists(st.integers(-9, 9), min_size=6, max_size=6)
SENTENCES = st.lists(st.lists(st.sampled_from(["OK", "BAD"]), min_size=3, max_size=3), min_size=6, max_size=6)


@FEWER
@given(NUMBERS, NUMBERS, NUMBERS)
def test_every_exchange_of_mae(gold, a, b):
    assert exchanged("mae", gold, a, b) == p_of_all(mae, gold, a, b, range(6))


@FEWER
@given(SENTENCES, SENTENCES, SENTENCES, st.sampled_from([("mcc", mcc), ("f1_bad", f1_bad)]))
def test_every_exchange_of_scores_of_tags(gold, a, b, of):
    metric, score = of
    assert exchanged(metric, gold, a, b) == p_of_all(score, gold, a, b, range(6))


def standardized(scores: np.ndarray) -> list[list[float]]:
    """Return the scores of a metric with mean 0 and deviation 1 over all cells."""
    mean = sum(scores.flat) / scores.size
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores.flat) / scores.size)
    return [[(score - mean) / deviation for score in row] for row in scores]


@FEWER
@given(st.integers(0, 10**6))
def test_every_exchange_of_segments_of_pairwise_accuracy(seed):
    rng = np.random.default_rng(seed)
    gold, a, b = rng.normal(size=(3, 5, 4))
    b *= 30
    batches = {name: Grid.from_plain(gold, side) for name, side in (("a", a), ("b", b))}
    (pair,) = qeframe.compare("pairwise_accuracy", None, batches, test=f"exchange(draws={ALL})", correction="none")
    assert pair.p == p_of_all(accuracy, gold.tolist(), standardized(a), standardized(b), range(5))


@FEWER
@given(st.integers(0, 10**6), st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_documents_of_unequal_size_are_swapped_whole(seed, drawn):
    order = list(dict.fromkeys(drawn))
    groups = [order.index(group) for group in drawn]
    if len(order) < 2:
        return
    gold, a, b = np.random.default_rng(seed).integers(-9, 10, size=(3, 12)).tolist()
    assert exchanged("mae", gold, a, b, groups) == p_of_all(mae, gold, a, b, groups)


def masks_of(given_: Contest, draws: int) -> list[list[bool]]:
    """Return which units are swapped in every draw."""
    units = given_.sizes[0]
    blocks = draw_blocks((*given_.terms[0].sample.key, 2), draws, units)
    return [row.astype(bool).tolist() for block in blocks for row in exchange_masks(block, units)]


def differences_of(
    gold: Sequence[Any], submissions: Sequence[Sequence[Any]], masks: Sequence[Sequence[bool]]
) -> list[dict[tuple[int, int], float]]:
    """Return the differences of minus MAE of all pairs after every exchange."""
    pairs = list(itertools.combinations(range(len(submissions)), 2))
    rows = []
    for mask in masks:
        row = {}
        for i, j in pairs:
            x, y = swapped(submissions[i], submissions[j], mask)
            row[i, j] = mae(gold, y) - mae(gold, x)
        rows.append(row)
    return rows


def test_several_tasks_are_swapped_apart_and_their_differences_summed():
    """MAE over two tasks of 9 and 14 units with the weights 1 and 3: the mean of the differences in each draw."""
    rng, draws = np.random.default_rng(4), 120
    tasks = [rng.normal(size=(4, units)).round(1) for units in (9, 14)]
    golds, answers = [task[0].tolist() for task in tasks], [task[1:].tolist() for task in tasks]
    in_tasks = tuple(
        contest("mae", gold, of, key=(key,)) for key, (gold, of) in enumerate(zip(golds, answers, strict=True), 5)
    )
    across = Contest.across(
        [each.terms[0] for each in in_tasks],
        (np.arange(3),) * 2,
        submissions=3,
        aggregation=qeframe.load().get(Aggregation, "mean"),
        weights=np.array([1.0, 3.0]),
        as_given=True,
    )
    parts = [
        differences_of(gold, of, masks_of(given_, draws))
        for gold, of, given_ in zip(golds, answers, in_tasks, strict=True)
    ]
    drawn = [{pair: 0.25 * one[pair] + 0.75 * other[pair] for pair in one} for one, other in zip(*parts, strict=True)]
    scores = [-0.25 * mae(golds[0], answers[0][s]) - 0.75 * mae(golds[1], answers[1][s]) for s in range(3)]
    found = exchange(draws=draws).run(across, "two")
    for (i, j), p in zip(drawn[0], found.p, strict=True):
        extreme = sum(abs(row[i, j]) >= abs(scores[i] - scores[j]) - SLACK for row in drawn)
        assert p == pytest.approx((1 + extreme) / (1 + draws))
    adjusted = max_t(draws=draws, standardize="as_needed").adjust_jointly
    assert adjusted is not None
    observed = {(i, j): scores[i] - scores[j] for i, j in drawn[0]}
    assert adjusted(across, found, "two").tolist() == pytest.approx(
        [max(p, x) for p, x in zip(found.p, step_down_of_exchanges(observed, drawn, everything=False), strict=True)]
    )


def step_down_of_exchanges(
    observed: Mapping[tuple[int, int], float], drawn: Sequence[Mapping[tuple[int, int], float]], *, everything: bool
) -> list[float]:
    """Return the step-down of the largest standardized absolute difference, in the order of the pairs."""
    rms = {pair: math.sqrt(sum(row[pair] ** 2 for row in drawn) / len(drawn)) for pair in observed}
    statistic = {pair: abs(value) / rms[pair] for pair, value in observed.items()}
    standardized_draws = [{pair: abs(row[pair]) / rms[pair] for pair in observed} for row in drawn]
    adjusted = slow_step_down(statistic, standardized_draws, everything=everything)
    return [adjusted[pair] for pair in observed]


def romano_wolf_by_loops(
    gold: Sequence[float], submissions: Sequence[Sequence[float]], weights: Sequence[Sequence[int]]
) -> tuple[list[float], list[float]]:
    """Return p of the jackknife and the adjusted p of Romano and Wolf, for minus MAE, in the order of the pairs."""
    units, count = len(gold), len(submissions)
    errors = [[abs(g - a) for g, a in zip(gold, answers, strict=True)] for answers in submissions]

    def score(s: int, weight: Sequence[int]) -> float:
        return -sum(w * e for w, e in zip(weight, errors[s], strict=True)) / sum(weight)

    pairs = list(itertools.combinations(range(count), 2))
    one, out = [1] * units, [[int(i != j) for i in range(units)] for j in range(units)]
    p, nu = [], {}
    for i, j in pairs:
        left = [score(i, w) - score(j, w) for w in out]
        away = [value - sum(left) / units for value in left]
        square, fourth = sum(d**2 for d in away), sum(d**4 for d in away)
        freedom = min(max(2 * square**2 / (fourth - square**2 / units), 1), units - 1)
        t = (score(i, one) - score(j, one)) / math.sqrt((units - 1) / units * square)
        tail = stats.t.sf(abs(t), freedom)
        p.append(2 * tail)
        nu[i, j] = math.copysign(stats.norm.isf(tail), t)
        nu[j, i] = -nu[i, j]
    drawn = [[score(s, weight) for s in range(count)] for weight in weights]
    mean = [sum(row[s] for row in drawn) / len(drawn) for s in range(count)]
    studentized: dict[tuple[int, int], list[float]] = {}
    for i, j in nu:
        centered = [row[i] - mean[i] - row[j] + mean[j] for row in drawn]
        spread = math.sqrt(sum(value**2 for value in centered) / len(centered))
        studentized[i, j] = [value / spread for value in centered]
    adjusted = slow_step_down(nu, [{claim: studentized[claim][b] for claim in nu} for b in range(len(drawn))])
    return p, [adjusted[(i, j) if nu[i, j] >= 0 else (j, i)] for i, j in pairs]


@pytest.mark.parametrize(("units", "draws"), [(7, 150), (9, 80)])
def test_the_default_family_whole(units, draws):
    """Of 7 units all 128 exchanges, of 9 units drawn ones; bootstrap draws in both."""
    rng = np.random.default_rng(units)
    gold, *submissions = rng.normal(size=(5, units)).tolist()
    submissions[0] = [g + 0.2 * (a - g) for g, a in zip(gold, submissions[0], strict=True)]
    given_ = contest("mae", gold, submissions)
    ordered = sorted(range(4), key=lambda s: mae(gold, submissions[s]))
    position = {pair: nth for nth, pair in enumerate(itertools.combinations(range(4), 2))}
    weights = [
        row.tolist()
        for block in draw_blocks((*given_.terms[0].sample.key, 1), draws, units)
        for row in bootstrap_counts(block, units)
    ]
    everything = 2**units <= draws
    masks = [list(m) for m in itertools.product([False, True], repeat=units)] if everything else masks_of(given_, draws)
    drawn = differences_of(gold, submissions, masks)
    observed = {(i, j): mae(gold, submissions[j]) - mae(gold, submissions[i]) for i, j in position}
    p_t, rw = romano_wolf_by_loops(gold, submissions, weights)
    more = 0 if everything else 1
    p_x = [
        (more + sum(abs(row[pair]) >= abs(observed[pair]) - SLACK for row in drawn)) / (more + len(drawn))
        for pair in position
    ]
    p = [max(both) for both in zip(p_t, p_x, strict=True)]
    tested = jackknife_and_exchange(draws=draws).run(given_, "two")
    assert tested.p.tolist() == pytest.approx(p)
    x = step_down_of_exchanges(observed, drawn, everything=everything)
    correction = romano_wolf_and_max_t(draws=draws).adjust_jointly
    assert correction is not None
    best_first = Contest.of(given_.terms[0].sample)
    found = correction(best_first, jackknife_and_exchange(draws=draws).run(best_first, "two"), "two")
    expected = {pair: max(rw[nth], x[nth], p[nth]) for pair, nth in position.items()}
    pairs = list(zip(*(side.tolist() for side in best_first.pairs), strict=True))
    assert pairs == [(ordered[i], ordered[j]) for i, j in itertools.combinations(range(4), 2)]
    assert found.tolist() == pytest.approx([expected[min(i, j), max(i, j)] for i, j in pairs])
