"""Human and metric scores in the layout of mt-metrics-eval: 2020 to 2025."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs

from qeframe.plugin import Best, DataError, Grid, Parametric
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, ExampleRequest, Files, Reader, Reading, SubmissionFormat
from qeframe_wmt.examples import metrics as examples
from qeframe_wmt.readers.metrics.mtme.choices import OFFICIAL, Choices, PairChoice, choose_pairs
from qeframe_wmt.readers.metrics.mtme.domains import read_labels
from qeframe_wmt.readers.metrics.mtme.entered_files import files_to_enter
from qeframe_wmt.readers.metrics.mtme.entering_metrics import NOT_LISTED
from qeframe_wmt.readers.metrics.mtme.pair_reading import PairReader
from qeframe_wmt.readers.metrics.mtme.score_files import (
    Folder,
    ParsedFiles,
    open_folder,
    read_score_file,
    scores_as_gold,
)
from qeframe_wmt.selections.selection import Level, load_selection

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
        selection=load_selection(selection) if selection else None,
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
        example=partial(_example, choices=choices),
        submission=SubmissionFormat(
            read=read_score_file,
            parts="system",
            first=1,
            folder="metric-scores",
            as_gold=scores_as_gold,
            enter=files_to_enter,
        ),
    )


MTME = Parametric(mtme, former_parameters={"human": "gold"})  # the reader, with its former parameter


def _read(path: Path, best: Best, *, choices: Choices) -> Sequence[Reading]:
    folder = open_folder(path)
    chosen, dropped = choose_pairs(folder, choices)
    read = [PairReader(folder=folder, choices=choices, chosen=each, parsed=_PARSED).read(best) for each in chosen]
    readings = [each for each in read if isinstance(each, Reading)]
    dropped += [each for each in read if not isinstance(each, Reading)]
    if not readings:
        raise _nothing_read(folder, chosen, dropped, choices)
    _check_metrics(path, readings, choices)
    return [*readings[:-1], attrs.evolve(readings[-1], dropped=(*readings[-1].dropped, *dropped))]


def _example(request: ExampleRequest, *, choices: Choices) -> Files:
    """Generate what the selection chooses: its first official pairs, and their first metrics and last baseline."""
    selection = choices.selection
    official = (selection.official or tuple(selection.pairs)) if selection else request.language_pairs
    return examples.grids(request, [_example_pair(pair, request, choices) for pair in official[: request.pairs]])


def _example_pair(pair: str, request: ExampleRequest, choices: Choices) -> examples.GridPair:
    selection = choices.selection
    own = selection.of(pair) if selection else None
    gold = choices.gold if isinstance(choices.gold, str) else choices.gold.get(pair, "")
    reference = own.reference if own else "refA"
    listed = selection.metrics_of(pair) if selection else ()
    return examples.GridPair(
        pair=pair,
        gold=gold or (own.gold[choices.level] if own else "mqm"),
        reference=reference,
        scored=["refB" if reference == "refA" else "refA"],
        outliers=own.outliers if own else (),
        metrics=[*listed[: request.submissions - 1], *listed[-1:]],
    )


def _nothing_read(
    folder: Folder, chosen: Sequence[PairChoice], dropped: Sequence[Dropped], choices: Choices
) -> DataError:
    """Return the error of a folder in which every pair lacks the domain, or scores of the gold."""
    labels = [read_labels(folder.path, each.pair) for each in chosen] if choices.domain else []
    domains = sorted({domain for each in labels if each is not None for domain in each.labels["domain"]})
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
        what = f"no metric of the list of {choices.selection.name if choices.selection else 'primaries'} is here"
        raise DataError(
            f"{what}; {present.task} has {present.reason.removeprefix(NOT_LISTED).lstrip(': ')}",
            path=path / "metric-scores",
            remedy="set primaries=all, or name them in primaries",
        )
