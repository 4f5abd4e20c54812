"""The evaluation of translation systems in the general task: by annotations of 0 to 100, and by automatic metrics."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, DataError, FloatArray, Values
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.kinds import LARGEST
from qeframe.plugin.readers import (
    Dropped,
    Input,
    Reader,
    Reading,
    TextFile,
    has_folder,
    input_of,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.formats.tables import present_means
from qeframe_wmt.readers.metrics.mtme.score_files import read_labels, read_system_columns, score_files, text_file
from qeframe_wmt.readers.metrics.ratings.campaigns import read_appraise, segment_number
from qeframe_wmt.readers.wmt26.annotations import GoldRule, dropped_of
from qeframe_wmt.readers.wmt26.campaigns import read_campaign
from qeframe_wmt.readers.wmt26.items import labels_of
from qeframe_wmt.readers.wmt26.scores import reading_of_systems

Annotations = Literal["each", "mean"]
Tasks = Literal["pair", "domain"]

_LEVEL, _TABLE = "seg", ".csv"
_HUMAN_LAYOUT = "give a folder of LP.NAME.seg.score, one file an annotation, or the JSON lines of a campaign"


@frozen(kw_only=True, eq=False)
class _Annotated:
    """The annotations of a language pair."""

    pair: str
    source: str
    scores: Mapping[str, FloatArray]  # (segments, annotations) by system, NaN where there is no score
    annotations: tuple[str, ...]  # what they are called, and the segments
    segments: tuple[str, ...]
    labels: Mapping[str, Sequence[str]]  # the document and the domain of every segment, if they are known
    inputs: tuple[Input, ...]
    dropped: tuple[Dropped, ...] = field(default=())


def human_scores(
    *,
    annotations: Annotations = "each",
    tasks: Tasks = "pair",
    pair: str = "",
    names: tuple[str, ...] = (),
    references: tuple[str, ...] = (),
) -> Reader:
    """Read scores of translation systems by annotators; the submissions are the systems.

    PATH is a folder of files ``LP.NAME.seg.score`` of mt-metrics-eval, each with one annotation of all systems, also
    within ``human-scores``; ``documents/LP.docs`` has the domain and the document of each segment. Or it is the
    published file of the campaign of 2025, JSON lines, or a table of Appraise, ``NAME.csv``, as in 2024.

    Parameters
    ----------
    annotations : {"each", "mean"}
        each: a unit is one annotation of one segment, as in 2025. mean: a unit is a segment, with the mean of its
        annotations, as in 2024 and 2026.
    tasks : {"pair", "domain"}
        pair: every language pair is a task. domain: every domain of one language pair is, as in 2024.
    pair : str
        The only language pair that is read; empty for all.
    names : list of str
        The annotations of a folder that are read, such as ``["esa-human1"]``; empty for all.
    references : list of str
        Systems that are references. They are left out and counted.

    Returns
    -------
    Reader
        Of `Values`: NaN where a system has no score. Segments without any score are left out and counted.

    Raises
    ------
    DataError
        If nothing is of the language pair or the names, or domains are asked of several language pairs.

    References
    ----------
    WMT24 to WMT26 general MT tasks, human evaluation.
    """
    return Reader(
        name="human_scores",
        summary="scores of systems by annotators: LP.NAME.seg.score, JSON lines of 2025, or a table of Appraise",
        source="WMT24-26 general MT tasks, human evaluation",
        kind=Values,
        read=partial(
            _read_human, annotations=annotations, tasks=tasks, only=pair, names=frozenset(names), references=references
        ),
    )


def _read_human(
    path: Path,
    best: Best,
    *,
    annotations: Annotations,
    tasks: Tasks,
    only: str,
    names: frozenset[str],
    references: tuple[str, ...],
) -> Sequence[Reading]:
    pairs = _of_folder(path, names, references) if path.is_dir() else _of_file(path, references)
    if only and only not in pairs:
        raise DataError(f"no score is of the language pair '{only}'", path=path, remedy=did_you_mean(only, pairs))
    chosen = [pairs[only]] if only else list(pairs.values())
    if tasks == "domain" and len(chosen) > 1:
        raise DataError("there are several language pairs", path=path, remedy=f"set pair to one of {', '.join(pairs)}")
    readings = []
    for annotated in chosen:
        parts: dict[str, list[int]] = {}
        domains = annotated.labels.get("domain", ()) if tasks == "domain" else ()
        for row, domain in enumerate(domains or [""] * len(annotated.segments)):
            parts.setdefault(f"{annotated.pair} {domain}".rstrip(), []).append(row)
        for name, rows in parts.items():
            readings.append(_human_reading(name, annotated, np.array(rows), annotations, best))
    return readings


def _human_reading(name: str, annotated: _Annotated, rows: np.ndarray, annotations: Annotations, best: Best) -> Reading:
    values = {system: scores[rows] for system, scores in annotated.scores.items()}
    rated = np.any([~np.isnan(scores) for scores in values.values()], axis=0)
    if annotations == "mean":
        values = {system: present_means(scores.T, ~np.isnan(scores.T))[:, None] for system, scores in values.items()}
        rated = rated.any(axis=1, keepdims=True)
    segment, annotation = np.nonzero(rated)
    if not len(segment):
        raise DataError(f"no translation of '{name}' has a score", path=annotated.source, remedy=_HUMAN_LAYOUT)
    of_unit = [annotated.segments[row] for row in rows[segment]]
    names = dict(enumerate(of_unit))
    groups = {what: [of[row] for row in rows[segment]] for what, of in annotated.labels.items()}
    if annotations == "each":
        by_unit = [annotated.annotations[number] for number in annotation]
        names = {unit: f"{of_unit[unit]} {by_unit[unit]}" for unit in names}
        groups |= {"segment": of_unit, "annotation": by_unit}
    unrated = len(rows) - len(np.unique(segment))
    left_out = (Dropped(name, "segment", unrated, "not annotated"),) if unrated else ()
    chosen = {system: of[segment, annotation] for system, of in values.items() if np.isfinite(of).any()}
    return reading_of_systems(
        name,
        chosen,
        names,
        source=annotated.source,
        groups=groups,
        best=best,
        dropped=(*left_out, *annotated.dropped),
        inputs=annotated.inputs,
        counts={"segments": len(rows) - unrated, "systems": len(values)},
    )


def _of_folder(path: Path, names: frozenset[str], references: Sequence[str]) -> dict[str, _Annotated]:
    folder = path / "human-scores" if has_folder(path / "human-scores") else path
    files: dict[str, dict[str, Path]] = {}
    for stem, file in score_files(folder).items():
        pair, *middle, level = stem.split(".")
        name = ".".join(middle)
        if level == _LEVEL and name and (not names or name in names):
            files.setdefault(pair, {})[name] = file
    if not files:
        named = f" of {', '.join(sorted(names))}" if names else ""
        raise DataError(f"the folder has no scores of segments{named}", path=folder, remedy=_HUMAN_LAYOUT)
    return {pair: _of_files(path, pair, files[pair], references) for pair in sorted(files)}


def _of_files(root: Path, pair: str, files: Mapping[str, Path], references: Sequence[str]) -> _Annotated:
    tables = {name: read_system_columns(text_file(file)) for name, file in sorted(files.items())}
    first = next(iter(tables.values()))
    for table in tables.values():
        if len(table.cells) != len(first.cells):
            what = f"{len(table.cells)} segments, but {len(first.cells)} in {first.file.path}"
            raise table.file.error(what, remedy="give every annotation one line a segment, None without a score")
    segments = len(first.cells)
    scores: dict[str, FloatArray] = {}
    for number, table in enumerate(tables.values()):
        for column, system in enumerate(table.systems):
            scores.setdefault(system, np.full((segments, len(tables)), np.nan))[:, number] = table.cells[:, column]
    labels = read_labels(root, pair)
    if labels is not None:
        labels.check_length(first)
    used = [table.file for table in tables.values()] + ([labels.file] if labels is not None else [])
    left_out = [system for system in references if scores.pop(system, None) is not None]
    return _Annotated(
        pair=pair,
        source=str(first.file.path),
        scores=scores,
        annotations=tuple(tables),
        segments=tuple(str(number) for number in range(1, segments + 1)),
        labels=labels.labels if labels is not None else {},
        inputs=tuple(input_of(file, root) for file in used),
        dropped=tuple(Dropped(pair, "system", 1, f"{system}: a reference") for system in left_out),
    )


def _of_file(path: Path, references: tuple[str, ...]) -> dict[str, _Annotated]:
    """Return the annotations of a table of Appraise, whose segments are in the order of the test set, or a campaign."""
    is_table = path.name.endswith(_TABLE)
    rule = GoldRule(references=references)
    gold = read_appraise(path, references) if is_table else read_campaign(path, rule, packed=True)
    annotated: dict[str, _Annotated] = {}
    for pair, translations in gold.pairs.items():
        items = {translation.item.key: translation.item for translation in translations}
        segments = sorted(items, key=segment_number) if is_table else list(items)
        scores: dict[tuple[str, str], list[float]] = {}
        for of_item in translations:
            of_system = scores.setdefault((of_item.system, of_item.item.key), [])
            of_system += [annotation.score for annotation in of_item.annotations]
        row, most = {key: number for number, key in enumerate(segments)}, max(map(len, scores.values()))
        by_system: dict[str, FloatArray] = {}
        for (system, key), of_segment in scores.items():
            cells = by_system.setdefault(system, np.full((len(segments), most), np.nan))
            cells[row[key], : len(of_segment)] = of_segment
        annotated[pair] = _Annotated(
            pair=pair,
            source=str(path),
            scores=by_system,
            annotations=tuple(f"annotation {number}" for number in range(1, most + 1)),
            segments=tuple(segments),
            labels=labels_of(items[key] for key in segments),
            inputs=(input_of(gold.file, path),),
            dropped=dropped_of(gold.left_out, pair, None if annotated else gold.pairs),
        )
    return annotated


_ENDING = ".jsonl"
_AUTOMATIC_LAYOUT = "give a folder of SYSTEM.jsonl"


def automatic_scores(*, pair: str = "", metrics: tuple[str, ...] = ()) -> Reader:
    """Read the scores of paragraphs by automatic metrics; the submissions are the systems, each metric is a task.

    PATH is a folder with a file ``SYSTEM.jsonl`` for each system, one document a line: language_pair, domain,
    document_id, and metric_scores, by metric a list of the scores of its paragraphs. Higher is better: an error rate
    such as that of MetricX is negated in the files. A score that is null is left out of the mean of its system, and
    counted.

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
        read=partial(_read_automatic, pair=pair, metrics=metrics),
    )


