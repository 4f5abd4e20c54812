"""Submissions of LP, METHOD, SEG and SCORE after some header lines: sentence level, 2020 to 2024."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from qeframe.plugin import Best, DataError, Scores
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, Reader, Reading, check_pairs, find_tasks, read_text_lines
from qeframe_wmt.formats.layouts import check_header_count
from qeframe_wmt.formats.repositories import (
    PublishedTask,
    Repository,
    check_own_pair,
    find_published,
    is_clone,
    is_published,
    with_dropped,
)
from qeframe_wmt.readers.sentence.score_columns import Answer, Rates, ScoreColumns, check_task, read_clone, without_gold

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
    """Read the language pairs of some tasks of a repository; a track has submissions of several language pairs."""
    readings: list[Reading] = []
    dropped: list[Dropped] = []
    for name in tasks:
        task = find_published(root, name, _GOLDS[name], track=track)
        answers = _answers(columns, task, several=bool(track))
        dropped += task.dropped
        for pair, gold in task.golds.items():
            of_pair = [(file, side) for stated, file, side in answers if stated == pair]
            if of_pair:
                files, sides = zip(*of_pair, strict=True)
                readings.append(columns.reading(pair, read_text_lines(gold), sides, files, best=best, root=root))
            else:
                dropped.append(Dropped(pair, "gold", 1, "no submission has this language pair"))
        dropped += without_gold(answers, task.golds)
    return with_dropped(readings, dropped, root=root, tasks=tasks)


def _answers(columns: ScoreColumns, task: PublishedTask, *, several: bool) -> list[Answer]:
    """Return language pair, file and answers of all submissions; those of a track have all pairs, and are read once."""
    answers = []
    for pair in list(task.golds)[:1] if several else task.golds:
        for team, path in task.submissions[pair].items():
            file = read_text_lines(path)
            by_pair = columns.by_pair(file, team)
            if not several:
                check_own_pair(file, by_pair, pair, line=columns.header + 1)
            answers += [(stated, file, side) for stated, side in by_pair.items()]
    return answers


def qe_sentence(
    *,
    header_lines: int = 3,
    first_segment: int = 0,
    gold_missing: float | None = None,
    rate_by: str = "",
    rate_of: tuple[str, ...] = (),
    published: tuple[str, ...] = (),
    track: str = "",
    repository: Repository = "wmt22",
) -> Reader:
    """Read task folders whose submissions have the columns LP, METHOD, SEG and SCORE, by tabs.

    PATH may be a repository instead. That of 2022 has the folders test_data-gold_labels and official_submissions. Those
    of 2020 (facebookresearch/mlqe), 2021 (sheffieldnlp/mlqe-pe) and 2023 (WMT-QE-Task/wmt-qe-2023-data) are read as
    cloned, with submissions in ``submissions/TASK/LP/NAME/predictions.txt``. If a file has several language pairs, the
    folder is multilingual in place of LP; in 2023 all files have, and are in ``submissions/TASK/NAME/predictions.txt``.

    Parameters
    ----------
    header_lines : int
        The number of lines of one column before the table: none in 2020; disk footprint in bytes and number of
        parameters in 2021; these and the size of the ensemble from 2022.
    first_segment : int
        The number of the segment on the first line of the gold.
    gold_missing : float, optional
        The gold value that marks a missing one. Segments with it, and the answers to them, are left out and
        counted.
    rate_by : str
        The name of a file in the task's folder with one translation a line. Gold and scores are divided by the number
        of its words. Empty: they are not divided.
    rate_of : list of str
        What is divided: gold, and names of submissions, where the others are rates already. Empty: all of them.
    published : list of str
        The tasks of a repository whose language pairs are read: task1_da and task1_mqm in 2022, task1_da in 2020,
        task1_da or task2_hter in 2021, task1_sentence_level in 2023.
    track : str
        The folder of the repository with submissions of several language pairs: multilingual. Empty: the folders of
        language pairs. In 2022 alone: the other repositories have no tracks.
    repository : {"wmt20", "wmt21", "wmt22", "wmt23"}
        The year of the repository. In 2023 the segments in its list of hallucinations are left out and counted.

    Returns
    -------
    Reader
        Of `Scores`. A submission has the name of its file without suffix, since METHOD may be the name of a model; in
        a repository, the name of the team in the name of its folder. Language pairs of a repository that lack gold or
        submissions, and other tracks, are left out and counted.

    Raises
    ------
    DataError
        For a negative number of header lines, and a task that the repository does not have.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt24.
    """
    check_header_count(header_lines, usual="0, 2 or 3")
    if repository == "wmt22":
        check_published(published, track)
    else:
        check_task(repository, published)
    rates = Rates(rate_by, rate_of)
    rates.check()
    columns = ScoreColumns(header=header_lines, first=first_segment, missing=gold_missing, rates=rates)
    return Reader(
        name="qe_sentence",
        summary="folders of a task, header lines, then submissions of LP METHOD SEG SCORE by tabs",
        source="WMT20-24 QE, sentence level",
        kind=Scores,
        read=partial(_read, columns=columns, published=published, track=track, repository=repository),
        submission=columns.submission(several=bool(track) or repository != "wmt22"),
    )


def _read(
    path: Path, best: Best, *, columns: ScoreColumns, published: Sequence[str], track: str, repository: Repository
) -> Sequence[Reading]:
    if is_clone(path, repository):
        return read_clone(path, best, columns, repository, published[0])
    if published and is_published(path):
        return read_published_scores(path, best, columns, published, track)
    readings = []
    for task in find_tasks(path):
        gold, *files = map(read_text_lines, (task.gold, *task.submissions))
        pairs, submissions = zip(*(columns.only_pair(file) for file in files), strict=True)
        check_pairs(files, pairs, task, line=columns.header + 1)
        readings.append(columns.reading(task.name, gold, submissions, files, best=best, root=path))
    return readings
