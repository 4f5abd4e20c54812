"""From the answers to one task to answers to the next one: spans, then scores, then errors or none.

What is derived is another submission than what was handed in: its name says how it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import json_objects
from qeframe_wmt.readers.wmt26.folder import Folder
from qeframe_wmt.readers.wmt26.predictions import (
    Answers,
    MarkedText,
    Predictions,
    Scale,
    decisions,
    marked_texts,
    scores,
)

Cascade = Literal["yes", "no"]  # whether submissions to one task enter the next one

_THRESHOLD_KEYS = ("submission", "threshold", "inclusive")


@frozen(kw_only=True)
class SpanWeights:
    """The points that an error takes from 100. A fault of the whole translation counts as a span of its severity."""

    minor: float = 1.0
    major: float = 5.0

    def of(self, severity: str | None) -> float:
        """Return the points of a severity, 0 for none."""
        return {"minor": self.minor, "major": self.major}.get(severity or "", 0.0)


@frozen
class Threshold:
    """From which score on a translation counts as free of errors."""

    value: float
    inclusive: bool

    @property
    def rule(self) -> str:
        """The rule as it is printed, "score >= 85"."""
        return f"score {'>=' if self.inclusive else '>'} {self.value:g}"

    def decide(self, score: float) -> float:
        """Return 1 for a translation without errors, else 0."""
        return float(score >= self.value if self.inclusive else score > self.value)


def read_thresholds(file: TextFile, submissions: Sequence[str]) -> dict[str, Threshold]:
    """Read the thresholds that participants declared: submission, threshold, and whether it is inclusive."""
    found: dict[str, Threshold] = {}
    for fields in json_objects(file):
        fields.check_keys(_THRESHOLD_KEYS)
        name = fields.name("submission")
        if name not in submissions:
            raise fields.error(f"there is no submission '{name}'", remedy=did_you_mean(name, submissions))
        if name in found:
            raise fields.error(f"the threshold of '{name}' is declared twice", remedy="keep one line a submission")
        found[name] = Threshold(fields.number("threshold"), fields.get("inclusive", bool))
    return found


def score_of_spans(marked: MarkedText, weights: SpanWeights) -> float:
    """Return 100 less the points of all errors, not below 0."""
    severities = [severity for _, _, severity, _ in marked.spans]
    return max(0.0, 100.0 - sum(map(weights.of, (*severities, marked.omission, marked.instruction_fault))))


def score_answers(folder: Folder, *, weights: SpanWeights, cascade: Cascade, scale: Scale) -> list[Answers[float]]:
    """Return the scores of all submissions: those handed in, else those derived from spans."""
    found = []
    for each in folder.predictions:
        made = scores_of(each, weights, cascade, scale)
        if made is None:
            folder.gold.left_out[
                "", "submission", f"{each.name}: no {'task2_pred' if cascade == 'no' else 'task1_pred or task2_pred'}"
            ] += 1
        else:
            folder.check(made)
            found.append(made)
    return found


def error_free_answers(folder: Folder, *, weights: SpanWeights, cascade: Cascade, scale: Scale) -> list[Answers[float]]:
    """Return the decisions of all submissions: those handed in, and those by a declared threshold of scores."""
    names = [each.name for each in folder.predictions]
    thresholds = {} if folder.thresholds is None else read_thresholds(folder.thresholds, names)
    found: list[Answers[float]] = []
    for each in folder.predictions:
        made = [decisions(each)] if "task3_pred" in each.tasks else []
        scored = scores_of(each, weights, cascade, scale) if cascade == "yes" else None
        if scored is not None and each.name in thresholds:
            made.append(_derived(scored, thresholds[each.name].rule, thresholds[each.name].decide))
        for answers in made:
            folder.check(answers)
        found += made
        if not made:
            lack = "no task3_pred" if scored is None else "no task3_pred and no declared threshold"
            folder.gold.left_out["", "submission", f"{each.name}: {lack}"] += 1
    return found


def scores_of(each: Predictions, weights: SpanWeights, cascade: Cascade, scale: Scale) -> Answers[float] | None:
    """Return the scores of a submission, handed in or derived from spans; None if there are none."""
    if "task2_pred" in each.tasks:
        return scores(each, scale)
    if "task1_pred" not in each.tasks or cascade == "no":
        return None
    return _derived(marked_texts(each), "from spans", lambda marked: score_of_spans(marked, weights))


def _derived(answers: Answers[Any], how: str, decide: Callable[[Any], float]) -> Answers[float]:
    values: Mapping[tuple[str, str], float] = {place: decide(value) for place, value in answers.values.items()}
    earlier = f"{answers.derived}, " if answers.derived else ""
    name = f"{answers.name} ({how})" if not answers.derived else f"{answers.name[:-1]}, {how})"
    return Answers(name, answers.file, answers.items, values, answers.lines, earlier + how)
