"""The claims that each metric keeps, as documented; a claim that is not kept is refuted with its smallest example."""

import csv
import os
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import settings

from qeframe.core.errors import DataError
from qeframe.core.metric import CLAIMS, Attack, Metric, TiePolicy
from qeframe.core.statistic import additive
from qeframe.kinds.scores.batch import Scores
from qeframe.testing import check_metric, check_tie_policy, checks_of, kind_of, verdicts_on
from qeframe.testing.laws.law import search
from tests.registered import REGISTRY

ROOT = Path(__file__).parents[2]

KEPT = {
    "kendall(ties=wmt12)": {"constant_proof", "monotone"},
    "kendall(ties=wmt13)": {"constant_proof", "monotone"},
    "kendall(ties=wmt14)": {"constant_proof", "blind_proof", "tie_neutral", "monotone"},
    "kendall(ties=hties)": {"monotone"},
    "kendall(ties=darr)": {"constant_proof", "monotone"},
    "kendall(ties=acc23)": {"monotone"},
    "kendall(ties=tau23)": {"monotone"},
    "tau_b(grouping=item, undefined=zero)": {
        *("constant_proof", "blind_proof", "location_scale_invariant", "abstention_proof")
    },
}
"""Of calls that tests/components.json has not: there the claims of all others are recorded."""

REFUTED = [
    ("f1_bad", "constant_proof"),
    ("f1_mult", "blind_proof"),
    ("phrase_f1_bad", "constant_proof"),
    ("phrase_f1_mult", "blind_proof"),
    ("seqcor", "constant_proof"),
    ("mae", "constant_proof"),
    ("mae", "location_scale_invariant"),
    ("rmse", "location_scale_invariant"),
    ("spearman", "monotone"),
    ("spearman(ties=ordinal)", "constant_proof"),
    ("spearman(ties=ordinal)", "location_scale_invariant"),
    ("delta_avg", "monotone"),
    ("delta_avg(ties=input)", "constant_proof"),
    ("delta_avg(signed=raw)", "location_scale_invariant"),
    ("average_precision", "monotone"),
    ("tau_b", "monotone"),
    ("kendall(ties=wmt12)", "tie_neutral"),
    ("kendall(ties=wmt12)", "blind_proof"),
    ("kendall(ties=wmt13)", "tie_neutral"),
    ("kendall(ties=hties)", "tie_neutral"),
    ("kendall(ties=hties)", "constant_proof"),
    ("kendall(ties=darr)", "tie_neutral"),
    ("kendall(ties=acc23)", "tie_neutral"),
    ("kendall(ties=acc23)", "constant_proof"),
    ("kendall(ties=tau23)", "constant_proof"),
    ("acc_eq", "tie_neutral"),
    ("tau_b(grouping=item)", "abstention_proof"),
    ("segment_pearson(grouping=item)", "abstention_proof"),
    ("pairwise_difference_pearson", "abstention_proof"),
    ("kendall_like", "blind_proof"),
    ("tie_f1", "constant_proof"),
    ("span_f1", "constant_proof"),
    ("span_f1(rule=2023)", "constant_proof"),
    ("bleu", "padding_proof"),
    ("bleu", "constant_proof"),
]


@pytest.mark.parametrize("name", KEPT)
def test_the_claims_are_those_of_the_documentation(name):
    assert REGISTRY.get(Metric, name).claims == KEPT[name]


def claiming(name, claim):
    (check,) = [
        check
        for check in checks_of(attrs.evolve(REGISTRY.get(Metric, name), claims=[claim]), tries=400)
        if check.law.name == claim
    ]
    return attrs.evolve(check, shrink=False, presupposed=())  # test_laws.py holds the metric to the other laws


@pytest.mark.parametrize(("name", "claim"), REFUTED)
def test_a_claim_that_is_not_kept_is_refuted(name, claim):
    assert claim not in REGISTRY.get(Metric, name).claims
    with pytest.raises(AssertionError, match=f"breaks the law '{claim}'"):
        claiming(name, claim)()


