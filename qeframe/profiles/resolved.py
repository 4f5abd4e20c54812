"""A profile with the components that its names stand for: looked up once, then handed on."""

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
from qeframe.profiles.load import check_profile
from qeframe.profiles.schema import Profile

__all__ = ["ResolvedProfile", "chosen_metrics", "resolve"]

C = TypeVar("C", bound=Component)


@frozen(kw_only=True, eq=False)
class ResolvedProfile:
    """The rules of a profile, and the components that its names stand for.

    Parameters
    ----------
    profile : Profile
        The rules as they are written.
    reader : Reader or None
        None where tasks are given, so that nobody reads files.
    metrics, computed : tuple of Metric
        The primary metric, then the secondary ones; the metrics that are computed from texts.
    within, across : Aggregation
    interval, test : SignificanceTest or None
        None where the profile has none.
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
        Whether its reader is needed.

    Raises
    ------
    ProfileError
        If a name is not registered, or rules do not hold together: every mistake at once.
    """
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
    """Return the metrics of these names in order, one that is named twice (``mean`` and ``mean()``) once."""
    return tuple({metric.name: metric for metric in (registry.get(Metric, name) for name in names)}.values())
