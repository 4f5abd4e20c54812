"""The tables of ``qeframe diff``: causes, submissions, scores and comparisons that are not the same."""

from collections.abc import Sequence

from qeframe.report.layouts.number_format import UNDEFINED, decimals_for, format_number, format_p
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.task_columns import cluster_column
from qeframe.studies.changes.evaluation_changes import Cause, EvaluationChanges, ScoreChange
from qeframe.studies.changes.regression_gate import POWER, Judgment

_NONE = "-"
_WORSE = "the score became worse"
_HASH = 12  # so many digits of a hash are shown


def change_tables(changes: EvaluationChanges, title: str) -> list[Table]:
    """Return the tables of what changed between two results; the first always, others if they have rows."""
    tables = [_submissions(changes, title), _scores(changes), _significance(changes), _causes(changes), _rest(changes)]
    return [tables[0], *(table for table in tables[1:] if table.rows)]


def _submissions(changes: EvaluationChanges, title: str) -> Table:
    primary = [
        next((s for s in submission.scores if s.metric == changes.primary and not s.task), None)
        for submission in changes.submissions
    ]
    compared = [score for score in primary if score is not None]
    count = sum(not submission.same for submission in changes.submissions)
    notes = [
        f"{count} of {len(changes.submissions)} submissions changed",
        *changes.not_compared,
        *changes.without_digest,
    ]
    if count and not changes.causes:
        notes.append("nothing that the results record explains the changes")
    better = sum(score.gain > 0 for score in compared)
    worse = sum(score.gain < 0 for score in compared)
    equal = len(compared) - better - worse
    notes.append(f"{changes.primary}: {better} better, {worse} worse, {equal} equal or undefined")
    presence = {"both": "both", "added": "new only", "removed": "old only"}
    title_of_clusters, in_words = cluster_column(c for s in changes.submissions for c in s.cluster)
    return Table.from_columns(
        title,
        [
            (Column("submission", "left", key=True), [Cell(s.name) for s in changes.submissions]),
            (Column("rank"), [Cell(_moved(*s.rank)) for s in changes.submissions]),
            (
                Column(title_of_clusters),
                [Cell(_moved(*(None if c is None else in_words(c) for c in s.cluster))) for s in changes.submissions],
            ),
            *_before_and_after(primary),
            (Column("in", "left"), [Cell(presence[s.presence]) for s in changes.submissions]),
        ],
        notes=notes,
        strong_means=_WORSE if worse else "",
    )


def _scores(changes: EvaluationChanges) -> Table:
    rows = [
        (submission.name, score)
        for submission in changes.submissions
        for score in submission.scores
        if (score.metric != changes.primary or score.task) and not score.same
    ]
    columns = [
        (Column("submission", "left", key=True), [Cell(name) for name, _ in rows]),
        (Column("metric", "left", key=True), [Cell(score.metric) for _, score in rows]),
        (Column("task", "left", key=True), [Cell(score.task or "all") for _, score in rows]),
        *_before_and_after([score for _, score in rows]),
    ]
    return Table.from_columns(
        "Other scores that changed", columns, strong_means=_WORSE if any(score.gain < 0 for _, score in rows) else ""
    )


def _significance(changes: EvaluationChanges) -> Table:
    rows = changes.significance
    columns = [
        (Column("a", "left", key=True), [Cell(row.a) for row in rows]),
        (Column("b", "left", key=True), [Cell(row.b) for row in rows]),
        (Column("metric", "left"), [Cell(row.metric) for row in rows]),
        (Column("task", "left"), [Cell(row.task or "all") for row in rows]),
        (Column("better before", "left"), [Cell(row.old or "neither") for row in rows]),
        (Column("better now", "left"), [Cell(row.new or "neither") for row in rows]),
        (Column("p before"), [Cell(format_p(row.p_old)) for row in rows]),
        (Column("p now"), [Cell(format_p(row.p_new)) for row in rows]),
    ]
    return Table.from_columns("Comparisons with another outcome", columns, notes=["p is adjusted"])


