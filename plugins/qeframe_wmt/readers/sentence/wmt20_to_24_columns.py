"""Submissions of LP, METHOD, SEG and SCORE after some header lines: sentence level, 2020 to 2024."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, Scores
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    gold_by_line,
    parse_ids,
    parse_numbers,
    read_text_lines,
)
from qeframe_wmt.formats.layouts import (
    SCORE_COLUMNS,
    SEGMENT,
    Layout,
    check_header,
    check_header_count,
    lines_after_header,
    refuse_other_layout,
    stated_numbers,
)
from qeframe_wmt.formats.repositories import (
    HALLUCINATED,
    LISTED,
    LeftOut,
    Published,
    Repository,
    check_hallucinations,
    gold_of_2023,
    gold_paths,
)
from qeframe_wmt.formats.tables import fixed_columns, headed_columns, pairs_in
from qeframe_wmt.formats.tasks import Form, Found, Golds, parts_of

_LAYOUT = Layout(f"scores of sentences ({' '.join(SCORE_COLUMNS)})", "qe_sentence")
_GOLDS: Mapping[Repository, Mapping[str, str]] = {
    "wmt20": {"task1_da": ""},
    "wmt21": {"task1_da": "test21.da", "task2_hter": "test21.hter"},
    "wmt22": {"task1_da": ".da_score", "task1_mqm": ".mqm_z_score"},
    "wmt23": {"task1_sentence_level": ""},
}
"""The file of gold of each task of a repository, or the end of its name."""
_OF_2020 = ("index", "original", "translation", "scores", "mean", "z_scores", "z_mean", "model_scores")


@frozen(kw_only=True)
class ScoreColumns(Form):
    """Answers of LP, METHOD, SEG and SCORE, and a gold of one number a line."""

    first: int = 0  # the number of the segment on the first line of the gold
    missing: float | None = None  # the gold value that marks a missing one

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        refuse_other_layout(file, _LAYOUT, any_header=True)
        check_header(file, self.header, names=SCORE_COLUMNS, reader="qe_sentence")
        table = fixed_columns(file, SCORE_COLUMNS, header=self.header)
        table.only("METHOD")
        ids, scores = table.read("SEG", parse_ids), table.read("SCORE", parse_numbers)
        return parts_of(table, table.side(name, ids, scores, stated=stated_numbers(file, self.header)))

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        return [Submitted(answers=gold_by_line(file, first=self.first))]

    def golds_of_clone(self, root: Path, published: Published) -> Golds:
        if published.repository == "wmt23":
            return golds_of_2023(root, self.left_out)
        if published.repository == "wmt21":
            return super().golds_of_clone(root, published)
        files = {pair: read_text_lines(path, texts=True) for pair, path in gold_paths(root, "wmt20", "").items()}
        return {pair: (file, _gold_of_2020(file)) for pair, file in files.items()}

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        reading = found.reading(Scores, best, root)
        gold = reading.gold
        absent = gold.ids[gold.values == self.missing].tolist() if self.missing is not None else ()
        reading = _without(reading, absent, f"its gold is {self.missing or 0:g}, which says that there is none")
        return _without(reading, found.left_out, LISTED)

    def submission(self, *, several: bool) -> SubmissionFormat:
        """Return how one file of a submission is read; `several` is whether it may have several language pairs."""
        segment = SEGMENT if self.first == 0 else SEGMENT.replace("from 0", f"from {self.first}")
        return SubmissionFormat(
            read=partial(self.alone, several=several),
            first=self.first,
            lines=lines_after_header(
                self.header,
                {"SEG": segment, "SCORE": "is your score of the segment: any finite number, with a point"},
                answers={"SCORE": ("0.25", "-0.5", "1.125")},
            ),
        )


def _without(reading: Reading, segments: Collection[int], why: str) -> Reading:
    """Leave segments out of gold and submissions, and count those of the gold."""
    if not segments:
        return reading
    sides = [reading.gold, *reading.submissions]
    gold, *submissions = [side.take(np.flatnonzero(~np.isin(side.ids, list(segments)))) for side in sides]
    note = Dropped(reading.name, "unit", len(reading.gold.ids) - len(gold.ids), why)
    return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), dropped=(*reading.dropped, note))


def golds_of_2023(root: Path, left_out: LeftOut) -> Golds:
    """Return the gold of each language pair of 2023; segments of the list, and no others, have no score and get 0."""
    file, header = gold_of_2023(root, "task1_sentence_level")
    table = fixed_columns(file, SCORE_COLUMNS, header=header)
    ids, scores = table.read("SEG", parse_ids), table.cells["SCORE"]
    check_hallucinations(table, ids, [score == HALLUCINATED for score in scores], left_out)
    zeros = attrs.evolve(table, cells={"SCORE": ["0" if score == HALLUCINATED else score for score in scores]})
    of_all = table.side("gold", ids, zeros.read("SCORE", parse_numbers))
    return {pair: (file, Submitted(answers=of_all.take(rows))) for pair, rows in pairs_in(table)}


def _gold_of_2020(file: TextFile) -> Submitted:
    """Return the column z_mean of a table, whose texts may have quotation marks that quote nothing."""
    table = headed_columns(file, _OF_2020, what="other columns than those of 2020")
    return Submitted(answers=table.side("gold", table.read("index", parse_ids), table.read("z_mean", parse_numbers)))


def qe_sentence(
    *,
    header_lines: int = 3,
    first_segment: int = 0,
    gold_missing: float | None = None,
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
    _check_published(repository, published, track)
    columns = ScoreColumns(header=header_lines, first=first_segment, missing=gold_missing)
    golds = _GOLDS[repository]
    tasks = [Published(task=t, golds={t: golds[t]}, repository=repository, track=track) for t in published]
    return Reader(
        name="qe_sentence",
        summary="folders of a task, header lines, then submissions of LP METHOD SEG SCORE by tabs",
        source="WMT20-24 QE, sentence level",
        kind=Scores,
        read=partial(columns.read, published=tasks),
        submission=columns.submission(several=bool(track) or repository != "wmt22"),
    )


def _check_published(repository: Repository, published: Sequence[str], track: str) -> None:
    """Raise a `DataError` for a task of a repository that has no scores of sentences, and a track without a task."""
    golds, of_2022 = _GOLDS[repository], repository == "wmt22"
    unknown = [task for task in published if task not in golds]
    if unknown or (len(published) != 1 and not of_2022):
        given = unknown[0] if of_2022 else ", ".join(published)
        what = f"published: '{given}' is no task with scores" + ("" if of_2022 else f" of {repository}")
        raise DataError(what, remedy=did_you_mean(given, golds, f"name one of {', '.join(golds)}"))
    if track and len(published) != 1:
        raise DataError(f"track '{track}' needs one task", remedy='set published=["task1_da"] in the reader')
