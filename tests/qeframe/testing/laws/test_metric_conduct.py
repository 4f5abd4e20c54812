"""The laws that others presuppose: their planted faults, with batches that can be written and batches that cannot."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.profile_checks import chosen_test
from qeframe.kinds.registered import kind_of, registered_kinds
from qeframe.plugin import Metric, Scores, Values, additive
from qeframe.testing import checks_of
from qeframe.testing.laws.law import search
from qeframe.testing.laws.metric import score
from qeframe.testing.laws.metric_conduct import CONDUCT_LAWS, _unexplained
from qeframe.testing.laws.probes import ordinary_batches

MEAN = qeframe.load().get(Metric, "mean")


def rows(batch):
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


def broken(law, **fields):
    metric = attrs.evolve(MEAN, name="wrong", **fields)
    (found,) = (each for each in CONDUCT_LAWS if each.name == law)
    result = search(found, metric, kind_of(metric.kind), tries=20, shrink=False).found
    return "" if result is None else result.what


def bind(extract=rows, score=lambda sums: sums[..., 1]):
    return additive(columns=("units", "value"), extract=extract, score=score)


def written(batch):
    batch.predicted[:] = 0.5
    return rows(batch)


def written_ids(batch):
    batch.ids[0] = 99
    return rows(batch)


def weights_in_place(batch):
    statistic = MEAN.bind(batch)

    def changed(weights):
        weights *= 2.0
        return statistic(weights)

    return _Bound(changed, len(batch))


class _Bound:
    unit = "segment"

    def __init__(self, call, units):
        self.call = call
        self.units = units

    def __call__(self, weights):
        return self.call(weights)


@pytest.mark.parametrize(
    "fields",
    [
        {"bind": bind(extract=written)},
        {"bind": bind(extract=written_ids)},
        {"bind": weights_in_place},
        {"per_unit": lambda batch: np.negative(batch.predicted, out=batch.predicted)},
        {"bind": bind(score=lambda sums: np.add(sums, 1.0, out=sums)[..., 1])},
    ],
)
def test_writes_are_found(fields):
    assert broken("input", **fields).startswith(("it changes ", "it writes into "))


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (lambda batch: 0.5, "'bind' returns float instead of a statistic, which has 'units', 'unit' and a call"),
        (lambda batch: _Bound(MEAN.bind(batch), 99), "'bind' returns a statistic of 99 units for "),
        (lambda batch: _Bound(lambda w: "0.5", len(batch)), "for weights of shape "),
        (lambda batch: _Bound(lambda w: [0.5], len(batch)), "for weights of shape "),
        (lambda batch: _Bound(lambda w: MEAN.bind(batch)(w) + 0j, len(batch)), "for weights of shape "),
    ],
)
def test_wrong_shapes_and_types_are_found(made, what):
    assert broken("shape", bind=made).startswith(what)


def test_a_random_score_is_found():
    rng = np.random.default_rng()
    assert broken("determinism", bind=bind(score=lambda sums: sums[..., 1] + rng.random(sums.shape[:-1])))
    assert broken("determinism", bind=bind(extract=lambda batch: rows(batch) + rng.random()))


def test_a_score_that_is_seldom_a_number_is_found():
    seldom = bind(score=lambda sums: np.where(sums[..., 1] > 20, sums[..., 1], np.nan))
    assert " of 100 ordinary examples" in broken("defined", bind=seldom)
    assert broken("defined", bind=bind(score=lambda sums: np.full(sums.shape[:-1], np.inf))).startswith(
        "the score is inf"
    )
    seldom_declared = {"bind": seldom, "undefined": lambda batch: bool(batch.predicted.sum() <= 20)}
    assert broken("defined", **seldom_declared) == ""


def test_a_kind_without_ordinary_data_is_tried_on_drawn_batches():
    bare = attrs.evolve(kind_of(Values), fixed_submissions=None)
    (law,) = (each for each in CONDUCT_LAWS if each.name == "defined")
    nothing = attrs.evolve(MEAN, bind=bind(score=lambda sums: np.full(sums.shape[:-1], np.nan)))
    assert search(law, MEAN, bare, tries=5).found is None
    assert search(law, nothing, bare, tries=5).found.what == "the score is nan for 20 of 20 ordinary examples"


def test_a_score_of_a_single_unit_outside_the_bounds_is_found():
    assert "lies outside" in broken("bounds", bounds=(-0.5, np.inf))


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_ordinary_batches_are_many_and_always_the_same(kind):
    once, again = ordinary_batches(kind, 5), ordinary_batches(kind, 5)
    assert [kind.plain(batch) for batch in once] == [kind.plain(batch) for batch in again]
    assert all(len(batch) >= 20 for batch in once)


def test_a_law_that_is_left_out_is_presupposed_by_none():
    checks = checks_of(attrs.evolve(MEAN, left_out={"defined": "a reason"}))
    (order,) = [check for check in checks if check.law.name == "order"]
    assert [law.name for law in order.presupposed] == ["shape", "input", "determinism"]
    assert not np.isnan(score(MEAN, ordinary_batches(kind_of(Values), 1)[0]))


class _WeightedQuantile:
    """The weighted quantile of |gold - predicted|, the middle one by default."""

    unit = "segment"

    def __init__(self, batch, at=0.5):
        self.units, self.at = len(batch), at
        errors = np.abs(batch.gold - batch.predicted)
        self.order = np.argsort(errors, kind="stable")
        self.errors = errors[self.order]

    def __call__(self, weights):
        sums = np.cumsum(weights[..., self.order], axis=-1)
        return self.errors[(sums >= self.at * sums[..., -1:]).argmax(axis=-1)]


class _BestThreshold:
    """The share of right signs under the threshold of the answers that makes it largest."""

    unit = "segment"

    def __init__(self, batch):
        self.units = len(batch)
        grid = np.sort(batch.predicted)[:, None]
        self.right = ((batch.predicted > grid) == (batch.gold > 0)).astype(float)

    def __call__(self, weights):
        return (weights @ self.right.T).max(axis=-1) / weights.sum(axis=-1)


@pytest.mark.parametrize(
    "bind",
    [_WeightedQuantile, lambda batch: _WeightedQuantile(batch, 0.9), _BestThreshold],
    ids=["median", ".9", "best"],
)
def test_a_score_that_jumps_breaks_its_declaration_and_has_the_bootstrap_without_one(bind):
    """The jackknife rejects a true null of weighted medians in .16 of the cases at .05, the bootstrap in .06."""
    unstated = Metric(name="wrong", summary="", kind=Scores, bind=bind, higher_is_better=False)
    declared = broken("smooth", kind=Scores, bind=bind, smooth=True, vectors=None, per_unit=None)
    assert "declare smooth=False" in declared
    assert chosen_test("default", unstated, qeframe.load()).name.startswith("bootstrap_t")


def nowhere(batch):
    return additive(columns=("units",), extract=lambda b: np.ones((len(b), 1)), score=lambda s: s[..., 0] * np.nan)(
        batch
    )


def test_a_score_that_is_undefined_on_all_regular_data_is_not_shown_to_be_smooth():
    given = {"kind": Scores, "bind": nowhere, "smooth": True, "vectors": None, "per_unit": None}
    assert "it is undefined on all 5 regular data sets" in broken("smooth", **given)
    assert broken("smooth", undefined=lambda _: True, **given) == ""


def test_every_kind_with_smooth_metrics_has_regular_data():
    registry = qeframe.load()
    kinds = {metric.kind for metric in registry.all(Metric) if metric.smooth}
    assert {kind.__name__ for kind in kinds} >= {"Spans", "Texts", "Preferences", "Judgments", "Values", "TokenScores"}
    assert all(kind_of(kind).regular is not None for kind in kinds)


@pytest.mark.slow
def test_smooth_scores_never_break_the_law_and_quantiles_always_do():
    """Eight repetitions of five data sets."""
    registry = qeframe.load()
    names = ("pearson", "rmse", "spearman", "mcc", "f1_mult", "nist", "judged_pearson", "preference_bias", "span_f1")
    wrong = [Metric(name="median", summary="", kind=Scores, bind=_WeightedQuantile)]
    for metric in [*(registry.get(Metric, name) for name in names), *wrong]:
        kind = registry.find_kind(metric.kind)
        assert kind is not None
        assert kind.regular is not None
        for repetition in range(8):
            drawn = [kind.regular(np.random.default_rng([repetition, number]), 200) for number in range(5)]
            median = np.median([_unexplained(metric.bind(batch)) for batch in drawn])
            assert (median > 0.05) == (metric in wrong), (metric.name, repetition, median)
