"""A law, and the search for its smallest counterexample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Generic, TypeVar

import numpy as np
from attrs import field, frozen
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from numpy.typing import ArrayLike

from qeframe.components.component import Component

__all__ = ["CLOSE", "BreachError", "Counterexample", "Law", "Search", "agree", "always", "search"]

CLOSE = 1e-9
"""How far two ways to compute one number may be apart, relative to it or absolutely."""

_USUAL_EXAMPLES = 100
"""What Hypothesis tries unless told otherwise: a profile that says 100 times as many has 100 times as many tries."""

C = TypeVar("C", bound=Component)


def always(_component: Any) -> bool:
    """Say that a law concerns every component."""
    return True


class BreachError(AssertionError):
    """A law is broken.

    Parameters
    ----------
    what : str
        What is wrong, in one line.
    exploit : str
        How it would be exploited, where that depends on the example.
    values : object
        The example in plain values, by name.
    """

    def __init__(self, what: str, *, exploit: str = "", **values: Any) -> None:
        super().__init__(what)
        self.exploit = exploit
        self.values: Mapping[str, Any] = values


class _OutOfTimeError(KeyboardInterrupt):
    """What makes Hypothesis stop at once."""


@frozen(kw_only=True)
class Law(Generic[C]):
    """What every component of a class keeps.

    Parameters
    ----------
    name : str
        What the law is called: ``order``. The law behind a claim has the claim's name.
    states : str
        What it says, in one line.
    examples : callable
        From the component and a material (see `qeframe.testing.Material`) to a strategy of examples, tuples.
    holds : callable
        From the component, the material and the parts of an example; raises an AssertionError where the law is broken.
    concerns : callable
        Whether the law is about this component.
    needs : tuple of str
        What a material must have for the law to be tried on it; without it there is no such law for that kind of batch.
    exploit : str
        How a breach would be exploited, in one sentence.
    exact : bool
        Whether one example decides: the law computes all cases.
    costly : bool
        Whether an example takes long, so that fewer are tried.
    """

    name: str
    states: str
    examples: Callable[[C, Any], SearchStrategy[tuple[Any, ...]]]
    holds: Callable[..., None]
    concerns: Callable[[C], bool] = always
    needs: tuple[str, ...] = ()
    exploit: str = ""
    exact: bool = False
    costly: bool = False

    def fits(self, material: Any) -> bool:
        """Say whether a material has what the law needs."""
        return all(getattr(material, part, None) is not None for part in self.needs)


@frozen(kw_only=True)
class Counterexample:
    """An example that breaks a law.

    Parameters
    ----------
    what : str
        What is wrong, in one line.
    example : tuple
        The parts of the example.
    values : mapping of str to object
        The example in plain values, where the law gives them.
    exploit : str
        How it would be exploited; empty for laws that are no claims.
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


def search(
    law: Law[C], component: C, material: Any, *, tries: int, shrink: bool = True, seconds: float = np.inf
) -> Search:
    """Search for an example that breaks a law; the same search always finds the same.

    Parameters
    ----------
    tries : int
        How many examples; a fifth of it for costly laws, one for exact ones, and as many times more as the profile of
        Hypothesis has more examples than 100.
    shrink : bool
        Whether the smallest example is wanted; the first one found comes sooner.
    seconds : float
        After which no further example is tried.
    """
    until, number = monotonic() + seconds, _number(law, tries)
    if number > _MOST_KEPT:
        return _search_anew(law, component, material, number, shrink=shrink, until=until)
    tried = 0
    for example in _examples_of(law, component, material, number):
        if monotonic() > until:
            break
        tried += 1
        error = _failure(law, component, material, example)
        if error is None:
            continue
        smaller = None
        if shrink and not law.exact:
            smaller = _search_anew(law, component, material, number, shrink=True, until=until).found
        return Search(tried, smaller or _told(law, example, error))
    return Search(tried, None)


def _failure(law: Law[Any], component: Component, material: Any, example: tuple[Any, ...]) -> Exception | None:
    try:
        law.holds(component, material, *example)
    except Exception as error:
        return error
    return None


_MOST_KEPT = 1000
_kept: dict[tuple[Any, ...], tuple[Any, list[tuple[Any, ...]]]] = {}


def _examples_of(law: Law[C], component: C, material: Any, number: int) -> list[tuple[Any, ...]]:
    """Return the examples, drawn once for all components that they are the same for: that takes most of the time."""
    key = (law.examples, getattr(component, "needs", ""), id(material), number)
    if key not in _kept:
        drawn: list[tuple[Any, ...]] = []
        _attempts(law.examples(component, material), number, drawn.append, shrink=False)()
        _kept[key] = material, drawn  # the material too: another one must not get its id
    return _kept[key][1]


def _attempts(
    examples: SearchStrategy[tuple[Any, ...]], number: int, attempt: Callable[[tuple[Any, ...]], None], *, shrink: bool
) -> Callable[[], None]:
    """Return what draws examples, always the same, and tries each."""

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


def _search_anew(law: Law[C], component: C, material: Any, number: int, *, shrink: bool, until: float) -> Search:
    """Search while examples are drawn, so that those that fail can be made smaller."""
    found: list[tuple[tuple[Any, ...], Exception]] = []
    tried = [0]

    def attempt(example: tuple[Any, ...]) -> None:
        if monotonic() > until:
            raise _OutOfTimeError
        tried[0] += not found
        error = _failure(law, component, material, example)
        if error is not None:
            found.append((example, error))
            raise error

    try:
        _attempts(law.examples(component, material), number, attempt, shrink=shrink)()
    except _OutOfTimeError:
        pass
    except Exception:
        if not found:
            raise
    return Search(tried[0], _told(law, *found[-1]) if found else None)


def _number(law: Law[Any], tries: int) -> int:
    if law.exact:
        return 1
    times = max(1, settings().max_examples // _USUAL_EXAMPLES)
    return times * max(1, tries // 5 if law.costly else tries)


def _told(law: Law[Any], example: tuple[Any, ...], error: Exception) -> Counterexample:
    what = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
    values = error.values if isinstance(error, BreachError) else {}
    exploit = (error.exploit if isinstance(error, BreachError) else "") or law.exploit
    return Counterexample(what=what, example=example, values=values, exploit=exploit)


def agree(found: ArrayLike, expected: ArrayLike, what: str, *, within: float = CLOSE) -> None:
    """Raise an AssertionError unless two arrays are equal up to rounding; NaN equals NaN."""
    one, other = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if one.shape != other.shape:
        raise AssertionError(f"{what}: shape {one.shape} instead of {other.shape}")
    if not np.allclose(one, other, rtol=within, atol=within, equal_nan=True):
        raise AssertionError(f"{what}: {one.tolist()} instead of {other.tolist()}")
