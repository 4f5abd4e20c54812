"""A task: gold, all submissions and groups, as read from disk and aligned by id.

Readers yield a `Reading`: every side with the ids and lines of its own file. `align` joins the sides on integer ids,
never on order or on strings, and treats missing units by a named policy; what it leaves out is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from qeframe.batches.base import Batch, Best, IntArray, take_units
from qeframe.tasks.assessments import Assessments

if TYPE_CHECKING:
    from qeframe.tasks.text_files import TextFiles


from qeframe.tasks.task import Dropped, Input

__all__ = ["Reading", "Side"]


@frozen(kw_only=True, eq=False)
class Side:
    """The gold, or one submission, as its file has it.

    Parameters
    ----------
    name : str
        "gold", or the name of the submission.
    ids : (n,) int64
        The identity of every unit.
    values : (n,) array or Ragged
        One entry a unit.
    path : str
        Where it was read.
    lines : (n,) int64, optional
        The line of every unit in that file, from 1.
    names : mapping of int to str
        What the file calls a unit, by its id, where that is not the id itself.
    """

    name: str
    ids: IntArray
    values: Any
    path: str = ""
    lines: IntArray | None = None
    names: Mapping[int, str] = field(factory=dict)

    def line(self, position: int) -> int | None:
        """Return the line of a unit, if known."""
        return None if self.lines is None else int(self.lines[position])

    def called(self, unit: int) -> str:
        """Return what a unit is called in the file."""
        return self.names.get(int(unit), str(unit))

    def take(self, units: IntArray) -> Side:
        """Return the given units."""
        lines = None if self.lines is None else self.lines[units]
        return attrs.evolve(self, ids=self.ids[units], values=take_units(self.values, units), lines=lines)


@frozen(kw_only=True, eq=False)
class Reading:
    """One task as its files have it, not yet aligned.

    Parameters
    ----------
    name : str
        The task's name: a language pair, or the name of the folder.
    groups : mapping of str to sequence of str
        For each grouping ("document", "domain"), the label of every gold unit.
    counts : mapping of str to int
        What is worth telling of the gold: systems, segments, decided and tied pairs.
    texts : TextFiles, optional
        Where the texts are that the units are about.
    versions : mapping of str to str
        Of programs that answered, by submission.
    assessments : tuple of Assessments
        What judges said of single translations, one for each scale; of the systems that the texts are of.
    may_be_unanswered : bool
        Without any submission it is still a task, kept for its counts; otherwise that is an error.
    """

    name: str
    kind: type[Batch]
    gold: Side
    submissions: tuple[Side, ...]
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    best: Best = "low"
    dropped: tuple[Dropped, ...] = ()
    inputs: tuple[Input, ...] = ()
    counts: Mapping[str, int] = field(factory=dict)
    texts: TextFiles | None = None
    assessments: tuple[Assessments, ...] = ()
    versions: Mapping[str, str] = field(factory=dict)
    may_be_unanswered: bool = False
