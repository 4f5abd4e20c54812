"""Ratings of translations by raters, and the task that they make: a gold without submissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, FloatArray, Grid
from qeframe.plugin.readers import Assessments, Dropped, Input, Reading, TextFile, UnitValues


@frozen
class Rating:
    """The score that one rater gave to one translation; higher is better."""

    segment: str
    system: str
    rater: str
    score: float


@frozen(kw_only=True, eq=False)
class Ratings:
    """The ratings of one language pair.

    Parameters
    ----------
    name : str
        The name of the task.
    scale : str
        "mqm" or "esa".
    ratings : sequence of Rating
        A rater may rate a translation several times.
    segments : sequence of str
        All segments in order, those without a rating too.
    systems : sequence of str
    left_out : mapping of (str, str) to int
        What was left out, why, and how often.
    """

    file: TextFile
    name: str
    scale: str
    ratings: Sequence[Rating]
    segments: Sequence[str]
    systems: Sequence[str]
    left_out: Mapping[tuple[str, str], int] = field(factory=dict)


def ratings_reading(found: Ratings, best: Best, inputs: tuple[Input, ...]) -> Reading:
    """Return a task whose gold is the mean over raters, with all ratings as assessments.

    Raises
    ------
    DataError
        If there is no rating.
    """
    if not found.ratings:
        raise found.file.error("no translation has a rating", remedy="give a file with ratings")
    assessments = _assessments(found)
    systems = len(found.systems)
    return Reading(
        name=found.name,
        kind=Grid,
        gold=UnitValues(
            name="gold",
            ids=np.arange(len(found.segments)),
            values=_means(assessments, len(found.segments)),
            path=str(found.file.path),
            names=dict(enumerate(found.segments)),
        ),
        submissions=(),
        best=best,
        dropped=tuple(Dropped(found.name, what, n, why) for (what, why), n in sorted(found.left_out.items())),
        inputs=inputs,
        counts={
            "systems": systems,
            "system_pairs": systems * (systems - 1) // 2,
            "segments": len(found.segments),
            "ratings": len(found.ratings),
        },
        assessments=(assessments,),
        may_be_unanswered=True,
    )


def _assessments(found: Ratings) -> Assessments:
    segment = {name: number for number, name in enumerate(found.segments)}
    system = {name: number for number, name in enumerate(found.systems)}
    repeats: Counter[tuple[str, str, str]] = Counter()
    looks: dict[tuple[str, str, int], int] = {}
    cells: list[tuple[int, int, float]] = []
    for rating in found.ratings:
        place = (rating.segment, rating.rater, rating.system)
        look = looks.setdefault((rating.segment, rating.rater, repeats[place]), len(looks))
        repeats[place] += 1
        cells.append((look, system[rating.system], rating.score))
    values = np.full((len(looks), len(system)), np.nan)
    rows, columns, scores = zip(*cells, strict=True)
    values[list(rows), list(columns)] = scores
    return Assessments(
        scale=found.scale,
        systems=tuple(found.systems),
        segments=np.array([segment[name] for name, _, _ in looks], np.int64),
        judges=tuple(rater for _, rater, _ in looks),
        values=values,
    )


def _means(assessments: Assessments, segments: int) -> FloatArray:
    """Return the mean over looks, (segments, systems), NaN where there is none."""
    totals, counts = np.zeros((2, segments, len(assessments.systems)))
    scored = np.isfinite(assessments.values)
    np.add.at(totals, assessments.segments, np.where(scored, assessments.values, 0.0))
    np.add.at(counts, assessments.segments, scored)
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)
