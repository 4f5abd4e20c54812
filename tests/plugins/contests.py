"""Contests of given submissions, and the checked cases of inference."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import qeframe
from qeframe.core.batch import Batch
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.sample import Sample

__all__ = ["CASES", "CASES2", "NEAR", "contest", "contest_of", "numbers", "slow_step_down", "tags"]

_GOLDEN = Path(__file__).parents[1]
CASES: dict[str, Any] = json.loads((_GOLDEN / "golden_inference.json").read_text(encoding="utf-8"))
CASES2: dict[str, Any] = json.loads((_GOLDEN / "golden_inference2.json").read_text(encoding="utf-8"))["data"]
NEAR = {"rel": 1e-9, "abs": 1e-12, "nan_ok": True}


def contest_of(
    metric: str | Metric, batches: Sequence[Batch], *, key: tuple[int, ...] = (1,), as_given: bool = True, **rules: Any
) -> Contest:
    """Return the batches as one task, in the order in which they are given or by score."""
    chosen = qeframe.load().get(Metric, metric) if isinstance(metric, str) else metric
    sample = Sample(metrics=(chosen,), batches=tuple(batches), key=key, **rules)
    return Contest.of(sample, as_given=as_given)


def contest(metric: str, gold: Any, submissions: Sequence[Any], **options: Any) -> Contest:
    """Return submissions of plain values as one task; see `contest_of`."""
    kind = qeframe.load().get(Metric, metric).kind
    return contest_of(metric, [kind.from_plain(gold, answers) for answers in submissions], **options)


def numbers(values: Sequence[float | None]) -> list[float]:
    """Return the numbers of a checked case, with NaN for null."""
    return [float("nan") if value is None else value for value in values]


def tags(counts: Sequence[Sequence[int]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return gold and answers of sentences from their counts of true and false positives, false and true negatives."""
    gold = [["BAD"] * (tp + fn) + ["OK"] * (fp + tn) for tp, fp, fn, tn in counts]
    answers = [["BAD"] * tp + ["OK"] * fn + ["BAD"] * fp + ["OK"] * tn for tp, fp, fn, tn in counts]
    return gold, answers


def slow_step_down(
    statistic: Mapping[Any, float], drawn: Sequence[Mapping[Any, float]], *, everything: bool = False
) -> dict[Any, float]:
    """Return the adjusted p of each claim by the definition: claim after claim, draw by draw.

    Drawn exchanges count the observed data as one more; `everything` has it already.
    """
    claims, more = sorted(statistic, key=lambda claim: -statistic[claim]), 0 if everything else 1
    adjusted, before = {}, 0.0
    for nth, claim in enumerate(claims):
        extreme = sum(max(draw[other] for other in claims[nth:]) >= statistic[claim] - 1e-12 for draw in drawn)
        before = max(before, (more + extreme) / (more + len(drawn)))
        adjusted[claim] = before
    return adjusted
