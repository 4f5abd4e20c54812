"""The metrics of the plugin keep the laws of metrics with parameters too; tests/laws has them without."""

from functools import partial

import attrs
import pytest

from qeframe.core.metric import Metric
from qeframe.kinds.grid.batch import Grid
from qeframe.testing import check_metric, checks_of, kind_of

TIES = ("wmt12", "wmt13", "hties", "darr", "acc23", "tau23", "custom")  # tests/laws have wmt14, by default
KENDALL = ["kendall(epsilon=1)", *(f"kendall(ties={name})" for name in TIES)]
GRID = [
    "acc_eq(epsilon=0.5)",
    "acc_eq(epsilon=crossed)",
    "acc_eq(ties=tau23)",
    "acc_eq(ties=wmt12, epsilon=0)",
    *(
        f"{name}(grouping={grouping}, undefined={undefined})"
        for name in ("tau_b", "tau_c", "segment_pearson", "segment_spearman")
        for grouping in ("none", "item", "system")
        for undefined in ("drop", "zero", "propagate")
        if undefined == "drop" or (name, grouping) == ("tau_b", "system")
    ),
    *(
        f"{name}(grouping={grouping}, average=micro)"
        for name in ("tau_b", "segment_pearson")
        for grouping in ("item", "system")
    ),
    "kendall_like(threshold=1)",
    "kendall_like(average=macro)",
    "tie_f1(epsilon=0.5, average=macro)",
]
RATINGS = ["krippendorff_alpha(level=nominal)", "krippendorff_alpha(level=ordinal)", "weighted_kappa(weights=linear)"]
GRIDS = kind_of(Grid)
COMPLETE = attrs.evolve(GRIDS, submissions=partial(GRIDS.submissions, systems=(2, 4), complete=True))
"""Grids in which every item has a pair: `per_unit` gives a value for each item only then."""


@pytest.mark.parametrize("name", [*KENDALL, *GRID, *RATINGS, "spa(permutations=70)", "spa(test=t_test)"])
def test_laws(registry, name):
    check_metric(registry.get(Metric, name), tries=8 if name in KENDALL else 4)


def test_laws_of_a_threshold_that_is_chosen_once(registry):
    once = registry.get(Metric, "acc_eq(calibrate=once)")
    assert set(once.left_out) == {"repetition", "absence", "shards", "exchange"}
    check_metric(once, tries=6)


@pytest.mark.parametrize("name", ["acc_eq", "acc_eq(epsilon=1)"])
def test_the_values_of_items_on_complete_grids(registry, name):
    (check,) = (c for c in checks_of(registry.get(Metric, name), kind=COMPLETE) if c.law.name == "per_unit")
    check()
