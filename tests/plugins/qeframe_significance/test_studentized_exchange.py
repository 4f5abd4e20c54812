"""The studentized exchange against its definition: exchange after exchange, influence after influence."""

import itertools
import math

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.draws import draw_blocks, exchange_masks
from qeframe.core.ranking import Aggregation
from qeframe.plugin import CapabilityError, DataError
from qeframe_significance.exchange_of_differences import studentized_differences, studentized_exchange
from qeframe_significance.families.max_t import max_t
from tests.examples import FEWER
from tests.plugins.contests import contest, slow_step_down

ALL, LARGEST = 1000, 1e6


# The scores and what each unit adds to them, by their formulas.
def correlation(gold, answers):
    """Return Pearson's correlation and the influences of the units; 0 of a constant side."""
    z_gold, z_answers = (np.asarray(side, dtype=float) - np.mean(side) for side in (gold, answers))
    if not (z_gold.std() > 1e-9 and z_answers.std() > 1e-9):
        return 0.0, np.zeros(len(gold))
    z_gold, z_answers = z_gold / z_gold.std(), z_answers / z_answers.std()
    r = np.mean(z_gold * z_answers)
    return r, (z_gold * z_answers - r * (z_gold**2 + z_answers**2) / 2) / len(gold)


def mae(gold, answers):
    errors = np.abs(np.asarray(gold) - answers)
    return -errors.mean(), (errors.mean() - errors) / len(errors)


def rmse(gold, answers):
    squares = (np.asarray(gold) - answers) ** 2
    root = math.sqrt(squares.mean())
    return -root, (squares.mean() - squares) / len(squares) / (2 * root) if root else np.zeros(len(squares))


def by_sentence(of_tokens, gold):
    return np.add.reduceat(of_tokens, np.cumsum([0, *map(len, gold)])[:-1])


def mcc(gold, answers):
    is_bad = [np.array([tag == "BAD" for row in side for tag in row], dtype=float) for side in (gold, answers)]
    score, influence = correlation(*is_bad)
    return score, by_sentence(influence, gold)


def f1(gold, answers, tag):
    in_gold, told = (np.array([word == tag for row in side for word in row], dtype=float) for side in (gold, answers))
    size = in_gold.sum() + told.sum()
    if not size:
        return 0.0, np.zeros(len(in_gold))
    score = 2 * (in_gold * told).sum() / size
    return score, (2 * in_gold * told - score * (in_gold + told)) / size


def f1_bad(gold, answers):
    score, influence = f1(gold, answers, "BAD")
    return score, by_sentence(influence, gold)


def f1_mult(gold, answers):
    (bad, of_bad), (ok, of_ok) = f1(gold, answers, "BAD"), f1(gold, answers, "OK")
    return bad * ok, by_sentence(of_bad * ok + of_ok * bad, gold)


def on_scale(answers):
    away = np.asarray(answers, dtype=float) - np.median(answers)
    distances = [abs(one) for one in away]
    cap = np.quantile([one for one in distances if one > 0] or [1.0], 0.7)
    size = math.sqrt(sum(min(one, cap) ** 2 for one in distances) / len(distances))
    return away / (size or 1.0)


SCORES = {
    "pearson": (correlation, lambda gold, answers: (gold, on_scale(answers))),
    "spearman": (correlation, lambda gold, answers: (stats.rankdata(gold), on_scale(stats.rankdata(answers)))),
    "mae": (mae, lambda gold, answers: (gold, answers)),
    "rmse": (rmse, lambda gold, answers: (gold, answers)),
    "mcc": (mcc, lambda gold, answers: (gold, answers)),
    "f1_bad": (f1_bad, lambda gold, answers: (gold, answers)),
    "f1_mult": (f1_mult, lambda gold, answers: (gold, answers)),
}


