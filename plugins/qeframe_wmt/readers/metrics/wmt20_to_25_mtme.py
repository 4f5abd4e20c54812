"""Human and metric scores in the layout of mt-metrics-eval, 2020 to 2025, and a metric that the user enters."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Grid, Judgments
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, LineFormat, Reader, Reading, SubmissionFormat, is_pair, visible
from qeframe_wmt.formats.tables import score_lines
from qeframe_wmt.readers.metrics.mtme.choices import NOT_LISTED, OFFICIAL, Choices, PairChoice, choose_pairs
from qeframe_wmt.readers.metrics.mtme.pair_reading import PairReader
from qeframe_wmt.readers.metrics.mtme.score_files import (
    Folder,
    ParsedFiles,
    open_folder,
    read_labels,
    read_score_file,
    read_system_columns,
    text_file,
)
from qeframe_wmt.readers.metrics.mtme.writing.scored_cells import Names
from qeframe_wmt.readers.metrics.mtme.writing.written_files import write_files
from qeframe_wmt.selections.selection import Level, Selection, load_selection

_PARSED = ParsedFiles()  # files that several parts of a task set read are parsed once


def mtme(
    *,
    selection: str = "",
    level: Level = "seg",
    units: Literal["", "systems", "segments"] = "",
    pairs: Literal["all"] | tuple[str, ...] = (OFFICIAL,),
    domain: str = "",
    gold: str | Mapping[str, str] = "",
    references: tuple[str, ...] | Mapping[str, str] = (),
    human_references: Literal["official"] | bool = "official",
    outliers: tuple[str, ...] = (OFFICIAL,),
    primaries: Literal["all"] | tuple[str, ...] = (OFFICIAL,),
    human_row: str = "",
) -> Reader:
    """Read the folders human-scores and metric-scores: one score a line for every system.

    The selection of a data set says what takes part in each language pair. Every parameter below it overrides what the
    selection says; in a list, the word ``official`` is replaced by what the selection lists.

    As a format of ``qeframe export``, `gold` and `references` are the names of what was read from another layout:
    ``gold`` and ``src``, the layout's word for none, unless they are given. Metrics that are computed from texts used
    refA, or all of them. Judgments are written if they were made from scores of single translations.

    Parameters
    ----------
    selection : str
        The data set: "wmt23". Empty: none is known, and what the parameters leave open is not restricted.
    level : {"seg", "sys"}
        Scores of segments, or of systems.
    units : {"systems", "segments"}
        At system level: one row with a score for each system, or the rows of segments. These have a constant added for
        each system, so that its mean is its system score, in the gold and in the metric. By default, systems.
    pairs : "all" or list of str
        Language pairs. "all": also those of the selection that do not count in the official ranking.
    domain : str
        Only the segments of this domain, by ``documents/LP.docs``. The scores of systems are then those in
        ``.domain.score``, or the means of segments, counted, where there is no such file.
    gold : str or table of str by language pair
        The human scores that are the gold: NAME of ``human-scores/LP.NAME.seg.score``.
    references : list of str, or table of str by language pair
        The standard reference. It is no system, and a metric enters only if it used no other reference.
    human_references : "official", true or false
        Whether other references are scored as systems.
    outliers : list of str
        Systems that are left out.
    primaries : "all" or list of str
        The metrics that enter, by base name: METRIC of ``METRIC-REF.seg.score``.
    human_row : str
        Other human scores that are scored as if they were a metric, by NAME; the row is shown and not ranked.

    Returns
    -------
    Reader
        Of `Grid`, each language pair a task. Submissions are named by their base name, or METRIC-REF without a
        selection and where two variants enter. What is left out is counted with its reason.

    Raises
    ------
    DataError
        For an unknown selection, or units that the level does not have.

    References
    ----------
    google-research/mt-metrics-eval; metrics tasks 2020-25.
    """
    if level == "seg" and units == "systems":
        raise DataError("the units of segment scores are segments", remedy="leave out units, or set level=sys")
    choices = Choices(
        selection=load_selection(selection) if selection else Selection(name=""),
        level=level,
        units=units or ("segments" if level == "seg" else "systems"),
        pairs=pairs,
        domain=domain,
        gold=gold,
        references=references,
        human_references=human_references,
        outliers=outliers,
        primaries=primaries,
        human_row=human_row,
    )
    return Reader(
        name="mtme",
        summary="layout of mt-metrics-eval: human-scores and metric-scores, one score a line for every system",
        source="google-research/mt-metrics-eval; metrics tasks 2020-25",
        kind=Grid,
        read=partial(_read, choices=choices),
        submission=SubmissionFormat(
            read=read_score_file,
            parts="system",
            first=1,
            folder="metric-scores",
            known_as=lambda name: name.rpartition("-")[0],
            enter=files_to_enter,
            lines=LineFormat(
                columns={
                    "SYSTEM": "is the name of the system that made the translation",
                    "SCORE": "is the score of your metric for it: any finite number, with a point. Lines of a system "
                    "are in the order of its segments",
                },
                answers={"SCORE": ("0.25", "-0.5", "1.125")},
            ),
        ),
        write=partial(write_files, names=Names(gold, references)),
        writes=(Grid, Judgments),
    )


def _read(path: Path, best: Best, *, choices: Choices) -> Sequence[Reading]:
    folder = open_folder(path)
    chosen, dropped = choose_pairs(folder, choices)
    read = [PairReader(folder=folder, choices=choices, chosen=of_pair, parsed=_PARSED).read(best) for of_pair in chosen]
    readings = [of_pair for of_pair in read if isinstance(of_pair, Reading)]
    dropped += [of_pair for of_pair in read if not isinstance(of_pair, Reading)]
    if not readings:
        raise _nothing_read(folder, chosen, dropped, choices)
    _check_metrics(path, readings, choices)
    return [*readings[:-1], attrs.evolve(readings[-1], dropped=(*readings[-1].dropped, *dropped))]


def _nothing_read(
    folder: Folder, chosen: Sequence[PairChoice], dropped: Sequence[Dropped], choices: Choices
) -> DataError:
    """Return the error of a folder in which every pair lacks the domain, or scores of the gold."""
    labels = [read_labels(folder.path, of_pair.pair) for of_pair in chosen] if choices.domain else []
    domains = sorted({domain for of_pair in labels if of_pair is not None for domain in of_pair.labels["domain"]})
    if choices.domain and choices.domain not in domains:
        remedy = did_you_mean(choices.domain, domains, "documents/LP.docs names the domain of every segment")
        return DataError(f"no segment is of the domain '{choices.domain}'", path=folder.path, remedy=remedy)
    reasons = "; ".join(f"{note.task}: {note.reason}" for note in dropped if note.task)
    return DataError(f"no language pair takes part: {reasons}", path=folder.path, remedy="complete its files")


def _check_metrics(path: Path, readings: Sequence[Reading], choices: Choices) -> None:
    """Raise a `DataError` if there are metric scores, but none of a metric that enters."""
    if any(submission.kind != "human" for reading in readings for submission in reading.submissions):
        return
    notes = [note for reading in readings for note in reading.dropped if note.what == "submission"]
    present = next((note for note in notes if note.reason.startswith(NOT_LISTED)), None)
    if present is not None:
        what = f"no metric of the list of {choices.selection.name or 'primaries'} is here"
        raise DataError(
            f"{what}; {present.task} has {present.reason.removeprefix(NOT_LISTED).lstrip(': ')}",
            path=path / "metric-scores",
            remedy="set primaries=all, or name them in primaries",
        )


_LEVELS = ("seg", "sys", "domain")


def files_to_enter(name: str, given: Path, root: Path) -> Mapping[Path, tuple[Path, bytes]]:
    """Return the scores of a metric as files in the folder of its language pair, as `SubmissionFormat.enter`.

    `given` is a file of SYSTEM and SCORE of one language pair, whose name begins with that of the pair unless there is
    only one; or a folder with such files or with a folder for each language pair. Files of language pairs that `root`,
    the folder of mt-metrics-eval, has not are left out if it has another one. Where segment scores come without system
    scores, a system has the mean of its segments. No metric may have the name.
    """
    folder = open_folder(root)
    contents: dict[tuple[str, str], tuple[Path, bytes]] = {}
    others: dict[str, Path] = {}
    for file, stated in _files(given):
        pair = folder.pairs[0] if len(folder.pairs) == 1 and not is_pair(stated) else stated
        if pair not in folder.pairs:
            others[pair] = file
            continue
        level, content = _contents(file)
        if (pair, level) in contents:
            what = f"a second file of the {level} scores of {pair}"
            raise DataError(what, path=file, remedy="give one for each language pair and level")
        contents[pair, level] = file, content
    if not contents:
        first = next(iter(others), "")
        what = f"the language pair of the scores is {first if is_pair(first) else 'not known'}"
        remedy = "begin the name of the file with the language pair of its scores, or give a table with a column pair"
        raise DataError(f"{what}; PATH has {', '.join(folder.pairs)}", path=others.get(first, given), remedy=remedy)
    for pair in sorted({pair for pair, _ in contents}):
        if (pair, "seg") in contents and (pair, "sys") not in contents:
            file, content = contents[pair, "seg"]
            contents[pair, "sys"] = file, _means(content)
        if any(name in (metric.base, metric.name) for metric in folder.metrics(pair)):
            raise DataError(f"a metric of {pair} has the name '{name}'", remedy="enter it under another name")
    place = root / "metric-scores"
    return {place / pair / f"{name}-src.{level}.score": made for (pair, level), made in contents.items()}


def _files(given: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files, each with the language pair that its folder or its name states."""
    if not given.is_dir():
        yield given, given.name.partition(".")[0]
        return
    for path in visible(given):
        if path.is_dir():
            yield from ((file, path.name) for file in visible(path))
        else:
            yield path, path.name.partition(".")[0]


def _contents(file: Path) -> tuple[str, bytes]:
    """Return the level of the scores of a file, and the scores."""
    text = text_file(file)
    names = file.name.removesuffix(".gz").removesuffix(".score").split(".")
    level = names[-1] if names[-1] in _LEVELS else "seg"
    if level == "domain":
        return level, "\n".join([*text.lines, ""]).encode()
    columns = read_system_columns(text)
    if level == "seg" and len(columns.cells) == 1 and names[-1] != "seg":
        level = "sys"
    return level, score_lines(columns.systems, columns.cells).encode()


def _means(lines: bytes) -> bytes:
    """Return the mean of the segments of every system; None where it has no score."""
    by_system: dict[str, list[float]] = {}
    for line in lines.decode().splitlines():
        system, score = line.split("\t")
        by_system.setdefault(system, []).extend([] if score == "None" else [float(score)])
    means = np.array([[np.mean(scores or np.nan) for scores in by_system.values()]])
    return score_lines(list(by_system), means).encode()
