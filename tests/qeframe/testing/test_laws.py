"""Laws of single kinds of components."""

import attrs
import numpy as np
import pytest
from hypothesis import strategies as st

import qeframe
from qeframe.core import significance
from qeframe.core.component import Component
from qeframe.core.errors import PluginError
from qeframe.core.metric import Attack
from qeframe.core.origin import Origin
from qeframe.kinds.scores.values import KIND
from qeframe.plugin import (
    Aggregation,
    Correction,
    Metric,
    Pairwise,
    Ranking,
    RankingRule,
    Scores,
    SignificanceTest,
    Tags,
    Texts,
    TiePolicy,
    Values,
)
from qeframe.plugin.resampling import Swap
from qeframe.testing import checks_of, expected_oriented_score, honest_chance, kind_of
from qeframe.testing.laws import free_name, probes
from qeframe.testing.laws.any_component import array_fault, fresh, image, is_refused_write
from qeframe.testing.laws.checks import LAWS, components_of
from qeframe.testing.laws.claim import oriented
from qeframe.testing.laws.law import BreachError, Law, agree, search
from qeframe.testing.laws.probes import giant, probed, trial_of
from qeframe.testing.laws.significance import _sample_batches
from tests.registered import REGISTRY

HONEST = qeframe.load().all(Attack)[0]


def breach(component, law, *, shrink=False):
    """Return how a component breaks a law; empty if it does not."""
    (check,) = [check for check in checks_of(component, tries=10) if check.law.name == law]
    found = attrs.evolve(check, shrink=shrink).search().found
    return "" if found is None else found.what


def broken(law, answer):
    return breach(attrs.evolve(HONEST, answer=answer, manner="blind"), law)


@pytest.mark.parametrize(
    ("law", "answer", "what"),
    [
        ("shape", lambda batch, rng: batch.predicted, " instead of "),
        ("shape", lambda batch, rng: batch.take(np.arange(1)), "it answers 1 units instead of "),
        ("units", lambda batch, rng: batch.take(np.arange(len(batch))[::-1]), "the answer is for other units"),
        ("blind", lambda batch, rng: batch, "beside another submission it answers "),
    ],
)
def test_a_wrong_attack_is_found_out(law, answer, what):
    assert what in broken(law, answer)


def test_the_attack_itself_is_lawful():
    assert broken("shape", HONEST.answer) == broken("input", HONEST.answer) == ""


def rows(batch):
    return batch.predicted[:, None] * 1.0


@pytest.mark.parametrize(
    "batch",
    [
        Values.from_plain(None, [1.0, 2.0]),
        Tags.from_plain([[0, 1], [1]], [[1, 1], [0]]),
        Texts.from_plain(["a b", "c"], ["a", "c d"]),
    ],
    ids=["Values", "Tags", "Texts"],
)
def test_a_fresh_batch_is_equal_and_shares_no_array(batch):
    copy = fresh(batch)
    assert image(copy) == image(batch)
    assert copy.predicted is not batch.predicted
    assert not copy._extracted


def test_an_image_tells_single_bits():
    assert image(np.array([0.0])) != image(np.array([-0.0]))
    assert image(np.array([np.nan])) == image(np.array([np.nan]))
    assert image({"a": [1, "x"]}) != image({"a": [1, "y"]})
    assert image(np.zeros(2)) != image(np.zeros((1, 2)))


def test_a_refused_write_is_told_from_other_errors():
    array = np.zeros(2)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only") as caught:
        array[0] = 1.0
    assert is_refused_write(caught.value)
    assert not is_refused_write(ValueError("no rows"))


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (np.zeros(2), ""),
        ([0.0, 0.0], "it returns list instead of float64 of shape (2,)"),
        (np.zeros(3), "it returns float64 of shape (3,) instead of float64 of shape (2,)"),
        (np.zeros(2, dtype=complex), "it returns complex128 of shape (2,) instead of float64 of shape (2,)"),
        (np.array(["a", "b"]), "it returns <U1 of shape (2,) instead of float64 of shape (2,)"),
        (None, "it returns NoneType instead of float64 of shape (2,)"),
    ],
)
def test_what_is_wrong_with_an_array(found, fault):
    assert array_fault(found, (2,)) == fault


MAE = qeframe.load().get(Metric, "mae")
BATCH = Scores.from_plain([0.0, 1.0, 5.0], [0.0, 1.0, 2.0])


def test_low_is_turned_round_and_undefined_scores_do_not_count():
    assert oriented(MAE, BATCH) == -1.0
    constant = Scores.from_plain([1.0, 2.0], [3.0, 3.0])
    pearson = qeframe.load().get(Metric, "pearson")
    assert np.isnan(expected_oriented_score(pearson, kind_of(Scores), constant, constant.predicted))


def test_chance_is_the_mean_over_all_ways_to_give_the_answers():
    pairs = np.abs(np.subtract.outer(BATCH.gold, BATCH.gold)).mean()
    assert honest_chance(MAE, kind_of(Scores), BATCH) == pytest.approx(-pairs)
    answers = np.abs(np.subtract.outer(BATCH.gold, BATCH.predicted)).mean()
    assert expected_oriented_score(MAE, kind_of(Scores), BATCH, BATCH.predicted) == pytest.approx(-answers)


