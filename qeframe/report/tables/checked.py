"""Everything that came in to a task: the mistakes of the submissions, by team, and what can be evaluated."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from qeframe.core.errors import counted, one_line
from qeframe.core.task import PAIR
from qeframe.data.all_mistakes import Mistake
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.left_out import task_of_file

MOST_COLUMNS = 12
"""The table of submissions has no columns of more tasks than these."""

_NOTES = ("the first mistake of each file", "a file is compared with the gold once its lines can be read")


def checked_lines(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]], title: str) -> list[str]:
    """Return what was found in a folder of submissions, as lines: the mistakes by team, then who is valid where.

    `valid`: the submissions without a mistake by task; the name of a task may be empty.
    """
    wrong, everyone = {mistake.submission for mistake in mistakes}, _teams(mistakes, valid)
    having = f"submissions without one: {len(everyone) - len(wrong)} of {len(everyone)}"
    lines = [one_line(f"{title}: {counted(len(mistakes), 'mistake')}; {having}")]
    for team in sorted(wrong):
        lines += ["", one_line(team)]
        lines += [f"  {one_line(_message(mistake))}" for mistake in mistakes if mistake.submission == team]
    if len(_tasks(mistakes, valid)) > 1:
        return [*lines, "", *as_text(submissions_table(mistakes, valid)).splitlines()]
    lines += [""] if any(valid.values()) else []
    return [*lines, *(one_line(f"valid: {', '.join(names)}") for names in valid.values() if names)]


def _message(mistake: Mistake) -> str:
    """Return a mistake with the remedy of its author; what an organizer can do instead is apart."""
    error = mistake.error
    return f"{error.without_setting}{f' (organizers: {error.setting})' if error.setting else ''}"


def task_of(mistake: Mistake, tasks: Sequence[str]) -> str:
    """Return the task of the file with a mistake: one that is known, else the language pair or folder in its path."""
    path = Path(mistake.place)
    pairs = [part for part in path.parts if PAIR.fullmatch(part)]
    return task_of_file(path.as_posix(), tasks) or (pairs[-1] if pairs else "")


def _tasks(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]]) -> list[str]:
    listed = [task for task, names in valid.items() if task or names]
    return list(dict.fromkeys([*listed, *(task_of(mistake, listed) for mistake in mistakes)]))


def _teams(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]]) -> list[str]:
    names = {name for of_task in valid.values() for name in of_task} | {mistake.submission for mistake in mistakes}
    return sorted(names, key=lambda name: (name.lower(), name))


def submissions_table(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]]) -> Table:
    """Return a row for each submission and a column for each task: valid, how many mistakes, or a dash for no file."""
    tasks, teams, wrong = _tasks(mistakes, valid), _teams(mistakes, valid), dict[tuple[str, str], int]()
    for mistake in mistakes:
        place = (mistake.submission, task_of(mistake, list(valid)))
        wrong[place] = wrong.get(place, 0) + 1

    def cell(team: str, task: str) -> Cell:
        if (team, task) in wrong:
            return Cell(counted(wrong[team, task], "mistake"), strong=True)
        return Cell("valid" if team in valid.get(task, ()) else "–")

    sums = [
        Cell(f"{sum(team in of_task for of_task in valid.values())} of {sum(c.text != '–' for c in row)}")
        for team in teams
        for row in [[cell(team, task) for task in tasks]]
    ]
    shown = tasks if len(tasks) <= MOST_COLUMNS else []
    return Table.from_columns(
        f"Submissions: {len(teams)}",
        [
            (Column("submission", "left", key=True), [Cell(team) for team in teams]),
            *((Column(task or "all", "left"), [cell(team, task) for team in teams]) for task in shown),
            (Column("valid"), sums),
        ],
        strong_means="cannot be evaluated" if wrong and shown else "",
    )


def checked_tables(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]]) -> list[Table]:
    """Return the same as two tables of a page."""
    columns = [
        (Column("submission", "left", key=True), [Cell(mistake.submission) for mistake in mistakes]),
        (Column("file", "left"), [Cell(str(mistake.error.path or mistake.place)) for mistake in mistakes]),
        (Column("line"), [Cell("" if mistake.error.line is None else str(mistake.error.line)) for mistake in mistakes]),
        (Column("mistake", "left"), [Cell(mistake.error.what) for mistake in mistakes]),
        (Column("remedy", "left"), [Cell(mistake.error.remedy) for mistake in mistakes]),
    ]
    if any(mistake.error.setting for mistake in mistakes):
        columns.append((Column("or, for organizers", "left"), [Cell(mistake.error.setting) for mistake in mistakes]))
    table = Table.from_columns(f"Mistakes: {len(mistakes)}", columns, notes=_NOTES)
    return [*([table] if mistakes else []), submissions_table(mistakes, valid)]