def test_all_claims_are_tried_made_or_not():
    verdicts = {verdict.claim: verdict for verdict in verdicts_on(REGISTRY.get(Metric, "kendall(ties=wmt13)"))}
    assert tuple(verdicts) == CLAIMS
    stated = {claim: str(verdict) for claim, verdict in verdicts.items()}
    assert stated["constant_proof"] == "claimed, no counterexample in 12 tries"
    assert stated["monotone"] == "claimed, no counterexample in 60 tries"
    assert stated["padding_proof"] == "does not apply"
    assert stated["blind_proof"] == "not claimed, no counterexample in 12 tries"
    assert stated["tie_neutral"] == (
        "not claimed, refuted by human <, beside []: "
        "where the human relation is '<', a tie scores nan, both orders on average 0"
    )
    assert "left out" in verdicts["tie_neutral"].exploit
    assert not any(verdict.broken for verdict in verdicts.values())


def test_a_proof_by_computation_says_so():
    (verdict,) = [v for v in verdicts_on(REGISTRY.get(Metric, "kendall")) if v.claim == "tie_neutral"]
    assert str(verdict) == "claimed, all cases computed"


@pytest.mark.newest  # what is told is the smallest example that Hypothesis finds
def test_a_breach_is_told_in_plain_values_with_its_exploit():
    boaster = attrs.evolve(REGISTRY.get(Metric, "f1_bad"), claims=["constant_proof"])
    (verdict,) = [v for v in verdicts_on(boaster) if v.claim == "constant_proof"]
    assert verdict.broken
    assert verdict.counterexample == {"gold": ["", "OK BAD"], "constant": ["", "BAD BAD"]}
    assert verdict.what == "a constant answer scores 0.666667, honest chance 0.5"
    assert verdict.exploit == "Hand in the same answer for every unit, without looking at the data."
    (check,) = [check for check in checks_of(boaster) if check.law.name == "constant_proof"]
    with pytest.raises(AssertionError) as caught:
        check()
    assert str(caught.value).splitlines() == [
        "a constant answer scores 0.666667, honest chance 0.5",
        "Metric 'f1_bad' breaks the law 'constant_proof': no constant submission scores above honest chance",
        "smallest counterexample:",
        "  gold = ['', 'OK BAD']",
        "  constant = ['', 'BAD BAD']",
        "Hand in the same answer for every unit, without looking at the data.",
    ]


def test_the_search_ends_in_time():
    verdicts = verdicts_on(REGISTRY.get(Metric, "bleu"), seconds=0.0)
    assert [v.tries for v in verdicts if v.holds is not None] == [0] * 5
    assert str(verdicts[0]) == "not claimed, no counterexample in 0 tries"


def test_a_claim_without_a_law_is_refused():
    with pytest.raises(DataError, match="there is no law for the claim 'unbeatable'; the claims are constant_proof, "):
        attrs.evolve(REGISTRY.get(Metric, "mae"), claims=["unbeatable"])
    odd = attrs.evolve(REGISTRY.get(Metric, "mae"), claims=["padding_proof"])
    with pytest.raises(AssertionError, match="claims 'padding_proof', for which there is no law on batches of Scores"):
        check_metric(odd, tries=2)


@pytest.mark.parametrize("name", ["acc23", "darr", "hties", "tau23", "wmt12", "wmt13", "wmt14"])
def test_only_wmt14_is_tie_neutral(name):
    policy = REGISTRY.get(TiePolicy, name)
    assert policy.claims - {"right_is_best"} == ({"tie_neutral"} if name == "wmt14" else set())
    if name != "wmt14":
        with pytest.raises(AssertionError, match="breaks the law 'tie_neutral'"):
            check_tie_policy(attrs.evolve(policy, claims=["tie_neutral"]))


@pytest.mark.parametrize(
    ("name", "exploit"),
    [("wmt12", "Never tie"), ("darr", "Never tie"), ("wmt13", "Tie the hard pairs"), ("hties", "counts more")],
)
def test_how_ties_are_exploited(name, exploit):
    with pytest.raises(AssertionError, match=exploit):
        check_tie_policy(attrs.evolve(REGISTRY.get(TiePolicy, name), claims=["tie_neutral"]))


def test_a_published_table_that_rewards_no_tie_is_lawful():
    """Kim's d: pairs that the human tied count where the metric does not tie them, and add nothing."""
    kim = ((1.0, None, -1.0), (0.0, None, 0.0), (-1.0, None, 1.0))
    check_tie_policy(TiePolicy(name="kim", summary="", table=kim))
    with pytest.raises(AssertionError, match="where the human relation is '=', another relation counts more"):
        check_tie_policy(TiePolicy(name="kim", summary="", table=kim, claims="right_is_best"))