def _causes(changes: EvaluationChanges) -> Table:
    rows = changes.causes
    columns = [
        (Column("what", "left", key=True), [Cell(row.kind) for row in rows]),
        (Column("name", "left", key=True), [Cell(row.name) for row in rows]),
        (Column("old", "left"), [Cell(_cause(row, row.old)) for row in rows]),
        (Column("new", "left"), [Cell(_cause(row, row.new)) for row in rows]),
    ]
    notes = ["files are shown by the start of their SHA-256"] if any(row.kind == "data" for row in rows) else []
    return Table.from_columns("Causes that the results name", columns, notes=notes)


def _rest(changes: EvaluationChanges) -> Table:
    sides = (
        ("new only", changes.dropped_added, changes.warnings_added),
        ("old only", changes.dropped_removed, changes.warnings_removed),
    )
    rows = [
        (side, what)
        for side, dropped, warned in sides
        for what in [
            *(f"dropped: {d.task + ': ' if d.task else ''}{d.count} {d.what}: {d.reason}" for d in dropped),
            *(f"warning: {text}" for text in warned),
        ]
    ]
    columns = [
        (Column("in", "left", key=True), [Cell(side) for side, _ in rows]),
        (Column("what", "left"), [Cell(what) for _, what in rows]),
    ]
    return Table.from_columns("Left out, and warnings", columns)


def _before_and_after(scores: Sequence[ScoreChange | None]) -> list[tuple[Column, list[Cell]]]:
    """Return scores and differences with decimals for all scores, and for two digits of the smallest difference."""
    compared = [score for score in scores if score is not None]
    digits = decimals_for(value for score in compared for value in (score.old.value, score.new.value))
    differences = [abs(score.difference) for score in compared if abs(score.difference) > 0]
    if differences:
        digits = max(digits, min(decimals_for([min(differences)]), 6))
    return [
        (Column("old"), [Cell(format_number(s.old.value, digits) if s else _NONE) for s in scores]),
        (Column("new"), [Cell(format_number(s.new.value, digits) if s else _NONE) for s in scores]),
        (Column("difference"), [_difference(s, digits) if s else Cell(_NONE) for s in scores]),
    ]


def _difference(score: ScoreChange, digits: int) -> Cell:
    text = format_number(score.difference, digits)
    is_shown = text != UNDEFINED and float(text.replace(",", "")) != 0
    return Cell(("+" if score.difference > 0 and is_shown else "") + text, score.gain < 0 and is_shown)


def _moved(old: int | str | None, new: int | str | None) -> str:
    if old == new:
        return _NONE if new is None else str(new)
    return f"{_NONE if old is None else old} -> {_NONE if new is None else new}"


def _cause(change: Cause, text: str) -> str:
    is_hash = change.kind == "data" and len(text) == 64
    return (text[:_HASH] if is_hash else text) or _NONE


def judgment_table(judgments: Sequence[Judgment], alpha: float) -> Table:
    """Return the table of a gate: a row for each submission that was judged, emphasized if it is worse."""
    digits = decimals_for(value for j in judgments for value in (j.old, j.new))
    allowed, paired = judgments[0].allowed, judgments[0].method == "paired"
    how = "both versions on the same units, by the jackknife" if paired else "from the intervals, as if independent"
    return Table.from_columns(
        f"Worse than before by more than {allowed:g}?",
        [
            (Column("submission", "left", key=True), [Cell(j.submission) for j in judgments]),
            (Column("old"), [Cell(format_number(j.old, digits)) for j in judgments]),
            (Column("new"), [Cell(format_number(j.new, digits)) for j in judgments]),
            (Column("loss"), [Cell(format_number(j.loss, digits + 1)) for j in judgments]),
            (Column("at least"), [Cell(format_number(j.least_loss, digits + 1)) for j in judgments]),
            (Column("would be found"), [Cell(format_number(j.detectable, digits + 1)) for j in judgments]),
            (Column("verdict", "left"), [Cell("worse" if j.worse else "not shown", j.worse) for j in judgments]),
        ],
        notes=[
            f"{judgments[0].metric}: {how}",
            f"at least: the loss is larger than this with confidence {1 - alpha:g}; above {allowed:g} is worse",
            f"would be found: the loss that this comparison finds with a chance of {POWER:g}",
        ],
        strong_means="worse" if any(j.worse for j in judgments) else "",
    )
