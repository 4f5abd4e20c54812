"""Pairs of answers and the decisions of judges, one JSON object a line, with named columns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Best, DataError, FloatArray, Preferences
from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED, UNKNOWN_LENGTH
from qeframe.plugin.readers import (
    Dropped,
    ExampleRequest,
    Files,
    Reader,
    Reading,
    TaskFolder,
    UnitValues,
    find_tasks,
    input_of,
    read_text_lines,
)
from qeframe_preferences import examples
from qeframe_preferences.json_lines import BEYOND, JsonLines, shown

_ORDERS = 2
_SIGNS: Mapping[Any, float] = {"A>B": 1.0, "A": 1.0, "B>A": -1.0, "B": -1.0, "A=B": 0.0, "B=A": 0.0, "tie": 0.0}
_WORDS = "the words are A>B, B>A, A=B, or A, B, tie"


@frozen
class _Columns:
    """The paths of the columns, as the reader's parameters name them."""

    decisions: tuple[str, ...]
    scores: tuple[str, ...]
    label: str
    a: str
    b: str
    id: str
    section: str
    second: Literal["as_shown", "of_a_and_b"]

    @property
    def shown_first(self) -> int:
        """1 if the first order shows A first, 0 if no order is known."""
        return int(bool(self.decisions and self.label))

    def check(self) -> None:
        """Raise a `DataError` for columns that do not fit each other."""
        name = "preferences_jsonl"
        if len(self.decisions) > _ORDERS:
            what = f"{name}: {len(self.decisions)} decisions"
            raise DataError(what, remedy="name one column, or one for each of two orders")
        if len(self.scores) not in {0, _ORDERS}:
            raise DataError(f"{name}: {len(self.scores)} scores", remedy="name the columns of the scores of A and of B")
        if not (self.decisions or self.scores):
            raise DataError(f"{name}: neither decisions nor scores", remedy="name the columns of one of them")
        if bool(self.a) != bool(self.b):
            raise DataError(f"{name}: one of a and b", remedy="name the columns of both answers, or of none")

    def example(self, request: ExampleRequest) -> Files:
        """Generate pairs and decisions in these columns."""
        names = (self.label, self.a, self.b, self.id, self.section)
        if self.decisions:
            return examples.decided_pairs(request, self.decisions, *names, as_shown=self.second == "as_shown")
        return examples.scored_pairs(request, self.scores, *names)


def _read_task(columns: _Columns, task: TaskFolder, root: Path) -> Reading:
    files = [JsonLines.parse(read_text_lines(path, texts=True)) for path in (task.gold, *task.submissions)]
    gold, *sides = files
    names = _names(columns, gold)
    numbers = {name: position for position, name in reversed(list(enumerate(names)))}
    records = _gold_records(columns, gold)
    submissions, dropped = [], []
    for path, side in zip(task.submissions, sides, strict=True):
        judged = _names(columns, side)
        _check_repeated(columns, side, judged, numbers, records)
        answers = _answers(columns, side)
        submissions.append(_side(path.stem, side, judged, numbers, answers))
        once = int((answers[:, 1] == NOT_ASKED).sum()) if len(columns.decisions) == _ORDERS else 0
        if once:
            why = f"absent in {path.stem}: these pairs are judged in the first order alone"
            dropped.append(Dropped(task.name, "second judgment", once, why))
    ties = int((records["preference"] == 0).sum())
    return Reading(
        name=task.name,
        kind=Preferences,
        gold=_side("gold", gold, names, numbers, records),
        submissions=tuple(submissions),
        groups={"section": records["section"].tolist()} if columns.section else {},
        best="high",
        dropped=tuple(dropped),
        inputs=tuple(input_of(lines.file, root) for lines in files),
        counts={"decided": len(records) - ties, "tied": ties},
    )


def _names(columns: _Columns, lines: JsonLines) -> list[str]:
    """Return the ids of the pairs of a file."""
    return [lines.name(i, columns.id) if columns.id else str(i + 1) for i in range(len(lines.records))]


def _side(name: str, lines: JsonLines, names: Sequence[str], of_gold: Mapping[str, int], values: Any) -> UnitValues:
    """Return one side with the ids of the gold; a name that the gold lacks gets an id of its own."""
    numbers = dict(of_gold)
    ids = np.array([numbers.setdefault(pair, len(numbers)) for pair in names], dtype=np.int64)
    by_id = {number: pair for pair, number in numbers.items()}
    line = np.arange(1, len(ids) + 1)
    return UnitValues(name=name, ids=ids, values=values, path=str(lines.file.path), lines=line, names=by_id)


def _gold_records(columns: _Columns, gold: JsonLines) -> NDArray[Any]:
    count = range(len(gold.records))
    sections = [_section(columns, gold, record) for record in count]
    width = max(map(len, sections))
    fields = [("preference", "i1"), ("lengths", "i8", (2,)), ("section", f"U{width}"), ("shown_first", "i1")]
    records = np.zeros(len(gold.records), dtype=np.dtype(fields))
    records["preference"] = [_label(columns, gold, record) for record in count]
    records["section"] = sections
    records["shown_first"] = columns.shown_first
    records["lengths"] = UNKNOWN_LENGTH
    if columns.a:
        records["lengths"] = [[len(gold.text(record, path)) for path in (columns.a, columns.b)] for record in count]
    return records


