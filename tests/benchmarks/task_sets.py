"""Row 16 of the formulations: the task set of WMT23 with its tests, against plain loops.

Run as ``python tests/benchmarks/task_sets.py``. Two language pairs of the size of WMT23 with 32 metrics: 496 pairs of
metrics, 7 parts, 1000 draws. The loop swaps the cells of two metrics and computes the score of each again. It is run
for some pairs and one draw of each part, and its time is scaled up. Exit status 1 if a target is missed.
"""

import os
import resource
import sys
import time
import warnings
from itertools import combinations

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does

import numpy as np

import qeframe
from qeframe.core.metric import Metric
from qeframe.core.profile_files import profile_from_toml
from qeframe.core.task import Submission, Task
from qeframe.kinds.grid.batch import Grid

LIMIT_SECONDS = 300

PAIRS = {"en-de": (460, 12), "he-en": (820, 13)}
METRICS, DRAWS, LOOPED = 32, 1000, 20
SECONDS, RATIO = 5.0, 100.0

RULES = """
reader = "mtme"
best = "high"
interval = ""
test = "permutation(draws=1000, unit=cell, standardize=true)"
sided = "one"
correction = "none"
strict = false
ranking = "clusters"
[[parts]]
metric = "pairwise_accuracy"
pool = true
weight = "pairs"
[[parts]]
metric = ["system_pearson", "segment_pearson"]
[[parts]]
metric = "acc_eq"
test = "permutation(draws=1000, unit=pair)"
"""


def tasks() -> list[Task]:
    """Draw a gold of small whole numbers and metrics of falling quality for each language pair."""
    made = []
    for nth, (name, (segments, systems)) in enumerate(PAIRS.items()):
        rng = np.random.default_rng(nth)
        gold = -rng.poisson(3.0, (segments, systems)).astype(np.float64)
        grids = [Grid.from_plain(gold, gold + rng.normal(0, 2 + k / 4, gold.shape)) for k in range(METRICS)]
        made.append(Task(name=name, batches={Submission(f"m{k}"): grid for k, grid in enumerate(grids)}))
    return made


def looped(made: list[Task], registry: qeframe.Registry) -> float:
    """Return the seconds that a loop over parts, pairs of metrics and draws would take."""
    total = 0.0
    rng = np.random.default_rng(0)
    for task in made:
        batches = list(task.batches.values())
        for name in ("pairwise_accuracy", "system_pearson", "segment_pearson", "acc_eq(calibrate=once)"):
            metric = registry.get(Metric, name)
            start = time.process_time()
            for a, b in list(combinations(range(METRICS), 2))[:LOOPED]:
                mask = rng.random(batches[a].gold.shape) < 0.5
                for batch in batches[a].swap_answers(batches[b], mask):
                    metric.bind(batch)(np.ones(len(batch)))
            total += (time.process_time() - start) / LOOPED * DRAWS * METRICS * (METRICS - 1) / 2
    return total


def main() -> int:
    """Print the figures and return the exit status."""
    warnings.simplefilter("ignore")
    registry = qeframe.load()
    made, rules = tasks(), profile_from_toml(RULES, "benchmark", "benchmark", registry)
    loop = looped(made, registry)
    start = time.process_time()
    qeframe.evaluate(rules, made, registry=registry)
    seconds = time.process_time() - start
    start = time.process_time()
    qeframe.evaluate(rules, made, settings=["test=valid"], registry=registry)
    valid = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = f"{seconds:.1f} s (at most {SECONDS:g}), loop {loop:,.0f} s, {loop / seconds:,.0f}x, {memory:.0f} MB"
    sys.stdout.write(f"row 16: {figures}\nby the valid rules, whole segments jointly: {valid:.1f} s\n")
    return int(seconds > SECONDS or loop / seconds < RATIO)


if __name__ == "__main__":
    sys.exit(main())
