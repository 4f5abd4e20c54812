"""Gates: metrics that can be gamed fail, sound ones pass, and declared weaknesses are allowed up to their bounds."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import hookimpl
from qeframe.core.metric import Attack
from qeframe.gaming.audit import AuditedMetric
from qeframe.gaming.gaming_gate import declared_gate, easier_to_game, gaming_records, index_gate
from qeframe.gaming.one_gold import Variant, generated
from qeframe.plugin import Additive, DataError, Metric
from qeframe.testing.plugin_report import check_plugin


def unclaimed(name, registry):
    left_out = {"resists": "what it states is taken away"}
    return attrs.evolve(registry.get(Metric, name), name="mine", claims=(), known_weaknesses={}, left_out=left_out)


def reported(metric):
    class Plugin:
        @hookimpl
        def qeframe_metrics(self):
            return [metric]

    report = check_plugin("mine", qeframe.load(extra={"mine": Plugin()}), tries=2, undeclared=True)
    (gate,) = (finding for finding in report.findings if finding.law == "gaming")
    return gate, [finding.law for finding in report.broken]


def test_a_sound_metric_without_claims_passes(registry):
    gate, broken = reported(unclaimed("mcc", registry))
    assert (gate.result, gate.what, broken) == ("kept", "", [])
    assert gate.tries > 2


def test_a_metric_that_breaks_a_law_has_its_gate_too(registry):
    recall = unclaimed("recall", registry)
    gate, broken = reported(
        attrs.evolve(
            recall, bind=lambda batch: attrs.evolve(recall.bind(batch), score=lambda s: recall.bind(batch).score(s))
        )
    )
    assert broken == ["workers", "gaming"]  # a lambda cannot be sent to another process
    assert "the attack all_bad has the index" in gate.what


def test_a_metric_that_fails_breaks_the_gate_in_one_line(registry):
    def fail(batch):
        raise ZeroDivisionError("no units")

    gate, _ = reported(attrs.evolve(unclaimed("recall", registry), bind=fail))
    assert gate.result == "broken"
    assert "ZeroDivisionError: no units" in gate.what


def test_what_is_declared_is_allowed_up_to_its_bound(registry):
    mae = unclaimed("mae", registry)
    attacks = ["constant_median", "shrink"]

    def outcome(**bounds):
        return declared_gate(attrs.evolve(mae, known_weaknesses=bounds), registry, attacks=attacks).outcome

    assert outcome(constant_median=0.3) == "broken"  # nothing is said of the cosmetic one
    assert outcome(constant_median=0.3, shrink=0.2) == "kept"
    assert outcome(blind=0.3, cosmetic=0.2) == "kept"
    assert outcome(blind=0.2, cosmetic=0.2) == "broken"
    assert outcome(constant_median=0.277, cosmetic=0.2) == "not determined"


def test_a_weakness_by_a_name_that_no_attack_has(registry):
    metric = attrs.evolve(unclaimed("pearson", registry), known_weaknesses={"constant_meadian": 0.1})
    gate = declared_gate(metric, registry)
    assert (gate.outcome, gate.what) == ("broken", "it declares 'constant_meadian', and no attack of that name fits it")


def test_a_claim_that_an_attack_refutes_fails_whatever_is_declared(registry):
    metric = attrs.evolve(unclaimed("mae", registry), claims=["constant_proof"], known_weaknesses={"blind": 1})
    gate = declared_gate(metric, registry, attacks=["constant_median"])
    assert gate.outcome == "broken"
    assert gate.what.startswith("it claims 'constant_proof', and the attack constant_median scores")


@pytest.mark.parametrize("bounds", [{"x": 0}, {"x": np.nan}, {"x": "much"}, {1: 0.1}, ["x"]])
def test_bounds_are_numbers_above_0(registry, bounds):
    with pytest.raises(DataError, match="known_weaknesses are"):
        attrs.evolve(unclaimed("mae", registry), known_weaknesses=bounds)


def audited(index, low=np.nan, high=np.nan, *, determined=True):
    return AuditedMetric(metric="m", gaming_index=index, low=low, high=high, determined=determined, attacks=())


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (audited(0.2, 0.15, 0.25), "broken"),
        (audited(0.11, 0.09, 0.13), "not determined"),
        (audited(0.09, 0.08, 0.13), "not determined"),
        (audited(0.05, 0.04, 0.1), "kept"),
        (audited(0.05, 0.04, 0.1, determined=False), "not determined"),
        (audited(0.1), "kept"),
        (audited(0.2), "broken"),
        (audited(np.nan), "not determined"),
    ],
)
def test_the_interval_decides(found, outcome):
    gate = index_gate(found, 0.1)
    assert gate.outcome == outcome
    assert (gate.fails(), gate.fails(strict=True)) == (outcome == "broken", outcome != "kept")


class Mixed:
    """A mixture of a sound score and of recall, which rewards tagging all BAD."""

    def __init__(self, share, registry):
        self.share, self.parts = share, (registry.get(Metric, "mcc"), registry.get(Metric, "recall"))

    def __call__(self, batch):
        mcc, recall = (part.bind(batch) for part in self.parts)
        first = mcc.rows.shape[1]

        def score(sums):
            sound, gamed = np.nan_to_num(mcc.score(sums[..., :first])), recall.score(sums[..., first:])
            return (1 - self.share) * sound + self.share * gamed

        return Additive(np.hstack([mcc.rows, recall.rows]), score, batch.unit)


def test_a_change_that_makes_a_metric_easier_to_game_is_noticed(registry):
    recall = attrs.evolve(unclaimed("recall", registry), bounds=(-1.0, 1.0))

    def record(share):
        metric = attrs.evolve(recall, bind=Mixed(share, registry))
        return gaming_records([metric], registry)[metric.name]

    before, after = record(0.05), record(0.2)
    assert before["blind"] == {"index": pytest.approx(0.05, abs=0.03), "by": "all_bad"}
    assert after["blind"] == {"index": pytest.approx(0.2, abs=0.05), "by": "all_bad"}
    assert "it is easier to game: the index 0.0" in easier_to_game(before, after)
    assert easier_to_game(after, before) == easier_to_game(after, after) == ""
    assert easier_to_game(after, {}) == ""
    assert easier_to_game({}, after).startswith("its blind gaming index 0.")


@pytest.mark.parametrize(
    ("before", "after", "easier"),
    [
        (0.2, 0.2, False),
        (0.2, 0.205, False),
        (0.2, 0.206, True),
        (10, 10.05, False),
        (10, 10.06, True),
        (-1, -0.99, True),
    ],
)
def test_how_much_easier_counts(before, after, easier):
    old, new = ({"cosmetic": {"index": index, "by": "pad"}} for index in (before, after))
    assert bool(easier_to_game(old, new)) == easier
    told = "it is easier to game: the index -1.000 became -0.990, by the cosmetic attack pad"
    assert before != -1 or easier_to_game(old, new) == told


def test_a_record_has_the_best_of_all_settings_of_each_manner(registry):
    """It is found again attack by attack, setting by setting."""
    names = ("mae", "pearson", "mean")
    records = gaming_records([registry.get(Metric, name) for name in names], registry)
    assert (set(records), records["mean"]) == (set(names), {})
    for name in ("mae", "pearson"):
        metric, found = registry.get(Metric, name), {"blind": [], "cosmetic": []}
        for attack in registry.all(Attack):
            if attack.manner in found and attack.changes_all_of(metric.kind):
                for setting in attack.settings or ("",):
                    rows = [recorded_row(metric, Variant(attack, setting), number) for number in range(2)]
                    gain, headroom = np.array(rows)[:, :2].mean(axis=0)
                    found[attack.manner].append(gain / headroom)
        assert {manner: record["index"] for manner, record in records[name].items()} == pytest.approx(
            {manner: max(indices) for manner, indices in found.items()}, abs=5e-4
        )


def recorded_row(metric, variant, number):
    gold = generated(metric.kind, {metric.name: metric}, seed=0, name=f"recorded {number}")
    (row,) = gold.rows({metric.name: [variant]}).values()
    return row
