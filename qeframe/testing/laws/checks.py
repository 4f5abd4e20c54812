"""Checks: all laws that concern a component, tried on it."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from attrs import field, frozen

from qeframe.core.batch_kind import BatchKind
from qeframe.core.calls import Parametric
from qeframe.core.component import Component, class_word, describe
from qeframe.core.display import Brief
from qeframe.core.errors import DataError, PluginError
from qeframe.core.hookspecs import COMPONENT_HOOKS
from qeframe.core.loader import imported, load
from qeframe.core.metric import CLAIMS, Attack, Metric, TiePolicy
from qeframe.core.ranking import Aggregation, RankingRule
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.kinds.registered import kind_of
from qeframe.testing.failures import failure, not_tried, shown_part
from qeframe.testing.laws.aggregation_correction_ranking import AGGREGATION_LAWS, CORRECTION_LAWS, RANKING_LAWS
from qeframe.testing.laws.attack import ATTACK_LAWS
from qeframe.testing.laws.claim import CLAIM_LAWS
from qeframe.testing.laws.free_name import NAME_LAW
from qeframe.testing.laws.law import Counterexample, Law, Search, check_drawable, search
from qeframe.testing.laws.metric import METRIC_LAWS
from qeframe.testing.laws.metric_conduct import CONDUCT_LAWS
from qeframe.testing.laws.reader_laws import PROFILE_LAWS, READER_LAWS, ProfileFile
from qeframe.testing.laws.significance import TEST_LAWS
from qeframe.testing.laws.tie import TIE_LAWS

C = TypeVar("C", bound=Component)
Given: TypeAlias = C | Parametric[C] | Callable[[], C]
"""A component, or what makes one with its default parameters."""

TRIES = 60
"""How many examples of each law are tried by default."""

LAWS: Mapping[type[Component], tuple[Law[Any], ...]] = MappingProxyType(
    {
        Metric: (*CONDUCT_LAWS, *METRIC_LAWS, *CLAIM_LAWS, NAME_LAW),
        TiePolicy: (*TIE_LAWS, NAME_LAW),
        SignificanceTest: (*TEST_LAWS, NAME_LAW),
        Aggregation: (*AGGREGATION_LAWS, NAME_LAW),
        Correction: (*CORRECTION_LAWS, NAME_LAW),
        RankingRule: (*RANKING_LAWS, NAME_LAW),
        Attack: (*ATTACK_LAWS, NAME_LAW),
        Reader: (*READER_LAWS, NAME_LAW),
        ProfileFile: (*PROFILE_LAWS, NAME_LAW),
    }
)
"""The laws of each class of components."""


@frozen(repr=False)
class Check(Brief):
    """One law of one component: call it.

    Parameters
    ----------
    presupposed : tuple of Law
        The laws that this one presupposes. If the component breaks one of them, this one is not tried.

    Raises
    ------
    AssertionError
        Names the component, the law and the smallest counterexample; for a claim also how a breach would be exploited.
    unittest.SkipTest
        If the component breaks a law that this one presupposes: in pytest, the test is skipped with that reason.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TiePolicy
    >>> from qeframe.testing import checks_of
    >>> check = checks_of(qeframe.load().get(TiePolicy, "wmt14"))[0]
    >>> check()  # raises an AssertionError where the law is broken
    >>> check.law.name
    'finite'
    """

    component: Component
    law: Law[Any]
    kind: BatchKind | None = field(default=None, repr=False)
    tries: int = TRIES
    shrink: bool = True
    presupposed: tuple[Law[Any], ...] = field(default=(), repr=False)

    @property
    def lawless(self) -> bool:
        """Whether there is no such law for the component's kind of batch."""
        return not self.law.fits(self.kind)

    @property
    def subject(self) -> str:
        """The component in words."""
        return f"{class_name(self.component)} '{self.component.name}'"

    @property
    def why_not_tried(self) -> str:
        """Why the law is not tried: the component breaks one that it presupposes. Empty if it is tried."""
        broken = _broken_first(self.component, self.presupposed, self.kind, self.tries)
        return f"{self.subject} breaks the law '{broken}', which '{self.law.name}' presupposes" if broken else ""

    def search(self) -> Search:
        """Return how many examples were tried, and the smallest one that breaks the law, if one does."""
        result = search(self.law, self.component, self.kind, tries=self.tries, shrink=self.shrink)
        if self.law.first:  # kept with references to the component and the kind, so that no others get their ids
            key = (id(self.component), self.law.name, id(self.kind), self.tries)
            _tried[key] = (result.found is not None, self.component, self.kind)
        return result

    def __call__(self) -> None:
        """Search for a counterexample."""
        __tracebackhide__ = True
        if self.lawless:
            batch = getattr(self.component, "kind", object).__name__
            raise failure(
                [
                    f"{self.subject} claims '{self.law.name}', for which there is no law on batches of {batch}: "
                    "do not claim it"
                ]
            )
        why_not = self.why_not_tried
        if why_not:
            raise not_tried(why_not)
        example = self.search().found
        if example is not None:
            first, *more = described(example, self.kind, shrink=self.shrink)
            raise failure([first, f"{self.subject} breaks the law '{self.law.name}': {self.law.states}", *more])

    def __str__(self) -> str:
        return f"{self.component.name}-{self.law.name}"


