"""The answers of a submission, entered as values, are its answers again, whatever the reader and the kind of batch."""

import numpy as np
import pandas
import pytest

import qeframe
from qeframe.api.entered.given import Entering
from qeframe.core.components.reader import ExampleRequest, Reader
from qeframe.core.tasks.task import Submission
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.preferences.batch import Preferences
from qeframe.kinds.scores.batch import Values
from qeframe.kinds.tags.batch import Tags

REGISTRY = qeframe.load()


def first_profiles():
    """Return the first profile of every reader."""
    by_reader = {}
    for name in sorted(REGISTRY.profiles):
        rules = qeframe.find_profile(name, REGISTRY)
        reader = REGISTRY.get(Reader, rules.reader)
        if reader.example and not rules.parts:
            by_reader.setdefault(reader.name.partition("(")[0], name)
    return list(by_reader.values())


def plain(batch):
    """Return the answers of a batch as the values that a user has."""
    if isinstance(batch, Tags):
        return [[batch.classes[code] for code in row] for row in batch.predicted]
    found = REGISTRY.find_kind(type(batch)).plain(batch)["predicted"]
    if isinstance(batch, Preferences):
        return [words.split() for words in found]
    return found if hasattr(batch, "after") or not isinstance(batch.predicted, np.ndarray) else batch.predicted


def framed(task, batch, answers):
    """Return the answers as a shuffled frame of labels, where units have names and an answer is one cell of a frame."""
    names = [task.unit_name(unit) for unit in batch.ids]
    if isinstance(batch, Grid):
        index = pandas.Index(names, name="segment")
        return pandas.DataFrame(batch.predicted, index=index, columns=task.systems).sample(frac=1, random_state=3)
    frame = pandas.DataFrame({"segment": names, "score": list(answers)})
    return frame.sample(frac=1, random_state=3)


@pytest.mark.parametrize("profile", first_profiles())
def test_answers_are_entered_again(profile, tmp_path):
    rules = qeframe.choose_profile(profile)
    reader = REGISTRY.get(Reader, rules.reader)
    root = reader.write_example(tmp_path, ExampleRequest(baselines=rules.baselines, best=rules.best))
    tasks = [task for task in qeframe.read_tasks(rules, root) if task.batches]
    of_tasks = {task.name: next(iter(task.batches.items())) for task in tasks}
    given = {name: plain(batch) for name, (_, batch) in of_tasks.items()}
    frames = {task.name: framed(task, of_tasks[task.name][1], given[task.name]) for task in tasks}
    labeled = issubclass(reader.kind, (Values, Grid, Tags)) and "post_edits" not in reader.kind.__module__
    for value in (given, frames) if labeled else (given,):
        for source in (None, tasks):
            found = (
                qeframe.read_tasks(rules, root, enter={"copy": value})
                if source is None
                else Entering.of({"copy": value}, REGISTRY).in_tasks(tasks)
            )
            for task in (task for task in found if task.batches):
                _, batch = of_tasks[task.name]
                copy = task.batches[Submission("copy", "entered")]
                assert repr(plain(copy)) == repr(plain(batch)), (profile, task.name)
