"""Plain files: the gold and the submissions of ``qeframe score METRIC GOLD SUBMISSION...``.

Each kind of batch states its `PlainFormat`. The first line of a file declares its shape, which all other lines must
have.
"""

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from qeframe.core.batch import Batch, Best
from qeframe.core.errors import DataError
from qeframe.core.kind_parts import PlainFormat
from qeframe.core.metric import Metric
from qeframe.core.reading import Reading, TextFile, UnitValues
from qeframe.core.registry import Registry
from qeframe.core.task import Input
from qeframe.data.text_lines import FIRST_OF_TEXTS, read_text_lines, split_line
from qeframe.kinds.registered import find_kind

_NO_FORMAT = "use 'qeframe run PROFILE PATH'; 'qeframe profiles' lists the profiles"


def _format_of(kind: type[Batch]) -> PlainFormat | None:
    registered = find_kind(kind)
    return None if registered is None else registered.plain_format


def check_has_plain_files(metric: Metric, registry: Registry) -> None:
    """Refuse a metric whose batches have no plain file; name those with a like name whose batches have one."""
    if registry.kind_of(metric.kind).plain_format is None:
        what = f"metric '{metric.name}' works on {metric.kind.__name__}, which have no plain file format"
        like = " or ".join(metrics_named_like(metric, registry))
        raise DataError(what, remedy=f"for plain files choose {like}, or {_NO_FORMAT}" if like else _NO_FORMAT)


def metrics_named_like(metric: Metric, registry: Registry) -> list[str]:
    """Return the metrics on plain files whose names begin like that of a metric: kendall_tau_b for kendall."""
    begin = f"{metric.name.partition('(')[0]}_"
    like = [name for name in registry.names(Metric) if name.startswith(begin)]
    return [name for name in like if registry.kind_of(registry.get(Metric, name).kind).plain_format is not None]


def _lines(kind: type[Batch], path: str | PathLike[str]) -> TextFile:
    plain = _format_of(kind)
    if plain is None:
        return read_text_lines(path, pipe=True)
    return read_text_lines(path, empty_end=plain.empty_end, texts=plain.holds_texts, pipe=True)


def _checked_format(kind: type[Batch], file: TextFile) -> PlainFormat:
    plain = _format_of(kind)
    if plain is None:
        raise file.error(f"a batch of {kind.__name__} has no plain file format", remedy=_NO_FORMAT)
    return plain


def parse_plain(kind: type[Batch], file: TextFile, *, name: str) -> UnitValues:
    """Return the gold (`name` is "gold") or a submission that a file holds.

    Raises
    ------
    DataError
        If the kind of batch has no plain format, or the file is not in it.
    """
    plain = _checked_format(kind, file)
    ids, values = plain.parse(file)
    has_ids = plain.has_ids(file)
    names = {int(ids[i]): split_line(file.lines[i])[0] for i in np.flatnonzero(ids >= FIRST_OF_TEXTS)}
    side = UnitValues(
        name=name,
        ids=ids,
        values=values,
        path=str(file.path),
        lines=np.arange(1, len(ids) + 1),
        names=names,
        numbered_from=0 if has_ids else 1,
        known_by="id" if has_ids else "line",
    )
    absent = np.isnan(values) if has_ids and plain.one_number else np.zeros(0, np.bool_)
    return side.take(np.flatnonzero(~absent)) if absent.any() else side


def parse_plain_sides(
    kind: type[Batch], gold: TextFile, others: Sequence[TextFile], *, names: Sequence[str]
) -> tuple[UnitValues, tuple[UnitValues, ...]]:
    """Return the gold and the other sides that files hold, checked to belong together.

    Parameters
    ----------
    names : sequence of str
        The name of each other side.

    Raises
    ------
    DataError
        If a file is not in the plain format of the kind of batch, or if files do not belong together: if one has ids
        and another has none, say.
    """
    plain = _checked_format(kind, gold)
    plain.check_files(gold, others)
    standard, *sides = (
        parse_plain(kind, file, name=name) for file, name in zip((gold, *others), ("gold", *names), strict=True)
    )
    for side in sides:
        plain.check_sides(standard, side)
    return standard, tuple(sides)


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

    `submission_paths`: a submission is called by the stem of its file; those that share a stem by their paths as given.
    `best`: which end of the gold scale is good.
    `references`: of texts: more references of the same segments, beside the gold.

    Raises DataError if a file is given twice, cannot be read, or is not what the kind of batch needs.
    """
    names = _submission_names(list(map(str, submission_paths)))
    plain = _format_of(kind)
    if references and (plain is None or plain.join_references is None):
        raise DataError(f"a batch of {kind.__name__} has no references", remedy="give them to metrics on texts")
    file, *files = (_lines(kind, path) for path in (gold_path, *submission_paths, *references))
    plain = _checked_format(kind, file)
    gold, sides = parse_plain_sides(kind, file, files, names=[*names, *["gold"] * len(references)])
    submissions, more = sides[: len(names)], sides[len(names) :]
    return Reading(
        name=file.path.stem,
        kind=kind,
        gold=plain.join_references(gold, more) if more and plain.join_references else gold,
        submissions=submissions,
        groups=plain.groups(file) if plain.groups else {},
        best=best,
        inputs=tuple(Input(str(f.path), f.sha256) for f in (file, *files)),
    )


def _submission_names(paths: Sequence[str]) -> list[str]:
    """Return the names of submissions: the stems of their files; those that share a stem are called by their paths.

    Raises DataError if a path is given twice.
    """
    repeated = [path for path, count in Counter(paths).items() if count > 1]
    if repeated:
        raise DataError("the submission is given twice", path=repeated[0], remedy="give it once")
    stems = Counter(Path(path).stem for path in paths)
    return [path if stems[Path(path).stem] > 1 else Path(path).stem for path in paths]
