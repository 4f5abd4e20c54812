"""The scores of a task by segment and system, from its reading."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, Grid, IntArray, Judgments
from qeframe.plugin.readers import Dropped, Reading, TextFiles, UnitValues
from qeframe.plugin.texts import SegmentTexts, read_texts
from qeframe_wmt.formats.tables import present_means
from qeframe_wmt.selections.selection import Level

Scorer = tuple[Literal["human", "metric"], str]
"""Whose scores a file has: its folder, and its name without the language pair and the level."""


@frozen
class Names:
    """What files are called where the reading does not say it: the human scores, and the references of a metric."""

    gold: str | Mapping[str, str] = ""
    references: tuple[str, ...] | Mapping[str, str] = ()

    def reference(self, pair: str) -> str:
        """Return the name of the references that metrics used; ``src`` is the layout's word for none."""
        named = self.references.get(pair, "") if isinstance(self.references, Mapping) else ".".join(self.references)
        return named or "src"

    def of_gold(self, gold: UnitValues, pair: str) -> Scorer:
        """Return the name of human scores; that of their file if they were read from this layout."""
        named = self.gold.get(pair, "") if isinstance(self.gold, Mapping) else self.gold
        return "human", _checked(_human_name(gold, pair) or named or "gold", "the gold")

    def of_submission(self, submission: UnitValues, pair: str, computed: str) -> tuple[Scorer, bool]:
        """Return the name of the scores of a submission, and whether its references are known.

        `computed` are the references of a metric that was computed from texts; empty for another.
        """
        if human := _human_name(submission, pair):
            return ("human", _checked(human, "the human scores")), True
        path = Path(submission.path)
        read = path.parent.parent.name == "metric-scores" and _without_level(path)
        name = read or f"{submission.name}-{computed or self.reference(pair)}"
        return ("metric", _checked(name, "the metric")), bool(read or computed)


def check_pair(name: str) -> None:
    """Raise a `DataError` for the name of a task that cannot be one of a language pair."""
    if "." in _checked(name, "the task"):
        raise DataError(f"the task '{name}' cannot be written as mtme: a point ends the name of a language pair")


def check_column(names: Iterable[str], what: str) -> None:
    """Raise a `DataError` for a name that cannot be in a column of a table."""
    for name in names:
        if not name or name.split() != [name]:
            raise DataError(f"the {what} '{name}' cannot be written as mtme: its columns are separated by blanks")


def _human_name(side: UnitValues, pair: str) -> str:
    path = Path(side.path)
    name = _without_level(path)
    return name.removeprefix(f"{pair}.") if path.parent.name == "human-scores" and name.startswith(f"{pair}.") else ""


def _without_level(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".score").rpartition(".")[0]


def _checked(name: str, what: str) -> str:
    if not name or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise DataError(f"the name of {what}, '{name}', cannot be written as mtme: it is no name of a file")
    return name


_MOST_LINES = 100_000
"""Ids up to this are numbers of lines; if there are larger ones, the units are numbered in their order."""


@frozen(kw_only=True, eq=False)
class ScoredCells:
    """The scores of one reading of a language pair."""

    pair: str
    level: Level
    systems: tuple[str, ...]
    rows: IntArray  # (n,), the line of every segment, from 0
    scores: Mapping[Scorer, FloatArray]  # (n, systems) each, NaN where there is no score
    judged: BoolArray  # (n, systems), the cells with human scores
    labels: Mapping[str, Sequence[str]]  # for "domain" and "document", where they are known, the label of every segment
    texts: SegmentTexts | None
    reference_names: tuple[str, ...]  # of these texts
    scored_references: frozenset[str]  # the systems that are references, whose texts lie beside those of the references
    dropped: tuple[Dropped, ...]  # what of the reading is not among the scores

    @property
    def lines(self) -> int:
        """The number of segments of the texts, or up to the last one that is known."""
        return len(self.texts.references[0]) if self.texts else int(self.rows.max(initial=-1)) + 1

    def means(self, scorer: Scorer) -> FloatArray:
        """Return the mean of every system over the cells with human scores, (systems,); NaN without any."""
        cells = self.scores[scorer]
        return present_means(cells, self.judged & ~np.isnan(cells))


def _names_of_references(texts: TextFiles) -> tuple[str, ...]:
    """Return what the files call the references, or refA, refB, ... in the order in which a reader gives them."""
    if texts.reference_names:
        return texts.reference_names
    count = len(texts.references)
    return tuple(f"ref{chr(ord('A') + number)}" if number < 26 else f"ref{number + 1}" for number in range(count))


