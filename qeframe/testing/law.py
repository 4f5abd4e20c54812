"""A law, and the search for its smallest counterexample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from attrs import frozen
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from numpy.typing import ArrayLike

from qeframe.components import Component

__all__ = ["CLOSE", "Law", "agree", "always", "broken_by"]

CLOSE = 1e-9
"""How far two ways to compute one number may be apart, relative to it or absolutely."""

C = TypeVar("C", bound=Component)


def always(_component: Any) -> bool:
    """Say that a law concerns every component."""
    return True


@frozen(kw_only=True)
class Law(Generic[C]):
    """What every component of a class keeps.

    Parameters
    ----------
    name : str
        What the law is called: ``order``.
    states : str
        What it says, in one line.
    examples : callable
        From the component and a material (see `qeframe.testing.strategies.Material`) to a strategy of examples, tuples.
    holds : callable
        From the component, the material and the parts of an example; raises an AssertionError where the law is broken.
    concerns : callable
        Whether the law is about this component.
    costly : bool
        Whether an example takes long, so that fewer are tried.
    """

    name: str
    states: str
    examples: Callable[[C, Any], SearchStrategy[tuple[Any, ...]]]
    holds: Callable[..., None]
    concerns: Callable[[C], bool] = always
    costly: bool = False


def broken_by(law: Law[C], component: C, material: Any, *, tries: int, shrink: bool = True) -> str:
    """Search for an example that breaks a law.

    Parameters
    ----------
    shrink : bool
        Whether the smallest example is wanted; the first one found comes sooner.

    Returns
    -------
    str
        Empty if none of `tries` examples does, else what is wrong and the example.
    """
    found: list[tuple[tuple[Any, ...], Exception]] = []

    @settings(
        max_examples=max(1, tries // 5) if law.costly else tries,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.explicit, Phase.generate, *([Phase.shrink] if shrink else [])),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(law.examples(component, material))
    def attempt(example: tuple[Any, ...]) -> None:
        try:
            law.holds(component, material, *example)
        except Exception as error:
            found.append((example, error))
            raise

    try:
        attempt()
    except Exception:
        if not found:
            raise
    if not found:
        return ""
    example, error = found[-1]
    shown = "\n".join(f"  {part!r}" for part in example)
    what = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
    return f"{what}\n{'smallest counterexample' if shrink else 'counterexample'}:\n{shown}"


def agree(found: ArrayLike, expected: ArrayLike, what: str, *, within: float = CLOSE) -> None:
    """Raise an AssertionError unless two arrays are equal up to rounding; NaN equals NaN."""
    one, other = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if one.shape != other.shape:
        raise AssertionError(f"{what}: shape {one.shape} instead of {other.shape}")
    if not np.allclose(one, other, rtol=within, atol=within, equal_nan=True):
        raise AssertionError(f"{what}: {one.tolist()} instead of {other.tolist()}")
