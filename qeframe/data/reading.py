"""What a reader returns: the sides of a task, and the assessments of humans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike

from qeframe.core.batch import Batch, Best, FloatArray, IntArray, read_only_mapping, take_units
from qeframe.core.errors import DataError
from qeframe.core.ragged import read_only
from qeframe.core.task import Dropped, Input, SubmissionKind

KnownBy = Literal["id", "line", "line_number"]
"""How the units of a file are known: by ids that the file states; by the position of their lines alone; or by the
numbers of their lines, which the layout's own rule makes the ids of the files on the other side."""


@frozen(eq=False)
class TextFile:
    """A text file that was read.

    Parameters
    ----------
    path : Path
        The path that was given.
    lines : tuple of str
        At least one line, without line ends.
    sha256 : str
        The hash of the bytes of the file, in hexadecimal.
    marked : bool
        Whether there is a byte-order mark after the start.
    """

    path: Path
    lines: tuple[str, ...] = field(repr=False)
    sha256: str
    marked: bool = False

    def error(self, what: str, *, line: int | None = None, remedy: str = "") -> DataError:
        """Return an error that names this file."""
        return DataError(what, path=self.path, line=line, remedy=remedy)


@frozen(kw_only=True, eq=False)
class UnitValues:
    """The values of units in one file: the gold, or one submission. Its arrays are read-only.

    Parameters
    ----------
    name : str
        "gold", or the name of the submission.
    ids : (n,) int64
        The identity of every unit.
    values : (n,) array or Ragged
        One entry a unit.
    path : str
        The path of the file.
    more_paths : tuple of str
        Further files from which the values come.
    lines : (n,) int64, optional
        The line of every unit in the file `path`, from 1.
    names : mapping of int to str
        The name of a unit in the file, by its id, where it differs from the id.
    stated : mapping of str to float
        What a submission states about itself, such as its size in bytes.
    numbered_from : int
        What messages add to the ids of units without names: 1 where an id is the position of a line, from 0.
    known_by : KnownBy
        How the units are known in the file. `align` joins no side with ids and side without, unless a rule says how.
    kind : SubmissionKind
        The kind of the submission, unless the profile lists it as a baseline.
    gold : (n,) array or Ragged, optional
        The gold values that this submission is held against, where they are fewer than those of the task.
    """

    name: str
    ids: IntArray = field(converter=read_only)
    values: Any = field(converter=read_only)
    path: str = ""
    more_paths: tuple[str, ...] = ()
    lines: IntArray | None = None
    names: Mapping[int, str] = field(factory=dict)
    stated: Mapping[str, float] = field(factory=dict)
    numbered_from: int = 0
    known_by: KnownBy = "id"
    kind: SubmissionKind = "real"
    gold: Any = None

    def line(self, position: int) -> int | None:
        """Return the line of the unit at a position, None if lines are not known."""
        return None if self.lines is None else int(self.lines[position])

    def unit_name(self, unit: int) -> str:
        """Return the name of a unit in the file for a message, by default its id."""
        return self.names.get(int(unit), str(int(unit) + self.numbered_from))

    def take(self, units: IntArray) -> UnitValues:
        """Return the units at the given positions, in that order."""
        lines = None if self.lines is None else self.lines[units]
        gold = None if self.gold is None else take_units(self.gold, units)
        return attrs.evolve(self, ids=self.ids[units], values=take_units(self.values, units), lines=lines, gold=gold)


@frozen(kw_only=True, eq=False)
class Submitted:
    """The answers of a submission in one part of its file.

    Parameters
    ----------
    answers : UnitValues
    part : str
        The language pair, or the system, whose units these are. Empty: the file does not name it.
    dropped : tuple of Dropped
        What the reader leaves out of the file, with counts.
    content : object, optional
        More of the file, for `SubmissionFormat.check` alone: the words of the tags, say.
    """

    answers: UnitValues
    part: str = ""
    dropped: tuple[Dropped, ...] = ()
    content: Any = None


