"""Small task sets for the tests of this folder."""

import numpy as np

from qeframe import Submission, Task, profile_from_toml
from qeframe.core.resolve import resolve
from qeframe.kinds.grid.batch import Grid

RULES = """
reader = "mtme"
best = "high"
test = "permutation(draws=200, unit=cell, standardize=true)"
interval = ""
sided = "one"
correction = "none"
strict = false
ranking = "clusters"
"""

WMT23 = """
[[parts]]
metric = "pairwise_accuracy"
level = "system"
pool = true
weight = "pairs"
[[parts]]
metric = ["system_pearson", "segment_pearson"]
[[parts]]
metric = "acc_eq"
test = "permutation(draws=200, unit=pair)"
"""


def profile(registry, parts=WMT23, rules=RULES, **changed):
    """Return a profile of parts in TOML; changed rules replace those above."""
    lines = [line for line in rules.splitlines() if line.partition(" ")[0] not in changed]
    text = "\n".join([*lines, *(f"{key} = {value}" for key, value in changed.items()), parts])
    return profile_from_toml(text, "made.toml", "made", registry)


def resolved(registry, parts=WMT23, **changed):
    return resolve(profile(registry, parts, **changed), registry, reads=False)


def grids(seed, segments, systems, submissions):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.normal(size=(segments, systems)) + np.linspace(0, 1, systems))
    noise = [rng.normal(size=gold.shape) * (0.5 + 0.3 * nth) for nth in range(submissions)]
    return gold, [np.round(2 * (gold + each)) / 2 for each in noise]


def task(name, seed=0, segments=8, systems=4, submissions=3, selection="", absent=()):
    gold, predicted = grids(seed, segments, systems, submissions)
    batches = {
        Submission(f"m{nth}"): Grid(ids=np.arange(segments), gold=gold, predicted=scores)
        for nth, scores in enumerate(predicted)
        if f"m{nth}" not in absent
    }
    counts = {"systems": systems, "system_pairs": systems * (systems - 1) // 2}
    return Task(name=name, batches=batches, counts=counts, selection=selection)


def two_pairs(**kwargs):
    return [task("en-de", 1, 8, 4, **kwargs), task("he-en", 2, 7, 5, **kwargs)]
