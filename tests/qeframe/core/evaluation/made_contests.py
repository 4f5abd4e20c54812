"""Contests of generated submissions, on one task and on several."""

import numpy as np

from qeframe import Profile, Registry, Runner, Submission, Task
from qeframe.assembly.scoreboard import Scoreboard, scoreboard_of
from qeframe.core.contest import Contest
from qeframe.core.resolve import resolve
from qeframe.core.sample import Sample
from qeframe.plugin import FloatArray, Metric, Scores

NOISE = {"good": 0.7, "fair": 0.8, "poor": 2.0}


def made_task(name: str = "en-de", units: int = 40, seed: int = 0, noise: dict[str, float] = NOISE) -> Task:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    batches = {Submission(n): Scores.from_plain(gold, gold + s * rng.normal(size=units)) for n, s in noise.items()}
    return Task(name=name, batches=batches)


def profile(metric: str, **changes: object) -> Profile:
    rules = {"interval": "bootstrap(draws=50)", "test": "jackknife", **changes}
    return Profile(reader="none", primary=metric, **rules)


def scoreboard(registry: Registry, metric: str, tasks: list[Task], **changes: object) -> Scoreboard:
    resolved = resolve(profile(metric, **changes), registry, reads=False)
    made = scoreboard_of(resolved, tasks, 0, Runner())
    assert made is not None
    return made


def in_task(registry: Registry, metric: str, gold: object, answers: list[object]) -> Contest:
    chosen = registry.get(Metric, metric)
    batches = tuple(chosen.kind.from_plain(gold, answer) for answer in answers)
    return Contest.of(Sample(metrics=(chosen,), batches=batches, key=(1,)))


def resampled(sample: Sample, draws: int, scheme: str = "multinomial") -> FloatArray:
    """Return the scores of all metrics in every draw, (draws, metrics, submissions)."""
    return sample._draw(tuple(range(len(sample.metrics))), draws, scheme)


def without(task: Task, dropped: set[int]) -> Task:
    """Return a task without some units, by position."""
    size = task.units
    kept = np.array([i for i in range(size) if i not in dropped])
    return Task(name=task.name, batches={s: batch.take(kept) for s, batch in task.batches.items()})


def scores(registry: Registry, metric: str, tasks: list[Task]) -> FloatArray:
    return scoreboard(registry, metric, tasks).contests[0].oriented


def submissions(count: int = 3, units: int = 12, seed: int = 0) -> tuple[Scores, ...]:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    return tuple(Scores.from_plain(gold, gold + rng.normal(size=units)) for _ in range(count))
