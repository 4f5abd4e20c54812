"""The scoring program: the files of one submission are put beside the gold, and evaluated as ``qeframe run`` does."""

import json
import math
import os
import shutil
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
from attrs import field, frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import QeframeError, counted, one_line
from qeframe.plugin.report import Cell, Column, Table, tables_page
from qeframe.plugin.results import Evaluation, evaluate
from qeframe_codabench.submission_files import file_of_each, files_in_shared, missing_tasks, read_handed_in

PROFILE, SETTINGS = "profile.toml", "competition.json"
SUBMISSIONS = "submissions"  # in the folder of a task


class RefusedError(QeframeError):
    """A submission that cannot be scored; the message is one line for its author."""


class UnusableReferenceError(QeframeError):
    """A gold that cannot be used; the message is one line that says nothing of what it holds."""


def _names(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(values)


@frozen(kw_only=True)
class Competition:
    """What a scoring program is told, in the file ``competition.json`` beside it."""

    title: str
    shared: str = ""  # the folder with the answers to all tasks, such as ``metric-scores``; empty: tasks have folders
    folders: tuple[str, ...] = field(default=(), converter=_names)  # of tasks; in the shared one those of a submission
    tasks: tuple[str, ...] = field(default=(), converter=_names)  # what a submission must answer, all of it
    over_tasks: bool = True  # whether the score over all tasks depends on the submission alone
    precision: int = 4  # scores are rounded to so many decimals before they leave the program
    hidden: bool = False  # whether participants see no scores
    largest: int = 100  # the bound on the size of a submission, in MiB
    python: str = ""  # the version of Python that the packages beside the program are for

    def to_json(self) -> str:
        """Return the text of ``competition.json``."""
        return json.dumps(attrs.asdict(self), indent=1) + "\n"

    def place(self, where: str, source: Path) -> Path:
        """Return where a file of a submission lies beside the gold: names that authors choose say nothing there."""
        if self.shared:
            return Path(self.shared, where)
        ending = source.suffix if source.suffix.isascii() and source.suffix[1:].isalnum() else ".txt"
        return Path(where, SUBMISSIONS, f"submission{ending[:12]}")


@frozen(kw_only=True)
class ScoreColumn:
    """A score of a submission: of a metric over all tasks, or in one of them."""

    metric: str
    task: str  # empty: over all tasks
    key: str  # in ``scores.json``: lower-case letters, digits and underscores
    value: float
    higher_is_better: bool

    @property
    def title(self) -> str:
        """The heading: the task, if there is one, and the metric."""
        return f"{self.task} {self.metric}".strip()


@frozen
class Scored:
    """A submission that was accepted: its scores, those of the primary metric first, and what its author is told."""

    columns: tuple[ScoreColumn, ...]
    evaluation: Evaluation
    notes: tuple[str, ...]


def score(competition: Competition, program: Path, reference: Path, submission: Path) -> Scored:
    """Score the files of a submission, which must answer all tasks and have a defined primary score.

    `program` is the folder of the scoring program, with the profile, `reference` the one that has the gold, and
    `submission` the one that has what was handed in.
    """
    with TemporaryDirectory() as folder:
        root, placed = Path(folder).resolve() / "data", dict[Path, str]()
        try:
            handed_in = read_handed_in(submission, known=competition.folders, largest=competition.largest)
            choose = files_in_shared if competition.shared else file_of_each
            chosen = choose(list(handed_in.files), competition.folders)
            shutil.copytree(reference, root)
            for where, name in chosen.items():
                target = root / competition.place(where, handed_in.files[name])
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(handed_in.files[name], target)
                placed[target] = name
        except DataError as error:
            raise RefusedError(one_line(str(error))) from error
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                evaluation = evaluate(program / PROFILE, root)
        except QeframeError as error:
            raise _of_author(error, placed, root) from error
        columns = _columns(competition, evaluation)
    notes = [f"{n.task}: {counted(n.count, n.what)}, {n.reason}" for n in evaluation.dropped if n.what == "answer"]
    notes += [f"not read: {name}" for name in (*handed_in.not_read, *sorted({*handed_in.files} - {*chosen.values()}))]
    return Scored(columns, evaluation, tuple(notes))


def _of_author(error: QeframeError, placed: dict[Path, str], root: Path) -> QeframeError:
    """Return what an author is told: a mistake of the submission by its file, and of the gold that there is one."""
    for mistake in [each.error for each in getattr(error, "mistakes", ())] or [error]:
        if isinstance(mistake, DataError) and mistake.path is not None and Path(mistake.path) in placed:
            said = mistake.without_setting
            for path, name in placed.items():
                said = said.replace(str(path), name).replace(f"of {path.stem} ", "").replace(f"in {path.stem}", "in it")
            return RefusedError(one_line(said.replace(f"{root}{os.sep}", "")))
    what = f"the reference data of the competition cannot be used ({type(error).__name__})"
    return UnusableReferenceError(f"{what}; tell the organizers: this is no mistake of the submission")


def _columns(competition: Competition, evaluation: Evaluation) -> tuple[ScoreColumn, ...]:
    """Return all scores: for each metric over all tasks, then in each task; of a single task they are one."""
    submitted = [each for each in evaluation.submissions if each.kind != "human"]
    if len(submitted) > 1:
        what = f"a submission has the scores of one metric, these are of {submitted[0].name} and {submitted[1].name}"
        raise RefusedError(f"{what}; hand in each by itself")
    answered = [*(submitted[0].scores[evaluation.primary].tasks or evaluation.tasks)] if submitted else []
    if missing := [task for task in competition.tasks if task not in answered]:
        raise RefusedError(str(missing_tasks(missing, len(competition.tasks), "hand in its answers too")))
    if not submitted:
        raise RefusedError("there are no answers to the task; hand them in")
    several = len(answered) > 1
    columns, keys = list[ScoreColumn](), set[str]()
    for task in ([""] if competition.over_tasks or not several else []) + (answered if several else []):
        for metric in evaluation.metrics:
            result = submitted[0].scores[metric]
            value = result.tasks[task].value if task else result.value
            better = (evaluation.higher_in_tasks if task else evaluation.higher_is_better)[metric]
            plain = "".join(c if c.isascii() and c.isalnum() else " " for c in f"{task} {metric}".lower())
            key = base = "_".join(plain.split()) or "score"
            while key in keys:
                key = f"{base}_{len(keys)}"
            keys.add(key)
            columns.append(ScoreColumn(metric=metric, task=task, key=key, value=value, higher_is_better=better))
    wrong = next((c for c in columns if c.metric == evaluation.primary and math.isnan(c.value)), None)
    if wrong is not None:
        what = f"{wrong.title} is undefined for these answers"
        raise RefusedError(f"{what}; check that they are not all the same")
    return tuple(columns)


def main(program: Path, arguments: Sequence[str]) -> int:
    """Score one submission as a platform asks for it, and return the exit status: 0, or 2 if there are no scores.

    `arguments` are the folder with ``ref`` and ``res``, and the folder for the results. Without scores, standard error
    and the page have one line for the author.
    """
    inputs, output = map(Path, arguments)
    output.mkdir(parents=True, exist_ok=True)
    (output / "scores.json").unlink(missing_ok=True)
    title, status = "Scoring program", 2
    try:
        competition = Competition(**json.loads((program / SETTINGS).read_text(encoding="utf-8")))
        title = competition.title
        scored = score(competition, program, inputs / "ref", inputs / "res")
        page = _page(competition, scored)
        shown = {c.key: round(c.value, competition.precision) + 0.0 for c in scored.columns if not math.isnan(c.value)}
        (output / "scores.json").write_text(json.dumps(shown, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        status = 0
    except Exception as error:
        if os.environ.get("QEFRAME_TRACEBACK"):
            raise
        known = isinstance(error, (RefusedError, UnusableReferenceError))
        said = f"the scoring program failed ({type(error).__name__}); tell the organizers"
        said = one_line(str(error)) if known else said
        page = tables_page(f"{title}: the submission has no scores", (), warnings=[said])
        print(said, file=sys.stderr)  # noqa: T201
    (output / "detailed_results.html").write_bytes(page.encode("utf-8", "backslashreplace"))
    return status


def _page(competition: Competition, scored: Scored) -> str:
    """Return what an author sees: scores unless they are hidden, and what was not read or filled in."""
    if competition.hidden:
        introduction = "The submission is complete. Its scores are not shown in this phase."
        return tables_page(competition.title, (), introduction=introduction, notes=scored.notes)
    cells = {(c.task, c.metric): Cell("" if math.isnan(c.value) else f"{c.value:.{competition.precision}f}")
             for c in scored.columns}  # fmt: skip
    rows = list(dict.fromkeys(task for task, _ in cells))
    columns = [(Column("task", "left", key=True), [Cell(task or "all") for task in rows])]
    shares = scored.evaluation.shares
    if "" in rows and shares:
        columns.append((Column("weight"), [Cell(f"{shares[task]:.4g}" if task else "") for task in rows]))
    metrics = dict.fromkeys(metric for _, metric in cells)
    columns += [(Column(metric), [cells[task, metric] for task in rows]) for metric in metrics]
    notes = ["empty: undefined for these answers"] if any(math.isnan(c.value) for c in scored.columns) else []
    table = Table.from_columns("Scores", columns, notes=notes)
    return tables_page(competition.title, [table], introduction="The submission is complete.", notes=scored.notes)