ONE = Component(name="one", summary="")


def law(holds, **more):
    return Law(
        name="small", states="", examples=lambda component, kind: st.tuples(st.integers(0, 99)), holds=holds, **more
    )


def at_most_five(component, kind, number):
    if number > 5:
        raise BreachError(f"{number} is large", number=number)


def test_the_smallest_example_is_found_and_a_kept_law_has_all_tries():
    found = search(law(at_most_five, exploit="Count on."), ONE, None, tries=50).found
    assert (found.what, found.values, found.exploit) == ("6 is large", {"number": 6}, "Count on.")
    assert search(law(lambda component, kind, number: None), ONE, None, tries=50).tries == 50


def test_an_error_of_the_component_has_a_place_and_no_exploit():
    def failing(component, kind, number):
        raise ValueError("no")

    found = search(law(failing, exploit="Count on."), ONE, None, tries=5).found
    assert found.what.startswith("ValueError: no (in failing, line ")
    assert found.exploit == ""


def test_agreement_is_up_to_rounding():
    agree([1.0, np.nan], [1.0 + 1e-12, np.nan], "the score")
    with pytest.raises(AssertionError, match=r"the score: shape \(1,\) instead of \(2,\)"):
        agree([1.0], [1.0, 2.0], "the score")
    with pytest.raises(AssertionError, match=r"the score: \[1\.0\] instead of \[2\.0\]"):
        agree([1.0], [2.0], "the score")


def test_a_giant_submission_has_the_gold_of_the_other():
    batch = Scores.from_plain([1.0, 2.0], [3.0, 4.0])
    assert giant(batch).gold.tolist() == [1.0, 2.0]
    assert giant(batch).predicted.min() > 1e13
    assert type(giant(Values.from_plain(None, [1.0]))) is Values


def test_a_test_is_tried_under_the_probes_of_all_kinds_that_have_one(monkeypatch):
    def names(test):
        return [probe.name for probe in probed(qeframe.load().get(SignificanceTest, test))]

    assert names("bootstrap") == ["probe_mean", "probe_correlation"]
    assert names("two_way_jackknife") == ["probe_grid_correlation"]
    theirs = attrs.evolve(KIND, probe=attrs.evolve(KIND.probe, name="probe_theirs"))
    untried = attrs.evolve(theirs, submissions=None)
    monkeypatch.setattr(probes, "registered_kinds", lambda: [KIND, theirs, untried])
    assert names("sign") == ["probe_mean", "probe_theirs"]


@pytest.mark.parametrize(
    ("law", "aggregate", "what"),
    [
        ("shape", lambda s, w, high: s.mean(), "it returns float64 of shape () instead of float64 of shape (3, "),
        ("shape", lambda s, w, high: s.mean(axis=-1).tolist(), "it returns list instead of float64 of shape (3, "),
        ("input", lambda s, w, high: np.nan_to_num(s, copy=False).mean(axis=-1), "it "),
        ("defined", lambda s, w, high: s.mean(axis=-1) * np.nan, "scores that are all defined have the aggregates "),
    ],
)
def test_a_wrong_aggregation_is_found_out(law, aggregate, what):
    assert breach(Aggregation(name="wrong", summary="", aggregate=aggregate), law).startswith(what)


def test_a_part_of_which_the_aggregate_is_no_mean_is_found_out():
    wrong = Aggregation(name="wrong", summary="", aggregate=lambda s, w, high: s @ w / w.sum(), part=lambda s, high: -s)
    assert breach(wrong, "mean_of_parts").startswith("the aggregate instead of the mean of its parts")


@pytest.mark.parametrize(
    ("law", "adjust", "what"),
    [
        ("shape", lambda p: float(p.max()), "it returns float64 of shape () instead of float64 of shape ("),
        ("input", lambda p: np.multiply(p, 2, out=p), "it "),
        ("determinism", lambda p: p + np.random.default_rng().random(), "the same input gives "),
    ],
)
def test_a_wrong_correction_is_found_out(law, adjust, what):
    assert breach(Correction(name="wrong", summary="", adjust=adjust), law).startswith(what)


@pytest.mark.parametrize(
    ("rank", "what"),
    [
        (lambda given: given.oriented, "it returns ndarray instead of a Ranking"),
        (
            lambda given: Ranking(rank=given.oriented * 1.0, cluster=np.ones(len(given.oriented), dtype=np.int64)),
            "its 'rank' is float64 of shape (1,) instead of int64 of shape (1,)",
        ),
    ],
)
def test_a_wrong_ranking_rule_is_found_out(rank, what):
    assert breach(RankingRule(name="wrong", summary="", rank=rank), "shape", shrink=True) == what


def changing(contest, sided):
    contest.oriented[:] = 0.0
    return Pairwise(p=np.array([0.5]))


