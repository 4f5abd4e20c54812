"""What a scoring program is told, in the file ``competition.json`` beside it: columns, places of files, and rules.

A column of a leaderboard is a metric of the profile over all tasks, or in one of them. The layout says which files are
the gold that goes into a bundle, and where the files of a submission are put beside it.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Aggregation, DataError
from qeframe.plugin.calls import QeframeError
from qeframe.plugin.competitions import Profile, Registry, aggregate, gold_folders
from qeframe.plugin.readers import Reader, SubmissionFormat, visible
from qeframe.plugin.results import ResolvedProfile, canonical_json, choose_profile


@frozen(kw_only=True)
class ScoreColumn:
    """A column of a leaderboard, and the score in it."""

    key: str  # in ``scores.json``: lower-case letters, digits and underscores
    metric: str  # with its parameters
    task: str = ""  # empty: over all tasks
    higher_is_better: bool = True
    primary: bool = False  # whether the metric is the one that ranks submissions

    @property
    def title(self) -> str:
        """The heading: the task, if there is one, and the metric."""
        return f"{self.task} {self.metric}".strip()


def is_of_one(aggregation: Aggregation) -> bool:
    """Return whether the result of a submission over all tasks depends on its own scores alone: not an average rank."""
    one_submission = np.array([[0.2, 0.6, 0.3]])
    among = np.concatenate([one_submission, [[0.1, 0.9, 0.5], [0.4, 0.5, 0.1]]])
    weights = np.ones(3)
    single, several = (aggregate(aggregation, scores, weights, True)[0] for scores in (one_submission, among))
    return bool(np.isclose(single, several))


def score_columns(resolved: ResolvedProfile, tasks: Sequence[str]) -> list[ScoreColumn]:
    """Return all columns: for each metric the score over all tasks, then the scores of each task.

    A profile with one task has its columns alone. So has one whose scores over all tasks depend on other submissions:
    a platform scores each submission by itself.
    """
    metrics = [(metric, nth == 0) for nth, metric in enumerate(resolved.metrics)]
    columns = []
    if len(tasks) > 1 and is_of_one(resolved.across):
        better = resolved.across.higher_is_better
        columns = [
            ScoreColumn(
                key=_key(m.name),
                metric=m.name,
                higher_is_better=m.higher_is_better if better is None else better,
                primary=p,
            )
            for m, p in metrics
        ]
    columns += [
        ScoreColumn(
            key=_key(f"{task}_{m.name}" if len(tasks) > 1 else m.name),
            metric=m.name,
            task=task if len(tasks) > 1 else "",
            higher_is_better=m.higher_is_better,
            primary=p,
        )
        for task in tasks
        for m, p in metrics
    ]
    return _distinct(columns)


def _key(text: str) -> str:
    return re.sub("[^a-z0-9]+", "_", text.lower()).strip("_") or "score"


def _distinct(columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """Return the columns with keys that differ: a number is added to one that another column has."""
    taken: set[str] = set()
    titles = []
    for column in columns:
        keys = (column.key if n == 1 else f"{column.key}_{n}" for n in range(1, len(columns) + 1))
        key = next(key for key in keys if key not in taken)
        taken.add(key)
        titles.append(attrs.evolve(column, key=key))
    return titles


SUBMISSIONS = "submissions"


@frozen
class Layout:
    """Where submissions are in the folder that a reader reads: in folders of tasks, or in a shared one."""

    # a submission has one file for each, which is put into the folder ``submissions`` in it
    folders: tuple[str, ...] = ()
    # such as ``metric-scores``; a submission has the files that are put into it, under their own names
    shared: str = ""
    gold: str = ""  # the name of the file of the gold in the folder of a task; empty: it begins with gold

    def is_gold(self, path: str) -> bool:
        """Return whether a file of a bundle, by its path, is the gold of a task with a folder of its own."""
        _, *inner = PurePosixPath(path).parts
        return len(inner) == 1 and (inner[0] == self.gold if self.gold else inner[0].startswith("gold"))

    def folders_in(self, root: Path) -> list[Path]:
        """Return the folders of tasks in the folder of a gold."""
        return gold_folders(root, gold=self.gold)


def submission_format(reader: Reader) -> SubmissionFormat:
    """Return how the reader reads a submission alone; raise a `DataError` if it cannot."""
    if reader.submission is None:
        what = f"the reader '{reader.name}' reads no file of one submission"
        raise DataError(what, remedy="choose a profile whose tasks have files of gold and files of submissions")
    return reader.submission


def find_layout(reader: Reader, gold: Path) -> Layout:
    """Return where the submissions are in the folder of a gold; raise a `DataError` if no gold is there."""
    form = submission_format(reader)
    if form.folder:
        visible(gold)
        return Layout(shared=form.folder)
    folders = gold_folders(gold, gold=form.gold)
    return Layout(folders=tuple(folder.resolve().name for folder in folders), gold=form.gold)


def reference_files(layout: Layout, gold: Path) -> dict[str, Path]:
    """Return the files of the gold by the path that they have in a bundle: all visible ones but the submissions."""
    if layout.shared:
        return _below(gold, "", layout.shared)
    folders = layout.folders_in(gold)
    return {
        name: path
        for folder in folders
        for name, path in _below(folder, f"{folder.resolve().name}/", SUBMISSIONS).items()
    }


def _below(folder: Path, prefix: str, without: str) -> dict[str, Path]:
    below: dict[str, Path] = {}
    for entry in visible(folder):
        if entry.is_dir() and entry.name != without:
            below |= _below(entry, f"{prefix}{entry.name}/", "")
        elif not entry.is_dir():
            below[prefix + entry.name] = entry
    return below


def place(layout: Layout, files: Mapping[str, Path], root: Path) -> dict[Path, str]:
    """Copy files of a submission, by task or by path in the shared folder, beside the gold in a folder.

    Return the key in `files` of every file that was made.
    """
    placed = {}
    for name, source in files.items():
        target = root / layout.shared / PurePosixPath(name) if layout.shared else _in_task(root / name, source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        placed[target] = name
    return placed


def write_files(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths below a folder."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def _in_task(folder: Path, source: Path) -> Path:
    """Return the place in the folder of a task. The name says nothing: authors choose the names of their files."""
    ending = source.suffix if source.suffix.isascii() and source.suffix[1:].isalnum() else ".txt"
    return folder / SUBMISSIONS / f"submission{ending[:12]}"


SETTINGS_FILE = "competition.json"
PROFILE_FILE = "profile.toml"  # the name that a profile of the organizers has beside the scoring program


@frozen(kw_only=True)
class Competition:
    """The settings of a scoring program."""

    title: str
    profile: str  # a registered name, or `PROFILE_FILE`
    changed: tuple[str, ...] = ()  # rules that were changed, ``KEY=VALUE`` each
    layout: Layout
    tasks: tuple[str, ...]  # what a submission must answer, all of it
    tried: bool  # whether the gold was read with a submission, so that `tasks` are names of tasks, not of their folders
    columns: tuple[ScoreColumn, ...]  # all scores that are computed
    precision: int = 4  # scores are rounded to so many decimals before they leave the program
    hidden: bool = False  # whether participants see no scores
    pseudo_gold: str = ""  # the submission whose answers take the place of the gold; empty: none does
    inputs: tuple[str, ...] = ()  # tasks whose public input is beside the scoring program, in the folder ``inputs``
    largest: int = 100  # the bound on the size of a submission, in MiB

    def to_json(self) -> str:
        """Return the text of ``competition.json``."""
        return canonical_json(self)

    @classmethod
    def from_json(cls, text: str) -> "Competition":
        """Return the settings in a text of `to_json`."""
        values: dict[str, Any] = json.loads(text)
        lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
        columns = tuple(ScoreColumn(**column) for column in values["columns"])
        layout = Layout(**{**values["layout"], "folders": tuple(values["layout"]["folders"])})
        return cls(**{**values, **lists, "columns": columns, "layout": layout})


def read_competition(program: Path) -> Competition:
    """Read the settings in the folder of a scoring program."""
    try:
        return Competition.from_json((program / SETTINGS_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{SETTINGS_FILE} beside the scoring program cannot be read: {type(error).__name__}"
        raise QeframeError(f"{what}; make the bundle again") from error


def competition_rules(competition: Competition, program: Path, registry: Registry) -> Profile:
    """Return the rules by which one submission is scored.

    Nothing is compared, so that intervals, tests and metrics of the organizers are not computed.
    """
    given = competition.profile == PROFILE_FILE
    profile = choose_profile(
        str(program / PROFILE_FILE) if given else competition.profile, competition.changed, registry
    )
    return rules_of_one(profile)


def rules_of_one(profile: Profile) -> Profile:
    """Return the rules of a profile, one without parts, for a single submission.

    A unit that a submission lacks is an error where the profile would leave it out for all: an author could leave out
    what is difficult.
    """
    if profile.parts:
        what = f"the overall score of '{profile.name}' depends on the other submissions, a platform scores each alone"
        raise DataError(what, remedy="make a bundle of a profile without parts, such as that of one level")
    missing = "error" if profile.missing == "drop_for_all" else profile.missing
    return attrs.evolve(
        profile, interval="", test="", columns=(), computed=(), baselines=(), missing=missing, own=frozenset()
    )
