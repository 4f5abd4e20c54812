"""Ratings of translations by raters, and the task that they make: a gold without submissions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, DataError, FloatArray, Grid, IntArray
from qeframe.plugin.readers import Assessments, Dropped, Input, Reading, TextFile, UnitValues

MAY_BE_EMPTY = frozenset({"category", "severity"})
"""The columns that need not be filled in every line, or have a message of their own."""

MOST_SEGMENTS = 100_000  # the largest number of a segment that is taken for its place in a test set


@frozen
class Rating:
    """The score that one rater gave to one translation; higher is better."""

    segment: str
    system: str
    rater: str
    score: float


@frozen(kw_only=True, eq=False)
class Ratings:
    """The ratings of one language pair. The unit of a segment is its place among all segments, from 1."""

    file: TextFile
    name: str  # of the task
    scale: str  # "mqm", "esa" or "sqm"
    ratings: Sequence[Rating]  # a rater may rate a translation several times
    segments: Sequence[str]  # all in order, those without a rating too
    systems: Sequence[str]
    left_out: Mapping[tuple[str, str], int] = field(factory=dict)  # what was left out, why, and how often

    def reading(self, best: Best, inputs: tuple[Input, ...]) -> Reading:
        """Return a task whose gold is the mean over raters, with all ratings as assessments; no rating is an error."""
        if not self.ratings:
            raise self.file.error("no translation has a rating", remedy="give a file with ratings")
        number = {name: number for number, name in enumerate(self.segments)}
        ratings = ((number[of.segment], of.system, of.rater, of.score) for of in self.ratings)
        assessments = assessments_of(self.scale, ratings, self.systems)
        systems = len(self.systems)
        return Reading(
            name=self.name,
            kind=Grid,
            gold=UnitValues(
                name="gold",
                ids=np.arange(1, len(self.segments) + 1),
                values=mean_grid(assessments.values, assessments.segments, len(self.segments)),
                path=str(self.file.path),
                names=dict(enumerate(self.segments, 1)),
            ),
            submissions=(),
            best=best,
            dropped=tuple(Dropped(self.name, what, n, why) for (what, why), n in sorted(self.left_out.items())),
            inputs=inputs,
            counts={
                "systems": systems,
                "system_pairs": systems * (systems - 1) // 2,
                "segments": len(self.segments),
                "ratings": len(self.ratings),
            },
            assessments=(assessments,),
            may_be_unanswered=True,
        )


def check_segments(segments: int) -> None:
    """Raise a `DataError` for a number of segments out of range."""
    if not 0 <= segments <= MOST_SEGMENTS:
        raise DataError(f"segments must be at least 0 and at most {MOST_SEGMENTS}, not {segments}")


def in_order(file: TextFile, numbers: Mapping[str, str], segments: int) -> list[str]:
    """Return all segments of a table, those without a rating too.

    `numbers` are what the table says is the number of each segment, in the order of the table. If these are different
    numbers from 1, the segments are ordered by them, and a number without a rating is a segment. Otherwise the segments
    are those of the table. `segments` is their number in the test set; 0 for the largest number in the table.
    """
    names = {int(text): name for name, text in numbers.items() if text.isascii() and text.isdecimal()}
    last = max(names, default=0)
    if len(names) < len(numbers) or 0 in names or last > MOST_SEGMENTS:
        if segments:
            raise file.error("the segments have no numbers of their own", remedy="leave segments of the reader at 0")
        return list(numbers)
    if 0 < segments < last:
        raise file.error(f"segment {last} of a test set of {segments}", remedy="correct segments of the reader")
    return [names.get(number, str(number)) for number in range(1, (segments or last) + 1)]


def clean_cells(
    file: TextFile, columns: Mapping[str, Sequence[str]], remedies: Mapping[str, str], *, skip: int = 1
) -> list[list[str]]:
    """Return columns, those that have a remedy for a cell that cannot be read, without blanks around their cells.

    The names of translations and raters cannot be empty.
    """
    cleaned = []
    for name, remedy in remedies.items():
        clean: dict[str, str] = {}
        for line, value in enumerate(columns[name], skip + 1):
            if value not in clean:
                clean[value] = cell = value.strip(" ")
                if not cell.isprintable() or not (cell or name in MAY_BE_EMPTY):
                    raise file.error(f"{name} is {cell!a}", line=line, remedy=remedy)
        cleaned.append([clean[value] for value in columns[name]])
    return cleaned


def assessments_of(scale: str, ratings: Iterable[tuple[int, str, str, float]], systems: Sequence[str]) -> Assessments:
    """Return the ratings of some systems as assessments: segment, system, judge and score of each.

    All that a judge says of a segment is one look; what is said of a translation again is in a look of its own.
    """
    column = {name: number for number, name in enumerate(systems)}
    repeats: Counter[tuple[int, str, str]] = Counter()
    looks: dict[tuple[int, str, int], int] = {}
    cells: list[tuple[int, int, float]] = []
    for segment, system, judge, score in ratings:
        look = looks.setdefault((segment, judge, repeats[segment, judge, system]), len(looks))
        repeats[segment, judge, system] += 1
        cells.append((look, column[system], score))
    values = np.full((len(looks), len(column)), np.nan)
    rows, columns, scores = zip(*cells, strict=True)
    values[list(rows), list(columns)] = scores
    return Assessments(
        scale=scale,
        systems=tuple(systems),
        segments=np.array([segment for segment, _, _ in looks], np.int64),
        judges=tuple(judge for _, judge, _ in looks),
        values=values,
    )


def mean_grid(values: FloatArray, rows: IntArray, count: int) -> FloatArray:
    """Return the mean over looks, (count, systems), NaN where there is none; each look has values and a row.

    A mean of negated zeros is one too, as in the published files: -0 is what can be added to any number.
    """
    totals = np.full((count, values.shape[1]), -0.0)
    counts = np.zeros_like(totals)
    scored = np.isfinite(values)
    np.add.at(totals, rows, np.where(scored, values, -0.0))
    np.add.at(counts, rows, scored)
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)
