"""Whether the rules of a profile fit each other, and the tests that qeframe chooses where none is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, TypeVar

import attrs

from qeframe.core.calls import Call, Parametric, parse_call
from qeframe.core.component import Component
from qeframe.core.errors import CapabilityError, DataError, ProfileError, QeframeError, UnknownNameError
from qeframe.core.metric import Metric
from qeframe.core.profile import DEFAULT, Profile
from qeframe.core.profile_tables import incompatible_parts, part_rules, wrong_keys
from qeframe.core.ranking import Aggregation, RankingRule
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction, SignificanceTest

T = TypeVar("T")

DEFAULT_KEYS = frozenset({"test", "interval", "correction"})
"""The keys of a profile that may say `DEFAULT`."""


def default_test(*, smooth: bool, exchanged: bool = False) -> str:
    """Return the test that qeframe chooses for scores.

    `smooth`: whether they are smooth in the weights of units. `exchanged`: whether the metric says how its answers are
    exchanged, and that does not take long.
    """
    if smooth:
        return "jackknife_and_exchange"
    return "exchange" if exchanged else "bootstrap_t"


def choose_interval(name: T, *, smooth: bool) -> T | str:
    """Return the test whose intervals are shown: for `DEFAULT` that which qeframe chooses for such scores."""
    if name != DEFAULT:
        return name
    return "jackknife_and_exchange" if smooth else "bootstrap(draws=1000)"


def choose_correction(name: T, test: SignificanceTest | None) -> T | str:
    """Return the correction of a name; for `DEFAULT` that which qeframe chooses for a test.

    A step-down over joint draws for the tests that qeframe itself chooses, Holm's for the p-values of every other test.
    """
    if name != DEFAULT:
        return name
    return "romano_wolf" if test is None else _STEP_DOWN.get(test.name.partition("(")[0], "holm")


_STEP_DOWN = {
    "jackknife_and_exchange": "romano_wolf_and_max_t",
    "exchange": "max_t(standardize=as_needed)",
    "studentized_exchange": "max_t(studentize=true)",
    "jackknife": "romano_wolf",
    "bootstrap_t": "romano_wolf",
}


def chosen_test(name: str | SignificanceTest, metric: Metric, registry: Registry) -> SignificanceTest:
    """Return a test by its name, or the one that qeframe chooses for a metric if the name is `DEFAULT`."""
    if name == DEFAULT:
        exchanged = not getattr(metric.exchange, "recomputes", not metric.exchange)
        name = default_test(smooth=metric.smooth, exchanged=exchanged)
    return registry.get(SignificanceTest, name)


def by_valid_rules(profile: Profile, registry: Registry) -> Profile:
    """Return the profile with rules of comparison that control the chance of any false claim: those of its `valid`.

    They are two-sided, and exchange the cells that parts of a language pair have in common together. Rules that were
    changed for this run stay where they are valid, but for the test.
    """
    rules: dict[str, Any] = {"sided": "two", "test": profile.valid.get("test", DEFAULT)}
    if "correction" not in profile.changed or not is_valid_correction(profile.correction, registry):
        rules["correction"] = profile.valid.get("correction", DEFAULT)
    if profile.parts and "exchanges" not in profile.changed:
        rules["exchanges"] = "joint"
    tested = {"test", "official"}
    parts = tuple({key: value for key, value in part.items() if key not in tested} for part in profile.parts)
    return attrs.evolve(profile, parts=parts, changed={**profile.changed, **rules}, **rules)


def is_valid_correction(name: str, registry: Registry) -> bool:
    """Return whether a correction controls the chance of any false claim, as that does which qeframe chooses."""
    return name == DEFAULT or registry.get(Correction, name).controls_any_error


def with_defaults(profile: Profile, registry: Registry) -> Profile:
    """Return the profile with `DEFAULT` replaced by the names of the components that qeframe chooses.

    The test and the interval are those of the primary metric over all tasks: a mean over tasks of a smooth score is
    smooth, a mean of ranks is not. With parts they are those of the overall score, which is smooth if all of its parts
    are. Rules that name no registered component stay as they are.
    """
    if DEFAULT not in {profile.test, profile.interval, profile.correction}:
        return profile
    try:
        smooth = _all_metrics(lambda metric: metric.smooth, profile, registry)
        exchanged = _all_metrics(lambda of: not getattr(of.exchange, "recomputes", not of.exchange), profile, registry)
        test = default_test(smooth=smooth, exchanged=exchanged) if profile.test == DEFAULT else profile.test
        chosen = registry.get(SignificanceTest, test) if test else None
    except QeframeError:
        return profile
    correction = choose_correction(profile.correction, chosen)
    return attrs.evolve(
        profile, test=test, correction=correction, interval=choose_interval(profile.interval, smooth=smooth)
    )


def _all_metrics(has: Callable[[Metric], bool], profile: Profile, registry: Registry) -> bool:
    """Return whether the primary metric, or all of parts with a weight, have something, and are averaged linearly."""
    if profile.parts:
        return all(has(registry.get(Metric, rule.metric)) for rule in part_rules(profile) if rule.weight)
    return registry.get(Aggregation, profile.across).linear and has(registry.get(Metric, profile.primary))


COMPONENT_KEYS: Mapping[str, type[Component]] = {
    "reader": Reader,
    "primary": Metric,
    "within": Aggregation,
    "across": Aggregation,
    "interval": SignificanceTest,
    "test": SignificanceTest,
    "correction": Correction,
    "ranking": RankingRule,
}
"""The keys whose value is the name of a component, with its class."""

_OPTIONAL = frozenset({"interval", "test"})
"""Those of the keys above whose value may be empty."""


def check_profile(profile: Profile, registry: Registry, where: str = "", *, reads: bool = True) -> None:
    """Check that a profile names registered components and that its rules fit each other.

    Parameters
    ----------
    where : str
        The profile, as the message calls it; by default its name.
    reads : bool
        Whether the reader is checked too. It is not needed where tasks are given.

    Raises
    ------
    ProfileError
        If a name is not registered, a parameter is unknown, `alpha` or `confidence` does not lie between 0 and 1, or
        two rules contradict each other: the message lists every mistake.
    CapabilityError
        If the test cannot be run on the primary metric.

    Examples
    --------
    >>> import qeframe
    >>> registry = qeframe.load()
    >>> qeframe.check_profile(qeframe.find_profile("qe_sentence", registry), registry)
    """
    rules = {key: _as_in_toml(value) for key, value in profile.rules.items() if reads or key != "reader"}
    mistakes = wrong_keys(rules) or wrong_rules(rules, registry)
    if not mistakes:
        profile = with_defaults(profile, registry)
        mistakes = [*incompatible_parts(profile, registry, reads=reads), *_incompatible(profile, registry)]
    named = where or f"profile '{profile.name}'"
    if mistakes:
        raise ProfileError(f"{named}: " + "; ".join(mistakes))
    test = registry.get(SignificanceTest, profile.test) if profile.test and not profile.parts else None
    if test and (why := missing_capability(registry.get(Metric, profile.primary), test)):
        raise CapabilityError(f"{named}: test {why}")


def wrong_rules(rules: Mapping[str, Any], registry: Registry) -> list[str]:
    """Find names that are not registered and probabilities out of range, among rules of the right types."""
    idle = {"primary"} if rules.get("parts") else set()
    named = {key: kind for key, kind in COMPONENT_KEYS.items() if key in rules and key not in idle}
    wrong = [_unresolved(key, rules[key], kind, registry) for key, kind in named.items()]
    if rules.get("columns") and "across_columns" in rules:
        wrong.append(_unresolved("across_columns", rules["across_columns"], Aggregation, registry))
    for key in ("secondary", "computed"):
        wrong += [_unresolved(key, name, Metric, registry) for name in rules.get(key, ())]
    try:
        make_supplements(rules.get("supplements", ()))
    except QeframeError as error:
        wrong.append(f"supplements: {error}")
    for key, kind in (("test", SignificanceTest), ("correction", Correction)):
        if unresolved := _unresolved(key, rules.get("valid", {}).get(key, DEFAULT), kind, registry):
            wrong.append(f"valid.{unresolved}")
        elif key == "correction" and not is_valid_correction(rules.get("valid", {}).get(key, DEFAULT), registry):
            wrong.append(f"valid.correction: {rules['valid'][key]} does not control the chance of any false claim")
    wrong += [
        f"{key}: must lie between 0 and 1, not {rules[key]}"
        for key in ("alpha", "confidence")
        if key in rules and not 0 < rules[key] < 1
    ]
    return [mistake for mistake in wrong if mistake]


def missing_capability(metric: Metric, test: SignificanceTest) -> str:
    """Return why a test cannot be run on a metric, the end of a message; empty if it can."""
    on_grids = metric.smooth and metric.kind.crossed
    capabilities = {
        "vectors": (metric.vectors, "a correlation of two vectors"),
        "per_unit": (metric.per_unit, "a mean of one value per unit"),
        "outcomes": (metric.outcomes or metric.per_unit, "a mean of outcomes of pairs or of one value per unit"),
        "smooth": (metric.smooth or None, "a metric smooth in the weights of units"),
        "grid": (on_grids or None, "a smooth metric of grids of segments and systems"),
    }
    capability, what = capabilities.get(test.needs, (True, ""))
    if capability is not None:
        return ""
    other = "tests that resample (need 'bind') or exchange units (need 'exchange') work for every metric"
    remedy = _FOR_STEPS if test.needs == "grid" and metric.kind.crossed else other
    return f"'{test.name}' needs {what}, which metric '{metric.name}' is not; {remedy}"


_FOR_STEPS = (
    "a score that moves in steps has no error of segments and systems together; for new systems choose "
    "'permutation(unit=system)' (false-positive rate .01 to .08 at .05 with ten systems), for new segments 'exchange' "
    "(.04 to .06); no test is known for both"
)
"""What else there is for scores of grids that are not smooth."""


def _as_in_toml(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def _unresolved(key: str, name: str, kind: type[Component], registry: Registry) -> str:
    """Return why a name is no component of that class; empty if it is one."""
    if (not name and key in _OPTIONAL) or (name == DEFAULT and key in DEFAULT_KEYS):
        return ""
    try:
        registry.get(kind, name)
    except QeframeError as error:
        return f"{key}: {error}"
    return ""


def _incompatible(profile: Profile, registry: Registry) -> Iterator[str]:
    """Yield rules that contradict each other, in a profile whose names are all registered."""
    if profile.interval not in {"", DEFAULT} and registry.get(SignificanceTest, profile.interval).interval is None:
        yield f"interval: '{profile.interval}' gives no intervals"
    if profile.test not in {"", DEFAULT} and profile.sided:
        test = registry.get(SignificanceTest, profile.test)
        if profile.sided not in test.sides:
            yield f"sided: '{test.name}' is {' or '.join(sorted(test.sides))}-sided"
    within, across = (registry.get(Aggregation, name) for name in (profile.within, profile.across))
    if not _combines_units(within):
        yield f"within: '{within.name}' combines tasks, not groups of units; {_aggregations(registry, units=True)}"
    of_tasks = _aggregations(registry, units=False)
    if _combines_units(across):
        yield f"across: '{across.name}' combines groups of units, not tasks; {of_tasks}"
    if profile.columns and _combines_units(registry.get(Aggregation, profile.across_columns)):
        yield f"across_columns: '{profile.across_columns}' combines groups of units; {of_tasks}"
    if profile.weights and not _combines_units(across) and across.weighting != "declared":
        how = "all tasks equally" if across.weighting == "equal" else f"tasks by the count '{across.count}'"
        yield f"weights: '{across.name}' weighs {how}; choose another across, or weights = {{}}"
    for name in profile.computed:
        if not registry.get(Metric, name).kind.from_texts:
            yield f"computed: '{name}' is not computed from texts"


def _combines_units(aggregation: Aggregation) -> bool:
    return bool(aggregation.by or aggregation.pools)


def _aggregations(registry: Registry, *, units: bool) -> str:
    """Return the names of the aggregations over groups of units, or over tasks, as the end of a message."""
    names = [aggregation.name for aggregation in registry.all(Aggregation) if _combines_units(aggregation) is units]
    return f"there are: {', '.join(names)}" if names else "there are none"


_PLACES = {"wmt26_rankings": "qeframe.supplements.wmt26_rankings:wmt26_rankings"}  # by name: they lie above the kernel


def find_supplement(name: str) -> tuple[Parametric[Any], Call]:
    """Return what makes the function of a name, and its parameters.

    Raises UnknownNameError if there is no such function.
    """
    call = parse_call(name)
    if call.name not in _PLACES:
        raise UnknownNameError("supplement", call.name, _PLACES)
    return Parametric(resolve_name(_PLACES[call.name])), call


def make_supplements(names: Sequence[str]) -> dict[str, Callable[[Any], Any]]:
    """Return the functions of some names: each from a `SupplementInput` to values of JSON.

    Raises UnknownNameError, DataError if there is no such function or parameter, a parameter has a wrong value, or a
    function is named twice.
    """
    made: dict[str, Callable[[Any], Any]] = {}
    for found, call in map(find_supplement, names):
        if call.name in made:
            raise DataError(f"'{call.name}' is named twice", remedy="name it once")
        made[call.name] = found.build(**{key: found.checked(key, value) for key, value in call.parameters.items()})
    return made