def slow_terms(metric, gold, one, other, mask, groups=None):
    """Return the difference after an exchange, its squared error, and the size of what both are sums of."""
    score, prepared = SCORES[metric]
    (truth, a), (_, b) = prepared(gold, one), prepared(gold, other)
    index = np.arange(len(gold)) if groups is None else groups
    swapped = [bool(mask[group]) for group in index]
    mine = [y if swap else x for x, y, swap in zip(a, b, swapped, strict=True)]
    theirs = [x if swap else y for x, y, swap in zip(a, b, swapped, strict=True)]
    (of_mine, adds_mine), (of_theirs, adds_theirs) = score(truth, mine), score(truth, theirs)
    by_group = np.bincount(index, weights=adds_mine - adds_theirs)
    return of_mine - of_theirs, float((by_group**2).sum()), abs(of_mine) + abs(of_theirs)


def slow_t(metric, *given):
    difference, variance, size = slow_terms(metric, *given)
    if abs(difference) <= 1e-12 * max(1.0, size):
        return 0.0
    if variance <= 1e-24 * max(1.0, size) ** 2:
        return math.copysign(LARGEST, difference)
    return float(np.clip(difference / math.sqrt(variance), -LARGEST, LARGEST))


def slow_p(t, drawn):
    return sum(abs(one) >= abs(t) * (1 - 1e-9) for one in drawn) / len(drawn)


# Data.
whole = st.integers(-3, 3).map(float)
smooth = st.floats(-4, 4).map(lambda x: round(x, 3))
tag = st.sampled_from(["BAD", "OK"])


@st.composite
def scores(draw):
    n, values = draw(st.integers(3, 6)), draw(st.sampled_from([whole, smooth]))
    sides = [draw(st.lists(values, min_size=n, max_size=n)) for _ in range(4)]
    return sides[0], sides[1:]


@st.composite
def tags(draw):
    lengths = draw(st.lists(st.integers(1, 4), min_size=3, max_size=6))
    sides = [[draw(st.lists(tag, min_size=n, max_size=n)) for n in lengths] for _ in range(4)]
    return sides[0], sides[1:]


def given_to(metric):
    return scores() if metric in ("pearson", "spearman", "mae", "rmse") else tags()


@pytest.mark.parametrize("metric", SCORES)
@given(st.data())
@FEWER
def test_all_exchanges_by_definition(metric, data):
    gold, answers = data.draw(given_to(metric))
    made = contest(metric, gold, answers)
    found, p = studentized_differences(made, ALL), studentized_exchange(draws=ALL).run(made, "two").p
    masks = list(itertools.product((0, 1), repeat=len(gold)))
    assert found.exhaustive
    assert found.drawn.shape == (len(masks), 3)
    for pair, (a, b) in enumerate(zip(*made.pairs, strict=True)):
        if np.isnan(made.oriented[[a, b]]).any():
            assert np.isnan(p[pair])
            continue
        expected = [slow_t(metric, gold, answers[a], answers[b], mask) for mask in masks]
        t = slow_t(metric, gold, answers[a], answers[b], masks[0])
        np.testing.assert_allclose(np.sort(found.drawn[:, pair]), np.sort(expected), rtol=1e-9, atol=1e-9)
        assert found.t[pair] == pytest.approx(t, rel=1e-9, abs=1e-9)
        assert p[pair] == pytest.approx(slow_p(t, expected), abs=1e-12)


def masks_of(made, draws):
    """Return which of the resampled units are swapped in every draw."""
    units = made.sizes[0]
    blocks = draw_blocks((*made.terms[0].sample.key, 2), draws, units)
    return [row for block in blocks for row in exchange_masks(block, units)]


def numbers(rng, units, submissions=3):
    """Return gold, and answers of unlike scales and laws, of which some are far off."""
    gold = rng.normal(size=units)
    answers = [(3.0**s) * (0.6 * gold + rng.normal(size=units)) + 5 * s for s in range(submissions)]
    answers[0][:2] += 40
    return gold.tolist(), [one.tolist() for one in answers]


def sentences(rng, units, submissions=3):
    gold = [["BAD" if bad else "OK" for bad in rng.random(rng.integers(2, 9)) < 0.3] for _ in range(units)]
    answers = [
        [[other if rng.random() < 0.25 else word for word, other in zip(row, row[::-1], strict=True)] for row in gold]
        for _ in range(submissions)
    ]
    return gold, answers


