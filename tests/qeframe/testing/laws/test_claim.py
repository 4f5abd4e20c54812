"""Each claim has one law, which passes and finds examples that were computed by hand."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest

from qeframe.core.metric import CLAIMS
from qeframe.kinds.registered import kind_of
from qeframe.plugin import Metric, Scores, Tags, Texts, additive
from qeframe.testing.laws.claim import CLAIM_LAWS
from qeframe.testing.laws.law import BreachError, search
from tests.registered import REGISTRY

LAWS = {law.name: law for law in CLAIM_LAWS}


def get(name: str) -> Metric:
    return REGISTRY.get(Metric, name)


def breach(law: str, metric: str, batch, *parts) -> BreachError:
    """Return how an example breaks a law."""
    with pytest.raises(BreachError) as caught:
        LAWS[law].holds(get(metric), kind_of(get(metric).kind), batch, *parts)
    return caught.value


def keeps(law: str, metric: str, batch, *parts) -> None:
    LAWS[law].holds(get(metric), kind_of(get(metric).kind), batch, *parts)


def test_every_claim_has_one_law_that_concerns_the_metrics_that_make_it():
    assert tuple(LAWS) == CLAIMS
    assert len(CLAIM_LAWS) == len(CLAIMS)
    for claim, law in LAWS.items():
        for name in ("mcc", "mae", "pearson", "kendall"):
            assert law.concerns(get(name)) == (claim in get(name).claims)


TAGGED = Tags.from_plain([["BAD", "OK", "OK"]], [["OK", "BAD", "OK"]])


def test_a_constant_above_honest_chance_breaks_two_claims():
    """All BAD has F1 1/2: precision 1/3, recall 1. One sentence is rotated: a third of the rotations hit, with F1 1."""
    for law in ("constant_proof", "blind_proof"):
        error = breach(law, "f1_bad", TAGGED)
        assert str(error) == "a constant answer scores 0.5, honest chance 0.333333"
        assert error.values == {"gold": ["BAD OK OK"], "constant": ["BAD BAD BAD"]}
        assert error.exploit == "Hand in the same answer for every unit, without looking at the data."
    keeps("constant_proof", "f1_mult", TAGGED)
    keeps("blind_proof", "mcc", TAGGED)


def test_answers_of_a_good_make_up_break_blind_proof():
    keeps("blind_proof", "pearson", Scores.from_plain([0.0, 1.0, 5.0], [2.0, 2.0, 3.0]))
    error = breach("blind_proof", "rmse", Scores.from_plain([0.0, 2.0, 4.0], [1.0, 2.0, 3.0]))
    orders = np.array(list(permutations([0.0, 2.0, 4.0])))
    chance = np.sqrt(((orders - [0.0, 2.0, 4.0]) ** 2).mean(axis=1)).mean()
    constant = np.sqrt(8 / 3)
    assert str(error) == f"a constant answer scores {constant:.6g}, honest chance {chance:.6g}"


@pytest.mark.parametrize(("scale", "shift"), [(10.0, 0), (1.0, 3), (-1.0, 0)])
def test_a_scale_that_changes_the_score(scale, shift):
    batch = Scores.from_plain([0.0, 1.0, 2.0], [0.0, 1.0, 1.0])
    keeps("location_scale_invariant", "pearson", batch, scale, shift)
    error = breach("location_scale_invariant", "mae", batch, scale, shift)
    assert str(error).startswith(
        f"after {shift} is added to all answers and they are multiplied by {scale:g}, the score is "
    )
    assert (error.values["scale"], error.values["shift"]) == (scale, shift)


def test_a_right_answer_that_lowers_the_score():
    """The correlation of (0, 0, 3) with gold (1, 1, 4) is 1, that of (1, 0, 3) is less."""
    batch = Scores.from_plain([1.0, 1.0, 4.0], [0.0, 0.0, 3.0])
    keeps("monotone", "mae", batch, 0)
    error = breach("monotone", "pearson", batch, 0)
    assert str(error) == "correcting the answer of unit 0 worsens the score from 1 to 0.944911"
    assert error.values["after"] == [1.0, 0.0, 3.0]


def test_words_that_raise_the_score():
    batch = Texts.from_plain([["the cat sat on the mat"]], ["the cat"])
    keeps("padding_proof", "wer", batch, 0)
    assert str(breach("padding_proof", "bleu", batch, 0)).startswith(
        "words of no reference, appended to unit 0, improve "
    )


@pytest.mark.parametrize(("name", "kept"), [("kendall(ties=wmt14)", True), ("kendall(ties=wmt12)", False)])
def test_all_cases_of_ties_are_computed(name, kept):
    law = LAWS["tie_neutral"]
    assert law.exact
    result = search(law, get(name), kind_of(get(name).kind), tries=50)
    assert result.tries == 1
    assert (result.found is None) is kept


@pytest.mark.parametrize(
    ("name", "kept"), [("tau_b(grouping=item, undefined=zero)", True), ("tau_b(grouping=item)", False)]
)
def test_no_answer_where_one_is_unsure(name, kept):
    metric = get(name)
    found = search(LAWS["abstention_proof"], metric, kind_of(metric.kind), tries=100, shrink=False).found
    assert (found is None) is kept
    if found:
        assert found.what.startswith("giving no answer to unit ")


@pytest.mark.parametrize("within", [0.01, 0.1, 0.2])
def test_no_answer_is_tried_where_answers_must_be_close_to_the_gold(within):
    def rows(batch):
        return np.stack([np.ones(len(batch)), np.abs(batch.predicted - batch.gold) <= within], axis=1)

    bind = additive(columns=("units", "close"), extract=rows, score=lambda sums: sums[..., 1] / sums[..., 0])
    metric = Metric(name="close", summary="", kind=Scores, bind=bind)
    assert search(LAWS["abstention_proof"], metric, kind_of(Scores), tries=20, shrink=False).found is not None


@pytest.mark.parametrize("name", LAWS)
def test_a_law_does_not_fit_a_kind_of_batch_without_its_parts(name):
    law = LAWS[name]
    parts = dict.fromkeys(law.needs, partial(np.zeros, 0))
    assert law.fits(type("Kind", (), parts)())
    for missing in law.needs:
        assert not law.fits(type("Kind", (), parts | {missing: None})())
