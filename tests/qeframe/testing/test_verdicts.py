"""Verdicts: all claims are tried on a metric, and each says in words how it ended."""

import attrs
import pytest

import qeframe
from qeframe.core.components.metric import CLAIMS, Metric
from qeframe.core.errors import DataError
from qeframe.plugin.kinds import kind_of
from qeframe.testing.verdicts import Verdict, verdicts_on

REGISTRY = qeframe.load()
MAE = REGISTRY.get(Metric, "mae")


def made(**fields) -> Verdict:
    return Verdict(**{"metric": "m", "claim": "monotone", "claimed": True, "holds": True, **fields})


@pytest.mark.parametrize(
    ("fields", "words", "broken"),
    [
        ({"tries": 60}, "claimed, no counterexample in 60 tries", False),
        ({"tries": 1, "exact": True}, "claimed, all cases computed", False),
        ({"holds": False}, "claimed, but broken", True),
        ({"holds": None}, "claimed, and there is no such law for its kind of batch", True),
        ({"claimed": False, "tries": 3}, "not claimed, no counterexample in 3 tries", False),
        ({"claimed": False, "holds": False}, "not claimed, and broken", False),
        ({"claimed": False, "holds": None}, "does not apply", False),
    ],
)
def test_a_verdict_in_words(fields, words, broken):
    verdict = made(**fields)
    assert (verdict.in_words, verdict.broken) == (words, broken)
    assert str(verdict).startswith(words)


def test_a_broken_claim_is_shown_with_its_counterexample():
    verdict = made(holds=False, what="it is lower", counterexample={"gold": [1.0], "after": [2.0]})
    assert str(verdict) == "claimed, but broken by gold [1.0], after [2.0]: it is lower"


def test_a_long_counterexample_is_shown_by_its_beginning():
    verdict = made(holds=False, what="it is lower", counterexample={"gold": [1.0] * 50, "best": "high"})
    assert str(verdict) == "claimed, but broken by gold [1.0, 1.0, 1.0, 1.0, ... 50 in all], best high: it is lower"


def test_there_is_a_verdict_on_each_claim_in_order():
    verdicts = verdicts_on(MAE, tries=2)
    assert tuple(each.claim for each in verdicts) == CLAIMS
    assert {each.claim for each in verdicts if each.claimed} == set(MAE.claims)
    assert {each.metric for each in verdicts} == {"mae"}
    assert [each.claim for each in verdicts if each.holds is None] == ["tie_neutral", "padding_proof"]
    unclaimed = verdicts_on(MAE, tries=2, unclaimed=True)
    assert unclaimed == [each for each in verdicts if not each.claimed]


def test_a_function_is_tried_with_its_defaults():
    def within(*, claims: tuple[str, ...] = ("monotone",)) -> Metric:
        return attrs.evolve(MAE, claims=claims)

    assert verdicts_on(within, tries=2) == verdicts_on(within(), tries=2)
    assert [each.claim for each in verdicts_on(within, tries=1) if each.claimed] == ["monotone"]
    with pytest.raises(DataError, match="function 'nothing' returned None, which is no metric"):
        verdicts_on(nothing)


def nothing() -> None:
    return None


def test_a_claim_that_is_not_kept_is_broken_whether_or_not_it_is_made():
    boaster = attrs.evolve(MAE, claims=["location_scale_invariant"])
    for metric, claimed in ((MAE, False), (boaster, True)):
        (verdict,) = [each for each in verdicts_on(metric, tries=5) if each.claim == "location_scale_invariant"]
        assert (verdict.holds, verdict.claimed, verdict.broken) == (False, claimed, claimed)
        assert set(verdict.counterexample) >= {"gold", "predicted", "scale", "shift"}
        assert verdict.exploit.startswith("Shift or rescale the answers")


def test_without_time_nothing_is_tried():
    assert {each.tries for each in verdicts_on(MAE, seconds=0.0)} == {0}


def test_a_kind_of_batch_without_a_strategy_is_refused():
    bare = attrs.evolve(kind_of(MAE.kind), submissions=None)
    with pytest.raises(DataError, match="their kind has no strategy; give its BatchKind the part 'submissions'"):
        verdicts_on(MAE, kind=bare)