def class_name(component: Component) -> str:
    """Return what messages call the class of a component."""
    return type(component).__name__.removesuffix("File")


_tried: dict[tuple[int, str, int, int], tuple[Any, ...]] = {}


def _broken_first(component: Component, laws: Sequence[Law[Any]], kind: BatchKind | None, tries: int) -> str:
    """Return the name of the first of the laws that a component breaks; empty if it breaks none. Each is tried once."""
    for law in laws:
        key = (id(component), law.name, id(kind), tries)
        if key not in _tried:
            Check(component, law, kind, tries, shrink=False).search()
        if _tried[key][0]:
            return law.name
    return ""


def described(counterexample: Counterexample, kind: BatchKind | None, *, shrink: bool = True) -> list[str]:
    """Return the error, the example, and how it would be exploited, in lines."""
    shown = [f"{name} = {value!r}" for name, value in counterexample.values.items()]
    shown = shown or [shown_part(part, kind) for part in counterexample.example]
    heading = f"{'smallest counterexample' if shrink else 'counterexample'}:"
    lines = [counterexample.what, *([heading] if shown else []), *(f"  {s}" for s in shown)]
    return [*lines, counterexample.exploit] if counterexample.exploit else lines


def given_component(given: Any, of_class: type[C]) -> C:
    """Return a component of a class, made with its defaults where a `Parametric` or a function is given.

    Anything else is refused: no law concerns it, so that a test of it would pass.
    """
    makes = inspect.isfunction(given) and not any(
        parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        for parameter in inspect.signature(given).parameters.values()
    )
    if isinstance(given, Parametric) and given.makes is object:
        remedy = "write -> and the class, such as -> Metric, after its parameters"
        raise DataError(f"the function '{given.name}' has no return annotation", remedy=remedy)
    component = given() if makes or isinstance(given, Parametric) else given
    if isinstance(component, of_class):
        return component
    word = "component" if of_class is Component else class_word(of_class)
    what = (
        f"{in_short(given)} {f'returned {in_short(component)}, which is' if component is not given else 'is'} no {word}"
    )
    ways = f"give a {of_class.__name__}, a Parametric or a function that returns one with its defaults"
    raise DataError(what, remedy=f"{ways}; parametrize_with_checks takes a module")


def in_short(given: Any) -> str:
    """Return the type of a value with its name, or with the value if it has none."""
    name = getattr(given, "__name__", getattr(given, "name", None))
    return f"{type(given).__name__} '{name}'" if isinstance(name, str) else describe(given)


