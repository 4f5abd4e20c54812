"""A profile with the components and the tasks that it names, and the signature of what its results depend on."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import TypeVar

import attrs
from attrs import field, frozen

from qeframe.core.component import Component
from qeframe.core.display import canonical_json
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.profile import PartRule, Profile
from qeframe.core.profile_checks import by_valid_rules, check_profile, choose_interval, chosen_test, with_defaults
from qeframe.core.profile_tables import part_rules, reader_with
from qeframe.core.ranking import Aggregation, RankingRule
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.result import Signature
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.core.task import Dropped, Task, is_pair

C = TypeVar("C", bound=Component)


@frozen(kw_only=True, eq=False)
class ResolvedPart:
    """A part of a task set, or one for each language pair, and the components that it names.

    `tasks`: of its language pairs, where the tasks are known.
    """

    rule: PartRule
    metric: Metric
    test: SignificanceTest | None
    tasks: tuple[Task, ...] = ()

    @property
    def labels(self) -> Mapping[str, str]:
        """What tells the part from others, the language pairs among them."""
        return {**self.rule.labels, "pair": ",".join(task.name for task in self.tasks)}


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

        Empty if their number is fixed, or if the test states no `least_p`. A correction that draws nothing leaves it to
        the test.
        """
        test, draws_none = self.test, self.correction.adjust_jointly is None
        if test is None or test.more is None or (self.correction.more is None and not draws_none):
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
        interval=optional(SignificanceTest, choose_interval(before_defaults.interval, smooth=True)),
        interval_otherwise=optional(SignificanceTest, choose_interval(before_defaults.interval, smooth=False)),
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


def with_names_of_tasks(resolved: ResolvedProfile, names: Sequence[str]) -> tuple[ResolvedProfile, tuple[Dropped, ...]]:
    """Return the rules without weights and exclusions of tasks that are not there, and the count of these.

    An exclusion with an asterisk, such as ``*-out``, excludes all tasks whose names it matches. An exclusion of a
    language pair is not counted where all tasks are language pairs: data may have some of the pairs alone.

    Raises DataError if the user set such a weight or exclusion.
    """
    profile, across = resolved.profile, resolved.across
    unweighted = sorted(set(profile.weights) - set(names))
    matched = {pattern: fnmatch.filter(names, pattern) if "*" in pattern else [] for pattern in across.exclude}
    unknown = sorted(pattern for pattern in across.exclude if not (pattern in names or matched[pattern]))
    for key, absent, stated in (("weights", unweighted, "given a weight"), ("across", unknown, "excluded")):
        if absent and profile.set_by_user(key):
            what = f"task '{absent[0]}' is {stated}, but there is no such task"
            raise DataError(what, path=profile.file_of(key), remedy=did_you_mean(absent[0], names))
    if all(map(is_pair, names)):
        unknown = [name for name in unknown if not is_pair(name)]
    notes = tuple(
        Dropped("", what, 1, f"of task {name}: named by the profile, there is no such task")
        for what, names_of in (("weight", unweighted), ("exclusion", unknown))
        for name in names_of
    )
    excluded = tuple(name for name in names if any(name == key or name in named for key, named in matched.items()))
    if not notes and excluded == across.exclude:
        return resolved, ()
    weights = {name: weight for name, weight in profile.weights.items() if name in names}
    return attrs.evolve(
        resolved, profile=attrs.evolve(profile, weights=weights), across=attrs.evolve(across, exclude=excluded)
    ), notes


def refuse_absent(profile: Profile, key: str, absent: Sequence[str], known: Iterable[str], where: str) -> None:
    """Raise a `DataError` if the user set names under a key of a profile, and the first of them is absent."""
    if absent and profile.set_by_user(key):
        what = f"{key}: '{absent[0]}' is {where}"
        raise DataError(what, path=profile.file_of(key), remedy=did_you_mean(absent[0], known))


def make_signature(resolved: ResolvedProfile, tasks: Sequence[Task], seed: int, registry: Registry) -> Signature:
    """Return the signature of an evaluation of tasks by a profile, with a seed and the plugins of a registry.

    Where qeframe chooses a test, an interval or a correction, the rules name the component that was chosen. Tasks that
    were aligned under another rule for missing units than the profile's change this rule.
    """
    profile = resolved.profile
    missing = _missing(profile.missing, tasks)
    rules = {"name": profile.name, **profile.rules, "interval": _intervals(resolved), "missing": missing}
    ordered = [*(task.name for task in tasks), *profile.weights]  # as in all tables
    rules["weights"] = {name: profile.weights[name] for name in ordered if name in profile.weights}
    return Signature(
        qeframe=version("qeframe"),
        versions={**{name: version(name) for name in ("numpy", "scipy")}, **_programs(tasks)},
        plugins={p.origin.plugin: f"{p.origin.distribution} {p.origin.version}".strip() for p in registry.plugins},
        blocked=registry.blocked,
        rules=rules,
        changed={**profile.changed, **({} if missing == profile.missing else {"missing": missing})},
        seed=seed,
        units={_name(task): f"{task.units} x {task.unit}" for task in tasks},
        inputs=tuple(dict.fromkeys(file for task in tasks for file in task.inputs)),
        draws=resolved.draws,
        digest=hashlib.sha256(canonical_json(rules).encode("utf-8", "surrogatepass")).hexdigest()[:12],
    )


def _intervals(resolved: ResolvedProfile) -> str:
    """Return the test of the intervals; where qeframe chooses, with that of the scores that are not smooth."""
    smooth, otherwise = resolved.interval, resolved.interval_otherwise
    if smooth is None or otherwise is None or smooth.name == otherwise.name:
        return resolved.profile.interval
    rough = [metric.name for metric in resolved.metrics if not metric.smooth]
    rough += [] if resolved.across.linear else [resolved.across.name]
    return smooth.name if not rough else f"{smooth.name}; {otherwise.name} of {', '.join(rough)}"


def _missing(stated: str, tasks: Sequence[Task]) -> str:
    """Return the rule for missing units by which the tasks were aligned; if they differ, each with its tasks."""
    rules: dict[str, list[str]] = {}
    for task in tasks:
        rules.setdefault(task.missing or stated, []).append(_name(task))
    if len(rules) < 2:
        return next(iter(rules), stated)
    return "; ".join(f"{rule} of {', '.join(names)}" for rule, names in rules.items())


def _name(task: Task) -> str:
    return f"{task.name} ({task.selection})" if task.selection else task.name


def _programs(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of the programs that computed scores, by submission; all versions if tasks differ."""
    versions: dict[str, list[str]] = {}
    for task in tasks:
        for name, program in task.versions.items():
            versions.setdefault(name, []).append(program)
    return {name: "; ".join(dict.fromkeys(programs)) for name, programs in versions.items()}