@pytest.mark.parametrize("by_document", [False, True])
@pytest.mark.parametrize("metric", SCORES)
def test_drawn_exchanges_by_definition(metric, by_document):
    rng = np.random.default_rng(7)
    gold, answers = (numbers if metric in ("pearson", "spearman", "mae", "rmse") else sentences)(rng, 40)
    groups = np.sort(rng.integers(0, 12, size=40)) if by_document else np.arange(40)
    groups = np.unique(groups, return_inverse=True)[1]
    declared = {"groups": {"document": [f"d{group:02}" for group in groups]}, "resample": "document"}
    made = contest(metric, gold, answers, **(declared if by_document else {}))
    draws = 150
    found, masks = studentized_differences(made, draws), masks_of(made, draws)
    assert not found.exhaustive
    p = {sided: studentized_exchange(draws=draws).run(made, sided).p for sided in ("one", "two")}
    for pair, (a, b) in enumerate(zip(*made.pairs, strict=True)):
        t = slow_t(metric, gold, answers[a], answers[b], np.zeros(40), groups)
        drawn = [slow_t(metric, gold, answers[a], answers[b], mask, groups) for mask in masks]
        np.testing.assert_allclose(found.drawn[:, pair], drawn, rtol=1e-12, atol=1e-12)
        assert found.t[pair] == pytest.approx(t, rel=1e-12)
        _, variance, _ = slow_terms(metric, gold, answers[a], answers[b], np.zeros(40), groups)
        assert found.error[pair] == pytest.approx(math.sqrt(variance), rel=1e-12)
        for sided, of_pairs in p.items():
            sizes = [(one, t) if sided == "one" else (abs(one), abs(t)) for one in drawn]
            extreme = sum(one >= least - 1e-9 * abs(least) for one, least in sizes)
            assert of_pairs[pair] == (1 + extreme) / (1 + draws)


