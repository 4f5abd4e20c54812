"""Worked examples: for each kind of batch one small gold and submission; scores are computed when pages are built."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from docstrings import as_markdown, table

from qeframe.core.batch import Batch
from qeframe.core.metric import Metric
from qeframe.core.metric_calls import details
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.post_edits.batch import PostEdits
from qeframe.kinds.preferences.batch import Preferences
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.token_scores.batch import TokenScores

__all__ = ["EXAMPLES", "Example", "worked_example"]


@frozen
class Example:
    """A small input of one kind.

    Parameters
    ----------
    head : sequence of str
        The columns of its table.
    rows : sequence of sequence of str
        Cells of Markdown; one row for each unit where `per_unit` is true.
    batch : callable
        Makes the batch.
    note : str
        What the table does not say.
    per_unit : bool
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    batch: Callable[[], Batch]
    note: str = ""
    per_unit: bool = True


def _numbers(head: Sequence[str], *columns: Iterable[float]) -> tuple[list[str], list[list[str]]]:
    rows = zip(*columns, strict=True)
    return ["unit", *head], [[str(i), *(f"{v:g}" for v in row)] for i, row in enumerate(rows, 1)]


_GOLD = (0.0, 0.1, 0.3, 0.2, 0.5, 0.9)
_PREDICTED = (0.1, 0.0, 0.2, 0.4, 0.4, 0.7)
_SCORES = Example(
    *_numbers(("gold $y$", "submission $x$"), _GOLD, _PREDICTED),
    lambda: Scores.from_plain(_GOLD, _PREDICTED),
    "The gold is an error rate: its low values are good.",
)

_VALUES_GIVEN = (72.0, 85.0, 90.0, 64.0, 79.0)
_VALUES = Example(*_numbers(("submission $x$",), _VALUES_GIVEN), lambda: Values.from_plain(None, _VALUES_GIVEN))

_CLASSES = (1, 0, 1, 0, 0, 1, 0, 0, 0, 0)
_PROBABILITIES = (0.95, 0.85, 0.7, 0.6, 0.45, 0.35, 0.35, 0.25, 0.15, 0.05)
_DETECTIONS = Example(
    *_numbers(("gold $y$", "submission $x$"), _CLASSES, _PROBABILITIES),
    lambda: Detections.from_plain(_CLASSES, _PROBABILITIES),
    "The gold is 1 for the units that are to be found.",
)

_TOKEN_TAGS = (("OK", "BAD", "OK", "BAD", "OK"), ("OK", "OK", "BAD"), ("OK", "OK"))
_TOKEN_NUMBERS = ((0.2, 0.9, 0.5, 0.4, 0.1), (0.3, 0.6, 0.6), (0.2, 0.1))
_TOKEN_SCORES = Example(
    ("sentence", "gold", "submission"),
    [
        [str(i), " ".join(tags), " ".join(f"{x:g}" for x in numbers)]
        for i, (tags, numbers) in enumerate(zip(_TOKEN_TAGS, _TOKEN_NUMBERS, strict=True), 1)
    ],
    lambda: TokenScores.from_plain(_TOKEN_TAGS, _TOKEN_NUMBERS),
)

_TAGS_GOLD = ("OK OK BAD BAD OK", "OK BAD OK", "OK OK OK OK")
_TAGS_PREDICTED = ("OK BAD BAD OK OK", "OK BAD BAD", "OK OK OK OK")
_TAGS = Example(
    ("sentence", "gold", "submission"),
    [[str(i), *sides] for i, sides in enumerate(zip(_TAGS_GOLD, _TAGS_PREDICTED, strict=True), 1)],
    lambda: Tags.from_plain([s.split() for s in _TAGS_GOLD], [s.split() for s in _TAGS_PREDICTED]),
)

_TEXT = ("The cat sat in the mat.", "He bought two red apples.", "It rains.")
_SPANS_GOLD = ([(12, 14, "major"), (19, 22, "minor")], [(14, 17, "minor")], [])
_SPANS_PREDICTED = ([(8, 14, "major")], [(10, 17, "major")], [])


def _marks(spans: Sequence[tuple[int, int, str]], text: str) -> str:
    return ", ".join(f"`{text[start:end]}` {start}–{end} {severity}" for start, end, severity in spans) or "none"


_SPANS = Example(
    ("segment", "text", "gold", "submission"),
    [
        [str(i), as_markdown(text), _marks(gold, text), _marks(predicted, text)]
        for i, (text, gold, predicted) in enumerate(zip(_TEXT, _SPANS_GOLD, _SPANS_PREDICTED, strict=True), 1)
    ],
    lambda: Spans.from_plain(_SPANS_GOLD, _SPANS_PREDICTED, text=_TEXT),
    "Numbers are the first character of a span and the one after its last, counted from 0.",
)

_REFERENCES = ("the cat sat on the mat", "there is a dog in the garden", "he bought two red apples")
_CANDIDATES = ("the cat sat on a mat", "a dog is in the garden", "he has bought two apples")
_TEXTS = Example(
    ("segment", "reference (gold)", "candidate (submission)"),
    [[str(i), *sides] for i, sides in enumerate(zip(_REFERENCES, _CANDIDATES, strict=True), 1)],
    lambda: Texts.from_plain(_REFERENCES, _CANDIDATES),
)