@pytest.mark.parametrize(
    ("law", "run", "what"),
    [
        ("shape", lambda contest, sided: 0.5, "it returns float instead of a Pairwise"),
        ("shape", lambda contest, sided: Pairwise(p=np.ones(2)),
         "for one pair p is float64 of shape (2,) instead of"),
        ("defined", lambda contest, sided: Pairwise(p=np.array([np.nan])),
         "one-sided p of two different submissions"),
        ("determinism", lambda contest, sided: Pairwise(p=np.random.default_rng().random(1)),
         "the same input gives "),
        ("input", changing, "it "),
    ],
)  # fmt: skip
def test_a_wrong_test_is_found_out(law, run, what):
    assert breach(SignificanceTest(name="wrong", summary="", needs="per_unit", run=run), law).startswith(what)


def test_a_test_that_swaps_something_else_than_it_states_is_found_out():
    def run(contest, sided):
        counts, total, _ = contest.along("segment").count_exchanges(20, lambda differences, _: differences > 0)
        return Pairwise(p=(1 + counts) / (1 + total))

    def found(swap):
        return breach(SignificanceTest(name="wrong", summary="", needs="exchange", run=run, swap=swap), "swap")

    assert found(Swap("segment")) == ""
    assert "Swap(unit='segment', standardize=False), and states Swap(unit='', standardize=" in found(Swap())
    contest = trial_of(_sample_batches(REGISTRY.get(SignificanceTest, "randomization")))
    origin = Origin(plugin="mine", distribution="mine", version="1")
    test = SignificanceTest(name="wrong", summary="", needs="exchange", run=run, swap=Swap(), origin=origin)
    with pytest.raises(PluginError, match=r"exchanges of Swap.unit='segment'.*, expected those of its Swap.unit='',"):
        significance.run(test, contest, "two")


NONE = (None, None, None)


@pytest.mark.parametrize(
    ("law", "table", "what"),
    [
        ("defined", (NONE, (1.0, 1.0, 1.0), NONE), "where the human relation is '<', no pair counts"),
        ("finite", ((1.0, float("nan"), 0.0), NONE, (0.0, 0.0, 1.0)), "the row of '<' has nan"),
        ("mirrored", ((1.0, 0.0, 0.0), NONE, (0.0, 0.5, 1.0)), "the table changes if left and right are exchanged"),
        ("right_is_best", ((0.0, 1.0, 0.0), NONE, (0.0, 1.0, 0.0)), "another relation counts more than agreement"),
    ],
)
def test_a_wrong_table_is_found_out(law, table, what):
    wrong = TiePolicy(name="wrong", summary="", table=table, claims="right_is_best")
    assert what in breach(wrong, law)


OTHER = Correction(name="other", summary="", adjust=lambda p: p)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(Metric, "mae"), (Metric, "mae(replicate=perl)"), (TiePolicy, "wmt13"), (SignificanceTest, "randomization")],
)
def test_the_names_of_a_plugin_are_free_for_its_own_components(kind, name):
    assert breach(REGISTRY.get(kind, name), "free_name") == ""


def test_a_name_that_nobody_has_or_another_class_is_free():
    assert breach(OTHER, "free_name") == ""
    assert breach(attrs.evolve(OTHER, name="mae"), "free_name") == ""


def test_the_name_of_a_metric_of_another_plugin_is_taken():
    what = breach(attrs.evolve(OTHER, name="holm"), "free_name")
    assert what.startswith("the correction 'holm' is brought by plugin 'qeframe_significance' of distribution 'qeframe")
    assert what.endswith(" too: with both installed, no command starts")


def test_a_blocked_plugin_takes_no_name(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_significance")
    free_name._installed.cache_clear()
    try:
        assert breach(attrs.evolve(OTHER, name="holm"), "free_name") == ""
    finally:
        free_name._installed.cache_clear()


def test_the_laws_that_others_presuppose_come_first():
    names = [check.law.name for check in checks_of(MAE)]
    assert names[:4] == ["shape", "input", "determinism", "defined"]
    assert names[-1] == "free_name"


@pytest.mark.parametrize("kind", LAWS)
def test_laws_have_different_names(kind):
    names = [law.name for law in LAWS[kind]]
    assert len(set(names)) == len(names)


def test_a_law_is_not_tried_on_a_component_that_breaks_one_before_it():
    wrong = attrs.evolve(MAE, bind=lambda batch: None)
    (order,) = [check for check in checks_of(wrong, tries=5) if check.law.name == "order"]
    assert order.why_not_tried == "Metric 'mae' breaks the law 'shape', which 'order' presupposes"
    with pytest.raises(pytest.skip.Exception, match="presupposes"):
        order()
    (name,) = [check for check in checks_of(wrong, tries=5) if check.law.name == "free_name"]
    assert name.why_not_tried == ""


def test_components_of_a_module_or_a_list():
    import qeframe_ties

    assert {type(each).__name__ for each in components_of(qeframe_ties)} == {"TiePolicy"}
    assert components_of([MAE]) == components_of(MAE) == [MAE]