WITHOUT_INDEX = {
    "quality_gain": {"blind", "cosmetic"},
    **{name: {"cosmetic"} for name in ("edit_rate", "gain_to_edit_ratio")},
    **{name: {"blind"} for name in ("judged_pearson", "judged_spearman")},
    "preference_bias": {"blind"},
}
"""Metrics on which no attack of a kind has an index: it is undefined, or every attack makes the score undefined."""


@pytest.mark.parametrize("name", REGISTRY.names(Metric))
def test_every_metric_states_what_it_resists_of_each_kind_of_attack(name):
    metric = REGISTRY.get(Metric, name)
    manners = {attack.manner for attack in REGISTRY.all(Attack) if issubclass(metric.kind, attack.kind)}
    stated = {*metric.known_weaknesses, *(["blind"] if "blind_proof" in metric.claims else [])}
    assert (manners & {"blind", "cosmetic"}) - stated == WITHOUT_INDEX.get(name, set())


def test_the_audit_found_no_index_above_the_bound_that_is_declared():
    with (ROOT / "docs" / "reference" / "audit.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    assert len(rows) > 100
    for row in rows:
        known = REGISTRY.get(Metric, row["metric"]).known_weaknesses
        assert float(row["low"]) <= known.get(row["kind"], 0.05), row


def test_a_metric_that_states_nothing_is_not_lawful():
    told = attrs.evolve(REGISTRY.get(Metric, "mae"), claims=(), known_weaknesses={})
    (check,) = [check for check in checks_of(told) if check.law.name == "resists"]
    assert check.search().found.what.startswith("it makes no claim and declares no known weakness: measure it by ")
    for stated in ({"claims": ("monotone",)}, {"known_weaknesses": {"blind": 0.3}}):
        (check,) = [check for check in checks_of(attrs.evolve(told, **stated)) if check.law.name == "resists"]
        assert check.search().found is None


@pytest.mark.parametrize(
    ("table", "monotone"),
    [
        ("[[1, none, -1], [none, none, none], [-1, none, 1]]", True),
        ("[[0.5, none, -1], [none, 1, none], [-1, none, 0.5]]", False),
        ("[[1, none, -1], [1, none, 1], [-1, none, 1]]", False),
    ],
)
def test_a_row_that_is_excluded_in_part_is_monotone_where_right_counts_most_of_all(table, monotone):
    """Setting a relation right brings its pair into the mean, which falls unless nothing counts more."""
    metric = REGISTRY.get(Metric, f"kendall(ties=custom(table={table}))")
    assert ("monotone" in metric.claims) == monotone
    claiming = attrs.evolve(metric, claims=("monotone",))
    (check,) = [check for check in checks_of(claiming, tries=200) if check.law.name == "monotone"]
    assert (check.search().found is None) == monotone


def test_a_metric_without_claims_has_nothing_to_keep():
    def rows(batch):
        return np.stack([np.ones(len(batch)), batch.predicted == batch.gold], axis=1)

    bind = additive(columns=("units", "equal"), extract=rows, score=lambda sums: sums[..., 1] / sums[..., 0])
    metric = Metric(name="equal", summary="", kind=Scores, bind=bind)
    assert not [check for check in checks_of(metric) if check.law.name in CLAIMS]


def test_a_profile_with_more_examples_tries_as_many_times_more():
    calls = []

    (law,) = [check.law for check in checks_of(REGISTRY.get(Metric, "mae")) if check.law.name == "order"]
    counted = attrs.evolve(law, holds=lambda metric, material, *example: calls.append(1))
    usual = os.environ.get("HYPOTHESIS_PROFILE", "ci")
    settings.register_profile("as_thorough", max_examples=100 * 100)
    try:
        settings.load_profile("as_thorough")
        search(counted, REGISTRY.get(Metric, "mae"), kind_of(Scores), tries=2)
    finally:
        settings.load_profile(usual)
    assert len(calls) == 200


def test_the_same_search_finds_the_same():
    boaster = attrs.evolve(REGISTRY.get(Metric, "rmse"), claims=["constant_proof"])
    (check,) = [check for check in checks_of(boaster) if check.law.name == "constant_proof"]
    once, again = check.search(), check.search()
    assert (once.tries, once.found.values) == (again.tries, again.found.values)
    larger = attrs.evolve(check, shrink=False).search().found
    assert len(larger.values["gold"]) >= len(once.found.values["gold"])
