"""MQM ratings, errors with severity and category, as tables, JSON or files of mt-metrics-eval; scalar ratings."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from attrs import field, frozen

from qeframe.plugin import Best, DataError, Grid
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TextFile,
    columns_by_name,
    input_of,
    parse_numbers,
    plain_numbers,
    read_text_lines,
)
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.formats.json_lines import Fields, json_objects, parse_object
from qeframe_wmt.formats.tables import fixed_columns, refuse_repeated_lines
from qeframe_wmt.readers.metrics.ratings.rated import Rating, Ratings, check_segments, clean_cells, in_order

USUAL_WEIGHTS = ("major=5", "minor=1", "neutral=0", "major/non-translation!=25", "minor/fluency/punctuation=0.1")
"""The weights of the WMT metrics tasks."""

_NO_ERROR = "no-error"
_WEIGHT = "write severity=NUMBER, severity/category=NUMBER or severity/category/sub-category=NUMBER"


def points_of(weights: Mapping[str, float], severity: str, category: str) -> float | None:
    """Return the points of an error, without regard to case; None if there are none for its severity.

    The most specific name that has some counts: severity/category/sub-category, severity/category, severity.
    """
    name = f"{severity}/{category}".lower().strip("/")
    while name not in weights and "/" in name:
        name = name.rpartition("/")[0]
    return 0.0 if name == _NO_ERROR else weights.get(name)


def parse_weights(weights: Sequence[str]) -> dict[str, float]:
    """Read weights as texts NAME=NUMBER, each name once."""
    points: dict[str, float] = {}
    for weight in weights:
        name, equals, number = weight.rpartition("=")
        name, values = name.strip().lower(), plain_numbers([number])
        if not equals or not name or values is None or not 0 <= values[0] <= 1e6:
            raise DataError(f"'{weight}' is no weight of an error", remedy=_WEIGHT)
        if name in points:
            raise DataError(f"the weight of '{name}' is given twice", remedy="keep one")
        points[name] = float(values[0])
    return points


Layout = Literal["table", "lines", "rating"]
Points = Literal["weights", "stated"]
Repeated = Literal["error", "add"]

_MQM_COLUMNS = ("system", "doc", "seg_id", "rater", "category", "severity")
_SIDE_BY_SIDE = ("docSegId", "globalSegId")
_LONGEST_SHOWN = 40
_ERROR_KEYS = ("start", "end", "category", "severity", "score", "is_source_error")


@frozen(eq=False)
class _Rated:
    """The points that every rater took from every translation, or gave to it: segment, system, rater, in order."""

    weights: Mapping[str, float] = field(factory=dict)
    points: Points = "weights"
    repeated: Repeated = "error"
    segments_of_set: int = 0
    columns: Mapping[str, str] = field(factory=dict)
    no_error: tuple[str, ...] = (_NO_ERROR,)
    lost: dict[tuple[str, str, str], float] = field(factory=dict)
    segments: dict[str, None] = field(factory=dict)
    systems: dict[str, None] = field(factory=dict)
    left_out: Counter[tuple[str, str]] = field(factory=Counter)
    known: dict[tuple[str, str], float | None] = field(factory=dict)

    def rate(self, segment: str, system: str, rater: str, lost: float) -> None:
        """Add points of a translation; 0 for a rating without an error."""
        self.segments.setdefault(segment)
        self.systems.setdefault(system)
        place = (segment, system, rater)
        self.lost[place] = self.lost.get(place, 0.0) + lost

    def order(self, segments: Sequence[str]) -> None:
        """Take the segments in an order, those without a rating too."""
        self.segments.clear()
        self.segments.update(dict.fromkeys(segments))

    def readings(self, file: TextFile, path: Path, best: Best, *, scale: str, sign: float) -> list[Reading]:
        """Return the task: the points of every rating times a sign are its scores."""
        ratings = Ratings(
            file=file,
            name=path.name.split(".")[0],
            scale=scale,
            ratings=[Rating(*place, sign * points) for place, points in self.lost.items()],
            segments=list(self.segments),
            systems=list(self.systems),
            left_out=self.left_out,
        )
        return [ratings.reading(best, (input_of(file, path),))]

    def of(self, severity: str, category: str) -> float:
        """Return the points of an error; an unknown severity has none and is counted."""
        error = severity, category
        if error not in self.known:
            self.known[error] = points_of(self.weights, severity, category)
        points = self.known[error]
        if points is None:
            shown = severity if len(severity) < _LONGEST_SHOWN else f"{severity[:_LONGEST_SHOWN]}..."
            self.left_out["error", f"severity '{shown}' has no weight: 0 points"] += 1
        return points or 0.0


def mqm_ratings(
    *,
    layout: Layout = "table",
    weights: tuple[str, ...] = USUAL_WEIGHTS,
    points: Points = "weights",
    repeated: Repeated = "error",
    segments: int = 0,
    columns: Mapping[str, str] | None = None,
    no_error: tuple[str, ...] = (_NO_ERROR,),
) -> Reader:
    """Read MQM ratings of one language pair: the points of all errors, summed by rater, mean over raters, negated.

    Parameters
    ----------
    layout : {"table", "lines", "rating"}
        table: columns by tabs with a header, among them system, doc, seg_id, rater, category, severity, one error a
        line. Side-by-side ratings have docSegId and globalSegId in place of seg_id. lines: one JSON object a line, with
        system_id, document_id, segment_id, rater_id and errors. rating: ``.seg.rating`` of mt-metrics-eval, SYSTEM, a
        JSON object with errors or None, and possibly the rater. All may be compressed with gzip, also as an archive
        (tar.gz) of the file alone.
    weights : list of str
        Points by severity, severity/category or severity/category/sub-category, the most specific one first:
        ``"major=5"``. Case does not matter. A severity without a weight has 0 points and is counted.
    points : {"weights", "stated"}
        stated: the field score of each error instead of a weight; not in a table.
    repeated : {"error", "add"}
        What happens to a line of a table with a column target that equals an earlier one: it is refused, or its points
        are added, as mt-metrics-eval does.
    segments : int
        The number of segments of the test set of a table whose seg_id counts them from 1; 0 for its largest number.
        Every number is a segment, also one without a rating. Where seg_id counts within a document, the segments are
        those of the table, in its order.
    columns : table of str by name, optional
        What a table calls its columns where it has other names: ``{seg_id="segment", rater="annotator"}``.
    no_error : list of str
        The severities of a table that say that a translation has no error, such as an empty one.

    Returns
    -------
    Reader
        Of `Grid` without submissions, with the ratings as assessments on the scale "mqm": for ``qeframe ratings``.

    Raises
    ------
    DataError
        For a weight that cannot be read, or stated points in a table.

    References
    ----------
    Freitag et al. (2021), Experts, errors, and context; google-research/mt-metrics-eval, converters.
    """
    check_segments(segments)
    rated = partial(_Rated, parse_weights(weights), points, repeated, segments, columns or {}, no_error)
    return Reader(
        name="mqm_ratings",
        summary="a file of MQM errors by rater: a table, JSON lines, or .seg.rating of mt-metrics-eval",
        source="WMT metrics tasks 2020-25",
        kind=Grid,
        read=partial(_read_mqm, layout=layout, make=rated),
        example=partial(examples.mqm_ratings, layout=layout),
    )


def _read_mqm(path: Path, best: Best, *, layout: Layout, make: Callable[[], _Rated]) -> Sequence[Reading]:
    file, rated = read_text_lines(path, texts=True, pipe=True, packed=True, holds="ratings"), make()
    {"table": _read_table, "lines": _read_lines, "rating": _read_ratings}[layout](file, rated)
    return rated.readings(file, path, best, scale="mqm", sign=-1.0)


def _read_table(file: TextFile, rated: _Rated) -> None:
    if rated.points == "stated":
        raise file.error("a table states no points", line=1, remedy="set points=weights in the reader")
    names = dict.fromkeys(_MQM_COLUMNS, "write visible characters")
    names |= dict.fromkeys(_MQM_COLUMNS[:4], "every line names a translation and a rater")
    if {"seg_id", *_SIDE_BY_SIDE} & set(file.lines[0].split("\t")) == {*_SIDE_BY_SIDE}:
        names = {name.replace("seg_id", "docSegId"): remedy for name, remedy in names.items()}
        names["globalSegId"] = names["docSegId"]
    remedy = f"the first line names the columns, among them {' '.join(_MQM_COLUMNS)}"
    own = {name: rated.columns.get(name, name) for name in names}
    columns = dict(columns_by_name(file, tuple(own.values()), separator="\t", remedy=remedy).cells)
    columns |= {name: columns[of_file] for name, of_file in own.items()}
    refuse_repeated_lines(file, header=1)
    _refuse_repeated_errors(file, columns, rated.repeated)
    systems, documents, segments, raters, categories, severities, *numbers = clean_cells(file, columns, names)
    severities = [_NO_ERROR if severity in rated.no_error else severity for severity in severities]
    if "" in severities:
        remedy = 'write no-error for a translation without errors, or set no_error=[""] in the reader'
        raise file.error("the severity is empty", line=severities.index("") + 2, remedy=remedy)
    places = [f"{document}/{segment}" for document, segment in zip(documents, segments, strict=True)]
    for row in zip(places, systems, raters, severities, categories, strict=True):
        rated.rate(*row[:3], rated.of(*row[3:]))
    by_number = dict(zip(places, numbers[0] if numbers else segments, strict=True))
    rated.order(in_order(file, by_number, rated.segments_of_set))


def _refuse_repeated_errors(file: TextFile, columns: Mapping[str, Sequence[str]], repeated: Repeated) -> None:
    """Raise a `DataError` at a line that an earlier one equals, where the target shows the place of an error."""
    if repeated == "add" or "target" not in columns:
        return
    seen: dict[str, int] = {}
    for line, text in enumerate(file.lines[1:], 2):
        if seen.setdefault(text, line) != line:
            remedy = "remove it, or set repeated=add in the reader, as mt-metrics-eval adds the points of all lines"
            raise file.error(f"the same error of one rater again, as on line {seen[text]}", line=line, remedy=remedy)


def _read_lines(file: TextFile, rated: _Rated) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for fields in json_objects(file):
        number = fields.get("segment_id", int, str)
        segment = f"{fields.name('document_id')}/{number}"
        place = (segment, fields.name("system_id"), fields.name("rater_id"))
        if place in seen:
            what = f"rater '{place[2]}' rated '{place[1]}' in segment '{segment}' twice, first on line {seen[place]}"
            raise fields.error(what, remedy="keep one line a rating")
        seen[place] = fields.line
        if fields.get("errors", list, type(None)) is None:
            _count_unrated(rated, segment, place[1])
        else:
            rated.rate(*place, _lost(fields, rated))


def _read_ratings(file: TextFile, rated: _Rated) -> None:
    refuse_repeated_lines(file)
    seen: Counter[tuple[str, str]] = Counter()
    width = file.lines[0].count("\t")
    for line, text in enumerate(file.lines, 1):
        columns = text.split("\t")
        if len(columns) != width + 1 or width not in (1, 2):
            what = f"{len(columns)} columns by tabs"
            raise file.error(what, line=line, remedy="write SYSTEM, JSON or None, and on every line or none the RATER")
        system, rater = columns[0], columns[2] if width == 2 else "rater"
        if not system.strip() or not (system + rater).isprintable():
            raise file.error(f"the system is {system!a}", line=line, remedy="begin the line with its name")
        segment = str(seen[system, rater] + 1)
        seen[system, rater] += 1
        if columns[1].strip() == "None":
            _count_unrated(rated, segment, system)
        else:
            rated.rate(segment, system, rater, _lost(parse_object(columns[1], file, line), rated))
    if len(set(seen.values())) > 1:
        (most, lines), (least, fewer) = seen.most_common()[0], seen.most_common()[-1]
        what = f"{fewer} lines of {least[0]}, but {lines} of {most[0]}"
        raise file.error(what, remedy="give every system and rater one line a segment, None without a rating")


def _count_unrated(rated: _Rated, segment: str, system: str) -> None:
    rated.segments.setdefault(segment)
    rated.systems.setdefault(system)
    rated.left_out["translation", "without a rating"] += 1


def _lost(fields: Fields, rated: _Rated) -> float:
    """Return the points of the errors of one rating."""
    lost = 0.0
    for error in fields.objects("errors"):
        error.check_keys(_ERROR_KEYS)
        severity, category = error.text("severity"), error.text("category")
        lost += error.number("score") if rated.points == "stated" else rated.of(severity, category)
    return lost


_SQM_COLUMNS = ("system", "doc", "seg_id", "rater", "score")
_SQM_NAMES = " ".join(_SQM_COLUMNS)
_SQM_LAYOUT = f"the first line names the columns, among them {_SQM_NAMES}; a file without it needs fields=[...]"


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
    missing = [name for name in _SQM_COLUMNS if name not in fields]
    if fields and (missing or len(set(fields)) < len(fields)):
        raise DataError(f"fields must name every column once, among them {' '.join(_SQM_COLUMNS)}")
    return Reader(
        name="sqm_ratings",
        summary="a table by tabs of scores by rater: pSQM, cSQM, SQM",
        source="WMT metrics task 2020, newstest2020",
        kind=Grid,
        read=partial(_read_sqm, fields=fields, repeated=repeated, segments=segments),
        example=partial(examples.sqm_ratings, fields=fields),
    )


def _read_sqm(path: Path, best: Best, *, fields: Sequence[str], repeated: str, segments: int) -> Sequence[Reading]:
    file = read_text_lines(path, texts=True, pipe=True, packed=True, holds="ratings")
    header = 0 if fields else 1
    named = partial(columns_by_name, separator="\t", remedy=_SQM_LAYOUT)
    columns = (fixed_columns(file, fields) if fields else named(file, _SQM_COLUMNS)).cells
    refuse_repeated_lines(file, header=header)
    remedies = dict.fromkeys(_SQM_COLUMNS[:4], "every line names a translation and a rater")
    systems, documents, numbers, raters = clean_cells(file, columns, remedies, skip=header)
    scores = parse_numbers(columns["score"], file, skip=header).tolist()
    places = [f"{document}/{number}" for document, number in zip(documents, numbers, strict=True)]
    rated = _Rated()
    for line, (*place, score) in enumerate(zip(places, systems, raters, scores, strict=True), header + 1):
        segment, system, rater = place
        if repeated == "error" and (segment, system, rater) in rated.lost:
            what = f"rater '{rater}' scored '{system}' in segment '{segment}' again"
            remedy = "keep one line, or set repeated=add in the reader, as mt-metrics-eval added them"
            raise file.error(what, line=line, remedy=remedy)
        rated.rate(segment, system, rater, score)
    rated.order(in_order(file, dict(zip(places, numbers, strict=True)), segments))
    return rated.readings(file, path, best, scale="sqm", sign=1.0)
