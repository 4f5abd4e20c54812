"""The hook specifications of qeframe: what a plugin may bring.

A plugin is a module (or an object) named by an entry point of the group ``qeframe.v2``. It marks functions with
`qeframe.plugin.hookimpl`. Each is called once, without arguments, when the registry is built. It returns components,
with or without parameters, or their names and places, ``"name = module:variable"``: these are imported on first use.
The order of plugins does not matter, and no plugin can replace another's component.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable

import pluggy

from qeframe.core.batch_kind import BatchKind
from qeframe.core.calls import Parametric
from qeframe.core.component import PROJECT
from qeframe.core.metric import Attack, Metric, TiePolicy
from qeframe.core.ranking import Aggregation, RankingRule
from qeframe.core.reader import Reader
from qeframe.core.significance import Correction, SignificanceTest

PREFIX = "qeframe.v"
GROUP = PREFIX + "2"
"""The entry-point group. Its number is the major version of the plugin interface."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def qeframe_kinds() -> Sequence[BatchKind]:
    """Return kinds of batches: what files, laws and the audit need to know of a class; places begin with its name."""
    raise AssertionError


@hookspec
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Return evaluation measures, which map (gold, submission) to a number."""
    raise AssertionError


@hookspec
def qeframe_tie_policies() -> Sequence[TiePolicy | Parametric[TiePolicy]]:
    """Return tables that say how ties of humans and of metrics count."""
    raise AssertionError


@hookspec
def qeframe_aggregations() -> Sequence[Aggregation | Parametric[Aggregation]]:
    """Return ways to combine scores over the groups of a task, or over tasks."""
    raise AssertionError


@hookspec
def qeframe_significance_tests() -> Sequence[SignificanceTest | Parametric[SignificanceTest]]:
    """Return tests that compare submissions, for all pairs at once."""
    raise AssertionError


@hookspec
def qeframe_corrections() -> Sequence[Correction | Parametric[Correction]]:
    """Return adjustments of families of p-values."""
    raise AssertionError


@hookspec
def qeframe_ranking_rules() -> Sequence[RankingRule | Parametric[RankingRule]]:
    """Return rules that turn scores and comparisons into ranks, winners and clusters."""
    raise AssertionError


@hookspec
def qeframe_attacks() -> Sequence[Attack | Parametric[Attack]]:
    """Return strategies that raise a score without being better."""
    raise AssertionError


@hookspec
def qeframe_readers() -> Sequence[Reader | Parametric[Reader]]:
    """Return formats of shared-task files."""
    raise AssertionError


@hookspec
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the TOML files of evaluation profiles by name; a file is read when its profile is used."""
    raise AssertionError


COMPONENT_HOOKS = {
    "qeframe_metrics": Metric,
    "qeframe_tie_policies": TiePolicy,
    "qeframe_aggregations": Aggregation,
    "qeframe_significance_tests": SignificanceTest,
    "qeframe_corrections": Correction,
    "qeframe_ranking_rules": RankingRule,
    "qeframe_attacks": Attack,
    "qeframe_readers": Reader,
}
"""The hooks that return components, and the class of these components."""
OTHER_HOOKS = ("qeframe_kinds", "qeframe_profiles")
"""The hooks that return other things."""
