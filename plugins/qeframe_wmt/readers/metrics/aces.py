"""Tables of ACES: good and incorrect translations by phenomenon, and the scores that metrics gave both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import Best, DataError, FloatArray, Preferences
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TextFile,
    UnitValues,
    input_of,
    parse_numbers,
    read_text_lines,
    visible,
)
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.formats.tab_columns import columns_by_name
from qeframe_wmt.readers.metrics.challenge_pairs import gold_of_pairs, preferred

_GOOD, _BAD = "-good", "-bad"
_TEXTS = ("good-translation", "incorrect-translation")
_FORMAT = "name the columns in the first line: phenomena, and METRIC-good and METRIC-bad for each metric, by tabs"


def aces() -> Reader:
    """Read tables in the layout of ACES; every table is a task, and a submission is a metric.

    PATH is a table, or a folder of tables ``NAME.tsv``. The first line names the columns: ``phenomena``, and for each
    metric ``METRIC-good`` and ``METRIC-bad``, its scores of the good and of the incorrect translation. Quotes are
    ordinary characters. Other columns are not looked at, but for ``langpair``, and for the lengths of the texts in
    ``good-translation`` and ``incorrect-translation``.

    Returns
    -------
    Reader
        Of `Preferences`: answer A is the good translation, and its section the phenomenon. Groupings: phenomenon and,
        where the table has it, language pair.

    Raises
    ------
    DataError
        When it reads: if a metric has one of its two columns, or a score is missing. The official program
        then has no value for the phenomenon, nor for the ACES-score.

    References
    ----------
    Amrhein, Moghe and Guillou (2022), ACES; aces/cli/evaluate.py of EdinburghNLP/ACES.
    """
    return Reader(
        name="aces",
        summary="a table of good and incorrect translations, phenomena, and METRIC-good METRIC-bad, by tabs",
        source="WMT22-24 metrics, challenge set ACES",
        kind=Preferences,
        read=_read,
        example=examples.aces,
    )


def _read(path: Path, best: Best) -> Sequence[Reading]:
    files = [path] if not path.is_dir() else [file for file in visible(path) if file.suffix == ".tsv"]
    if not files:
        raise DataError("no table NAME.tsv is here", path=path, remedy="give a table of ACES with scores of metrics")
    return [_table(read_text_lines(file, texts=True, pipe=not path.is_dir()), path) for file in files]


def _table(file: TextFile, root: Path) -> Reading:
    columns = columns_by_name(file, ("phenomena",), separator="\t", remedy=_FORMAT)
    phenomena = columns["phenomena"]
    unnamed = next((row for row, name in enumerate(phenomena) if not name.strip()), None)
    if unnamed is not None:
        raise file.error("no phenomenon", line=unnamed + 2, remedy="name one on every line")
    ids, lines = np.arange(len(phenomena)), np.arange(len(phenomena)) + 2
    submissions = [
        UnitValues(name=name, ids=ids, values=_decisions(columns, name, file), path=str(file.path), lines=lines)
        for name in _metrics(columns, file)
    ]
    pairs = {"language pair": columns["langpair"]} if "langpair" in columns else {}
    return Reading(
        name=file.path.stem,
        kind=Preferences,
        gold=UnitValues(name="gold", ids=ids, values=_gold(columns), path=str(file.path), lines=lines),
        submissions=tuple(submissions),
        groups={"phenomenon": phenomena, **pairs},
        best="high",
        inputs=(input_of(file, root),),
        counts={"phenomena": len(set(phenomena))},
    )


def _metrics(columns: Mapping[str, Sequence[str]], file: TextFile) -> list[str]:
    """Return the names of the metrics with scores of both translations."""
    good, bad = ([name.removesuffix(end) for name in columns if name.endswith(end)] for end in (_GOOD, _BAD))
    if not good and not bad:
        raise file.error("no column with scores of a metric", line=1, remedy=_FORMAT)
    for names, others, end in ((good, bad, _BAD), (bad, good, _GOOD)):
        alone = [name for name in names if name not in others]
        if alone:
            raise file.error(f"metric '{alone[0]}' has no column {alone[0]}{end}", line=1, remedy=_FORMAT)
    return good


def _decisions(columns: Mapping[str, Sequence[str]], metric: str, file: TextFile) -> FloatArray:
    """Return what a metric prefers, and its scores of the good and the incorrect translation, (n, 4)."""
    scores = np.stack([_scores(columns[f"{metric}{end}"], f"{metric}{end}", file) for end in (_GOOD, _BAD)], axis=1)
    return preferred(scores)


def _scores(texts: Sequence[str], column: str, file: TextFile) -> FloatArray:
    try:
        return parse_numbers(texts, file, skip=1)
    except DataError as error:
        what = f"{column} is not a score: {error.what}"
        raise file.error(
            what, line=error.line, remedy="every example needs a finite score of both translations"
        ) from None


def _gold(columns: Mapping[str, Sequence[str]]) -> NDArray[Any]:
    """Return records that prefer the good translation, with the phenomenon and the lengths of both texts."""
    if any(name not in columns for name in _TEXTS):
        return gold_of_pairs(1, columns["phenomena"])
    lengths = np.stack([[len(text) for text in columns[name]] for name in _TEXTS], axis=1)
    return gold_of_pairs(1, columns["phenomena"], lengths)
