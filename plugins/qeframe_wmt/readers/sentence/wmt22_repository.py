"""Scores of sentences from the repository of the QE task of 2022, by language pair or of a multilingual track."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qeframe.plugin import Best, DataError
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, Reading, TextFile, UnitValues, read_text_lines
from qeframe_wmt.formats.qe_repository import PublishedTask, check_own_pair, find_published, with_dropped
from qeframe_wmt.readers.sentence.score_columns import ScoreColumns

_GOLDS = {"task1_da": ".da_score", "task1_mqm": ".mqm_z_score"}


def check_published(published: Sequence[str], track: str) -> None:
    """Raise a `DataError` for a task of a repository that has no scores of sentences, and a track without a task."""
    for task in published:
        if task not in _GOLDS:
            raise DataError(f"published: '{task}' is no task with scores", remedy=did_you_mean(task, _GOLDS))
    if track and len(published) != 1:
        raise DataError(f"track '{track}' needs one task", remedy='set published=["task1_da"] in the reader')


def read_published_scores(
    root: Path, best: Best, columns: ScoreColumns, tasks: Sequence[str], track: str
) -> Sequence[Reading]:
    """Read the language pairs of some tasks of a repository.

    Parameters
    ----------
    tasks : sequence of str
        Folders of the repository.
    track : str
        The folder of the submissions that hold several language pairs; empty for the folders of language pairs.

    Raises
    ------
    DataError
        If no language pair of the tasks has gold and submissions.
    """
    readings: list[Reading] = []
    dropped: list[Dropped] = []
    for name in tasks:
        task = find_published(root, name, _GOLDS[name], track=track)
        of_task, notes = _read_task(root, best, columns, task)
        readings += of_task
        dropped += notes
    if not readings:
        what = f"no language pair of {', '.join(tasks)} has gold and submissions"
        raise DataError(what, path=root, remedy="give the repository as published, or one of its parts")
    return with_dropped(readings, dropped)


def _read_task(
    root: Path, best: Best, columns: ScoreColumns, task: PublishedTask
) -> tuple[list[Reading], list[Dropped]]:
    answers = _answers(columns, task)
    readings, dropped = [], list(task.dropped)
    known = {gold.pair for gold in task.golds}
    for gold in task.golds:
        of_pair = [(file, by_pair[gold.pair]) for file, by_pair in answers[gold.pair] if gold.pair in by_pair]
        if not of_pair:
            dropped.append(Dropped(gold.pair, "gold", 1, "no submission has this language pair"))
            continue
        files, submissions = zip(*of_pair, strict=True)
        text = read_text_lines(gold.gold)
        readings.append(columns.reading(gold.pair, text, submissions, files, best=best, root=root))
    for _, by_pair in next(iter(answers.values()), []) if task.several else []:
        dropped += [
            Dropped(pair, "answer", len(each.ids), f"of {each.name}: no gold of this language pair is here")
            for pair, each in by_pair.items()
            if pair not in known
        ]
    return readings, dropped


def _answers(columns: ScoreColumns, task: PublishedTask) -> dict[str, list[tuple[TextFile, dict[str, UnitValues]]]]:
    """Return the answers of all submissions by the language pair of their folder; those of a track are read once."""
    found: dict[str, list[tuple[TextFile, dict[str, UnitValues]]]] = {}
    for gold in task.golds:
        if task.several and found:
            found[gold.pair] = next(iter(found.values()))
            continue
        files = [(name, read_text_lines(path)) for name, path in task.submissions[gold.pair].items()]
        found[gold.pair] = [(file, columns.by_pair(file, name)) for name, file in files]
        if not task.several:
            for file, by_pair in found[gold.pair]:
                check_own_pair(file, by_pair, gold.pair, line=columns.header + 1)
    return found
