"""What every component has: a name, a summary and a source."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

__all__ = ["Component", "as_names"]


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return a tuple of names; a single string is one name."""
    return (names,) if isinstance(names, str) else tuple(names)


@frozen(kw_only=True)
class Component:
    """What every component has.

    Parameters
    ----------
    name : str
        Lower case with underscores. A name with parameters can be read back: ``f_beta(beta=2)``.
    summary : str
        One line for listings.
    source : str
        The paper, and the shared task that fixed the variant.
    formerly : tuple of str
        Names that the component had in the release before. They are still read, with a `FormerSpellingWarning`.
    """

    name: str
    summary: str
    source: str = ""
    formerly: tuple[str, ...] = field(default=(), converter=as_names)

    def __str__(self) -> str:
        return self.name
