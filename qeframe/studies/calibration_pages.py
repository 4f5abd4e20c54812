"""What the calibration page of a test asks, and its answers in a file that grows as they are found."""

import json
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs
from attrs import frozen

from qeframe.api.read import names_profile
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import plain_values
from qeframe.core.resampling.parallel import Runner
from qeframe.extensions.null_model import NullModel
from qeframe.studies.calibration import CalibrationRow, calibrate, calibrate_task_set, no_null_models
from qeframe.studies.error_rates import rank_set_coverage
from qeframe.studies.simulation import Share, Simulation, has_values

PAGE_UNITS = (20, 50, 200, 1000)
"""The numbers of units of a page."""

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

FROM_DATA = "answers of "
"""How the names of null models from data begin."""

_CORRECTIONS = ("holm", "romano_wolf")


@frozen(kw_only=True)
class Question:
    """One cell of a calibration page.

    `test`, `metric`, `null`: names of components, with parameters; of a task set its profile in the place of the
      metric: see `calibrate_task_set`.
    `correction`: empty for a pair of submissions; else for a family of ten.
    `gaps`: a key of `GAPS`: how often all rank sets hold the true ranks. Needs a correction.
    `settings`: changed rules of the profile of a task set, with spaces between.
    """

    test: str
    metric: str
    null: str
    units: int
    runs: int
    correction: str = ""
    gaps: str = ""
    resample: str = "unit"
    seed: int = 0
    settings: str = ""

    @property
    def command(self) -> str:
        """The command that measures the cell; that of rank sets measures all of their page.

        A null model from data has ``--from PROFILE PATH`` in place of its name.
        """
        family = {"--correction": self.correction, "--submissions": _FAMILY} if self.correction else {}
        options = {
            **({"--from": "PROFILE PATH"} if self.null.startswith(FROM_DATA) else {"--null": self.null}),
            "--units": self.units,
            "--runs": self.runs,
            **({"--page": "FILE"} if self.gaps else family),
            **({"--resample": self.resample} if self.resample != "unit" else {}),
            "--seed": self.seed,
        }
        words = [word for name, value in options.items() for word in (name, str(value))]
        words = [part for word in words for part in (word.split() if word == "PROFILE PATH" else [word])]
        changed = [word for setting in self.settings.split() for word in ("--set", setting)]
        return shlex.join(["qeframe", "calibrate", self.test, self.metric, *words, *changed])


def page_questions(
    test: SignificanceTest,
    metric: Metric,
    nulls: Sequence[NullModel],
    *,
    units: Sequence[int] = PAGE_UNITS,
    runs: int = 2000,
    seed: int = 0,
) -> list[Question]:
    """Return what the page of a test asks under one metric.

    Pairs on every null model and number of units. Families of ten, with 50 to 200 units, where the submissions can be
    exchanged and all data sets have the same true score. Rank sets there too: of means with 100 units, of correlations
    with 400.

    Raises DataError if there is no null model.
    """
    if not nulls:
        raise no_null_models(metric)
    common: dict[str, Any] = {"test": test.name, "metric": metric.name, "runs": runs, "seed": seed}
    asked = [Question(null=null.name, units=size, **common) for null in nulls for size in units]
    for null in nulls:
        exchangeable = not null.equal_under and null.one_truth
        for correction in _CORRECTIONS if exchangeable else ():
            asked += [Question(null=null.name, units=size, correction=correction, **common) for size in (50, 100, 200)]
        size = 100 if has_values(metric) else 400 if metric.vectors else 0
        if size and exchangeable:
            asked += [
                Question(null=null.name, units=size, correction="romano_wolf", gaps=name, **common) for name in GAPS
            ]
    return asked


