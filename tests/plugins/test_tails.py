"""The tails of the gold, against a slow reference over all orders of ties, and real values."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.metric_calls import details
from qeframe.kinds.scores.batch import Scores
from tests.examples import FEWER

NAMES = ["tail_precision", "tail_recall", "tail_auc", "tail_mae"]


named = partial(qeframe.load().get, Metric)
measure = qeframe.score


def slow(gold, predicted, share, end, best):
    """Compute precision, recall, AUC and error; hits are the mean over all orders of tied predictions."""
    sign = 1 if (best == "low") == (end == "worst") else -1
    gold_bad, said_bad = [sign * y for y in gold], [sign * x for x in predicted]
    units = range(len(gold))
    k = max(1, math.floor(share * len(gold) + 1e-9))
    border = sorted(gold_bad, reverse=True)[k - 1]
    tail = [i for i in units if gold_bad[i] >= border]
    orders = [order for order in itertools.permutations(units) if descends([said_bad[i] for i in order])]
    hits = sum(len(set(order[:k]) & set(tail)) for order in orders) / len(orders)
    pairs = [(i, j) for i in tail for j in units if j not in tail]
    won = sum(1.0 * (said_bad[i] > said_bad[j]) + 0.5 * (said_bad[i] == said_bad[j]) for i, j in pairs)
    error = sum(abs(predicted[i] - gold[i]) for i in tail) / len(tail)
    return [hits / k, hits / len(tail), won / len(pairs) if pairs else math.nan, error]


def descends(values):
    return all(a >= b for a, b in itertools.pairwise(values))


answers = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6)
ends = st.sampled_from(["worst", "best"])


@FEWER
@given(pairs=answers, share=st.sampled_from([0.1, 0.3, 0.5, 0.9]), end=ends, best=st.sampled_from(["low", "high"]))
def test_equals_the_definition(pairs, share, end, best):
    gold, predicted = zip(*pairs, strict=True)
    batch = Scores.from_plain(gold, predicted, best=best)
    found = [measure(f"{name}(share={share}, end={end})", batch) for name in NAMES]
    np.testing.assert_allclose(found, slow(gold, predicted, share, end, best), atol=1e-12)


def test_a_share_of_a_whole_number_of_units():
    gold = np.arange(30.0)
    assert details(named("tail_mae(share=0.1)"), Scores.from_plain(gold, gold)) == {"k": 3, "tail": 3, "bias": 0.0}


def test_degenerate_cases():
    constant = Scores.from_plain([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], [5.0] * 10)
    assert [measure(f"{name}(share=0.2)", constant) for name in NAMES] == pytest.approx([0.2, 0.2, 0.5, 4.5])
    level = Scores.from_plain([1.0] * 10, list(range(10)))
    values = [measure(f"{name}(share=0.2)", level) for name in NAMES]
    assert values == pytest.approx([1.0, 0.2, math.nan, 3.7], nan_ok=True)
    nothing = constant.take(np.empty(0, dtype=np.int64))
    assert all(math.isnan(measure(name, nothing)) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0, 1, -0.1, 2])
def test_a_share_out_of_range(name, share):
    with pytest.raises(DataError, match=f"{name}: share must be above 0 and below 1, not {share:g}; set share=0.1"):
        named(f"{name}(share={share})")


@pytest.fixture(scope="module")
def submissions(shared_data):
    registry = qeframe.load()
    rules = choose_profile("wmt14_qe_task1_2", (), registry)
    (task,) = read_tasks(rules, shared_data("wmt14-qe-task1.2/task-1.2.csv"), registry)
    return {submission.name: batch for submission, batch in task.batches.items()}


REAL = {
    "DCU-rtm-svr": (0.35, 0.801862, 0.286567, -0.286567, 0.25, 0.768617, 0.183143),
    "FBK-UPV-UEDIN-wp": (0.35, 0.882713, 0.301783, -0.301783, 0.2, 0.708777, 0.208684),
    "DFKI-svr": (0.4, 0.761968, 0.291066, -0.287496, 0.25, 0.705319, 0.227760),
    "Multilizer": (0.35, 0.776064, 0.399157, -0.399157, 0.086957, 0.647872, 0.110044),
    "baseline": (0.25, 0.605053, 0.363718, -0.363718, 0.25, 0.699202, 0.211579),
    "SHEFF-lite": (0.05, 0.495479, 0.425259, -0.425259, 0.15, 0.583511, 0.216942),
}
"""Worst tenth: recall, AUC, error, bias; best tenth: recall, AUC, error."""


@pytest.mark.parametrize("submission", REAL)
def test_the_tenths_of_wmt14(submissions, submission):
    batch = submissions[submission]
    worst = [measure(name, batch) for name in ("tail_recall", "tail_auc", "tail_mae")]
    bias = details(named("tail_mae"), batch)["bias"]
    best = [measure(f"{name}(end=best)", batch) for name in ("tail_recall", "tail_auc", "tail_mae")]
    assert [*worst, bias, *best] == pytest.approx(REAL[submission], abs=5e-7)
    assert measure("tail_precision", batch) == measure("tail_recall", batch)


def test_tied_gold_at_the_border_of_wmt14(submissions):
    batch = submissions["FBK-UPV-UEDIN-wp"]
    found = [measure(f"{name}(share=0.25)", batch) for name in ("tail_precision", "tail_recall", "tail_auc")]
    assert found == pytest.approx([0.557692, 0.547170, 0.810956], abs=5e-7)
    assert details(named("tail_mae(share=0.25)"), batch)["tail"] == 53


def test_shrinking_lowers_the_mean_error_and_nothing_in_the_tail(submissions):
    batch = submissions["baseline"]
    middle = Scores.from_plain(batch.gold, np.full(len(batch), np.median(batch.gold)))
    assert measure("mae", middle) == pytest.approx(0.149622, abs=5e-7)
    assert measure("mae", middle) < measure("mae", batch)
    assert measure("tail_mae", middle) == pytest.approx(0.502705, abs=5e-7)
    assert measure("tail_mae", middle) > measure("tail_mae", batch)
    assert measure("tail_recall", middle) == pytest.approx(20 / 208)
    assert measure("tail_auc", middle) == 0.5


def test_a_constant_in_the_tail_games_its_error_alone(submissions):
    from qeframe.core.metric import Attack

    batch = submissions["baseline"]
    attack = qeframe.load().get(Attack, "constant_tail")
    answered = attack.answer(batch, np.random.default_rng(0))
    assert answered.predicted.tolist() == [np.quantile(batch.gold, 0.95)] * len(batch)
    best = min(measure("tail_mae", each) for each in submissions.values())
    assert measure("tail_mae", answered) < best
    assert measure("mae", answered) > 2 * measure("mae", batch)
    assert measure("tail_auc", answered) == 0.5
