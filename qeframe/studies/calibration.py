"""The calibration of a test or a task set: its error rate and the coverage of its intervals, model by model."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from attrs import evolve, frozen

from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.errors import CapabilityError, DataError, ResultWarning
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Submission, Task
from qeframe.extensions.null_model import NullModel
from qeframe.studies.error_rates import ErrorRate, error_rate, rate_of_least_p, rates_of_pairs
from qeframe.studies.simulation import Drawn, Share, Simulation

_PAIRS = ("en-de", "he-en", "zh-en")
"""The language pairs of a set whose profile names none."""


@frozen(kw_only=True)
class TaskSetSimulation(Drawn):
    """What is simulated: a task set whose parts all score the same data of a language pair, each of as many units.

    `profile`: with parts, whose metrics all score the kind of batch that the null model draws. Raises DataError if the
    profile has no parts, or a part scores another kind of batch.
    """

    profile: Profile
    runs: int = 1000
    at_once: ClassVar[int] = 5

    def tasks(self, number: int, registry: Registry) -> list[Task]:
        """Return the tasks of one data set: those of each language pair, once for each selection of the parts."""
        rules = [part.rule for part in resolve(self.profile, registry, reads=False).parts]
        self._check([registry.get(Metric, rule.metric) for rule in rules])
        drawn = Simulation(
            metric=registry.get(Metric, rules[0].metric),
            null=self.null,
            units=self.units,
            submissions=self.submissions,
            runs=self.runs,
            seed=self.seed,
        )
        rng, tasks = drawn.rng(number), []
        for pair in dict.fromkeys(pair for rule in rules for pair in rule.pairs or _PAIRS):
            batches = self.null.draw(rng, self.units, self.submissions)
            answers = {Submission(f"s{nth + 1}"): batch for nth, batch in enumerate(batches)}
            selections = dict.fromkeys(rule.selection for rule in rules)
            tasks += [Task(name=pair, selection=selection, batches=answers) for selection in selections]
        return tasks

    def _check(self, metrics: Sequence[Metric]) -> None:
        if not metrics:
            raise DataError(f"profile '{self.profile.name}' has no parts", remedy="calibrate its metric")
        for metric in metrics:
            if not issubclass(self.null.kind, metric.kind):
                what = f"null model '{self.null.name}' draws {self.null.kind.__name__}"
                raise DataError(f"{what}; the part '{metric.name}' scores {metric.kind.__name__}")


def task_set_rate(
    simulation: TaskSetSimulation, registry: Registry, *, alpha: float = 0.05, runner: Runner | None = None
) -> ErrorRate:
    """Measure how often a test of the overall score claims a difference between equal submissions.

    `simulation`: its profile states the test, the side and the correction. A one-sided test is that of the submission
    with the better score, as in the evaluation of a task. `alpha`: in (0, 1). Result: `rejected` is the share of data
    sets with an adjusted p that is not larger than alpha for any pair. Raises DataError if the profile has no parts, or
    they do not fit the null model. Raises CapabilityError if the overall score has no test.
    """
    return rate_of_least_p(partial(_least_p, simulation, registry), simulation, alpha, runner)


def _least_p(simulation: TaskSetSimulation, registry: Registry, numbers: Sequence[int]) -> list[float]:
    """Return the smallest adjusted p of the overall score in each data set; NaN where none is defined."""
    profile = evolve(simulation.profile, valid={**simulation.profile.valid, "shown": False})
    least = []
    for number in numbers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResultWarning)
            evaluation = evaluate(profile, simulation.tasks(number, registry), seed=number, registry=registry)
        compared = [comparison for comparison in evaluation.comparisons if not comparison.task]
        if not compared:
            raise CapabilityError(f"profile '{profile.name}' has no test of its overall score")
        adjusted = [c.p_adjusted for c in compared if c.p_adjusted is not None and not math.isnan(c.p_adjusted)]
        least.append(min(adjusted, default=math.nan))
    return least


@frozen(kw_only=True)
class CalibrationRow:
    """What was measured under one null model with one number of units.

    `test`, `metric`, `null`: of a task set, `metric` is its profile, and `test` may be "stated" or "valid".
    `correction`: empty if single pairs were tested; else the error rate is that of any false claim in the family.
    `rejected`: of the data sets: true null hypotheses rejected.
    `undefined`: the share of data sets in which the test was undefined.
    `covered`: Intervals that hold the true score; None if the test gives none, if a family was tested, or if the null
      model has no true score in common. With `gaps`: data sets in which all rank sets hold the true ranks.
    `resample`: what was resampled and exchanged.
    `gaps`: the name of a configuration of unequal submissions whose rank sets were measured; else empty.
    `settings`: Rules of the profile of a task set that were changed, ``KEY=VALUE`` with spaces between.
    """

    test: str
    metric: str
    null: str
    units: int
    submissions: int
    runs: int
    correction: str
    alpha: float
    sided: Sided
    rejected: Share
    undefined: float
    covered: Share | None
    resample: str = "unit"
    seed: int = 0
    gaps: str = ""
    settings: str = ""


def null_models_of(metric: Metric, registry: Registry) -> list[NullModel]:
    """Return the null models, with default parameters, under which a metric can be measured."""
    return [
        null
        for null in registry.all(NullModel)
        if issubclass(null.kind, metric.kind) and (not null.equal_under or metric.name in null.equal_under)
    ]


def no_null_models(metric: Metric) -> DataError:
    """Return the error that no null model fits a metric."""
    return DataError(
        f"there is no null model for metric '{metric.name}'", remedy="a plugin can bring one: qeframe_null_models"
    )


def calibrate(
    test: SignificanceTest,
    metric: Metric,
    nulls: Sequence[NullModel],
    *,
    units: Sequence[int] = (50, 200),
    submissions: int = 2,
    runs: int = 2000,
    alpha: float = 0.05,
    sided: Sided = "two",
    leader: bool = False,
    correction: Correction | None = None,
    resample: str = "unit",
    seed: int = 0,
    runner: Runner | None = None,
) -> Iterator[CalibrationRow]:
    """Measure how often a test rejects true null hypotheses, and how often its intervals cover the true score.

    `nulls`: at least one.
    `units`: the numbers of units of a data set.
    `submissions`: with a correction: the size of the family. Without one, two submissions are compared.
    `runs`: Data sets for each null model and number of units.
    `alpha`: a p-value that is not larger rejects; intervals have confidence 1 - alpha.
    `leader`: whether the data choose the direction: the better submission is claimed to be better.
    `resample`: what is resampled and exchanged: "unit", or a grouping of the null model; "document/unit" draws within
      groups.

    Yields one for each null model and number of units, as soon as it is there. Raises DataError if there is no null
    model, or one does not fit the metric.
    """
    if not nulls:
        raise no_null_models(metric)
    for null in nulls:
        for size in units:
            simulation = Simulation(
                metric=metric,
                null=null,
                units=size,
                submissions=submissions if correction else 2,
                resample=resample,
                runs=runs,
                seed=seed,
            )
            if correction is None:
                rate, missed = rates_of_pairs(test, simulation, alpha=alpha, sided=sided, leader=leader, runner=runner)
            else:
                missed = None
                rate = error_rate(
                    test, simulation, alpha=alpha, sided=sided, leader=leader, correction=correction, runner=runner
                )
            yield CalibrationRow(
                test=test.name,
                metric=metric.name,
                null=null.name,
                units=size,
                submissions=simulation.submissions,
                runs=runs,
                correction="" if correction is None else correction.name,
                alpha=alpha,
                sided=sided,
                rejected=rate.rejected,
                undefined=rate.undefined,
                covered=None if missed is None else evolve(missed.rejected, value=1 - missed.rejected.value),
                resample=resample,
                seed=seed,
            )


STATED = "stated"
"""In the place of a test: the rules that the profile of a task set states."""


def calibrate_task_set(
    test: str,
    profile: str,
    nulls: Sequence[NullModel],
    registry: Registry,
    *,
    units: Sequence[int] = (50,),
    submissions: int = 2,
    runs: int = 1000,
    alpha: float = 0.05,
    sided: Sided = "two",
    correction: str = "",
    settings: Sequence[str] = (),
    seed: int = 0,
    runner: Runner | None = None,
) -> Iterator[CalibrationRow]:
    """Measure how often the overall test of a task set rejects true null hypotheses.

    `test`: the name of a test, "stated" for the tests that the profile states, part by part, or "valid" for its valid
      rules.
    `profile`: the name or the file of a profile with parts.
    `nulls`: of the kind of data that all parts score.
    `units`, `submissions`, `runs`, `alpha`, `seed`, `runner`: See `calibrate`; the units are those of each language
      pair.
    `sided`: one-sided is the test of the submission with the better score.
    `correction`: the name of a correction of the family; empty for two submissions.
    `settings`: further changed rules, such as "exchanges=joint".

    Raises DataError if the profile has no parts, or a null model does not fit them.
    """
    tested = [] if test == STATED else [f"test={test}"]
    rules = choose_profile(
        profile, [*tested, f"sided={sided}", f"correction={correction or 'none'}", "interval=", *settings], registry
    )
    for null in nulls:
        for size in units:
            simulation = TaskSetSimulation(
                profile=rules, null=null, units=size, submissions=submissions if correction else 2, runs=runs, seed=seed
            )
            rate = task_set_rate(simulation, registry, alpha=alpha, runner=runner)
            yield CalibrationRow(
                test=test,
                metric=profile,
                null=null.name,
                units=size,
                submissions=simulation.submissions,
                runs=runs,
                correction=correction,
                alpha=alpha,
                sided=sided,
                rejected=rate.rejected,
                undefined=rate.undefined,
                covered=None,
                seed=seed,
                settings=" ".join(settings),
            )