def cells_of(reading: Reading, names: Names) -> ScoredCells:
    """Return the scores of a reading."""
    check_pair(reading.name)
    grid = _of_judgments(reading) if issubclass(reading.kind, Judgments) else _of_grid(reading)
    check_column(grid.systems, "system")
    scores = {names.of_gold(reading.gold, reading.name): grid.gold}
    unknown = 0
    for submission in reading.submissions:
        computed = _references_of_computed(submission, reading)
        scorer, is_known = names.of_submission(submission, reading.name, computed)
        if scorer in scores:
            what = f"two of the scores of {reading.name} would be written to {scorer[0]}-scores as '{scorer[1]}'"
            raise DataError(what, remedy="name another gold, or leave one out")
        scores[scorer] = grid.of(submission, reading)
        unknown += not is_known
    notes = list(grid.dropped)
    if unknown:
        reason = f"the references that they used are not known, '{names.reference(reading.name)}' is written"
        notes.append(Dropped(reading.name, "metric", unknown, reason))
    return ScoredCells(
        pair=reading.name,
        level=reading.level,
        systems=grid.systems,
        rows=grid.rows,
        scores=scores,
        judged=~np.isnan(grid.gold),
        labels={key: grid.labels[key] for key in ("domain", "document") if key in grid.labels},
        texts=read_texts(reading.texts) if reading.texts else None,
        reference_names=_names_of_references(reading.texts) if reading.texts else (),
        scored_references=_scored_references(reading.texts) if reading.texts else frozenset(),
        dropped=tuple(notes),
    )


def _scored_references(texts: TextFiles) -> frozenset[str]:
    """Return the systems whose texts lie among references that have names of their own."""
    beside = texts.references[0].parent
    return frozenset(name for name, file in texts.systems.items() if texts.reference_names and file.parent == beside)


@frozen(kw_only=True, eq=False)
class _Cells:
    """Where the values of units are in a table of segments by systems."""

    systems: tuple[str, ...]
    rows: IntArray
    gold: FloatArray
    unit_rows: IntArray  # (units, k), with the columns the cells of every unit of the gold
    unit_columns: IntArray
    labels: Mapping[str, Sequence[str]]
    dropped: tuple[Dropped, ...]

    def of(self, submission: UnitValues, reading: Reading) -> FloatArray:
        """Return the scores of a submission, NaN where it has none."""
        order = np.argsort(reading.gold.ids)
        in_gold = np.isin(submission.ids, reading.gold.ids)
        units = order[np.searchsorted(reading.gold.ids[order], submission.ids[in_gold])]
        cells = np.full(self.gold.shape, np.nan)
        cells[self.unit_rows[units], self.unit_columns[units]] = submission.values[in_gold]
        return cells


def _of_grid(reading: Reading) -> _Cells:
    if not (issubclass(reading.kind, Grid) and reading.systems):
        what = f"task '{reading.name}' cannot be written as mtme: its reader does not name the systems"
        raise DataError(what, remedy="a reader states them as Reading.systems")
    ids = reading.gold.ids
    rows = ids - (reading.texts.first if reading.texts else 1)
    notes: tuple[Dropped, ...] = ()
    if len(rows) and (rows.min() < 0 or rows.max() >= _MOST_LINES):
        rows = np.arange(len(ids))
        notes = (Dropped(reading.name, "segment", len(ids), "its id is no number of a line, numbered in order"),)
    columns = np.arange(len(reading.systems))
    shape = (len(ids), len(columns))
    return _Cells(
        systems=reading.systems,
        rows=rows,
        gold=reading.gold.values,
        unit_rows=np.broadcast_to(np.arange(len(ids))[:, None], shape),
        unit_columns=np.broadcast_to(columns, shape),
        labels=reading.groups,
        dropped=notes,
    )


def _of_judgments(reading: Reading) -> _Cells:
    translations = reading.translations
    if translations is None:
        what = f"task '{reading.name}' cannot be written as mtme: humans compared translations, and gave no scores"
        raise DataError(what, remedy="the layout holds one human score for every translation")
    number = {label: i for i, label in enumerate(translations.segments)}
    segment = np.array([number[label] for label in reading.groups["segment"]], dtype=np.int64)
    pairs = reading.gold.values[:, 1:]
    rows = np.stack([segment, segment], axis=1)
    compared = np.zeros(translations.cells.shape, dtype=np.bool_)
    compared[rows, pairs] = True
    not_compared = int((~compared & ~np.isnan(translations.cells)).sum()) if reading.submissions else 0
    notes = [Dropped(reading.name, "segment", len(translations.segments), "its name, segments are numbered in order")]
    if not_compared:
        reason = "of a translation in no judged pair, whose metric scores were not read"
        notes.append(Dropped(reading.name, "human score", not_compared, reason))
    return _Cells(
        systems=translations.systems,
        rows=np.arange(len(translations.segments)),
        gold=np.where(compared, translations.cells, np.nan) if not_compared else translations.cells,
        unit_rows=rows,
        unit_columns=pairs,
        labels={name: _by_segment(labels, segment, len(number)) for name, labels in reading.groups.items()},
        dropped=tuple(notes),
    )


def _by_segment(labels: Sequence[str], segment: IntArray, count: int) -> list[str]:
    """Return the label of every segment, empty where no judgment is about it."""
    of_segment = [""] * count
    for position, label in zip(segment.tolist(), labels, strict=True):
        of_segment[position] = label
    return of_segment


def _references_of_computed(submission: UnitValues, reading: Reading) -> str:
    """Return the references of a metric that was computed from the texts, empty for another submission."""
    texts = reading.texts
    if texts is None or submission.path != str(texts.references[0].parent):
        return ""
    return ".".join(_names_of_references(texts))
