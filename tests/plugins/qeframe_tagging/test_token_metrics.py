"""Metrics on pooled tags against scikit-learn; degenerate cases; claims by enumeration."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from qeframe.core.errors import DataError
from qeframe.kinds.tags.batch import Tags
from qeframe.plugin import Metric, Parametric
from qeframe_tagging import confusion, f_beta
from tests.examples import FEWER

TAGS = ("OK", "BAD", "Fluency", "Accuracy")
CLAIMING = [
    "f1_bad", "f1_ok", "f1_mult", "f1_weighted", "mcc", "precision", "recall", "f_beta(beta=2)", "accuracy",
    "balanced_accuracy", "f1_average", "f1_average(average=micro)", "f1_average(average=micro, classes=non_ok)",
]  # fmt: skip


@st.composite
def sides(draw, classes, least=1):
    lengths = draw(st.lists(st.integers(0, 12), min_size=1, max_size=6).filter(lambda each: sum(each) >= least))
    side = [st.lists(st.sampled_from(TAGS[:classes]), min_size=n, max_size=n) for n in lengths]
    return [draw(one) for one in side], [draw(one) for one in side]


def balanced(gold, predicted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that the gold does not have, which it leaves out
        return sk.balanced_accuracy_score(gold, predicted)


def flat(sentences):
    return list(itertools.chain.from_iterable(sentences))


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.filterwarnings("ignore:A single label was found")
@FEWER
@given(data=st.data())
def test_equals_scikit_learn(measure, classes, data):
    pair = data.draw(sides(classes))
    names = TAGS[:classes]
    gold, predicted = map(flat, pair)
    by_class = sk.f1_score(gold, predicted, labels=names, average=None, zero_division=0)

    def near(name, value):
        assert measure(name, *pair, classes=names) == pytest.approx(value, abs=1e-12), name

    near("f1_ok", by_class[0])
    near("f1_bad", by_class[1])
    near("f1_mult", math.prod(by_class))
    near("f1_weighted", sk.f1_score(gold, predicted, labels=names, average="weighted", zero_division=0))
    near("mcc", sk.matthews_corrcoef(gold, predicted))
    one = {"labels": ["BAD"], "average": "macro", "zero_division": 0}
    near("precision", sk.precision_score(gold, predicted, **one))
    near("recall", sk.recall_score(gold, predicted, **one))
    near("f_beta(beta=2)", sk.fbeta_score(gold, predicted, beta=2, **one))
    near("f_beta(beta=inf)", sk.recall_score(gold, predicted, **one))
    near("f_beta(beta=0.5, tag=OK)", sk.fbeta_score(gold, predicted, beta=0.5, **one | {"labels": ["OK"]}))
    near("accuracy", sk.accuracy_score(gold, predicted))
    near("balanced_accuracy", balanced(gold, predicted))
    # without labels, the mean of scikit-learn is over the classes that occur
    near("f1_average", sk.f1_score(gold, predicted, average="macro", zero_division=0))
    near("f1_average(average=micro)", sk.f1_score(gold, predicted, average="micro", labels=names, zero_division=0))
    if len(set(gold) | set(predicted)) > 1:
        near("cohen_kappa", sk.cohen_kappa_score(gold, predicted))
    others = [name for name in names if name != "OK"]
    occurring = sorted((set(gold) | set(predicted)) - {"OK"})
    for average, labels in {"macro": occurring, "micro": others}.items() if occurring else ():
        value = sk.f1_score(gold, predicted, average=average, labels=labels, zero_division=0)
        near(f"f1_average(average={average}, classes=non_ok)", value)
    if set(gold) & set(others):
        near(
            "f1_weighted(classes=non_ok)",
            sk.f1_score(gold, predicted, labels=others, average="weighted", zero_division=0),
        )


@given(pair=sides(3, least=0))
def test_confusion_counts_tokens(pair):
    counted = confusion(Tags.from_plain(*pair, classes=TAGS[:3]))
    for found, gold, predicted in zip(counted, *pair, strict=True):
        wanted = np.zeros((3, 3))
        for g, p in zip(gold, predicted, strict=True):
            wanted[TAGS.index(g), TAGS.index(p)] += 1
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "name", [*CLAIMING, "cohen_kappa", "f1_weighted(classes=non_ok)", "f1_average(classes=non_ok)"]
)
@pytest.mark.parametrize("sentences", [[], [[]]])
def test_without_a_token_all_are_zero(measure, name, sentences):
    assert measure(name, sentences, sentences) == 0


def test_degenerate_cases(measure):
    ok, bad, mixed = [["OK"] * 4], [["BAD"] * 4], [["OK", "BAD", "OK", "BAD"]]
    for name in ("mcc", "cohen_kappa", "f1_mult"):
        for gold, predicted in ((ok, ok), (ok, bad), (ok, mixed), (mixed, ok), (mixed, bad)):
            assert measure(name, gold, predicted) == 0
    assert measure("f1_bad", ok, ok) == 0
    assert measure("f1_weighted", ok, ok) == 1
    assert measure("f1_weighted(classes=non_ok)", ok, mixed) == 0
    assert measure("precision", mixed, ok) == 0
    assert measure("recall", ok, mixed) == 0
    assert measure("recall", mixed, bad) == 1
    # a class that is not there is left out of a mean; a perfect submission is perfect
    for name in ("accuracy", "balanced_accuracy", "f1_average", "f1_average(average=micro)"):
        assert measure(name, ok, ok, classes=TAGS) == 1
        assert measure(name, ok, bad) == 0
    assert measure("balanced_accuracy", ok, mixed) == measure("accuracy", ok, mixed) == 1 / 2
    assert measure("f1_average", ok, mixed, classes=TAGS) == pytest.approx((2 / 3 + 0) / 2)
    assert measure("f1_average(classes=non_ok)", ok, ok) == measure("f1_average(classes=non_ok)", ok, mixed) == 0


def test_averages_of_one_class_are_that_of_the_class(measure):
    gold, predicted = [["OK", "BAD", "OK", "BAD"]], [["BAD", "BAD", "BAD", "OK"]]
    for average in ("macro", "micro"):
        name = f"f1_average(average={average}, classes=non_ok)"
        assert measure(name, gold, predicted) == measure("f1_bad", gold, predicted)


@pytest.mark.parametrize("name", ["mcc", "cohen_kappa"])
def test_degenerate_is_exact_under_fractional_weights(named, name):
    batch = Tags.from_plain([["OK", "BAD", "OK"]] * 5, [["BAD"] * 3] * 5)
    weights = np.random.default_rng(3).random((50, 5))
    assert (named(name).bind(batch)(weights) == 0).all()


def test_perfect_and_inverted_are_exact(measure):
    for bad, ok in itertools.product((1, 2, 3, 7, 13, 39), range(1, 40)):
        gold = [[0] * ok + [1] * bad]
        assert measure("mcc", gold, gold) == measure("cohen_kappa", gold, gold) == measure("f1_mult", gold, gold) == 1
        assert measure("mcc", gold, [[1] * ok + [0] * bad]) == -1


def test_extreme_betas_are_precision_and_recall(measure):
    gold, predicted = [["OK", "BAD", "OK", "BAD"]], [["BAD", "BAD", "BAD", "OK"]]
    assert measure("f_beta(beta=0)", gold, predicted) == measure("precision", gold, predicted) == 1 / 3
    assert measure("f_beta(beta=1e300)", gold, predicted) == measure("recall", gold, predicted) == 1 / 2
    assert measure("f_beta(beta=inf)", gold, predicted) == 1 / 2
    assert measure("f_beta", gold, predicted) == measure("f1_bad", gold, predicted)


def test_an_infinite_beta_has_one_name(registry):
    for infinite in ("inf", math.inf):
        assert Parametric(f_beta)(beta=infinite).name == registry.get(Metric, "f_beta(beta=inf)").name


@pytest.mark.parametrize("beta", ["-1", "-inf", "nan", "infinity", "true", "1e999"])
def test_impossible_beta(measure, beta):
    with pytest.raises(DataError, match=r"beta = .* must be a number|cannot read the name"):
        measure(f"f_beta(beta={beta})", [["OK"]], [["OK"]])


def test_infinity_is_refused_where_a_parameter_does_not_allow_it(measure):
    with pytest.raises(DataError, match="gtm_f: parameter exponent = 'inf' must be a number"):
        measure("gtm_f(exponent=inf)", ["a"], ["a"])


def test_a_class_that_is_not_there(measure):
    with pytest.raises(DataError, match="no class 'Style': the tags are OK, BAD"):
        measure("recall(tag=Style)", [["OK"]], [["OK"]])
    with pytest.raises(DataError, match="no class 'BAD': the tags are OK, Accuracy"):
        measure("f1_bad", [["OK", "Accuracy"]], [["OK", "OK"]], classes=["OK", "Accuracy"])


def lost_by_correcting(named, name, classes, most):
    """Return the largest loss from correcting one tag, over all tables with cells up to `most`."""
    score = named(name).bind(Tags.from_plain([], [], classes=TAGS[:classes])).score
    tables = np.array(list(itertools.product(range(most + 1), repeat=classes**2)), dtype=float)
    losses = []
    for gold, wrong in itertools.permutations(range(classes), 2):
        before = tables[tables[:, gold * classes + wrong] > 0]
        after = before.copy()
        after[:, gold * classes + wrong] -= 1
        after[:, gold * classes + gold] += 1
        losses.append((score(before) - score(after)).max())
    return max(losses)


@pytest.mark.parametrize("name", CLAIMING)
def test_monotone_on_all_small_tables(named, name):
    assert "monotone" in named(name).claims
    assert lost_by_correcting(named, name, classes=2, most=6) <= 1e-12
    assert lost_by_correcting(named, name, classes=3, most=2) <= 1e-12


def test_kappa_is_monotone_for_two_classes_only_and_does_not_claim_it(named):
    assert lost_by_correcting(named, "cohen_kappa", classes=2, most=6) <= 1e-12
    assert lost_by_correcting(named, "cohen_kappa", classes=3, most=2) > 0.04
    assert "monotone" not in named("cohen_kappa").claims


@pytest.mark.parametrize(
    "name",
    [
        "f1_mult",
        "mcc",
        "cohen_kappa",
        "precision",
        "balanced_accuracy",
        "accuracy",
        "f1_average",
        "f1_average(classes=non_ok)",
    ],
)
def test_blind_taggings_by_enumeration(measure, named, name):
    """No tagging is expected above the mean over all orders of the gold's own tags, where it is claimed."""
    gold = (1, 1, 0, 0, 0, 0)
    orders = sorted(set(itertools.permutations(gold)))

    def expected(tags):
        return np.mean([measure(name, [list(order)], [list(tags)]) for order in orders])

    honest = expected(gold)
    best = max(expected([1] * bad + [0] * (6 - bad)) for bad in range(7))
    constant = max(expected([0] * 6), expected([1] * 6))
    claims = named(name).claims
    assert (best <= honest + 1e-12) == ("blind_proof" in claims)
    assert (constant <= honest + 1e-12) == ("constant_proof" in claims)


def test_f1_bad_rewards_the_constant(measure):
    gold = [["OK", "OK", "OK", "BAD"]]
    assert measure("f1_bad", gold, [["BAD"] * 4]) == 0.4  # honest chance is .25


@pytest.mark.parametrize("beta", ["x", "1", None, math.nan])
def test_impossible_beta_in_python(beta):
    with pytest.raises(DataError, match=r"^f_beta: parameter beta = .* must be a number, not negative, or inf$"):
        f_beta(beta=beta)