def test_answers_close_to_the_gold_keep_their_digits():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=30)
    answers = [gold + size * rng.normal(size=30) for size in (1e-3, 2e-3)]
    made = contest("pearson", gold, answers)
    drawn = [slow_t("pearson", gold, *answers, mask) for mask in masks_of(made, 50)]
    np.testing.assert_allclose(studentized_differences(made, 50).drawn[:, 0], drawn, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize(("units", "draws"), [(6, 100), (30, 100)])
def test_a_family_is_the_step_down_of_the_largest(units, draws):
    gold, answers = numbers(np.random.default_rng(units), units, 4)
    made = contest("pearson", gold, answers)
    _, drawn, exhaustive, _ = found = studentized_differences(made, draws)
    pairs = range(len(found.t))
    scale = [max(1.0, math.sqrt(np.mean([min(abs(t), 1e3) ** 2 for t in drawn[:, pair]]))) for pair in pairs]
    expected = slow_step_down(
        {pair: (1 - 1e-9) * abs(found.t[pair]) / scale[pair] for pair in pairs},
        [{pair: abs(row[pair]) / scale[pair] for pair in pairs} for row in drawn],
        everything=exhaustive,
    )
    pairwise = studentized_exchange(draws=draws).run(made, "two")
    adjusted = max_t(draws=draws, studentize=True).adjust_jointly(made, pairwise, "two")
    assert exhaustive == (units == 6)
    assert adjusted.tolist() == pytest.approx([max(expected[pair], pairwise.p[pair]) for pair in pairs])


def test_p_of_a_pair_does_not_depend_on_other_submissions():
    gold, answers = numbers(np.random.default_rng(1), 25, 4)
    answers += [[1e13 * value for value in answers[0]], [2.0] * 25]
    for metric in ("pearson", "spearman", "mae"):
        together = contest(metric, gold, answers)
        p = studentized_exchange(draws=200).run(together, "two").p
        for pair, (a, b) in enumerate(zip(*together.pairs, strict=True)):
            alone = contest(metric, gold, [answers[a], answers[b]])
            assert studentized_exchange(draws=200).run(alone, "two").p == pytest.approx([p[pair]], nan_ok=True)


def test_several_tasks_have_the_sum_of_their_variances():
    rng, draws = np.random.default_rng(4), 60
    tasks = [numbers(rng, units) for units in (9, 14)]
    apart = [contest("pearson", *task, key=(key,)) for key, task in enumerate(tasks, 5)]
    weights = {"submissions": 3, "aggregation": qeframe.load().get(Aggregation, "mean"), "as_given": True}
    across = Contest.across(
        [one.terms[0] for one in apart], [np.arange(3), np.array([0, 1, 2])], weights=np.array([1.0, 3.0]), **weights
    )
    found = studentized_differences(across, draws)

    def t(a, b, masks):
        terms = [slow_terms("pearson", gold, of[a], of[b], m) for (gold, of), m in zip(tasks, masks, strict=True)]
        difference = 0.25 * terms[0][0] + 0.75 * terms[1][0]
        return difference / math.sqrt(0.25**2 * terms[0][1] + 0.75**2 * terms[1][1])

    masks = list(zip(*(masks_of(one, draws) for one in apart), strict=True))
    for pair, (a, b) in enumerate(zip(*across.pairs, strict=True)):
        assert found.t[pair] == pytest.approx(t(a, b, (np.zeros(9), np.zeros(14))), rel=1e-12)
        np.testing.assert_allclose(found.drawn[:, pair], [t(a, b, each) for each in masks], rtol=1e-11)
    # a submission that a task does not have is undefined
    fewer = attrs.evolve(across.parts[1].of, sample=across.parts[1].of.sample.only([0, 1]))
    lacking = Contest.across([apart[0].terms[0], fewer], [np.arange(3), np.arange(2)], weights=np.ones(2), **weights)
    p = studentized_exchange(draws=draws).run(lacking, "two").p
    assert (
        np.isnan(p).tolist()
        == np.isnan(lacking.oriented[lacking.pairs[0]] - lacking.oriented[lacking.pairs[1]]).tolist()
    )


@pytest.mark.parametrize(("units", "p"), [(2, 0.5), (6, 2 / 64)])
def test_a_constant_difference_is_larger_than_all_with_an_error(units, p):
    gold = np.arange(units)
    made = contest("mae", gold, [gold + 1.0, gold + 2.0, gold + 1.0])
    assert studentized_exchange(draws=ALL).run(made, "two").p.tolist() == [p, 1.0, p]


def test_a_perfect_submission_is_compared_and_a_constant_one_is_not():
    gold, (_, some, _) = numbers(np.random.default_rng(5), 30)
    perfect, plain, constant = (
        studentized_exchange(draws=200).run(contest("pearson", gold, [gold, some]), "two"),
        *(
            studentized_exchange(draws=200).run(contest(metric, gold, [some, [1.0] * 30]), "two")
            for metric in ("mae", "pearson")
        ),
    )
    assert perfect.p < 0.01
    assert plain.p < 0.01
    assert np.isnan(constant.p)


GRID = [[1.0, 2.0, 3.0], [2.0, 1.0, 5.0], [3.0, 4.0, 1.0]]


@pytest.mark.parametrize(
    ("metric", "gold", "answers"),
    [
        ("kendall_tau_b", [1.0, 2.0, 3.0], [[1.0, 3.0, 2.0]] * 2),
        ("cohen_kappa", [["OK"], ["BAD"]], [[["OK"], ["OK"]]] * 2),
        ("segment_pearson", GRID, [GRID] * 2),
    ],
)
def test_other_scores_are_refused(metric, gold, answers):
    with pytest.raises(CapabilityError, match=f"metric '{metric}' has no standard error after an exchange"):
        studentized_exchange().run(contest(metric, gold, answers), "two")


def test_what_it_has_of_its_own_is_not_asked_for():
    with pytest.raises(DataError, match="unit and scale"):
        max_t(studentize=True, unit="segment")


def test_equal_answers_and_too_few_exchanges_have_no_interval():
    """No difference is significant in one exchange: an infinite multiple of an error of 0."""
    of = contest("pearson", [0.1, 0.5, 0.2, 0.9, 0.4] * 3, [[0.2, 0.3, 0.1, 0.8, 0.5] * 3] * 2)
    low, high, _ = studentized_exchange(draws=1).on_differences(of, 0.05)
    assert np.isnan([low, high]).all()
