"""The scores of translation systems by automatic metrics, from which preliminary rankings are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from qeframe.plugin import Best, DataError, Values
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.kinds import LARGEST
from qeframe.plugin.readers import Reader, Reading, TextFile, UnitValues, input_of, read_text_lines, visible
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.formats.json_lines import Fields, json_objects

_ENDING = ".jsonl"
_LAYOUT = "give a folder of SYSTEM.jsonl"


def automatic_scores(*, pair: str = "", metrics: tuple[str, ...] = ()) -> Reader:
    """Read the scores of paragraphs by automatic metrics; the submissions are the systems, each metric is a task.

    PATH is a folder with a file ``SYSTEM.jsonl`` for each system, one document a line: language_pair, domain,
    document_id, and metric_scores, by metric a list of the scores of its paragraphs. Higher is better: an error rate
    such as that of MetricX is negated in the files.

    Parameters
    ----------
    pair : str
        The language pair; empty if there is only one.
    metrics : list of str
        The metrics that count; empty for all. A task without references left out CometKiwi-XL in 2025.

    Returns
    -------
    Reader
        Of `Values`: NaN where a system has no score.

    Raises
    ------
    DataError
        If there are several language pairs and none is chosen, or a metric has no score.

    References
    ----------
    WMT25 general MT task, preliminary ranking.
    """
    return Reader(
        name="automatic_scores",
        summary="a folder of SYSTEM.jsonl: scores of paragraphs by automatic metrics, each metric a task",
        source="WMT25 general MT task, preliminary ranking",
        kind=Values,
        read=partial(_read, pair=pair, metrics=metrics),
        example=examples.automatic_scores,
    )


def _read(path: Path, best: Best, *, pair: str, metrics: Sequence[str]) -> Sequence[Reading]:
    paths = [file for file in visible(path) if file.name.endswith(_ENDING)]
    if not paths:
        raise DataError("the folder has no file of a system", path=path, remedy=_LAYOUT)
    files = {file.name.removesuffix(_ENDING): read_text_lines(file, texts=True) for file in sorted(paths)}
    documents = {system: json_objects(file) for system, file in files.items()}
    pairs = list(dict.fromkeys(fields.name("language_pair") for of in documents.values() for fields in of))
    if pair and pair not in pairs:
        raise DataError(f"no document is of the language pair '{pair}'", path=path, remedy=did_you_mean(pair, pairs))
    if not pair and len(pairs) > 1:
        raise DataError("there are several language pairs", path=path, remedy=f"set pair to one of {', '.join(pairs)}")
    scores: dict[str, dict[str, dict[str, float]]] = {}
    domains: dict[str, str] = {}
    for system, of_system in documents.items():
        for fields in of_system:
            if fields.name("language_pair") == (pair or pairs[0]):
                for metric, unit, score in _of_document(fields, domains):
                    of_metric = scores.setdefault(metric, {}).setdefault(system, {})
                    if unit in of_metric:
                        raise fields.error(f"document '{unit.rpartition('/')[0]}' again", remedy="keep one line")
                    of_metric[unit] = score
    missing = [name for name in metrics if name not in scores]
    if missing:
        what = f"no system has a score by '{missing[0]}'"
        raise DataError(what, path=path, remedy=did_you_mean(missing[0], scores))
    used = {system: file for system, file in files.items() if any(system in of for of in scores.values())}
    return [_reading(name, scores[name], domains, used, path, best) for name in metrics or scores]


def _of_document(fields: Fields, domains: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    document, domain = fields.name("document_id"), fields.name("domain")
    by_metric = fields.object("metric_scores")
    for metric in by_metric.values:
        name = by_metric.checked_name(metric, "the name of a metric")
        for number, score in enumerate(by_metric.get(metric, list), 1):
            if type(score) not in (int, float) or not abs(score) <= LARGEST:
                remedy = f"write numbers alone, of magnitudes up to {LARGEST:g}"
                raise fields.error(f"'metric_scores.{metric}' has {score!a:.40}", remedy=remedy)
            unit = f"{document}/{number}"
            domains[unit] = domain
            yield name, unit, float(score)


def _reading(
    metric: str,
    scores: dict[str, dict[str, float]],
    domains: dict[str, str],
    files: dict[str, TextFile],
    root: Path,
    best: Best,
) -> Reading:
    units = list(dict.fromkeys(unit for of_system in scores.values() for unit in of_system))
    ids, names = np.arange(len(units)), dict(enumerate(units))
    return Reading(
        name=metric,
        kind=Values,
        gold=UnitValues(name="gold", ids=ids, values=np.zeros(len(ids)), path=str(root), names=names),
        submissions=tuple(
            UnitValues(
                name=system,
                ids=ids,
                values=np.array([of_system.get(unit, np.nan) for unit in units]),
                path=str(files[system].path),
                names=names,
            )
            for system, of_system in scores.items()
        ),
        groups={"document": [unit.rpartition("/")[0] for unit in units], "domain": [domains[unit] for unit in units]},
        best=best,
        inputs=tuple(input_of(file, root) for file in files.values()),
        counts={"paragraphs": len(units), "systems": len(scores)},
    )
