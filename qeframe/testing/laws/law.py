"""A law, and the search for its smallest counterexample."""

from collections.abc import Callable, Mapping
from time import monotonic
from traceback import walk_tb
from typing import Any, Generic, TypeVar

import numpy as np
from attrs import field, frozen
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy, just
from numpy.typing import ArrayLike

from qeframe.core.batch_kind import BatchKind
from qeframe.core.component import Component
from qeframe.core.errors import DataError
from qeframe.testing.failures import as_exception, in_words, place_of

CLOSE = 1e-9
"""How far two ways to compute one number may be apart, relative to it or absolutely."""

_USUAL_EXAMPLES = 100
"""What Hypothesis tries by default. A profile with 100 times as many examples has 100 times as many tries."""

C = TypeVar("C", bound=Component)


def always(_component: Any) -> bool:
    """Return that a law concerns every component."""
    return True


def having(part: str) -> Callable[[Any], bool]:
    """Return whether a law concerns a component: those that state something in a field."""
    return lambda component: bool(getattr(component, part))


def claiming(claim: str) -> Callable[[Any], bool]:
    """Return whether a law concerns a component: those that make a claim."""
    return lambda component: claim in component.claims


def no_examples(_component: Any, _kind: Any) -> SearchStrategy[tuple[Any, ...]]:
    """Return the examples of a law that draws none: one without parts."""
    return just(())


class BreachError(AssertionError):
    """A law is broken.

    `what`: the error, in one line.
    `exploit`: how it would be exploited, where that depends on the example.
    `values`: the example in plain values, by name.
    """

    def __init__(self, what: str, *, exploit: str = "", **values: Any) -> None:
        super().__init__(what)
        self.exploit = exploit
        self.values: Mapping[str, Any] = values


def check_drawable(kind: BatchKind) -> None:
    """Raise a `DataError` unless the laws can draw submissions of a kind of batch."""
    if kind.submissions is None:
        what = f"the laws cannot be tried on batches of {kind.batch.__name__}: their kind has no strategy"
        raise DataError(what, remedy="give its BatchKind the part 'submissions'")


def drawn_from(kind: BatchKind, *, complete: bool = False, **sizes: int) -> SearchStrategy[tuple[Any, ...]]:
    """Return the strategy of submissions that laws are tried on.

    `complete`: whether to draw without missing cells, where the kind of batch has a strategy for that. `sizes`:
    `submissions`, `min_units` and `max_units`.
    """
    assert kind.submissions is not None
    return ((complete and kind.complete) or kind.submissions)(**sizes)


class _OutOfTimeError(KeyboardInterrupt):
    """Stops Hypothesis at once."""


@frozen(kw_only=True)
class Law(Generic[C]):
    """A property that every component of a class has.

    `name`: Such as ``order``. The law of a claim has the claim's name.
    `states`: the property, in one line.
    `holds`: from the component, the kind and the parts of an example; raises an AssertionError where the law is broken.
    `examples`: from the component and a `BatchKind` to a strategy of examples, each a tuple.
    `concerns`: whether the law is about this component.
    `needs`: the parts of `BatchKind` that the law needs. A kind of batch without them has no such law.
    `exploit`: how a breach would be exploited, in one sentence.
    `exact`: whether one example decides: the law computes all cases.
    `slow`: whether an example takes long, so that fewer are tried.
    `costly`: whether it is tried only where that is asked for.
    `first`: whether the other laws presuppose it: they are not tried on a component that breaks it.
    """

    name: str
    states: str
    holds: Callable[..., None]
    examples: Callable[[C, Any], SearchStrategy[tuple[Any, ...]]] = no_examples
    concerns: Callable[[C], bool] = always
    needs: tuple[str, ...] = ()
    exploit: str = ""
    exact: bool = False
    slow: bool = False
    costly: bool = False
    first: bool = False

    def fits(self, kind: Any) -> bool:
        """Return whether a kind of batch has the parts that the law needs."""
        return all(getattr(kind, part, None) is not None for part in self.needs)


@frozen(kw_only=True)
class Counterexample:
    """An example that breaks a law.

    `what`: the error, in one line.
    `example`: the parts of the example.
    `values`: the example in plain values, where the law gives them.
    `exploit`: how it would be exploited; empty for laws that belong to no claim.
    """

    what: str
    example: tuple[Any, ...]
    values: Mapping[str, Any] = field(factory=dict)
    exploit: str = ""


@frozen
class Search:
    """The result of a search: how many examples were tried, and the smallest that breaks the law, if one does."""

    tries: int
    found: Counterexample | None


