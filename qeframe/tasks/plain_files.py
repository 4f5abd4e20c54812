"""Plain files: what the gold and the submissions of ``qeframe score METRIC GOLD SUBMISSION...`` may be.

Each kind of batch has a parser. The shape of a file is declared by its first line, and every other line must have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from qeframe.batches.base import Batch, Best, IntArray
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Values
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts, text_array
from qeframe.errors import DataError, counted
from qeframe.tasks.files import TextFile, parse_ids, parse_numbers, read_text_lines, split_columns
from qeframe.tasks.reading import Reading, UnitValues
from qeframe.tasks.sgml import check_same_documents, is_marked, read_marked
from qeframe.tasks.tag_lines import check_lengths, check_lines, tags_by_line
from qeframe.tasks.task import Input

__all__ = ["PARSERS", "Parser", "parse_plain", "plain_reading", "read_plain"]

Parser = Callable[[TextFile], tuple[IntArray, Any]]
"""From a file to the ids of its units, (n,), and one value a unit. Unit i is on line i + 1."""


def numbers_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read one number a line (unit i is line i + 1), or two columns ID NUMBER.

    Raises
    ------
    DataError
        For a line of another shape than the first, or with something that is not a finite number.
    """
    width = len(file.lines[0].split())
    if width == 2:
        ids, texts = split_columns(file, ("ID", "NUMBER"))
        return parse_ids(ids, file), parse_numbers(texts, file)
    if width > 2:
        what = f"{width} columns, where a plain file has one (NUMBER) or two (ID NUMBER)"
        raise file.error(what, line=1, remedy="the formats of shared tasks are read by 'qeframe run PROFILE PATH'")
    (texts,) = split_columns(file, ("NUMBER",))
    return np.arange(len(texts)), parse_numbers(texts, file)


def texts_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read one text a line or, from SGML, one a segment: the candidate or the only reference.

    An empty line is an empty text, also at the end of the file.
    """
    texts = read_marked(file).texts if is_marked(file) else file.lines
    return np.arange(len(texts)), text_array(texts)


PARSERS: Mapping[type[Batch], Parser] = {Values: numbers_by_line, Tags: tags_by_line, Texts: texts_by_line}
"""The parser of each kind of batch; a subclass without one of its own has that of its nearest ancestor."""


def parse_plain(kind: type[Batch], file: TextFile, *, name: str) -> UnitValues:
    """Return the gold (`name` is "gold") or a submission that a file holds.

    Raises
    ------
    DataError
        If the kind of batch has no plain format, or the file is not in it.
    """
    parser = next((PARSERS[ancestor] for ancestor in kind.__mro__ if ancestor in PARSERS), None)
    if parser is None:
        remedy = "use 'qeframe run PROFILE PATH' with a profile whose reader yields it"
        raise file.error(f"a batch of {kind.__name__} has no plain file format", remedy=remedy)
    ids, values = parser(file)
    return UnitValues(name=name, ids=ids, values=values, path=str(file.path), lines=np.arange(1, len(ids) + 1))


def read_plain(kind: type[Batch], path: str | PathLike[str], *, name: str = "gold") -> UnitValues:
    """Read the gold or a submission from a plain file.

    Parameters
    ----------
    kind : type
        The kind of batch that the file is one side of.
    name : str
        "gold", or the name of the submission.

    Raises
    ------
    DataError
        If the file cannot be read, or is not what the kind of batch needs, with file, line and remedy.
    """
    return parse_plain(kind, read_text_lines(path, empty_end=issubclass(kind, Texts)), name=name)


def plain_reading(
    kind: type[Batch],
    gold_path: str | PathLike[str],
    submission_paths: Sequence[str | PathLike[str]],
    *,
    best: Best = "low",
    references: Sequence[str | PathLike[str]] = (),
) -> Reading:
    """Read one task from plain files.

    SGML brings the documents of its segments as a group.

    Parameters
    ----------
    submission_paths : sequence of paths
        A submission is called by the stem of its file; those that share a stem by their paths as given.
    best : {"low", "high"}
        Which end of the gold scale is good.
    references : sequence of paths
        Of texts: more references of the same segments, beside the gold.

    Raises
    ------
    DataError
        If a file is given twice, cannot be read, or is not what the kind of batch needs.
    """
    names = _names(list(map(str, submission_paths)))
    if references and not issubclass(kind, Texts):
        raise DataError(f"a batch of {kind.__name__} has no references", remedy="give them to metrics on texts")
    paths = (gold_path, *submission_paths, *references)
    file, *files = (read_text_lines(path, empty_end=issubclass(kind, Texts)) for path in paths)
    if issubclass(kind, Values):
        _check_same_columns(file, files)
    if issubclass(kind, Texts):
        _check_same_documents(file, files)
    gold = parse_plain(kind, file, name="gold")
    submissions = tuple(parse_plain(kind, f, name=n) for f, n in zip(files, names, strict=False))
    more = [parse_plain(kind, f, name="gold") for f in files[len(names) :]]
    for side in (*submissions, *more):
        if issubclass(kind, Tags):
            check_lines(gold, side)
            check_lengths(gold, side)
        if issubclass(kind, Texts):
            _check_same_segments(gold, side)
    marked = issubclass(kind, Texts) and is_marked(file)
    return Reading(
        name=file.path.stem,
        kind=kind,
        gold=_with_references(gold, more),
        submissions=submissions,
        groups={"document": read_marked(file).documents} if marked else {},
        best=best,
        inputs=tuple(Input(str(f.path), f.sha256) for f in (file, *files)),
    )


def _with_references(gold: UnitValues, more: Sequence[UnitValues]) -> UnitValues:
    """Return the gold with several references a segment."""
    if not more:
        return gold
    texts = np.stack([side.values for side in (gold, *more)], axis=1)
    return attrs.evolve(gold, values=Ragged.from_lengths(texts.ravel(), np.full(len(texts), texts.shape[1])))


def _check_same_columns(gold: TextFile, submissions: Sequence[TextFile]) -> None:
    """Refuse to join a file with ids and one without: whether lines count from 0 or 1 would decide the scores."""
    width = len(gold.lines[0].split())
    for file in submissions:
        if len(file.lines[0].split()) != width:
            remedy = "give ids to both or to neither"
            raise file.error(f"this file and {gold.path} do not both have a column of ids", line=1, remedy=remedy)


def _check_same_documents(gold: TextFile, submissions: Sequence[TextFile]) -> None:
    """Refuse SGML with other documents than the gold, if that is SGML too."""
    marked = [read_marked(file) for file in submissions if is_marked(file)]
    if marked and is_marked(gold):
        standard = read_marked(gold)
        for texts in marked:
            check_same_documents(standard, texts)


def _check_same_segments(gold: UnitValues, submission: UnitValues) -> None:
    """Refuse texts of another number of lines: with nothing but its place to go by, a line may be any segment."""
    if len(gold.ids) != len(submission.ids):
        what = f"{counted(len(submission.ids), 'segment')}, but {len(gold.ids)} in {gold.path}"
        remedy = "give both one line (or <seg>) a segment; an empty line at the end is an empty segment"
        raise DataError(what, path=submission.path, remedy=remedy)


def _names(paths: Sequence[str]) -> list[str]:
    repeated = [path for path, count in Counter(paths).items() if count > 1]
    if repeated:
        raise DataError("the submission is given twice", path=repeated[0], remedy="give it once")
    stems = Counter(Path(path).stem for path in paths)
    return [path if stems[Path(path).stem] > 1 else Path(path).stem for path in paths]
