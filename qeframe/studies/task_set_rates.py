"""How often the overall test of a task set rejects a true null hypothesis: whole evaluations of simulated task sets."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import partial

import numpy as np
from attrs import evolve, frozen

from qeframe.api.evaluate import evaluate
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError, DataError, ResultWarning
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Submission, Task
from qeframe.extensions.null_model import NullModel
from qeframe.studies.error_rates import ErrorRate, rate_of_claims
from qeframe.studies.simulation import Simulation

_PAIRS = ("en-de", "he-en", "zh-en")
"""The language pairs of a set whose profile names none."""


@frozen(kw_only=True)
class TaskSetSimulation:
    """What is simulated: a task set whose parts all score the same data of a language pair.

    `profile`: with parts, whose metrics all score the kind of batch that the null model draws. `units`, `submissions`,
    `runs`, `seed`: See `Simulation`; each language pair has as many units. Raises DataError if the profile has no
    parts, or a part scores another kind of batch.
    """

    profile: Profile
    null: NullModel
    units: int
    submissions: int = 2
    runs: int = 1000
    seed: int = 0

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

    @property
    def parts(self) -> list[range]:
        """The numbers of the data sets in pieces of work."""
        return [range(start, min(start + 5, self.runs)) for start in range(0, self.runs, 5)]


def task_set_rate(
    simulation: TaskSetSimulation, registry: Registry, *, alpha: float = 0.05, runner: Runner | None = None
) -> ErrorRate:
    """Measure how often a test of the overall score claims a difference between equal submissions.

    `simulation`: its profile states the test, the side and the correction. A one-sided test is that of the submission
    with the better score, as in the evaluation of a task. `alpha`: in (0, 1). Result: `rejected` is the share of data
    sets with an adjusted p that is not larger than alpha for any pair. Raises DataError if the profile has no parts, or
    they do not fit the null model. Raises CapabilityError if the overall score has no test.
    """
    if not 0 < alpha < 1:
        raise DataError(f"alpha must lie between 0 and 1, not {alpha}", remedy="common values are 0.05 and 0.01")
    work = partial(_least_p, simulation, registry)
    least = np.array([p for part in (runner or Runner()).imap(work, simulation.parts) for p in part])
    return rate_of_claims(np.where(np.isnan(least), np.nan, least <= alpha))


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
