"""Mistakes that honest authors of metrics make, each of which the laws find; and a metric without one, which passes."""

import numpy as np
import pytest

from qeframe.core.metric import Metric
from qeframe.core.statistic import additive
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import checks_of


def closeness(batch):
    return np.stack([np.ones(len(batch)), 1.0 / (1.0 + np.abs(batch.predicted - batch.gold))], axis=1)


def mean(sums):
    return sums[..., 1] / sums[..., 0]


def metric(extract=closeness, score=mean, bind=None):
    bind = bind or additive(columns=("n", "x"), extract=extract, score=score)
    return Metric(name="mine", summary="", kind=Scores, bind=bind, bounds=(0, 1), known_weaknesses={"blind": 0.5})


class Bound:
    """A statistic that computes the mean itself, to be changed by `returned`."""

    unit = "segment"

    def __init__(self, batch):
        self.units, self.values, self.buffer = len(batch), closeness(batch)[:, 1], np.empty(10**4)

    def __call__(self, weights):
        return self.returned((weights * self.values).sum(axis=-1) / weights.sum(axis=-1), weights)


class Right(Bound):
    def returned(self, scores, weights):
        return scores


class KeepsBuffer(Bound):
    def returned(self, scores, weights):
        out = self.buffer[: scores.size].reshape(scores.shape)
        out[...] = scores
        return out


class ReturnsWeights(Bound):
    def returned(self, scores, weights):
        return weights[..., 0]


class WholeWhenHeavy(Bound):
    def returned(self, scores, weights):
        return scores.astype(int) if (weights > 3).any() else scores


class WholeWhenRight(Bound):
    def returned(self, scores, weights):
        return scores.astype(int) if (scores == 1).all() else scores


class CapsWeights(Right):
    def __call__(self, weights):
        return super().__call__(np.minimum(weights, 1))


class SumsAllDraws(Bound):
    def __call__(self, weights):
        return np.full(weights.shape[:-1], (weights * self.values).sum() / weights.sum())


BUFFER, ROWS, BY_LENGTH, CALLS = np.empty(10**6), np.empty((10**5, 2)), {}, [0]
RNG = np.random.default_rng(0)


def into_buffer(sums):
    out = BUFFER[: sums[..., 0].size].reshape(sums.shape[:-1])
    out[...] = mean(sums)
    return out


def into_rows(batch):
    rows = ROWS[: len(batch)]
    rows[...] = closeness(batch)
    return rows


def second_counts_half(batch):
    rows = closeness(batch)
    rows[1:2, 1] /= 2
    return rows


def every_second_counts_half(batch):
    rows = closeness(batch)
    rows[::2, 1] /= 2
    return rows


def kept_by_length(batch):
    return BY_LENGTH.setdefault(len(batch), closeness(batch))


def every_fifth_call_is_another(batch):
    CALLS[0] += 1
    return closeness(batch) * (1.0, 0.9 if CALLS[0] % 5 == 0 else 1.0)


def by_chance(batch):
    return closeness(batch) * (1.0, RNG.random())


def by_the_mean_of_all(batch):
    return closeness(batch) * (1.0, 1 / (1 + abs(batch.gold.mean())))


def sorts(batch):
    batch.predicted.sort()
    return closeness(batch)


def first_found(made):
    """Return the first law that a metric breaks, as check-plugin tries them."""
    for check in checks_of(made, tries=12):
        if not check.why_not_tried and (found := check.search().found):
            return check.law.name, found.what
    return "", ""


def test_a_metric_without_a_mistake_keeps_every_law():
    assert first_found(metric()) == ("", "")
    assert first_found(metric(bind=Right)) == ("", "")


@pytest.mark.parametrize(
    ("made", "law", "what"),
    [
        (metric(score=into_buffer), "input", "two calls return the same memory"),
        (metric(bind=KeepsBuffer), "input", "two calls return the same memory"),
        (metric(into_rows), "determinism", "two calls return the same memory"),
        (metric(bind=ReturnsWeights), "input", "it returns the memory of the weights"),
        (metric(bind=WholeWhenHeavy), "shape", "int64 of shape () instead of float64"),
        (metric(bind=WholeWhenRight), "shape", "int64 of shape () instead of float64"),
        (metric(second_counts_half), "order", "the score of the units in another order"),
        (metric(every_second_counts_half), "order", "the score of the units in another order"),
        # an older Hypothesis finds first that it breaks repetition too
        pytest.param(
            metric(kept_by_length), "order", "the score of the units in another order", marks=pytest.mark.newest
        ),
        (metric(every_fifth_call_is_another), "input", "it changes the rows that the batch keeps"),
        (metric(by_chance), "determinism", "the same input gives"),
        (metric(by_the_mean_of_all), "repetition", "instead of repeated units"),
        (metric(sorts), "input", "it writes into an array that it was given"),
        (metric(bind=CapsWeights), "repetition", "instead of repeated units"),
        (metric(bind=SumsAllDraws), "broadcasting", "instead of one by one"),
    ],
    ids=lambda part: "" if isinstance(part, Metric) else None,
)
def test_a_mistake_is_found(made, law, what):
    found, told = first_found(made)
    assert (found, what in told) == (law, True), told