def _section(columns: _Columns, lines: JsonLines, record: int) -> str:
    return lines.name(record, columns.section) if columns.section else "all"


def _label(columns: _Columns, lines: JsonLines, record: int) -> int:
    if not columns.label:
        return 1
    return int(_sign(lines, record, columns.label, lines.value(record, columns.label)))


def _sign(lines: JsonLines, record: int, path: str, value: Any) -> float:
    if isinstance(value, str) and value in _SIGNS:
        return _SIGNS[value]
    raise lines.error(record, f"'{path}' is {shown(value)}", remedy=_WORDS)


def _check_repeated(
    columns: _Columns, lines: JsonLines, names: Sequence[str], of_gold: Mapping[str, int], gold: NDArray[Any]
) -> None:
    """Raise a `DataError` where a submission repeats the label or the section of a pair, and has another one."""
    labels, sections = gold["preference"].tolist(), gold["section"].tolist()
    for record, name in enumerate(names):
        if (at := of_gold.get(name)) is None:
            continue
        for path, read, wanted in ((columns.label, _label, labels[at]), (columns.section, _section, sections[at])):
            if path and lines.has(record, path) and read(columns, lines, record) != wanted:
                what = f"'{path}' of pair '{name}' differs from that in the gold"
                raise lines.error(record, what, remedy="give decisions on the same pairs as the gold")


def _answers(columns: _Columns, lines: JsonLines) -> FloatArray:
    """Return decisions and scores, (n, 4)."""
    answers = np.full((len(lines.records), 2 * _ORDERS), np.nan)
    answers[:, 1] = NOT_ASKED
    if columns.scores:
        scores = [[lines.number(record, path) for path in columns.scores] for record in range(len(answers))]
        answers[:, _ORDERS:] = scores
        answers[:, 0] = np.sign(answers[:, _ORDERS] - answers[:, _ORDERS + 1])
    for order, path in enumerate(columns.decisions):
        turned = -1.0 if order and columns.second == "as_shown" else 1.0
        answers[:, order] = [_decision(lines, record, path, order, turned) for record in range(len(answers))]
    return answers


def _decision(lines: JsonLines, record: int, path: str, order: int, turned: float) -> float:
    value = lines.value(record, path)
    if value is None:
        return NO_DECISION
    if value is BEYOND and order:
        return NOT_ASKED
    return turned * _sign(lines, record, path, value) + 0.0


def preferences_jsonl(
    *,
    decisions: tuple[str, ...] = ("decision",),
    scores: tuple[str, ...] = (),
    label: str = "label",
    a: str = "",
    b: str = "",
    id: str = "",
    section: str = "",
    second: Literal["as_shown", "of_a_and_b"] = "as_shown",
) -> Reader:
    """Read pairs of answers and what judges decided, from files with one JSON object a line.

    A task is a folder with ``gold.jsonl``, the pairs, and the folder ``submissions`` with a file for each judge. Each
    parameter names a column: a key, or a path such as ``judgments.0.decision`` into objects and lists. Other columns
    are not looked at. Decisions and labels are the words A>B, B>A, A=B, or A, B, tie.

    Parameters
    ----------
    decisions : list of str
        In a judge's file, the decisions in the first order, A first, and in the second one. null is a decision that was
        not made. A list that is too short for the second one means that the judge was not asked in
        that order, which is counted under ``dropped``.
    scores : list of str
        In a judge's file, the scores of A and of B, higher is better. Without decisions they decide.
    label : str
        In the gold, which answer is better. Empty: A is better in every pair, the chosen answer; the order in which a
        judge saw the answers is then unknown.
    a, b : str
        In the gold, the texts of both answers, for their lengths in characters.
    id : str
        In both files, the id of a pair. Without it, line i is pair i in every file.
    section : str
        In the gold, the section or subset; it is the grouping "section" too.
    second : {"as_shown", "of_a_and_b"}
        as_shown: the second decision calls the answer that was shown first A, so it is swapped back. of_a_and_b: it was
        swapped back already.

    Returns
    -------
    Reader
        Of `Preferences`. A judge's file may repeat label and section, which must then be those of the gold.
    """
    columns = _Columns(decisions, scores, label, a, b, id, section, second)
    columns.check()

    def read(path: Path, best: Best) -> Sequence[Reading]:
        return [_read_task(columns, task, path) for task in find_tasks(path)]

    return Reader(
        name="preferences_jsonl",
        summary="pairs of answers with a label, and a judge's decisions, one JSON object a line with named columns",
        source="JudgeBench (ScalerLab/JudgeBench), RewardBench (allenai/reward-bench)",
        kind=Preferences,
        read=read,
        example=columns.example,
    )