def answer(
    question: Question,
    registry: Registry,
    runner: Runner | None = None,
    given: Mapping[str, NullModel] = MappingProxyType({}),
) -> CalibrationRow:
    """Measure one cell of a page.

    `given`: Null models from data, by name, beside those of the registry. Raises DataError if a component is unknown,
    or the null model does not fit the metric.
    """
    if names_profile(question.metric, registry):
        return _answer_of_task_set(question, registry, runner)
    test, metric = registry.get(SignificanceTest, question.test), registry.get(Metric, question.metric)
    null = given[question.null] if question.null in given else registry.get(NullModel, question.null)
    correction = registry.get(Correction, question.correction) if question.correction else None
    if not question.gaps:
        (row,) = calibrate(
            test,
            metric,
            [null],
            units=(question.units,),
            submissions=_FAMILY,
            runs=question.runs,
            correction=correction,
            resample=question.resample,
            seed=question.seed,
            runner=runner,
        )
        return row
    if question.gaps not in GAPS or correction is None:
        gaps = ", ".join(GAPS)
        raise DataError(f"no rank sets of '{question.gaps}'", remedy=f"give a correction and one of: {gaps}")
    simulation = Simulation(
        metric=metric,
        null=null,
        units=question.units,
        resample=question.resample,
        runs=question.runs,
        seed=question.seed,
    )
    covered = rank_set_coverage(test, correction, simulation, GAPS[question.gaps], runner=runner)
    return CalibrationRow(
        test=test.name,
        metric=metric.name,
        null=null.name,
        units=question.units,
        submissions=len(GAPS[question.gaps]),
        runs=question.runs,
        correction=correction.name,
        alpha=0.05,
        sided="two",
        rejected=Share(math.nan, math.nan),
        undefined=0.0,
        covered=covered,
        resample=question.resample,
        seed=question.seed,
        gaps=question.gaps,
    )


def _answer_of_task_set(question: Question, registry: Registry, runner: Runner | None) -> CalibrationRow:
    (row,) = calibrate_task_set(
        question.test,
        question.metric,
        [registry.get(NullModel, question.null)],
        registry,
        units=(question.units,),
        submissions=_FAMILY,
        runs=question.runs,
        correction=question.correction,
        settings=question.settings.split(),
        seed=question.seed,
        runner=runner,
    )
    return row


def answers(
    questions: Sequence[Question],
    path: Path,
    registry: Registry,
    runner: Runner | None = None,
    given: Mapping[str, NullModel] = MappingProxyType({}),
) -> Iterator[CalibrationRow]:
    """Yield the answers, those in the file first; write each new one into the file as soon as it is there."""
    answered = {question_of(row): row for row in read_answers(path)} if path.exists() else {}
    for question in questions:
        named = _named(question, registry, given)
        if named not in answered:
            answered[named] = answer(question, registry, runner, given)
            write_answers(path, list(answered.values()))
        yield answered[named]


def question_of(row: CalibrationRow) -> Question:
    """Return the question that a row answers."""
    return Question(**{attribute.name: getattr(row, attribute.name) for attribute in attrs.fields(Question)})


def _named(question: Question, registry: Registry, given: Mapping[str, NullModel]) -> Question:
    """Return the question with the names that components have in rows."""
    if names_profile(question.metric, registry):
        return attrs.evolve(question, null=registry.get(NullModel, question.null).name)
    return attrs.evolve(
        question,
        test=registry.get(SignificanceTest, question.test).name,
        metric=registry.get(Metric, question.metric).name,
        null=question.null if question.null in given else registry.get(NullModel, question.null).name,
        correction=registry.get(Correction, question.correction).name if question.correction else "",
    )


def read_answers(path: Path) -> list[CalibrationRow]:
    """Read the rows of a file that `write_answers` wrote.

    Raises DataError if the file is none of these.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))["rows"]
        fields = [{key: value for key, value in row.items() if key != "command"} for row in stored]
        return [
            CalibrationRow(**{**row, "rejected": _share(row, "rejected"), "covered": _share(row, "covered")})
            for row in fields
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path} holds no measured rates", remedy="give a file that this command wrote") from error


def _share(row: Mapping[str, Any], key: str) -> Share | None:
    """Return a share of a stored row; files that lack its number of data sets have it in the standard error."""
    stored = row[key]
    if stored is None:
        return None
    value, error = (math.nan if stored[part] is None else float(stored[part]) for part in ("value", "error"))
    runs = stored.get("runs", value * (1 - value) / error**2 if error > 0 else row["runs"] * (1 - row["undefined"]))
    return Share(value, error, 0 if math.isnan(value) else round(runs), float(stored.get("truth", 0.0)))


def write_answers(path: Path, rows: Sequence[CalibrationRow]) -> None:
    """Write rows as JSON, a line each with its command, ordered by their questions."""
    ordered = sorted(rows, key=lambda row: attrs.astuple(question_of(row)))
    stored = [{"command": question_of(row).command, **plain_values(row)} for row in ordered]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in stored)
    path.write_text(f'{{"rows": [\n{lines}\n]}}\n', encoding="utf-8")
