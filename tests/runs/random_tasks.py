"""Whole tasks and rules, drawn by Hypothesis: for each kind of batch, what organizers hand in on a bad day."""

from collections.abc import Sequence
from typing import Any

import attrs
from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.core.batch_kind import BatchKind
from qeframe.core.metric import Metric
from qeframe.core.ranking import RankingRule
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction
from qeframe.core.task import Dropped, Submission, Task

NAMES = (
    "plain",
    "Plain",
    "with space",
    "  blanks around  ",
    "<blink>bold</blink> & \"quoted\" 'name'",
    "</script><script>alert(1)</script>",
    "a|b*c_d`e$f#g~h^i\\j{k}%l",
    "e\u0301tude",  # a combining mark
    "\u00e9tude",  # the same in one character
    "\u05de\u05d1\u05d7\u05df",  # from right to left
    "\u0627\u062e\u062a\u0628\u0627\u0631",
    "\u8bc4\u4f30\u7cfb\u7edf",
    "\U0001f469\u200d\U0001f52c\U0001f3c6",
    "a-very-long-name-" * 8,
    "=1+1",
    "-",
    "[1]",
    "baseline",
)
"""Names of submissions."""

TASKS = ("en-de", "zh-en", "task <1>", "\u05e2\u05d1-en")

ALWAYS = ("default", "", "bootstrap(draws=40)", "bootstrap_t(draws=40)", "randomization(draws=40)")
"""Tests that work on nearly every kind of batch."""

SOMETIMES = ("permutation(draws=40)", "sign", "t_test", "two_way_jackknife", "wilcoxon", "williams")
INTERVALS = ("default", "", "bootstrap(draws=40)", "jackknife")


@frozen
class WholeTask:
    """What a run is given: the text of a profile, the tasks that its reader would return, and further options."""

    profile: str
    tasks: tuple[Task, ...]
    options: tuple[str, ...]


def _kinds_with_metrics(registry: Registry, kinds: Sequence[BatchKind]) -> list[tuple[BatchKind, list[str]]]:
    """Pair each kind that can be drawn with the names of its metrics."""
    metrics = registry.all(Metric)
    paired = [
        (kind, [metric.name for metric in metrics if issubclass(kind.batch, metric.kind)])
        for kind in kinds
        if kind.submissions is not None
    ]
    return [(kind, names) for kind, names in paired if names]


def whole_tasks(registry: Registry, kinds: Sequence[BatchKind]) -> SearchStrategy[WholeTask]:
    """Draw one to four tasks of one kind of batch, with teams that took part in some of them, and the rules."""
    cases = _kinds_with_metrics(registry, kinds)

    @st.composite
    def drawn(draw: DrawFn) -> WholeTask:
        return _drawn(draw, registry, *cases[draw(st.integers(0, len(cases) - 1))])

    return drawn()


def _drawn(draw: DrawFn, registry: Registry, kind: BatchKind, metrics: Sequence[str]) -> WholeTask:
    names = draw(st.lists(st.sampled_from(TASKS), min_size=1, max_size=4, unique=True))
    teams = draw(st.lists(st.sampled_from(NAMES), max_size=12, unique=True))
    resample = draw(st.sampled_from(["unit", "document"]))
    tasks = tuple(draw(_task(kind, name, teams, resample != "unit")) for name in names)
    primary, *secondary = draw(st.lists(st.sampled_from(metrics), min_size=1, max_size=3, unique=True))
    rules = {
        "title": draw(st.sampled_from(["A task", "<marquee>A</marquee> & B | _c_"])),
        "reader": "drawn",
        "primary": primary,
        "secondary": secondary,
        "across": draw(st.sampled_from(["mean", "mean", "average_rank", "pooled", "weighted", "share_better"])),
        "within": draw(st.sampled_from(["micro", "micro", "micro", "macro(by=document)"])),
        "resample": resample,
        "interval": draw(st.sampled_from(INTERVALS)),
        "test": draw(st.sampled_from(ALWAYS if draw(st.integers(0, 4)) else SOMETIMES)),
        "sided": draw(st.sampled_from(["", "one", "two"])),
        "correction": draw(st.sampled_from(["default", *registry.names(Correction)])),
        "ranking": draw(st.sampled_from(registry.names(RankingRule))),
        "baselines": ["baseline"],
    }
    options = draw(st.lists(st.sampled_from(_OPTIONS), unique=True, max_size=3))
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in rules.items())
    return WholeTask(text, tasks, tuple(word for option in options for word in option))


_OPTIONS = (("--explain",), ("--detectable",), ("--influence", "3"), ("--equivalence", "0.1"), ("--with-attacks",))


@st.composite
def _task(draw: DrawFn, kind: BatchKind, name: str, teams: Sequence[str], grouped: bool) -> Task:
    """Draw one task: some of the teams on the same units, in groups or without, with something left out or nothing."""
    assert kind.submissions is not None
    present = [team for team in teams if draw(st.integers(0, 4))]
    if not present:
        return Task(name=name, batches={}, counts={"units": 7}, unanswered=(7, "segment"))
    batches: Sequence[Any] = draw(kind.submissions(submissions=len(present), max_units=draw(st.integers(2, 12))))
    units = len(batches[0])
    answered = {
        Submission(team, "baseline" if team == "baseline" else "real"): batch
        for team, batch in zip(present, batches, strict=True)
    }
    groups = {}
    if grouped or draw(st.booleans()):
        labels = st.sampled_from(["a document", "<blink>", "\u6587"])
        groups["document"] = tuple(draw(st.lists(labels, min_size=units, max_size=units)))
    task = Task(name=name, batches=answered, groups=groups)
    if draw(st.booleans()):
        return task
    left_out = Dropped(name, "unit", 3, "no <gold> value | none")
    return attrs.evolve(task, dropped=(left_out,), names={int(batches[0].ids[0]): "<unit & name>"})


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
