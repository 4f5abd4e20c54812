"""Mistakes that honest authors of metrics make, each of which the laws find; and a metric without one, which passes."""

import os
import threading
import time
from pathlib import Path

import attrs
import numpy as np
import pytest

from qeframe.core.metric import Metric
from qeframe.core.statistic import additive
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import checks_of

ROOT = Path(__file__).parents[2]


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


class Coarse(Bound):
    def returned(self, scores, weights):
        return scores.astype(np.float32)


class CoarseForManyDraws(Bound):
    def returned(self, scores, weights):
        return scores.astype(np.float16).astype(np.float64) if scores.size > 300 else scores


class Draws(Right):
    def __init__(self, batch):
        super().__init__(batch)
        self.rng = np.random.default_rng(0)

    def returned(self, scores, weights):
        return scores * self.rng.uniform(0.9, 1, scores.shape)


class RemembersByShape(Bound):
    def __init__(self, batch):
        super().__init__(batch)
        self.known = {}

    def returned(self, scores, weights):
        return self.known.setdefault(weights.shape, scores).copy()


class NeedsEveryUnit(Bound):
    def returned(self, scores, weights):
        return np.where((weights == 0).any(axis=-1), np.nan, scores)


class LeavesNothingOut(Right):
    def jackknife(self):
        return np.full(self.units, self(np.ones(self.units)))


class ScoresTheFirst(Right):
    @staticmethod
    def jointly(statistics):
        return lambda weights: np.stack([statistics[0](weights)] * len(statistics), axis=-1)


class OneForAllThreads(Right):
    def __call__(self, weights):
        OneForAllThreads.weights = weights
        time.sleep(1e-4)
        return super().__call__(OneForAllThreads.weights)


BUFFER, ROWS, BY_LENGTH, BY_ID, CALLS, FIRST = np.empty(10**6), np.empty((10**5, 2)), {}, {}, [0], []
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


def kept_by_id(batch):
    if id(batch) not in BY_ID:
        BY_ID[id(batch)] = closeness(batch)
    return BY_ID[id(batch)]


def by_hashes(batch):
    return closeness(batch) * np.array([(1.0, hash(str(value)) % 1000 / 1000) for value in batch.gold])


def units_in_place_of_ids(batch):
    rows = closeness(batch)
    rows[:, 1] = rows[np.clip(batch.ids, 0, len(batch) - 1), 1]
    return rows


def sorted_sides(batch):
    return closeness(attrs.evolve(batch, gold=np.sort(batch.gold), predicted=np.sort(batch.predicted)))


def by_process(batch):
    return closeness(batch) * (1.0, np.random.default_rng(os.getpid()).random())


def by_thread(batch):
    return closeness(batch) * (1.0, 1.0 if threading.current_thread() is threading.main_thread() else 0.9)


def by_the_first_batch(batch):
    FIRST.append(max(1.0, np.abs(batch.predicted).max(initial=0)))
    return closeness(attrs.evolve(batch, predicted=batch.predicted / FIRST[0]))


def undefined_where_perfect(sums):
    scores = mean(sums)
    return np.where(scores == 1, np.nan, scores)


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
        (metric(bind=Coarse), "shape", "float32 of shape () instead of float64"),
        (metric(bind=CoarseForManyDraws), "broadcasting", "the scores of the last of 360 stacked weights"),
        (metric(bind=Draws), "broadcasting", "instead of one by one"),
        (metric(bind=RemembersByShape), "broadcasting", "instead of one by one"),
        (metric(bind=NeedsEveryUnit), "repetition", "instead of repeated units"),
        (metric(bind=LeavesNothingOut), "stack", "the jackknife of a stack"),
        (metric(bind=ScoresTheFirst), "stack", "the jackknife of a stack"),
        (metric(bind=OneForAllThreads), "workers", "the scores of one of two threads"),
        (metric(kept_by_id), "shape", "extract returned an array of shape"),
        (metric(by_hashes), "workers", "the scores of another process, whose texts have other hashes"),
        (metric(by_process), "workers", "the scores of another process"),
        (metric(by_thread), "workers", "the scores of another process"),
        (metric(by_the_first_batch), "workers", "after another batch"),
        (metric(score=undefined_where_perfect), "defined", "the score is nan for 20 of 20 examples of perfect answers"),
        (metric(units_in_place_of_ids), "order", "the score of the units in another order"),
        (metric(sorted_sides), "order", "the score of the units in another order"),
    ],
    ids=lambda part: "" if isinstance(part, Metric) else None,
)
def test_a_mistake_is_found(made, law, what, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)  # another process imports this module too
    found, told = first_found(made)
    assert (found, what in told) == (law, True), told
