"""A profile together with the components that it names, so that each name is looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import attrs
from attrs import field, frozen

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.component import Component
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.ranking import RankingRule
from qeframe.core.components.reader import Reader
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.profiles.check import check_profile
from qeframe.core.profiles.defaults import by_valid_rules, chosen_interval, chosen_test, with_defaults
from qeframe.core.profiles.parts import part_rules, reader_with
from qeframe.core.profiles.schema import PartRule, Profile

C = TypeVar("C", bound=Component)


@frozen(kw_only=True, eq=False)
class ResolvedPart:
    """A part of a task set, or one for each language pair, and the components that it names."""

    rule: PartRule
    metric: Metric
    test: SignificanceTest | None


@frozen(kw_only=True, eq=False)
class ResolvedProfile:
    """The rules of a profile, and the components that they name.

    Parameters
    ----------
    profile : Profile
        The rules, with components by name.
    reader : Reader or None
        None where tasks are given instead of files.
    metrics : tuple of Metric
        The primary metric, then the secondary ones; those of the parts if there are parts.
    computed : tuple of Metric
        The metrics that are computed from texts and added as baselines.
    within, across : Aggregation
    across_columns : Aggregation or None
        None where the profile names no columns.
    test : SignificanceTest or None
        None where the profile names none.
    interval, interval_otherwise : SignificanceTest or None
        The tests whose intervals are shown: of scores that are smooth in the weights of units, and of other scores.
        They differ only where qeframe chooses. None where the profile names none.
    correction : Correction
    ranking : RankingRule
    parts : tuple of ResolvedPart
        The parts of a task set.
    selections : mapping of str to Reader
        The reader of each selection that parts are computed on; empty where tasks are given.
    adaptive : bool
        Whether families with an adjusted p near alpha get more draws, where test and correction have some.
    """

    profile: Profile
    reader: Reader | None
    metrics: tuple[Metric, ...]
    computed: tuple[Metric, ...]
    within: Aggregation
    across: Aggregation
    across_columns: Aggregation | None
    interval: SignificanceTest | None
    test: SignificanceTest | None
    correction: Correction
    ranking: RankingRule
    parts: tuple[ResolvedPart, ...] = ()
    selections: Mapping[str, Reader] = field(factory=dict)
    interval_otherwise: SignificanceTest | None = None
    adaptive: bool = True

    @property
    def draws(self) -> str:
        """How many draws test and correction have, first and in families near alpha: "1000+10000".

        Empty if their number is fixed, or if the test states no `least_p`.
        """
        test = self.test
        if test is None or test.more is None or self.correction.more is None:
            return ""
        if self.parts and test.needs == "exchange":  # all parts have as many draws, and none draws on
            return ""
        least = (test.least_p, test.more.least_p) if self.adaptive else (test.least_p,)
        return "+".join(str(round(1 / p) - 1) for p in least) if all(least) else ""  # p = 1 / (1 + draws)

    def interval_of(self, *, smooth: bool) -> SignificanceTest | None:
        """Return the test that gives the intervals of scores that are smooth in the weights of units, or are not."""
        return self.interval if smooth else self.interval_otherwise


def resolve(profile: Profile, registry: Registry, *, reads: bool = True) -> ResolvedProfile:
    """Return a profile with its components.

    Parameters
    ----------
    profile : Profile
    registry : Registry
    reads : bool
        Whether files are read, so that the reader is needed.

    Returns
    -------
    ResolvedProfile

    Raises
    ------
    ProfileError
        If a name is not registered, or rules contradict each other: the message lists every mistake.
    CapabilityError
        If the test cannot be run on the primary metric.
    """
    # parts and intervals choose by their own metrics where this says `default`
    before_defaults = profile
    check_profile(before_defaults, registry, reads=reads)
    profile = with_defaults(before_defaults, registry)

    def optional(kind: type[C], name: str) -> C | None:
        return registry.get(kind, name) if name else None

    test = optional(SignificanceTest, profile.test)
    # the exchanges of all parts are added up, so that parts with a weight must be exchanged by the overall test
    test_of_parts = profile.test if test is not None and test.needs == "exchange" else before_defaults.test
    rules = rules_to_read = part_rules(profile)
    if rules and profile.valid.get("shown", True):
        rules_to_read = [*rules, *part_rules(by_valid_rules(profile, registry))]
    return ResolvedProfile(
        profile=profile,
        reader=registry.get(Reader, profile.reader) if reads else None,
        metrics=chosen_metrics([rule.metric for rule in rules] or profile.metrics, registry),
        computed=tuple(registry.get(Metric, name) for name in dict.fromkeys(profile.computed)),
        within=registry.get(Aggregation, profile.within),
        across=registry.get(Aggregation, profile.across),
        across_columns=registry.get(Aggregation, profile.across_columns) if profile.columns else None,
        interval=chosen_interval(before_defaults.interval, registry, smooth=True),
        interval_otherwise=chosen_interval(before_defaults.interval, registry, smooth=False),
        test=test,
        correction=registry.get(Correction, profile.correction),
        ranking=registry.get(RankingRule, profile.ranking),
        parts=tuple(
            _resolved_part(rule, test_of_parts if rule.weight else before_defaults.test, registry) for rule in rules
        ),
        selections={
            rule.selection: attrs.evolve(registry.get(Reader, reader_with(profile, rule)), folder=rule.folder)
            for rule in (rules_to_read if reads else ())
        },
    )


def _resolved_part(rule: PartRule, default: str, registry: Registry) -> ResolvedPart:
    metric, test = registry.get(Metric, rule.metric), default if rule.test is None else default and rule.test
    return ResolvedPart(rule=rule, metric=metric, test=chosen_test(test, metric, registry) if test else None)


def chosen_metrics(names: Iterable[str], registry: Registry) -> tuple[Metric, ...]:
    """Return the metrics with these names in order; one that is named twice (``mean``, ``mean()``) appears once."""
    return tuple({metric.name: metric for metric in (registry.get(Metric, name) for name in names)}.values())
