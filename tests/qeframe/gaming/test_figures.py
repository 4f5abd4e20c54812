"""What can be gamed, and by how much: the figures of an independent computation on the generated gold, to .02.

Where a figure is a formula, it is given beside the figure: p is the rate of BAD, .18, and the share of human ties, .2.
"""

from functools import cache

import numpy as np
import pytest

from qeframe.core.metric import Attack
from qeframe.gaming.audit_gold import Case, audit_golds_of
from qeframe.gaming.given_gold import attack_on_given_gold
from qeframe.gaming.many_golds import GoldPlan, attack_on_many_golds
from qeframe.plugin import Metric, Texts
from tests.registered import REGISTRY

CLOSE = 0.02


@cache
def measured(metric, attack):
    found = REGISTRY.get(Metric, metric)
    attacks = [REGISTRY.get(Attack, attack)] if attack else REGISTRY.all(Attack)
    fitting = [each for each in attacks if issubclass(found.kind, each.kind)]
    results = attack_on_many_golds(GoldPlan(found.kind, {metric: found}), {metric: fitting})[metric]
    return {result.attack: result for result in results}


def attacked(metric):
    return measured(metric, "")


def index(metric, attack):
    return measured(metric, attack)[attack].index


BAD, TIES = 0.18, 0.2


@pytest.mark.parametrize(
    ("metric", "attack", "expected"),
    [
        ("f1_bad", "all_bad", BAD / (1 + BAD)),  # .153
        ("f1_mult", "over_tagging", 0.029),
        ("f1_weighted", "all_good", 0.11),
        ("mae", "constant_median", 0.28),
        ("rmse", "constant_mean", 1 - np.sqrt(0.5)),  # .29
        ("kendall(ties=wmt12)", "never_tie", TIES / (1 + TIES)),  # .17
        ("kendall(ties=wmt12)", "break_ties", 0.25),
        ("kendall(ties=hties)", "always_tie", 0.17),
        ("kendall(ties=acc23)", "never_tie", 0.06),
        ("gtm_precision", "one_word", 0.9),
        ("gtm_f", "frequent_words", 0.2),
    ],
)
def test_figures(metric, attack, expected):
    assert index(metric, attack) == pytest.approx(expected, abs=CLOSE)


def test_f1_mult_resists_constants():
    assert index("f1_mult", "all_bad") < 0
    assert index("f1_mult", "all_good") < 0


def test_phrases():
    """Blocks reach .36 under the literal reading, for any runs of geometric length; .33 was computed elsewhere."""
    assert index("phrase_f1_bad", "all_bad") > 1
    assert index("phrase_f1_mult", "block_tagging") == pytest.approx(0.33, abs=0.04)
    assert index("phrase_f1_mult", "whole_sentences") == pytest.approx(0.583, abs=0.01)


def test_both_ends_of_sentences_pay_under_seqcor():
    assert index("seqcor", "first_and_last") == pytest.approx(0.055, abs=0.01)
    assert index("seqcor", "block_tagging") < 0


@pytest.mark.parametrize("metric", ["mae", "rmse"])
def test_errors_shrink_with_the_answers(metric):
    assert index(metric, "shrink") > 0.1
    assert index(metric, "shift_and_scale") > 0.1


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
@pytest.mark.parametrize("attack", ["shrink", "shift_and_scale", "constant_mean", "random_scores"])
def test_correlations_see_no_scale(metric, attack):
    assert index(metric, attack) == pytest.approx(0, abs=0.01)


def test_a_reversed_ranking_is_perfect_and_more_without_a_sign():
    assert index("delta_avg(replicate=perl)", "reversed_ranking") > 1
    assert index("delta_avg", "reversed_ranking") < -1


def test_wmt13_pays_for_ties_on_unsure_pairs():
    assert index("kendall(ties=wmt13)", "tie_unsure") > 0.8
    assert measured("kendall(ties=wmt13)", "tie_unsure")["tie_unsure"].undefined > 0.7


def test_a_vocabulary_recalls_every_word_once():
    """The expected share of different words in a text of independent Zipf words."""
    lengths = np.maximum(np.rint(np.random.default_rng(0).normal(25, 8, 4000)), 1)
    chance = 1 / np.arange(1, 5001)
    chance /= chance.sum()
    sizes, counts = np.unique(lengths, return_counts=True)
    different = np.array([(1 - (1 - chance) ** size).sum() for size in sizes])
    expected = (counts * different).sum() / lengths.sum()
    found = measured("gtm_recall", "whole_vocabulary")["whole_vocabulary"]
    assert found.score == pytest.approx(expected, abs=0.01)
    assert found.index == pytest.approx((expected - found.base) / (1 - found.base), abs=0.01)
    assert found.index > 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "attack", "expected"),
    [("gtm_precision", "one_word", 0.9), ("gtm_recall", "whole_vocabulary", 0.87), ("gtm_f", "frequent_words", 0.2)],
)
def test_figures_on_the_references_of_wmt16(shared_data, metric, attack, expected):
    lines = (shared_data("gtm-wmt16") / "reference.tok").read_text(encoding="utf-8").splitlines()
    found = REGISTRY.get(Metric, metric)
    golds = audit_golds_of(Texts.from_plain(lines, lines), found)
    attacks = [REGISTRY.get(Attack, attack)]
    (result,) = attack_on_given_gold(Case(name=metric, metric=found, golds=golds, attacks=attacks))
    assert result.index == pytest.approx(expected, abs=CLOSE)


def test_gtm_f_is_fooled_by_neither_precision_nor_recall_alone():
    assert index("gtm_f", "one_word") < 0
    assert index("gtm_f", "whole_vocabulary") < 0


@pytest.mark.parametrize("metric", ["tau_b", "segment_pearson"])
def test_abstaining_pays_where_undefined_groups_are_dropped(metric):
    dropped, filled = (f"{metric}(grouping=item{rule})" for rule in ("", ", undefined=zero"))
    assert index(dropped, "abstain_items") > 0.08
    assert measured(dropped, "abstain_items")["abstain_items"].undefined > 0.5
    assert index(filled, "abstain_items") < 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "attack", "expected"),
    [
        ("segment_pearson", "add_own_means", 0.27),
        ("segment_spearman", "add_own_means", 0.26),
        ("tau_b", "add_own_means", 0.18),
        ("segment_pearson(grouping=item, undefined=zero)", "add_system_means", 0.07),
    ],
)
def test_own_means_pay(metric, attack, expected):
    assert index(metric, attack) == pytest.approx(expected, abs=0.03)


def test_a_constant_has_the_human_tie_rate_under_acc_eq():
    constant = measured("acc_eq", "all_equal")["all_equal"]
    assert constant.score == pytest.approx(TIES, abs=CLOSE)
    assert constant.score < constant.base


def test_ungrouped_correlation_takes_segment_means_for_quality():
    informed = measured("segment_pearson", "segment_means")["segment_means"]
    assert informed.kind == "informed"
    assert informed.index > 0.6
    assert index("segment_pearson(grouping=item)", "segment_means") == 0


def test_every_severity_is_half_the_work():
    assert index("span_f1(rule=2023)", "every_severity") > index("span_f1", "every_severity") + 0.05


@pytest.mark.slow
def test_the_standard_error_is_small():
    """Of all that count, but those that lose anyway."""
    for metric in ("f1_bad", "mcc", "mae", "pearson", "kendall", "gtm_f"):
        for result in attacked(metric).values():
            gains = result.counts and result.index + 4 * result.error > 0
            assert not gains or result.error <= 0.01, (metric, result.attack, result.error)