@frozen(kw_only=True, eq=False)
class TextFiles:
    """The paths of the texts of a task, and the texts that each of its units is about.

    Parameters
    ----------
    pair : str
        The language pair.
    systems : mapping of str to Path
        The file of the translations of every system, in the order that `left_right` counts.
    references : tuple of Path
        At least one.
    segments : (n,) int64
        The number of the segment of every unit of the gold.
    left_right : (n, 2) int64, optional
        For judgments: the positions of the left and the right system of every unit. None: a unit is about all systems.
    root : Path
        The path that was given; paths of inputs are relative to it.
    first : int
        The number of the segment on the first line.
    whole : bool
        True for the system level: a metric has one score for each system, computed from all its translations.
    source : Path, optional
        The texts that were translated.
    reference_names : tuple of str
        What the files call the references. Empty: nothing of their own.
    """

    pair: str
    systems: Mapping[str, Path]
    references: tuple[Path, ...]
    segments: IntArray
    left_right: IntArray | None = None
    root: Path
    first: int = 1
    whole: bool = False
    source: Path | None = None
    reference_names: tuple[str, ...] = ()

    def answers(self, scores: FloatArray) -> FloatArray:
        """Return the scores that a metric gives to every unit, from its scores of all segments.

        Parameters
        ----------
        scores : (segments of the files, systems) float64

        Returns
        -------
        (n, 2) float64 for judgments, else (n, systems)
        """
        by_unit = scores[self.segments - self.first]
        return by_unit if self.left_right is None else np.take_along_axis(by_unit, self.left_right, axis=1)


@frozen(kw_only=True, eq=False)
class Reading:
    """One task as its files have it, not yet aligned.

    Parameters
    ----------
    name : str
        The name of the task: a language pair, or the name of the folder.
    kind : type of Batch
        The kind of batch that gold and submission make.
    gold : UnitValues
    submissions : tuple of UnitValues
    groups : mapping of str to sequence of str
        For each grouping ("document", "domain"), the label of every gold unit.
    best : {"low", "high"}
        Which gold values are good.
    dropped : tuple of Dropped
        What the reader left out, with counts.
    inputs : tuple of Input
        The files that were read.
    counts : mapping of str to int
        Counts of the gold that results report: systems, segments, decided and tied pairs.
    texts : TextFiles, optional
        The files of the texts that the units are about.
    assessments : tuple of Assessments
        The scores that judges gave to single translations, one for each scale; of the systems that the texts are of.
    systems : tuple of str
        The names of the columns of grids, or of the systems of judgments. Empty: they are not known.
    level : {"seg", "sys"}
        Whether scores are of segments, or of systems: the mean of a column of a grid is then the score of a system.
    averaged : tuple of str
        The names of the segments whose mean is the score of a system. Empty: of all that are scored.
    translations : TranslationScores, optional
        The human scores that judgments were made from.
    versions : mapping of str to str
        The versions of the programs that computed a submission, by submission.
    unmatched : mapping of str to sequence of str
        For each of the reader's parameters that names things, the names that nothing in this task has.
    known : mapping of str to sequence of str
        For each of these parameters, the names that it could have.
    remarks : tuple of str
        What a user has to know of how a file was read, each a sentence: a warning of the result.
    may_be_unanswered : bool
        True: a task without submissions is kept for its counts. False: it is an error.
    """

    name: str
    kind: type[Batch]
    gold: UnitValues
    submissions: tuple[UnitValues, ...]
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    best: Best = "low"
    dropped: tuple[Dropped, ...] = ()
    inputs: tuple[Input, ...] = ()
    counts: Mapping[str, int] = field(factory=dict)
    texts: TextFiles | None = None
    assessments: tuple[Assessments, ...] = ()
    systems: tuple[str, ...] = ()
    level: Literal["seg", "sys"] = "seg"
    averaged: tuple[str, ...] = ()
    translations: TranslationScores | None = None
    versions: Mapping[str, str] = field(factory=dict)
    unmatched: Mapping[str, Sequence[str]] = field(factory=dict)
    known: Mapping[str, Sequence[str]] = field(factory=dict)
    remarks: tuple[str, ...] = ()
    may_be_unanswered: bool = False