def _read_automatic(path: Path, best: Best, *, pair: str, metrics: Sequence[str]) -> Sequence[Reading]:
    paths = [file for file in visible(path) if file.name.endswith(_ENDING)]
    if not paths:
        raise DataError("the folder has no file of a system", path=path, remedy=_AUTOMATIC_LAYOUT)
    files = {file.name.removesuffix(_ENDING): read_text_lines(file, texts=True) for file in sorted(paths)}
    documents = {system: list(json_objects(file)) for system, file in files.items()}
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
    return [_automatic_reading(name, scores[name], domains, used, path, best) for name in metrics or scores]


def _of_document(fields: Fields, domains: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    document, domain = fields.name("document_id"), fields.name("domain")
    by_metric = fields.object("metric_scores")
    for metric in by_metric.values:
        name = by_metric.checked_name(metric, "the name of a metric")
        for number, score in enumerate(by_metric.get(metric, list), 1):
            if score is not None and (type(score) not in (int, float) or not abs(score) <= LARGEST):
                remedy = f"write null or numbers of magnitudes up to {LARGEST:g}"
                raise fields.error(f"'metric_scores.{metric}' has {score!a:.40}", remedy=remedy)
            unit = f"{document}/{number}"
            domains[unit] = domain
            yield name, unit, np.nan if score is None else float(score)


def _automatic_reading(
    metric: str,
    scores: dict[str, dict[str, float]],
    domains: dict[str, str],
    files: dict[str, TextFile],
    root: Path,
    best: Best,
) -> Reading:
    units = list(dict.fromkeys(unit for of_system in scores.values() for unit in of_system))
    values = {system: np.array([of.get(unit, np.nan) for unit in units]) for system, of in scores.items()}
    paths = {system: str(file.path) for system, file in files.items()}
    nulls = {system: sum(score != score for score in of.values()) for system, of in scores.items()}
    reason = "null, left out of the mean of its system: {}"
    dropped = [Dropped(metric, "score", count, reason.format(system)) for system, count in nulls.items() if count]
    return reading_of_systems(
        metric,
        values,
        dict(enumerate(units)),
        source=str(root),
        paths=paths,
        groups={"document": [unit.rpartition("/")[0] for unit in units], "domain": [domains[unit] for unit in units]},
        best=best,
        inputs=tuple(input_of(file, root) for file in files.values()),
        counts={"paragraphs": len(units), "systems": len(scores)},
        dropped=tuple(dropped),
    )
