"""Scores of sentences from the repositories of the QE tasks of 2020, 2021 and 2023 as cloned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Scores
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    TextFile,
    UnitValues,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.formats.qe_clones import (
    HALLUCINATED,
    Repository,
    check_hallucinations,
    gold_of_2023,
    gold_paths,
    hallucinations_of_2023,
    submitted_files,
)
from qeframe_wmt.formats.qe_repository import check_own_pair
from qeframe_wmt.readers.sentence.score_columns import ScoreColumns

_GOLDS: Mapping[str, Mapping[str, str]] = {
    "wmt20": {"task1_da": ""},
    "wmt21": {"task1_da": "test21.da", "task2_hter": "test21.hter"},
    "wmt23": {"task1_sentence_level": ""},
}
_OF_2020 = ("index", "original", "translation", "scores", "mean", "z_scores", "z_mean", "model_scores")
_OF_2023 = ("LP", "METHOD", "SEG", "SCORE")

Golds = Mapping[str, tuple[TextFile, UnitValues]]  # the file and the gold of each language pair


def check_task(repository: Repository, tasks: Sequence[str]) -> None:
    """Raise a `DataError` unless one task with scores of a repository as cloned is named."""
    known = _GOLDS[repository]
    if len(tasks) != 1 or tasks[0] not in known:
        given = ", ".join(tasks)
        remedy = did_you_mean(given, known, f"name one of {', '.join(known)}")
        raise DataError(f"published: '{given}' is no task with scores of {repository}", remedy=remedy)


def read_cloned_scores(
    root: Path, best: Best, columns: ScoreColumns, repository: Repository, task: str
) -> Sequence[Reading]:
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
        golds = _golds(root, repository, _GOLDS[repository][task])
    answers, dropped = answers_by_pair(root, columns, task, golds)
    readings = []
    for pair, of_pair in answers.items():
        text, gold = golds[pair]
        files, sides = zip(*of_pair, strict=True)
        reading = Reading(
            name=pair,
            kind=Scores,
            gold=gold,
            submissions=sides,
            best=best,
            inputs=tuple(input_of(each, root) for each in (text, *lists, *files)),
        )
        readings.append(without_segments(reading, left_out.get(pair, frozenset())))
    readings[-1] = attrs.evolve(readings[-1], dropped=(*readings[-1].dropped, *dropped))
    return readings


def answers_by_pair(
    root: Path, columns: ScoreColumns, task: str, golds: Golds
) -> tuple[dict[str, list[tuple[TextFile, UnitValues]]], list[Dropped]]:
    """Return the submissions to each language pair that has a gold, and counts of what has none."""
    found: dict[str, list[tuple[TextFile, UnitValues]]] = {pair: [] for pair in golds}
    dropped = []
    for each in submitted_files(root, task):
        file = read_text_lines(each.path)
        by_pair = columns.by_pair(file, each.name)
        if each.pair:
            check_own_pair(file, by_pair, each.pair, line=columns.header + 1)
        for pair, side in by_pair.items():
            if pair in golds:
                found[pair].append((file, side))
            else:
                why = f"of {each.name}: no gold of this language pair is here"
                dropped.append(Dropped(pair, "answer", len(side.ids), why))
    dropped += [Dropped(pair, "gold", 1, "no submission has this language pair") for pair in found if not found[pair]]
    answered = {pair: of_pair for pair, of_pair in found.items() if of_pair}
    if not answered:
        remedy = f"the gold has {', '.join(golds)}"
        raise DataError("no submission has a language pair of the gold", path=root, remedy=remedy)
    return answered, dropped


def golds_of_2023(root: Path, left_out: Mapping[str, frozenset[int]]) -> Golds:
    """Return the gold of each language pair of 2023; segments of the list, and no others, have no score and get 0."""
    file, skip = gold_of_2023(root, "task1_sentence_level")
    pairs, _, segments, scores = split_columns(file, _OF_2023, separator="\t", skip=skip)
    ids = parse_ids(segments, file, skip=skip)
    marked = [score == HALLUCINATED for score in scores]
    check_hallucinations(file, pairs, ids, marked, left_out, skip=skip)
    numbers = ["0" if mark else score for mark, score in zip(marked, scores, strict=True)]
    values = parse_numbers(numbers, file, skip=skip)
    of_all = UnitValues(name="gold", ids=ids, values=values, path=str(file.path), lines=np.arange(len(ids)) + skip + 1)
    of_pair = np.array(pairs)
    return {pair: (file, of_all.take(np.flatnonzero(of_pair == pair))) for pair in dict.fromkeys(pairs)}


def without_segments(reading: Reading, left_out: frozenset[int]) -> Reading:
    """Leave hallucinated segments out of gold and submissions, and count those of the gold."""
    if not left_out:
        return reading

    def kept(side: UnitValues) -> UnitValues:
        return side.take(np.flatnonzero(~np.isin(side.ids, list(left_out))))

    why = "the list of hallucinations names it"
    note = Dropped(reading.name, "unit", int(np.isin(reading.gold.ids, list(left_out)).sum()), why)
    submissions = tuple(map(kept, reading.submissions))
    return attrs.evolve(reading, gold=kept(reading.gold), submissions=submissions, dropped=(*reading.dropped, note))


def _golds(root: Path, repository: Repository, name: str) -> Golds:
    files = {pair: read_text_lines(path, texts=True) for pair, path in gold_paths(root, repository, name).items()}
    read = _gold_of_2020 if repository == "wmt20" else _gold_of_2021
    return {pair: (file, read(file)) for pair, file in files.items()}


def _gold_of_2021(file: TextFile) -> UnitValues:
    return gold_by_line(file, first=0)


def _gold_of_2020(file: TextFile) -> UnitValues:
    """Return the column z_mean of a table, whose texts may have quotation marks that quote nothing."""
    columns = dict(zip(_OF_2020, split_columns(file, _OF_2020, separator="\t", skip=1), strict=True))
    if tuple(file.lines[0].split("\t")) != _OF_2020:
        raise file.error("other columns than those of 2020", line=1, remedy=f"give {' '.join(_OF_2020)}")
    ids = parse_ids(columns["index"], file, skip=1)
    values = parse_numbers(columns["z_mean"], file, skip=1)
    return UnitValues(name="gold", ids=ids, values=values, path=str(file.path), lines=np.arange(len(ids)) + 2)
