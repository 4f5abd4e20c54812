"""Every metric of the plugin keeps the laws of metrics, with parameters too, and the claims that it makes."""

import numpy as np
import pytest
from hypothesis import strategies as st

import qeframe
import qeframe_agreement
import qeframe_ties
from qeframe.components import Metric
from qeframe.grid import Grid
from qeframe.judgments import Judgments
from qeframe.testing import Material, checks_of

TIES = ("wmt12", "wmt13", "wmt14", "hties", "darr", "acc23", "tau23", "custom")
KENDALL = ["kendall", "kendall(epsilon=1)", *(f"kendall(ties={name})" for name in TIES)]
GRID = [
    "acc_eq",
    "acc_eq(epsilon=0.5)",
    "acc_eq(epsilon=crossed)",
    "acc_eq(ties=tau23)",
    "acc_eq(ties=wmt12, epsilon=0)",
    *(
        f"{name}(grouping={grouping}, undefined={undefined})"
        for name in ("tau_b", "tau_c", "segment_pearson", "segment_spearman")
        for grouping in ("none", "item", "system")
        for undefined in ("drop", "zero")
        if undefined == "drop" or (name, grouping) == ("tau_b", "system")
    ),
    "pairwise_accuracy",
    "system_pearson",
    "system_spearman",
]
CELL = st.one_of(st.integers(0, 3).map(float), st.none())


@st.composite
def panels_of_grids(draw, *, submissions=2, min_units=1, max_units=6, systems=(1, 4), gold=CELL):
    """Draw several metrics on one gold; the gold may lack cells, the metrics do not."""
    items, columns = draw(st.integers(min_units, max_units)), draw(st.integers(*systems))

    def rows(cell):
        row = st.lists(cell, min_size=columns, max_size=columns)
        return draw(st.lists(row, min_size=items, max_size=items))

    truth = rows(gold)
    return tuple(Grid.from_plain(truth, rows(st.integers(0, 6).map(lambda n: n / 2))) for _ in range(submissions))


@st.composite
def panels_of_judgments(draw, *, submissions=2, min_units=1, max_units=8):
    """Draw several metrics on the same human relations."""
    count = draw(st.integers(min_units, max_units))
    human = draw(st.text("<=>", min_size=count, max_size=count))
    scores = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=count, max_size=count)
    return tuple(Judgments.from_plain(human, np.array(draw(scores)).reshape(-1, 2)) for _ in range(submissions))


def answer(batch, scores):
    return Judgments.pair(ids=batch.ids, gold=batch.human, predicted=scores)


def constants(batch):
    """Return what a metric with equal scores for everything says: it ties all pairs."""
    return [np.zeros((len(batch), 2))]


def own(batch):
    return np.stack([10.0 * batch.human, np.zeros(len(batch))], axis=1)


def rearranged(batch):
    return (np.roll(own(batch), shift, axis=0) for shift in range(len(batch)))


def corrected(batch, unit):
    scores = batch.predicted.copy()
    scores[unit] = own(batch)[unit]
    return scores


JUDGMENTS = Material(
    panels=panels_of_judgments, answer=answer, constants=constants, rearranged=rearranged, corrected=corrected
)
GRIDS = Material(panels=panels_of_grids)


@st.composite
def complete_grids(draw, **options):
    return draw(panels_of_grids(systems=(2, 4), gold=st.integers(0, 3).map(float), **options))


COMPLETE = Material(panels=complete_grids)
"""Every item has a pair, as a value for each item presupposes."""


def checks():
    there = {plugin.origin.plugin for plugin in qeframe.load().plugins}
    brought = {"qeframe_agreement": qeframe_agreement, "qeframe_ties": qeframe_ties}
    registry = qeframe.load(extra={k: v for k, v in brought.items() if k not in there} or None)
    for name in KENDALL:
        yield from checks_of(registry.get(Metric, name), material=JUDGMENTS, tries=25)
    for name in GRID:
        metric = registry.get(Metric, name)
        # vectors at system level have one entry a system, and a value for each item needs items with pairs
        able = {"per_unit": metric.per_unit, "vectors": metric.vectors}
        apart = {law for law, capability in able.items() if capability is not None}
        yield from checks_of(metric, material=GRIDS, leave_out=apart, tries=10)
    yield from checks_of(registry.get(Metric, "spa(permutations=70)"), material=GRIDS, tries=10)
    for name in ("acc_eq", "acc_eq(epsilon=1)"):
        yield from (c for c in checks_of(registry.get(Metric, name), material=COMPLETE) if c.law.name == "per_unit")


@pytest.mark.parametrize("check", list(checks()), ids=str)
def test_laws(check):
    check()


def test_claims_are_those_of_the_design():
    expected = {
        "wmt12": {"constant_proof", "monotone"},
        "wmt13": {"constant_proof", "monotone"},
        "wmt14": {"constant_proof", "blind_proof", "tie_neutral", "monotone"},
        "hties": {"monotone"},
        "darr": {"constant_proof", "monotone"},
        "acc23": {"monotone"},
        "tau23": {"monotone"},
    }
    for name, claims in expected.items():
        assert qeframe_agreement.kendall(ties=getattr(qeframe_ties, name)).claims == claims, name
