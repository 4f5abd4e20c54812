"""Files of LP, METHOD, SEG and SCORE after header lines, also in cloned repositories; rates by numbers of words."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, Scores
from qeframe.plugin.calls import counted, did_you_mean
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.formats.layouts import (
    SCORE_COLUMNS,
    SEGMENT,
    Layout,
    check_header,
    lines_after_header,
    refuse_other_layout,
    stated_numbers,
)
from qeframe_wmt.formats.repositories import (
    HALLUCINATED,
    LISTED,
    Repository,
    answered_golds,
    check_hallucinations,
    cloned_answers,
    gold_of_2023,
    gold_paths,
    hallucinations_of_2023,
    with_dropped,
)
from qeframe_wmt.formats.tables import check_pair_names, only_text


@frozen
class Rates:
    """What is divided by the number of words of its segment: seconds a word instead of seconds.

    Long segments take everyone longer: Graham (2015), section 2.1.
    """

    by: str = ""  # the name of a file with one translation a line; empty: nothing is divided
    of: tuple[str, ...] = ()  # gold, and names of submissions; empty: all of them

    def check(self, *, ranks: bool = False, instead: str = "") -> None:
        """Raise a `DataError` for rates of ranks, and for rates without a file; `instead` reads scores."""
        if self.by and ranks:
            raise DataError("rate_by divides scores, ranks have no rate", remedy=f"set {instead} or leave rate_by out")
        if self.of and not self.by:
            raise DataError("rate_of says what is divided, and rate_by by which file", remedy="give both")

    def applied(self, reading: Reading, *, folder: Path, root: Path, first: int, units: int) -> Reading:
        """Return a reading with its sides divided; the file in `folder` has all `units`, from segment `first`."""
        if not self.by:
            return reading
        if Path(self.by).name != self.by:
            raise DataError(f"rate_by = '{self.by}' must be the name of a file", remedy=f"put the file into {folder}")
        known = [side.name for side in (reading.gold, *reading.submissions)]
        for name in self.of:
            if name not in known:
                what = f"rate_of = '{name}' is no submission of {reading.name}"
                raise DataError(what, remedy=did_you_mean(name, known))
            if known.count(name) > 1:
                raise DataError(f"rate_of = '{name}' names two sides", remedy="rename the submission")
        file = read_text_lines(folder / self.by, texts=True)
        words = _words(file, units)
        sides = (reading.gold, *reading.submissions)
        chosen = self.of or known
        gold, *submissions = (_divided(side, words, first) if side.name in chosen else side for side in sides)
        inputs = (*reading.inputs, input_of(file, root))
        return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), inputs=inputs)


def _words(file: TextFile, units: int) -> FloatArray:
    counts = np.array([len(line.split()) for line in file.lines], dtype=np.float64)
    if len(counts) != units:
        what = f"{counted(len(counts), 'line')} for {counted(units, 'segment')}"
        raise file.error(what, line=min(len(counts), units + 1), remedy="give one translation a line")
    wordless = np.flatnonzero(counts == 0)
    if len(wordless):
        what = "a translation without words has no rate a word"
        raise file.error(what, line=int(wordless[0]) + 1, remedy="give the translation of every segment")
    return counts


def _divided(read: UnitValues, words: FloatArray, first: int) -> UnitValues:
    """Divide each value; answers to unknown segments are kept, the alignment refuses or drops them."""
    line = read.ids - first
    has_words = (line >= 0) & (line < len(words))
    return attrs.evolve(read, values=read.values / np.where(has_words, words[np.where(has_words, line, 0)], 1.0))


@frozen(kw_only=True)
class ScoreColumns:
    """The parameters of the format."""

    header: int
    first: int  # the number of the segment on the first line of the gold
    missing: float | None  # the gold value that marks a missing one
    rates: Rates = Rates()

    def only_pair(self, file: TextFile) -> tuple[str, UnitValues]:
        """Return the language pair of a submission, which has one, and its answers."""
        pairs, answers = self._columns(file, file.path.stem)
        return only_text(pairs, "LP", file, skip=self.header), answers

    def by_pair(self, file: TextFile, name: str) -> dict[str, UnitValues]:
        """Return the answers of a submission of this name for each of its language pairs."""
        pairs, answers = self._columns(file, name)
        check_pair_names(pairs, file, skip=self.header)
        pair_of, names = labels_to_index(pairs)
        return {pair: answers.take(np.flatnonzero(pair_of == number)) for number, pair in enumerate(names)}

    def submission(self, *, several: bool) -> SubmissionFormat:
        """Return how one file of a submission is read; `several` is whether it may have several language pairs."""
        segment = SEGMENT if self.first == 0 else SEGMENT.replace("from 0", f"from {self.first}")
        return SubmissionFormat(
            read=partial(self._parts, several=several),
            first=self.first,
            lines=lines_after_header(
                self.header,
                {"SEG": segment, "SCORE": "is your score of the segment: any finite number, with a point"},
                answers={"SCORE": ("0.25", "-0.5", "1.125")},
            ),
        )

    def _parts(self, path: Path, *, several: bool) -> Sequence[Submitted]:
        file = read_text_lines(path)
        by_pair = self.by_pair(file, path.stem) if several else dict([self.only_pair(file)])
        return [Submitted(part=pair, answers=answers) for pair, answers in by_pair.items()]

    def _columns(self, file: TextFile, name: str) -> tuple[list[str], UnitValues]:
        """Return the language pair of every line, and the answers."""
        layout = Layout(f"scores of sentences ({' '.join(SCORE_COLUMNS)})", "qe_sentence")
        refuse_other_layout(file, layout, any_header=True)
        check_header(file, self.header, names=SCORE_COLUMNS, reader="qe_sentence")
        pairs, methods, segments, scores = split_columns(file, SCORE_COLUMNS, separator="\t", skip=self.header)
        only_text(methods, "METHOD", file, skip=self.header)
        return pairs, UnitValues(
            name=name,
            ids=parse_ids(segments, file, skip=self.header),
            values=parse_numbers(scores, file, skip=self.header),
            path=str(file.path),
            lines=np.arange(self.header + 1, len(file.lines) + 1),
            stated=stated_numbers(file, self.header),
        )

    def reading(
        self,
        name: str,
        gold: TextFile,
        submissions: Sequence[UnitValues],
        files: Sequence[TextFile],
        *,
        best: Best,
        root: Path,
    ) -> Reading:
        """Return the reading of a task, without segments that have no gold; `files` are those of the submissions."""
        reading = Reading(
            name=name,
            kind=Scores,
            gold=gold_by_line(gold, first=self.first),
            submissions=tuple(submissions),
            best=best,
            inputs=tuple(input_of(file, root) for file in (gold, *files)),
        )
        units = len(reading.gold.ids)
        if self.missing is not None:
            absent = reading.gold.ids[reading.gold.values == self.missing].tolist()
            reading = _without(reading, absent, f"its gold is {self.missing:g}, which says that there is none")
        return self.rates.applied(reading, folder=gold.path.parent, root=root, first=self.first, units=units)


def _without(reading: Reading, segments: Collection[int], why: str) -> Reading:
    """Leave segments out of gold and submissions, and count those of the gold."""
    if not segments:
        return reading
    sides = [reading.gold, *reading.submissions]
    gold, *submissions = [side.take(np.flatnonzero(~np.isin(side.ids, list(segments)))) for side in sides]
    note = Dropped(reading.name, "unit", len(reading.gold.ids) - len(gold.ids), why)
    return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), dropped=(*reading.dropped, note))


_GOLDS: Mapping[str, Mapping[str, str]] = {
    "wmt20": {"task1_da": ""},
    "wmt21": {"task1_da": "test21.da", "task2_hter": "test21.hter"},
    "wmt23": {"task1_sentence_level": ""},
}
_OF_2020 = ("index", "original", "translation", "scores", "mean", "z_scores", "z_mean", "model_scores")

Golds = Mapping[str, tuple[TextFile, UnitValues]]  # the file and the gold of each language pair
Answer = tuple[str, TextFile, UnitValues]  # a language pair, and file and answers of a submission to it


def check_task(repository: Repository, tasks: Sequence[str]) -> None:
    """Raise a `DataError` unless one task with scores of a repository as cloned is named."""
    golds = _GOLDS[repository]
    if len(tasks) != 1 or tasks[0] not in golds:
        given = ", ".join(tasks)
        remedy = did_you_mean(given, golds, f"name one of {', '.join(golds)}")
        raise DataError(f"published: '{given}' is no task with scores of {repository}", remedy=remedy)


def read_clone(root: Path, best: Best, columns: ScoreColumns, repository: Repository, task: str) -> Sequence[Reading]:
    """Read the language pairs of a task.

    A submission that has several language pairs enters each of them. Segments that the list of 2023 names as
    hallucinations are left out of gold and submissions, and counted.
    """
    lists: tuple[TextFile, ...] = ()
    left_out: Mapping[str, frozenset[int]] = {}
    if repository == "wmt23":
        file, left_out = hallucinations_of_2023(root)
        golds, lists = golds_of_2023(root, left_out), (file,)
    else:
        paths = gold_paths(root, repository, _GOLDS[repository][task])
        files = {pair: read_text_lines(path, texts=True) for pair, path in paths.items()}
        read: Callable[[TextFile], UnitValues] = (
            _gold_of_2020 if repository == "wmt20" else partial(gold_by_line, first=0)
        )
        golds = {pair: (file, read(file)) for pair, file in files.items()}
    answers, dropped = answers_by_pair(root, columns, task, golds)
    readings = []
    for pair, of_pair in answers.items():
        text, gold = golds[pair]
        texts, sides = zip(*of_pair, strict=True)
        reading = Reading(
            name=pair,
            kind=Scores,
            gold=gold,
            submissions=sides,
            best=best,
            inputs=tuple(input_of(file, root) for file in (text, *lists, *texts)),
        )
        readings.append(_without(reading, left_out.get(pair, ()), LISTED))
    return with_dropped(readings, dropped, root=root, tasks=[task])


def answers_by_pair(
    root: Path, columns: ScoreColumns, task: str, golds: Golds
) -> tuple[dict[str, list[tuple[TextFile, UnitValues]]], list[Dropped]]:
    """Return the submissions to each language pair that has a gold, and counts of what has none."""
    answers = cloned_answers(root, task, columns.by_pair, header=columns.header)
    answered, unanswered = answered_golds(root, golds, answers)
    return answered, without_gold(answers, golds) + unanswered


def without_gold(answers: Iterable[Answer], golds: Collection[str]) -> list[Dropped]:
    """Count the answers to language pairs that have no gold."""
    return [
        Dropped(pair, "answer", len(side.ids), f"of {side.name}: no gold of this language pair is here")
        for pair, _, side in answers
        if pair not in golds
    ]


def golds_of_2023(root: Path, left_out: Mapping[str, frozenset[int]]) -> Golds:
    """Return the gold of each language pair of 2023; segments of the list, and no others, have no score and get 0."""
    file, skip = gold_of_2023(root, "task1_sentence_level")
    pairs, _, segments, scores = split_columns(file, SCORE_COLUMNS, separator="\t", skip=skip)
    ids = parse_ids(segments, file, skip=skip)
    marked = [score == HALLUCINATED for score in scores]
    check_hallucinations(file, pairs, ids, marked, left_out, skip=skip)
    numbers = ["0" if mark else score for mark, score in zip(marked, scores, strict=True)]
    values = parse_numbers(numbers, file, skip=skip)
    of_all = UnitValues(name="gold", ids=ids, values=values, path=str(file.path), lines=np.arange(len(ids)) + skip + 1)
    of_pair = np.array(pairs)
    return {pair: (file, of_all.take(np.flatnonzero(of_pair == pair))) for pair in dict.fromkeys(pairs)}


def _gold_of_2020(file: TextFile) -> UnitValues:
    """Return the column z_mean of a table, whose texts may have quotation marks that quote nothing."""
    columns = dict(zip(_OF_2020, split_columns(file, _OF_2020, separator="\t", skip=1), strict=True))
    if tuple(file.lines[0].split("\t")) != _OF_2020:
        raise file.error("other columns than those of 2020", line=1, remedy=f"give {' '.join(_OF_2020)}")
    ids = parse_ids(columns["index"], file, skip=1)
    values = parse_numbers(columns["z_mean"], file, skip=1)
    return UnitValues(name="gold", ids=ids, values=values, path=str(file.path), lines=np.arange(len(ids)) + 2)
