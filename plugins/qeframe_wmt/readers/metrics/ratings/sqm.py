"""Scalar ratings: pSQM of professional translators, cSQM of the crowd, and other scores that raters gave as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from qeframe.plugin import Best, DataError, Grid
from qeframe.plugin.readers import Reader, Reading, input_of, parse_numbers, read_text_lines, split_columns
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.formats.repeated_lines import refuse_repeated_lines
from qeframe_wmt.formats.tab_columns import columns_by_name
from qeframe_wmt.readers.metrics.ratings.rated import (
    Rating,
    Ratings,
    check_segments,
    clean_cells,
    in_order,
    ratings_reading,
)

_COLUMNS = ("system", "doc", "seg_id", "rater", "score")
_REMEDY = f"the first line names the columns, among them {' '.join(_COLUMNS)}; a file without it needs fields=[...]"


def sqm_ratings(
    *, fields: tuple[str, ...] = (), repeated: Literal["error", "add"] = "error", segments: int = 0
) -> Reader:
    """Read scalar ratings of one language pair, pSQM, cSQM or SQM: the mean over raters.

    Parameters
    ----------
    fields : list of str
        The names of the columns of a file without a header, such as that of cSQM:
        ``["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "score"]``. Empty: the first line has them.
    repeated : {"error", "add"}
        What happens if a rater scored a translation twice: it is refused, or the scores are added, as mt-metrics-eval
        did.
    segments : int
        The number of segments of the test set if seg_id counts them from 1; 0 for its largest number. Every number is a
        segment, also one without a rating. Where seg_id counts within a document, the segments are those of the table,
        in its order.

    Returns
    -------
    Reader
        Of `Grid` without submissions, with the ratings as assessments on the scale "sqm": for ``qeframe ratings``.

    Raises
    ------
    DataError
        If system, doc, seg_id, rater or score is not among the fields.

    References
    ----------
    Freitag et al. (2021), Experts, errors, and context; google/wmt-mqm-human-evaluation.
    """
    check_segments(segments)
    missing = [name for name in _COLUMNS if name not in fields]
    if fields and (missing or len(set(fields)) < len(fields)):
        raise DataError(f"fields must name every column once, among them {' '.join(_COLUMNS)}")
    return Reader(
        name="sqm_ratings",
        summary="a table by tabs of scores by rater: pSQM, cSQM, SQM",
        source="WMT metrics task 2020, newstest2020",
        kind=Grid,
        read=partial(_read, fields=fields, repeated=repeated, segments=segments),
        example=partial(examples.sqm_ratings, fields=fields),
    )


def _read(path: Path, best: Best, *, fields: Sequence[str], repeated: str, segments: int) -> Sequence[Reading]:
    file = read_text_lines(path, texts=True, pipe=True, packed=True, holds="ratings")
    header = 0 if fields else 1
    if fields:
        columns = dict(zip(fields, split_columns(file, fields, separator="\t"), strict=True))
    else:
        columns = columns_by_name(file, _COLUMNS, separator="\t", remedy=_REMEDY)
    refuse_repeated_lines(file, header=header)
    remedies = dict.fromkeys(_COLUMNS[:4], "every line names a translation and a rater")
    systems, documents, numbers, raters = clean_cells(file, columns, remedies, skip=header)
    scores = parse_numbers(columns["score"], file, skip=header).tolist()
    places = [f"{document}/{number}" for document, number in zip(documents, numbers, strict=True)]
    rated: dict[tuple[str, str, str], float] = {}
    for line, (*place, score) in enumerate(zip(places, systems, raters, scores, strict=True), header + 1):
        segment, system, rater = place
        if repeated == "error" and (segment, system, rater) in rated:
            what = f"rater '{rater}' scored '{system}' in segment '{segment}' again"
            remedy = "keep one line, or set repeated=add in the reader, as mt-metrics-eval added them"
            raise file.error(what, line=line, remedy=remedy)
        rated[segment, system, rater] = rated.get((segment, system, rater), 0.0) + score
    found = Ratings(
        file=file,
        name=path.name.split(".")[0],
        scale="sqm",
        ratings=[Rating(*place, score) for place, score in rated.items()],
        segments=in_order(file, dict(zip(places, numbers, strict=True)), segments),
        systems=list(dict.fromkeys(systems)),
    )
    return [ratings_reading(found, best, (input_of(file, path),))]