def search(law: Law[C], component: C, kind: Any, *, tries: int, shrink: bool = True, seconds: float = np.inf) -> Search:
    """Search for an example that breaks a law. Equal searches have equal results.

    `tries`: how many examples: a fifth of it for slow laws, one for exact ones. A Hypothesis profile with k times 100
      examples multiplies it by k.
    `shrink`: whether to look for the smallest example; the first example is found sooner.
    `seconds`: After which no further example is tried.
    """
    until, number = monotonic() + seconds, _number(law, tries)
    if number > _MOST_KEPT:
        return _search_anew(law, component, kind, number, shrink=shrink, until=until)
    tried = 0
    for example in _examples_of(law, component, kind, number):
        if monotonic() > until:
            break
        tried += 1
        error = _failure(law, component, kind, example)
        if error is None:
            continue
        smaller = None
        if shrink and not law.exact:
            smaller = _search_anew(law, component, kind, number, shrink=True, until=until).found
        return Search(tried, smaller or _counterexample(law, example, error))
    return Search(tried, None)


def _failure(law: Law[Any], component: Component, kind: Any, example: tuple[Any, ...]) -> Exception | None:
    try:
        law.holds(component, kind, *example)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return as_exception(error)
    return None


_MOST_KEPT = 1000
_kept: dict[tuple[Any, ...], tuple[Any, list[tuple[Any, ...]]]] = {}


def _examples_of(law: Law[C], component: C, kind: Any, number: int) -> list[tuple[Any, ...]]:
    """Return the examples. Components with the same examples share them, because drawing takes most of the time."""
    key = (law.examples, getattr(component, "needs", ""), id(kind), number)
    if key not in _kept:
        drawn: list[tuple[Any, ...]] = []
        _attempts(law.examples(component, kind), number, drawn.append, shrink=False)()
        _kept[key] = kind, drawn  # a reference to the kind, so that no other gets its id
    return _kept[key][1]


def _attempts(
    examples: SearchStrategy[tuple[Any, ...]], number: int, attempt: Callable[[tuple[Any, ...]], None], *, shrink: bool
) -> Callable[[], None]:
    """Return a function that draws examples, always the same ones, and tries each."""

    @seed(0)
    @settings(
        max_examples=number,
        derandomize=False,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.explicit, Phase.generate, *([Phase.shrink] if shrink else [])),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(examples)
    def each(example: tuple[Any, ...]) -> None:
        attempt(example)

    return each


def _search_anew(law: Law[C], component: C, kind: Any, number: int, *, shrink: bool, until: float) -> Search:
    """Try examples while they are drawn, so that Hypothesis can shrink one that fails."""
    examples: list[tuple[tuple[Any, ...], Exception]] = []
    tried = [0]

    def attempt(example: tuple[Any, ...]) -> None:
        if monotonic() > until:
            raise _OutOfTimeError
        tried[0] += not examples
        error = _failure(law, component, kind, example)
        if error is not None:
            examples.append((example, error))
            raise error

    try:
        _attempts(law.examples(component, kind), number, attempt, shrink=shrink)()
    except _OutOfTimeError:
        pass
    except Exception:
        if not examples:
            raise
    return Search(tried[0], _counterexample(law, *examples[-1]) if examples else None)


def _number(law: Law[Any], tries: int) -> int:
    if law.exact:
        return 1
    times = max(1, settings().max_examples // _USUAL_EXAMPLES)
    return times * max(1, tries // 5 if law.slow else tries)


def _counterexample(law: Law[Any], example: tuple[Any, ...], error: Exception) -> Counterexample:
    if not _is_told_by_law(error):
        place = f" (in {place_of(error)})" if place_of(error) else ""
        return Counterexample(what=in_words(error) + place, example=example)
    values = error.values if isinstance(error, BreachError) else {}
    exploit = (error.exploit if isinstance(error, BreachError) else "") or law.exploit
    return Counterexample(what=str(error), example=example, values=values, exploit=exploit)


def _is_told_by_law(error: Exception) -> bool:
    """Return whether a law raised the error, not the component."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    inside = bool(frames) and frames[-1].f_globals.get("__name__", "").startswith("qeframe.testing.")
    return isinstance(error, BreachError) or (isinstance(error, AssertionError) and inside)


def agree(actual: ArrayLike, expected: ArrayLike, what: str) -> None:
    """Raise an AssertionError unless two arrays are equal up to rounding; NaN equals NaN."""
    first, other = np.asarray(actual, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if first.shape != other.shape:
        raise AssertionError(f"{what}: shape {first.shape} instead of {other.shape}")
    if not np.allclose(first, other, rtol=CLOSE, atol=CLOSE, equal_nan=True):
        raise AssertionError(f"{what}: {first.tolist()} instead of {other.tolist()}")