_ORIGINALS = ((0.61, "the cat sat on mat"), (0.72, "a dog is in the garden"), (0.8, "he has two apples"))
_CORRECTED = ((0.7, "the cat sat on the mat"), (0.75, "a dog is in our garden"), (0.8, "he has two apples"))
_POST_EDITS = Example(
    ("segment", "original", "its score", "correction", "its score"),
    [
        [str(i), before, f"{score:g}", after, f"{gained:g}"]
        for i, ((score, before), (gained, after)) in enumerate(zip(_ORIGINALS, _CORRECTED, strict=True), 1)
    ],
    lambda: PostEdits.from_plain(_ORIGINALS, _CORRECTED),
)

_SYSTEMS = "ABC"
_PAIRS = ((0, 1), (0, 1), (0, 2), (0, 2), (1, 2), (1, 2), (1, 2), (0, 1))
_HUMAN = (1, -1, 1, 1, 1, 0, -1, 0)
_PAIR_SCORES = ((0.7, 0.6), (0.5, 0.6), (0.8, 0.4), (0.6, 0.7), (0.6, 0.6), (0.5, 0.5), (0.3, 0.6), (0.8, 0.7))
_RELATIONS = {1: "left better", 0: "tie", -1: "right better"}
_JUDGMENTS = Example(
    ("judgment", "left", "right", "human (gold)", "metric: left", "metric: right"),
    [
        [str(i), _SYSTEMS[left], _SYSTEMS[right], _RELATIONS[human], *(f"{x:g}" for x in scores)]
        for i, ((left, right), human, scores) in enumerate(zip(_PAIRS, _HUMAN, _PAIR_SCORES, strict=True), 1)
    ],
    lambda: Judgments(
        ids=np.arange(len(_HUMAN)),
        human=np.array(_HUMAN, dtype=np.int8),
        predicted=np.array(_PAIR_SCORES),
        systems=np.array(_PAIRS),
        system_count=len(_SYSTEMS),
    ),
)

_GRID_GOLD = ((0, -1, -5, -5), (-1, -2, -6, 0), (-3, -1, -1, -8), (0, 0, -2, -4), (-2, -5, -4, -9))
_GRID_PREDICTED = (
    (0.9, 0.8, 0.5, 0.6),
    (0.7, 0.8, 0.3, 0.9),
    (0.6, 0.7, 0.7, 0.2),
    (0.9, 0.8, 0.8, 0.4),
    (0.8, 0.4, 0.6, 0.3),
)
_GRID = Example(
    ("item", *(f"gold of {s}" for s in "ABCD"), *(f"metric of {s}" for s in "ABCD")),
    [
        [str(i), *(f"{v:g}" for v in (*gold, *predicted))]
        for i, (gold, predicted) in enumerate(zip(_GRID_GOLD, _GRID_PREDICTED, strict=True), 1)
    ],
    lambda: Grid.from_plain(_GRID_GOLD, _GRID_PREDICTED),
    "Rows are segments, A to D are systems; high values are good on both sides.",
)

_BETTER = ("A", "B", "A", "tie", "B", "A")
_DECISIONS = (("A", "A"), ("B", "A"), ("A", "tie"), ("tie", "tie"), ("B", "B"), ("B", "B"))
_SECTIONS = ("chat", "chat", "chat", "code", "code", "code")
_PREFERENCES = Example(
    ("pair", "section", "gold", "judge, A first", "judge, B first"),
    [
        [str(i), section, gold, *judge]
        for i, (section, gold, judge) in enumerate(zip(_SECTIONS, _BETTER, _DECISIONS, strict=True), 1)
    ],
    lambda: Preferences.from_plain(_BETTER, _DECISIONS, sections=_SECTIONS),
    "All decisions name the answer as the gold does, in whichever order the judge saw it.",
)

EXAMPLES: Mapping[type[Batch], Example] = {
    Detections: _DETECTIONS,
    Grid: _GRID,
    Judgments: _JUDGMENTS,
    PostEdits: _POST_EDITS,
    Preferences: _PREFERENCES,
    Scores: _SCORES,
    Spans: _SPANS,
    Tags: _TAGS,
    Texts: _TEXTS,
    TokenScores: _TOKEN_SCORES,
    Values: _VALUES,
}


def worked_example(metric: Metric) -> list[str]:
    """Return blocks of Markdown: the input, the score, and the details; none for a kind without an example."""
    example = EXAMPLES.get(metric.kind)
    if example is None:
        return []
    batch = example.batch()
    score = float(metric.bind(batch)(np.ones(len(batch))))
    head, rows = list(example.head), [list(row) for row in example.rows]
    if metric.per_unit is not None and example.per_unit:
        head.append(f"`{metric.name}` of each")
        for row, own in zip(rows, metric.per_unit(batch), strict=True):
            row.append(_number(float(own)))
    blocks = [table([cell.replace("$", "") for cell in head], rows), example.note]
    blocks.append(f"The score is **{_number(score)}**.")
    found = details(metric, batch)
    if found:
        blocks += ["Its details:", table(["detail", "value"], [[_words(k), _value(v)] for k, v in found.items()])]
    return [block for block in blocks if block]


def _number(number: float) -> str:
    return "n/a" if np.isnan(number) else f"{number:.4g}".replace("-", "−")


def _words(name: str) -> str:
    return as_markdown(str(name).replace("_", " "))


def _value(value: Any) -> str:
    """Return a detail as one cell: numbers shortened, tables of numbers line by line."""
    if isinstance(value, Mapping):
        return "<br>".join(f"{_words(key)}: {_value(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        between = "<br>" if value and isinstance(value[0], (list, tuple)) else ", "
        return between.join(_value(inner) for inner in value)
    if isinstance(value, (int, float, np.number)):
        return _number(float(value))
    return f"`{value}`"
