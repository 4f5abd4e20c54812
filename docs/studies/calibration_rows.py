"""The measured error rates: what each row asks, and its answer in a file that grows as they are found."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import attrs
from attrs import frozen
from error_rates import (
    ErrorRate,
    Share,
    Simulation,
    error_rate_of_family,
    error_rate_of_pairs,
    error_rate_of_task_set,
    rank_set_coverage,
)
from laws import Law, find_law

from qeframe import choose_profile
from qeframe.core.metric import Metric
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve
from qeframe.core.significance import Correction, SignificanceTest

GAPS: dict[str, tuple[float, ...]] = {
    "all equal": (0.0,) * 10,
    "two groups of five": (5.0,) * 5 + (0.0,) * 5,
    "gaps of 0.1": tuple(0.1 * i for i in range(10)),
    "gaps of 0.3": tuple(0.3 * i for i in range(10)),
    "gaps of 1": tuple(1.0 * i for i in range(10)),
}
"""Configurations of ten submissions: how much better each is than the worst, as `rank_set_coverage` counts it."""

_FAMILY = 10
"""How many submissions a family has."""

OF_TASK_SETS = ("stated", "valid")
"""In the place of a test, of a task set: the tests that its profile states part by part, or its valid rules."""


@frozen(kw_only=True)
class Question:
    """One cell of the page.

    `test`, `metric`: names of components, with parameters; of a task set one of `OF_TASK_SETS` and its profile.
    `law`: the name of a law, or of answers of real submissions.
    `correction`: empty for a pair of submissions; else for a family of ten.
    `gaps`: a key of `GAPS`: how often all rank sets hold the true ranks. Needs a correction.
    """

    test: str
    metric: str
    law: str
    units: int
    runs: int
    correction: str = ""
    gaps: str = ""
    resample: str = "unit"
    seed: int = 0


QUESTION = tuple(attribute.name for attribute in attrs.fields(Question))
"""The columns that tell the rows of the file apart."""


@frozen(kw_only=True)
class Row(Question):
    """A cell with its answer: what was measured.

    `rejected`: of the data sets: true null hypotheses rejected, of a family those with any false claim.
    `undefined`: the share of data sets in which the test was undefined.
    `covered`: Intervals that hold the true score; None if the test gives none, if a family was tested, or if the law
      has no true score in common. With `gaps`: data sets in which all rank sets hold the true ranks.
    """

    submissions: int
    rejected: Share
    undefined: float
    covered: Share | None


def answer(question: Question, registry: Registry, given: Mapping[str, Law] = MappingProxyType({})) -> Row:
    """Measure one cell of the page; `given`: laws from data, by name."""
    profile = _profile(question, registry) if question.test in OF_TASK_SETS else None
    metric = question.metric if profile is None else resolve(profile, registry, reads=False).parts[0].rule.metric
    simulation = Simulation(
        metric=registry.get(Metric, metric),
        law=given[question.law] if question.law in given else find_law(question.law),
        units=question.units,
        submissions=_FAMILY if question.correction else 2,
        runs=question.runs,
        resample=question.resample,
        seed=question.seed,
    )
    if profile is not None:
        rate = error_rate_of_task_set(simulation, profile, registry)
    else:
        rate = _answer_of_test(question, simulation, registry)
    rates = attrs.asdict(rate, recurse=False)
    return Row(**attrs.asdict(question), submissions=simulation.submissions, **rates)


def _profile(question: Question, registry: Registry) -> Profile:
    tested = [] if question.test == "stated" else [f"test={question.test}"]
    family = f"correction={question.correction or 'none'}"
    return choose_profile(question.metric, [*tested, "sided=two", family, "interval="], registry)


def _answer_of_test(question: Question, simulation: Simulation, registry: Registry) -> ErrorRate:
    test = registry.get(SignificanceTest, question.test)
    if not question.correction:
        return error_rate_of_pairs(test, simulation)
    correction = registry.get(Correction, question.correction)
    if not question.gaps:
        return error_rate_of_family(test, correction, simulation)
    covered = rank_set_coverage(test, correction, simulation, GAPS[question.gaps])
    return ErrorRate(rejected=Share(math.nan, math.nan), undefined=0.0, covered=covered)


def answers(
    questions: Sequence[Question], path: Path, registry: Registry, given: Mapping[str, Law] = MappingProxyType({})
) -> Iterator[Row]:
    """Yield the answers, those in the file first; write each new one into the file as soon as it is there."""
    answered = {question_of(row): row for row in read_answers(path)} if path.exists() else {}
    for question in questions:
        if question not in answered:
            answered[question] = answer(question, registry, given)
            write_answers(path, list(answered.values()))
        yield answered[question]


def question_of(row: Row) -> Question:
    """Return the question that a row answers."""
    return Question(**{name: getattr(row, name) for name in QUESTION})


def read_answers(path: Path) -> list[Row]:
    """Read the rows of a file that `write_answers` wrote."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [_row(line) for line in csv.DictReader(lines, delimiter="\t")]


def _row(line: Mapping[str, str]) -> Row:
    said = {name: line[name] for name in QUESTION}
    numbers = {name: int(line[name]) for name in ("units", "runs", "seed", "submissions")}
    return Row(
        **{**said, **numbers},
        undefined=float(line["undefined"]),
        rejected=_share(line, "rejected"),
        covered=_share(line, "covered") if line["covered"] else None,
    )


def _share(line: Mapping[str, str], name: str) -> Share:
    value, error, runs, truth = (line[column] for column in (name, f"{name} error", f"{name} runs", f"{name} truth"))
    return Share(float(value), float(error), int(runs), float(truth))


def write_answers(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as tab-separated values, ordered by their questions; both ends of an interval are Wilson's."""
    ordered = sorted(rows, key=lambda row: attrs.astuple(question_of(row)))
    with path.open("w", encoding="utf-8", newline="") as lines:
        written = csv.DictWriter(lines, list(_cells(ordered[0])), delimiter="\t", lineterminator="\n")
        written.writeheader()
        written.writerows(map(_cells, ordered))


def _cells(row: Row) -> dict[str, object]:
    return {
        **{name: getattr(row, name) for name in (*QUESTION, "submissions")},
        **_cells_of_share("rejected", row.rejected),
        "undefined": row.undefined,
        **_cells_of_share("covered", row.covered),
    }


def _cells_of_share(name: str, share: Share | None) -> dict[str, object]:
    columns = [name, *(f"{name} {of}" for of in ("low", "high", "error", "runs", "truth"))]
    if share is None:
        return dict.fromkeys(columns, "")
    low, high = (f"{end:.4f}" for end in share.interval())
    return dict(zip(columns, (share.value, low, high, share.error, share.runs, share.truth), strict=True))
