"""What every component has: a name, a summary and a source."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Component"]


@frozen(kw_only=True)
class Component:
    """What every component has.

    Parameters
    ----------
    name : str
        Lower case with underscores; parameters print and parse back: ``f_beta(beta=2)``.
    summary : str
        One line for listings.
    source : str
        The paper, and the shared task that fixed the variant.
    """

    name: str
    summary: str
    source: str = ""

    def __str__(self) -> str:
        return self.name
