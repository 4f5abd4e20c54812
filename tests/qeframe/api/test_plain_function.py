"""A plain function as a metric: the same numbers as the metric that it computes, draw by draw."""

import math
import pickle

import numpy as np
import pytest
from scipy.stats import pearsonr

import qeframe
from qeframe import metric_from
from qeframe.api.arrays.comparing import compare
from qeframe.core.errors import DataError, PluginError
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts


def correlation(gold, predicted):
    """Pearson's correlation."""
    return pearsonr(gold, predicted).statistic


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    gold = rng.normal(size=30)
    return gold, {name: gold + rng.normal(size=30) for name in "ABC"}


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_the_same_numbers_as_the_metric_with_sums(scores, test):
    gold, submissions = scores
    metric = metric_from(correlation)
    assert (metric.name, metric.summary) == ("correlation", "Pearson's correlation")
    assert qeframe.score(metric, gold, submissions["A"]) == pytest.approx(
        qeframe.score("pearson", gold, submissions["A"]), abs=1e-12
    )
    found, expected = (compare(each, gold, submissions, test=f"{test}(draws=99)") for each in (metric, "pearson"))
    assert [(c.a, c.b, c.p) for c in found] == [(c.a, c.b, c.p) for c in expected]


def right_tags(gold, predicted):
    return np.mean([g == p for pair in zip(gold, predicted, strict=True) for g, p in zip(*pair, strict=True)])


def found_texts(gold, predicted):
    return float(sum(text in references for references, text in zip(gold, predicted, strict=True)))


def test_other_kinds_of_batch():
    right = metric_from(right_tags, kind=Tags)
    assert qeframe.score(right, [["OK", "BAD"], ["OK"]], [["OK", "OK"], ["OK"]]) == pytest.approx(2 / 3)
    longest = metric_from(lambda predicted: float(max(predicted)), kind=Values, name="longest")
    assert qeframe.score(longest, None, [1, 5, 2]) == 5
    cells = metric_from(lambda gold, predicted: float((gold == predicted).sum()), kind=Grid, name="cells")
    assert qeframe.score(cells, [[1, 2], [3, 4]], [[1, 0], [3, 4]]) == 3
    assert qeframe.score(metric_from(found_texts, kind=Texts), [["a", "b"], ["c"]], ["b", "d"]) == 1


def test_a_draw_without_a_unit_is_undefined(scores):
    gold, submissions = scores
    statistic = metric_from(correlation).bind(Scores.from_plain(gold, submissions["A"]))
    found = statistic(np.stack([np.zeros(30), np.ones(30)]))
    assert math.isnan(found[0])
    assert not math.isnan(found[1])
    assert (statistic.units, statistic.unit) == (30, "segment")
    with pytest.raises(DataError, match="defined on whole units"):
        statistic(np.full(30, 0.5))


def test_functions_that_cannot_be_metrics():
    with pytest.raises(DataError, match="'<lambda>' is not the name of a metric; give name="):
        metric_from(lambda gold, predicted: 1.0)
    with pytest.raises(PluginError, match=r"metric 'words' .* words returned 'a', not a number"):
        qeframe.score(metric_from(lambda gold, predicted: "a", name="words"), [1, 2], [3, 4])


def share_right(gold, predicted):
    """Share of equal numbers."""
    return float(np.mean(np.asarray(gold) == predicted))


def test_the_metric_pickles_where_its_function_does():
    metric = metric_from(share_right, bounds=(0, 1))
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert qeframe.score(again, [1, 2, 3], [1, 2, 4]) == pytest.approx(2 / 3)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(metric_from(lambda gold, predicted: 0.5, name="half"))
