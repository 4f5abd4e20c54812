"""All metrics on all submissions of one task: scores, draws, groups."""

import attrs
import numpy as np
import pytest

from qeframe.core.exchange import Swap
from qeframe.core.loader import load
from qeframe.core.sample import Sample, bind_groups, combine_groups, labels_of
from qeframe.plugin import Aggregation, CapabilityError, DataError, Metric, Scores
from tests.qeframe.core.evaluation.made_contests import resampled


def sample(registry, units=6, names=("pearson", "mae"), **options):
    rng = np.random.default_rng(5)
    gold = rng.normal(size=units)
    batches = tuple(Scores.from_plain(gold, gold + spread * rng.normal(size=units)) for spread in (0.5, 1.0))
    metrics = tuple(registry.get(Metric, name) for name in names)
    return Sample(metrics=metrics, batches=batches, key=(4,), **options)


def test_scores_are_metrics_by_submissions(registry):
    scored = sample(registry)
    expected = [[m.bind(batch)(np.ones(6)) for batch in scored.batches] for m in scored.metrics]
    assert scored.scores == pytest.approx(np.array(expected))


def test_draws_are_computed_once_and_shared_by_metrics(registry):
    scored = sample(registry)
    draws = resampled(scored, 20, "multinomial")
    assert draws.shape == (20, 2, 2)
    of_each = [scored.drawn_of(nth, 20, "multinomial") for nth in (0, 1, 0)]
    assert np.may_share_memory(*of_each[:2])
    assert np.shares_memory(*of_each[::2])
    alone = sample(registry, names=("mae",))
    np.testing.assert_array_equal(resampled(alone, 20, "multinomial")[:, 0], draws[:, 1])


def test_draws_of_additive_metrics_do_not_wait_for_the_others(registry, monkeypatch):
    names = ("mae", "spearman", "pearson")
    every = resampled(sample(registry, names=names), 20, "multinomial")
    scored, drawn = sample(registry, names=names), []
    draw = Sample._draw
    monkeypatch.setattr(Sample, "_draw", lambda self, which, *a: (drawn.append(which), draw(self, which, *a))[1])
    for nth in (2, 0, 1, 2):
        np.testing.assert_array_equal(scored.drawn_of(nth, 20, "multinomial"), every[:, nth])
    assert drawn == [(0, 2), (0, 1, 2)], "each once"


def test_a_metric_that_is_additive_for_some_submissions_draws_as_the_others(registry):
    mae, spearman = (registry.get(Metric, name) for name in ("mae", "spearman"))
    scored = sample(registry)
    first = scored.batches[0].predicted[0]
    mixed = attrs.evolve(mae, name="mixed", bind=lambda b: (spearman if b.predicted[0] == first else mae).bind(b))
    scored = attrs.evolve(scored, metrics=(mae, mixed, spearman))
    drawn = [scored.drawn_of(nth, 30, "multinomial") for nth in range(3)]
    of_mae, of_spearman = np.moveaxis(resampled(sample(registry, names=("mae", "spearman")), 30, "multinomial"), 1, 0)
    np.testing.assert_array_equal(drawn[0], of_mae)
    np.testing.assert_array_equal(drawn[1], np.stack([of_spearman[:, 0], of_mae[:, 1]], axis=1))
    np.testing.assert_array_equal(drawn[2], of_spearman)


def test_the_jackknife_leaves_out_each_unit(registry):
    scored = sample(registry)
    for unit in range(6):
        rest = np.delete(np.arange(6), unit)
        expected = [[m.bind(b.take(rest))(np.ones(5)) for b in scored.batches] for m in scored.metrics]
        found = [scored.left_out(nth)[unit] for nth in range(len(scored.metrics))]
        np.testing.assert_allclose(found, expected, atol=1e-12)
    assert scored.left_out(1) is scored.left_out(1)


def test_groups_are_resampled_whole(registry):
    groups = {"document": ["a", "a", "b", "b", "b", "c"]}
    scored = sample(registry, groups=groups, resample="document")
    assert scored.grouping is not None
    assert scored.grouping[1] == ("a", "b", "c")
    assert scored.stack.units == 3
    assert scored.scores == pytest.approx(sample(registry).scores)
    assert scored.stack_of_units(0).units == 6


def test_an_unknown_grouping_and_a_batch_of_another_kind_are_refused(registry):
    with pytest.raises(DataError, match="no grouping 'judge' of the units; choose one of: segment"):
        _ = sample(registry, resample="judge").grouping
    with pytest.raises(DataError, match="metric 'mcc' works on Tags, not on Scores"):
        sample(registry, names=("mcc",))


GROUPS = {
    "document": ["a", "a", "b", "b", "b", "c"],
    "domain": ["x", "x", "y", "y", "y", "x"],
    "judge": ["1", "2", "1", "2", "1", "2"],
}


@pytest.mark.parametrize("wrong", ["unit/unit", "document/unit", ""])
def test_what_is_no_grouping_is_refused(registry, wrong):
    with pytest.raises(DataError, match=f"no grouping '{wrong}' of the units; choose one of: segment, document"):
        resampled(sample(registry, groups=GROUPS, resample=wrong), 5, "multinomial")


def test_a_label_may_have_a_lone_surrogate(registry):
    groups = {"document": ["\udc80", "\udc80", "b", "b", "b", "c"]}
    drawn = resampled(sample(registry, groups=groups, resample="document"), 5, "poisson")
    assert drawn.shape == (5, 2, 2)


def test_labels_of_a_grouping():
    assert labels_of({"document": ("a", "b")}, "document", "segment") == ("a", "b")
    with pytest.raises(DataError, match="no grouping 'x' of the units; choose one of: segment, document"):
        labels_of({"document": ("a", "b")}, "x", "segment")


def test_groups_are_scored_and_combined():
    registry = load()
    metric, macro = registry.get(Metric, "mae"), registry.get(Aggregation, "macro")
    batch = Scores.from_plain([0.0, 0, 0, 0], [1, 3, 5, 5])
    members = (np.array([0, 1]), np.array([2, 3]))

    def combine(scores, weights):
        return combine_groups(macro, False, scores, weights)

    assert bind_groups(metric.bind, members, combine, batch)(np.ones(4)) == pytest.approx(3.5)


def test_an_exchange_on_one_scale_swaps_the_unit_that_is_named(registry):
    scored = sample(registry, units=8, groups={"document": list("aabbccdd")})
    metric = scored.metrics[0]
    assert scored.exchange(metric, Swap("", "as_needed")).cells == 8
    by_document = scored.exchange(metric, Swap("document", "as_needed"))
    assert by_document.cells == 4
    with pytest.raises(CapabilityError, match="no exchange of 'page'"):
        scored.exchange(metric, Swap("page", "as_needed"))
    # the exchange of both halves of a document is that of the document
    whole, masks = scored.exchange(metric, Swap("", "as_needed")), np.array([[1, 0, 0, 1]])
    pair = np.array([0]), np.array([1])
    np.testing.assert_allclose(by_document(masks, *pair), whole(np.repeat(masks, 2, axis=1), *pair))


def test_scores_that_cannot_be_standardized_say_so(registry):
    scored = sample(registry)
    with pytest.raises(CapabilityError, match="no exchange of standardized scores"):
        scored.exchange(scored.metrics[0], Swap("", standardize=True))
