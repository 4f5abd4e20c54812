"""The scoring program: from the folders of a platform to ``scores.json`` and ``detailed_results.html``."""

import json
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from qeframe.plugin.calls import QeframeError, one_line
from qeframe.plugin.competitions import submitted_table, tables_page
from qeframe.plugin.report import Cell, Column, Table
from qeframe.plugin.results import load, resolve
from qeframe_competitions.scoring import RefusedError, Scored, UnusableReferenceError, score_submission
from qeframe_competitions.settings import Competition, competition_rules, read_competition

SCORES, DETAILS = "scores.json", "detailed_results.html"

_PSEUDO = "the scores are agreement with {}, not with the gold: they show that a submission works, not how good it is"


def main(program: Path, arguments: Sequence[str]) -> int:
    """Score one submission as a platform asks for it, and return the exit status: 0, or 2 if there are no scores.

    `arguments` are the folder with ``ref`` and ``res``, and the folder for the results. Without scores, standard error
    and the page have one line for the author.
    """
    if len(arguments) != 2:
        print("usage: score.py INPUT OUTPUT; INPUT holds ref and res", file=sys.stderr)  # noqa: T201
        return 2
    inputs, output = map(Path, arguments)
    if absent := [folder for folder in (inputs, inputs / "ref") if not folder.is_dir()]:
        print(one_line(f"{absent[0]}: there is no such folder; INPUT holds ref and res"), file=sys.stderr)  # noqa: T201
        return 2
    output.mkdir(parents=True, exist_ok=True)
    (output / SCORES).unlink(missing_ok=True)
    competition: Competition | None = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            competition = read_competition(program)
            registry = load()
            scored = score_submission(competition, program, inputs / "ref", inputs / "res", registry)
            reader = resolve(competition_rules(competition, program, registry), registry).reader
            heading = "part" if reader is None or reader.submission is None else reader.submission.parts
            page = _page(competition, scored, heading)
    except (RefusedError, UnusableReferenceError) as error:
        return _fail(output, competition, str(error))
    except Exception as error:
        if os.environ.get("QEFRAME_TRACEBACK"):
            raise
        is_ours = isinstance(error, QeframeError) and competition is None
        said = str(error) if is_ours else f"the scoring program failed ({type(error).__name__}); tell the organizers"
        return _fail(output, competition, said)
    rounded = {key: round(value, competition.precision) + 0.0 for key, value in scored.scores.items()}
    (output / DETAILS).write_bytes(page.encode("utf-8", "backslashreplace"))
    (output / SCORES).write_text(json.dumps(rounded, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"scored by {competition.title}: {', '.join(competition.tasks)}")  # noqa: T201
    return 0


def _fail(output: Path, competition: Competition | None, said: str) -> int:
    """Print the one line for the author, and write it into the page."""
    line = one_line(said)
    title = competition.title if competition else "Scoring program"
    page = tables_page(f"{title}: the submission has no scores", (), warnings=[line])
    (output / DETAILS).write_bytes(page.encode("utf-8", "backslashreplace"))
    print(line, file=sys.stderr)  # noqa: T201
    return 2


def _page(competition: Competition, scored: Scored, heading: str) -> str:
    """Return what an author sees: scores unless they are hidden, and what was found in the submission itself."""
    table = submitted_table(
        scored.parts, "What was read", heading=heading, checked="each file has the format of the task"
    )
    tables = [table] if competition.hidden else [_score_table(competition, scored), table]
    notes = list(scored.notes)
    if competition.pseudo_gold and not competition.hidden:
        notes.insert(0, _PSEUDO.format("the answers of another submission"))
    introduction = "The submission is complete."
    if competition.hidden:
        introduction += " Its scores are not shown in this phase."
    return tables_page(competition.title, tables, introduction=introduction, notes=notes)


def _score_table(competition: Competition, scored: Scored) -> Table:
    """Return a row for all tasks together and for each task, with a column for each metric."""
    metrics = dict.fromkeys(column.metric for column in competition.columns)
    rows = dict.fromkeys(column.task for column in competition.columns)
    keys = {(column.task, column.metric): column.key for column in competition.columns}
    over_all = competition.tasks[0] if len(competition.tasks) == 1 else "all"
    columns = [(Column("task", "left", key=True), [Cell(row or over_all) for row in rows])]
    if scored.shares and "" in rows and len(competition.tasks) > 1:
        columns.append((Column("weight"), [Cell(f"{scored.shares[row]:.4g}" if row else "") for row in rows]))
    shown = {key: f"{score:.{competition.precision}f}" for key, score in scored.scores.items()}
    columns += [(Column(metric), [Cell(shown.get(keys[row, metric], "")) for row in rows]) for metric in metrics]
    notes = ["empty: undefined for these answers"] if scored.undefined else []
    return Table.from_columns("Scores", columns, notes=notes)
