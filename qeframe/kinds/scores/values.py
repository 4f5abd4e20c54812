"""The kind `Values`: one number for each unit, and no gold."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.kind_parts import PlainFormat
from qeframe.core.metric import Metric
from qeframe.core.reading import TextFile
from qeframe.core.statistic import additive
from qeframe.data.tables import ABSENT
from qeframe.data.text_lines import label_ids, parse_numbers, split_columns, split_line
from qeframe.kinds.answers import with_predicted
from qeframe.kinds.drawing import beside_thresholds, composite, fixed_numbers, numbers, only, shuffled
from qeframe.kinds.probes import quotient
from qeframe.kinds.scores.batch import Values

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_OTHER_FORMATS = (
    "the formats of shared tasks are read by 'qeframe run PROFILE PATH', a table with a header by 'qeframe run qe PATH'"
)


def numbers_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read one number a line (unit i is line i + 1), or two columns ID NUMBER; an absent number with an id is NaN.

    Raises DataError for a line with another number of columns than the first, or a value that is not a finite number.
    """
    if _columns(file) == 2:
        ids, texts = split_columns(file, ("ID", "NUMBER"))
        absent = [text in ABSENT for text in texts] if set(ABSENT).intersection(texts) else []
        given = ["0" if is_absent else text for is_absent, text in zip(absent, texts, strict=True)] if absent else texts
        numbers = parse_numbers(given, file)
        return label_ids(ids, file), np.where(absent, np.nan, numbers) if absent else numbers
    (texts,) = split_columns(file, ("NUMBER",))
    return np.arange(len(texts)), parse_numbers(texts, file)


def _columns(file: TextFile) -> int:
    """Return the number of columns that the first line declares, 1 or 2; refuse a file with more."""
    width = len(split_line(file.lines[0]))
    if width > 2:
        what = f"{width} columns, where a plain file has one (NUMBER) or two (ID NUMBER)"
        raise file.error(what, line=1, remedy=_OTHER_FORMATS)
    return width


def _check_same_columns(gold: TextFile, submissions: Sequence[TextFile]) -> None:
    """Refuse to align a file with ids and one without: the scores would depend on whether ids begin at 0 or at 1.

    A file that is in neither form is refused first: it may well have ids, in a column of its own.
    """
    for file in (gold, *submissions):
        _columns(file)
        _refuse_header(file)
    for file in submissions:
        if _has_ids(file) != _has_ids(gold):
            remedy = "give ids to both or to neither"
            raise file.error(f"this file and {gold.path} do not both have a column of ids", line=1, remedy=remedy)


def _refuse_header(file: TextFile) -> None:
    """Refuse a first line of names between commas, such as that of a CSV file, which has no blank."""
    cells = [cell.strip() for cell in file.lines[0].split(",")]
    if len(cells) > 2 or any(cell.isidentifier() for cell in cells[1:]):
        what = (
            f"{len(cells)} columns between commas, where a plain file has one number a line, or two columns ID NUMBER"
        )
        raise file.error(what, line=1, remedy=_OTHER_FORMATS)


def _has_ids(file: TextFile) -> bool:
    return len(split_line(file.lines[0])) > 1


NUMBERS = PlainFormat(parse=numbers_by_line, one_number=True, has_ids=_has_ids, check_files=_check_same_columns)


def _plain(batch: Values) -> Mapping[str, Any]:
    return {"predicted": batch.predicted.tolist()}


def _fixed(rng: Random, units: int) -> list[Values]:
    return [Values.from_plain(None, fixed_numbers(rng, units)) for _ in range(3)]


def _off_grid(rng: Random) -> list[Values]:
    return [Values.from_plain(None, shuffled(rng, beside_thresholds())) for _ in range(3)]


def _regular(rng: np.random.Generator, units: int) -> Values:
    return Values.from_plain(None, rng.standard_normal(units))


@composite
def submissions_of_values(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 8, ties: bool = True
) -> tuple[Values, ...]:
    """Draw several submissions on the same units, without a gold."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))
    side = numbers(units, ties=ties)
    return tuple(Values.from_plain(None, draw(side)) for _ in range(submissions))


def values_batches(*, min_units: int = 1, max_units: int = 8, ties: bool = True) -> "SearchStrategy[Values]":
    """Draw one submission without a gold.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import values_batches
    >>> @settings(max_examples=5)
    ... @given(values_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_values(submissions=1, min_units=min_units, max_units=max_units, ties=ties).map(only)


def _value(batch: Values) -> FloatArray:
    return batch.predicted


def _counted(batch: Values) -> FloatArray:
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


_MEAN = Metric(
    name="probe_mean",
    summary="A mean: additive, with one value a unit",
    kind=Values,
    bind=additive(columns=("units", "value"), extract=_counted, score=quotient),
    smooth=True,
    per_unit=_value,
)

KIND = BatchKind(
    batch=Values,
    plain_format=NUMBERS,
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_values,
    plain=_plain,
    with_answers=with_predicted,
    probe=_MEAN,
)
