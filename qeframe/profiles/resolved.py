"""A profile together with the components that it names, so that each name is looked up once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from attrs import frozen

from qeframe.components.aggregation import Aggregation
from qeframe.components.component import Component
from qeframe.components.metric import Metric
from qeframe.components.ranking import RankingRule
from qeframe.components.reader import Reader
from qeframe.components.registry import Registry
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.profiles.check import check_profile
from qeframe.profiles.schema import Profile
from qeframe.profiles.spellings import present_spellings

__all__ = ["ResolvedProfile", "chosen_metrics", "resolve"]

C = TypeVar("C", bound=Component)


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
        The primary metric, then the secondary ones.
    computed : tuple of Metric
        The metrics that are computed from texts and added as baselines.
    within, across : Aggregation
    interval, test : SignificanceTest or None
        None where the profile names none.
    correction : Correction
    ranking : RankingRule
    """

    profile: Profile
    reader: Reader | None
    metrics: tuple[Metric, ...]
    computed: tuple[Metric, ...]
    within: Aggregation
    across: Aggregation
    interval: SignificanceTest | None
    test: SignificanceTest | None
    correction: Correction
    ranking: RankingRule


def resolve(profile: Profile, registry: Registry, *, reads: bool = True) -> ResolvedProfile:
    """Return a profile with its components.

    Parameters
    ----------
    reads : bool
        Whether files are read, so that the reader is needed.

    Raises
    ------
    ProfileError
        If a name is not registered, or rules contradict each other: the message lists every mistake.
    """
    profile = present_spellings(profile, registry)
    check_profile(profile, registry, reads=reads)

    def optional(kind: type[C], name: str) -> C | None:
        return registry.get(kind, name) if name else None

    return ResolvedProfile(
        profile=profile,
        reader=registry.get(Reader, profile.reader) if reads else None,
        metrics=chosen_metrics(profile.metrics, registry),
        computed=tuple(registry.get(Metric, name) for name in dict.fromkeys(profile.computed)),
        within=registry.get(Aggregation, profile.within),
        across=registry.get(Aggregation, profile.across),
        interval=optional(SignificanceTest, profile.interval),
        test=optional(SignificanceTest, profile.test),
        correction=registry.get(Correction, profile.correction),
        ranking=registry.get(RankingRule, profile.ranking),
    )


def chosen_metrics(names: Iterable[str], registry: Registry) -> tuple[Metric, ...]:
    """Return the metrics with these names in order; one that is named twice (``mean``, ``mean()``) appears once."""
    return tuple({metric.name: metric for metric in (registry.get(Metric, name) for name in names)}.values())