def laws_of(component: Component) -> list[Law[Any]]:
    """Return the laws that concern a component, those that it leaves out among them."""
    return [law for cls, laws in LAWS.items() if isinstance(component, cls) for law in laws if law.concerns(component)]


def checks_of(
    component: Given[Component], *, kind: BatchKind | None = None, tries: int = TRIES, costly: bool = False
) -> list[Check]:
    """Return the checks of one component: every law of its class that concerns it, and that it does not leave out.

    Parameters
    ----------
    kind : BatchKind, optional
        For metrics and attacks, in place of the registered kind of their batches.
    tries : int
        How many examples of each law; a fifth of it for slow laws.
    costly : bool
        Whether laws that simulate many data sets are among them: `size` of a significance test.

    Raises
    ------
    DataError
        If the component leaves out a law that does not concern it, no kind is registered for its batches, or the kind
        has no strategy of submissions.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TiePolicy
    >>> from qeframe.testing import checks_of
    >>> [check.law.name for check in checks_of(qeframe.load().get(TiePolicy, "wmt14"))][:2]
    ['finite', 'defined']
    """
    component = given_component(component, Component)
    laws = laws_of(component)
    unknown = set(component.left_out) - {law.name for law in laws}
    if unknown:
        remedy = f"the laws that concern it are {', '.join(law.name for law in laws)}"
        raise DataError(f"'{component.name}' leaves out '{min(unknown)}', which is no law of it", remedy=remedy)
    if kind is None and isinstance(component, (Metric, Attack)):
        kind = kind_of(component.kind)
    if kind is not None:
        check_drawable(kind)
    kept = [law for law in laws if law.name not in component.left_out and (costly or not law.costly)]
    tried = [law for law in kept if law.name in CLAIMS or law.fits(kind)]
    return [
        Check(component, law, kind, tries, presupposed=_presupposed(tried, number)) for number, law in enumerate(tried)
    ]


def _presupposed(laws: Sequence[Law[Any]], number: int) -> tuple[Law[Any], ...]:
    """Return those of the laws before a law that it presupposes; a name can be free whatever else is broken."""
    return () if laws[number] is NAME_LAW else tuple(law for law in laws[:number] if law.first)


def components_of(brought: Any, registry: Registry | None = None) -> list[Component]:
    """Return the components and profiles of a registry, a plugin, or a sequence; families with their defaults.

    `registry`: what the profiles of a plugin are resolved with; by default all installed plugins and this one.
    """
    built: list[Any]
    if isinstance(brought, Registry):
        built = [component for kind in LAWS for component in brought.all(kind)]
        return [*built, *_profiles({name: file for name, (file, _) in brought.profiles.items()}, brought)]
    if isinstance(brought, (Component, Parametric)) or inspect.isfunction(brought):
        components: Sequence[Any] = [brought]
    elif isinstance(brought, Sequence) and not isinstance(brought, str):
        components = brought
    else:
        hooks: list[Any] = [getattr(brought, hook, None) for hook in COMPONENT_HOOKS]
        components = [imported(component) for hook in hooks if hook is not None for component in hook()]
    built = [given_component(component, Component) for component in components]
    files: Mapping[str, Any] = getattr(brought, "qeframe_profiles", dict)()
    return [*built, *_profiles(files, registry or _registry_with(brought))] if files else built


def _profiles(files: Mapping[str, Any], registry: Registry) -> list[Component]:
    return [ProfileFile(name=name, summary="", file=file, registry=registry) for name, file in files.items()]


def _registry_with(plugin: Any) -> Registry:
    """Return all installed plugins and one more, if it is not among them and its names are free."""
    installed = load()
    if any(installed_plugin.module is plugin for installed_plugin in installed.plugins):
        return installed
    try:
        return load(extra={"(given)": plugin})
    except PluginError:  # the law of names says so
        return installed