@frozen(kw_only=True)
class Written:
    """What a reader's `write` makes of tasks.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its path inside the folder, with slashes.
    dropped : tuple of Dropped
        What of the tasks is in no file, or not as it was read, with counts and reasons.
    """

    files: Mapping[str, bytes] = field(converter=read_only_mapping, repr=False)
    dropped: tuple[Dropped, ...] = ()


_NOISE = 1e-13
"""The scores of a judge count as equal if they spread less than this, relative to the largest score of all."""


@frozen(kw_only=True, eq=False)
class Assessments:
    """Scores that judges gave to translations of segments, one row for each *look*.

    A look is one judge scoring the translations of one segment once.

    Parameters
    ----------
    scale : str
        What the judges scored: "rank", "adequacy", "fluency".
    systems : tuple of str
    segments : (looks,) int64
        The number of the segment of every look.
    judges : tuple of str
        The judge of every look.
    values : (looks, systems) float64
        Higher is better; NaN for a translation that was not judged.

    Raises
    ------
    DataError
        If nothing was judged.
    """

    scale: str
    systems: tuple[str, ...]
    segments: IntArray
    judges: tuple[str, ...]
    values: FloatArray

    def __attrs_post_init__(self) -> None:
        if not np.isfinite(self.values).any():
            raise DataError(f"no translation was judged on the scale '{self.scale}'")

    def standardized(self) -> FloatArray:
        """Return the values as z-scores of their judge, (looks, systems).

        The mean and the standard deviation of a judge are those of all values that the judge gave. A judge whose values
        are all equal has z-scores of 0.
        """
        return z_scores(self.values, self.judges, ddof=0, constant=0.0)

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Return the pairs of looks of different judges at the same segment: the positions of both, (pairs,) each."""
        order = np.argsort(self.segments, kind="stable")
        pairs: list[tuple[int, int]] = []
        for of_segment in np.split(order, np.flatnonzero(np.diff(self.segments[order])) + 1):
            looks = of_segment.tolist()
            pairs += [(a, b) for i, a in enumerate(looks) for b in looks[i + 1 :] if self.judges[a] != self.judges[b]]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]


@frozen(kw_only=True, eq=False)
class TranslationScores:
    """One human score for every translation of a segment, from which judgments of pairs were made.

    Parameters
    ----------
    systems : tuple of str
        In the order in which the judgments count them.
    segments : tuple of str
        The labels that the grouping "segment" of the judgments has.
    cells : (segments, systems) float64
        Higher is better; NaN for a translation without a score.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    cells: FloatArray


def z_scores(values: FloatArray, judges: ArrayLike, *, ddof: int, constant: float) -> FloatArray:
    """Standardize scores by the mean and the standard deviation of all scores of their judge.

    Parameters
    ----------
    values : (n, ...) float64
        Not finite where there is no score.
    judges : (n,) array_like
        The label of the judge of each row.
    ddof : int
        Standard deviations divide by the number of scores minus `ddof`.
    constant : float
        The result for a judge who gave a single score, or equal scores only.

    Returns
    -------
    (n, ...) float64
        NaN where there is no score.
    """
    _, judge = np.unique(np.asarray(judges), return_inverse=True)
    scored = np.isfinite(values)
    judge_of = np.broadcast_to(judge.reshape(-1, *[1] * (values.ndim - 1)), values.shape)[scored]
    scores = values[scored]
    count = np.bincount(judge_of)
    centered = scores - (np.bincount(judge_of, scores) / np.maximum(count, 1))[judge_of]
    spread = np.sqrt(np.bincount(judge_of, centered**2) / np.maximum(count - ddof, 1))[judge_of]
    varied = (spread > _NOISE * np.abs(scores).max(initial=0.0)) & (count > 1)[judge_of]
    standardized = np.full(values.shape, np.nan)
    standardized[scored] = np.divide(centered, spread, out=np.full_like(centered, constant), where=varied)
    return standardized
