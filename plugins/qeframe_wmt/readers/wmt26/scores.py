"""Scores of translations by segments and systems: task 2 of 2026, and the human evaluation of translation systems."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from qeframe.plugin import Best, FloatArray, Grid, IntArray, Values
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Reader, Reading, UnitValues, input_of
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.wmt26.annotations import Annotation, Gold, GoldRule, Items, Translation, dropped_of
from qeframe_wmt.readers.wmt26.campaigns import read_campaign
from qeframe_wmt.readers.wmt26.challenge_sets import write_challenge_sets
from qeframe_wmt.readers.wmt26.folder import Cascade, Folder, Scored, as_numbers, read_folders, scores_of
from qeframe_wmt.readers.wmt26.items import labels_of
from qeframe_wmt.readers.wmt26.predictions import Answers, Nulls, Predictions, Scale, predictions_format

Annotators = Literal["mean", "first"]  # how the scores of several annotators become one


def wmt26_scores(
    *,
    items: Items = "official",
    references: tuple[str, ...] = (),
    annotators: Annotators = "mean",
    cascade: Cascade = "yes",
    minor: float = 1.0,
    major: float = 5.0,
    scale: Scale = "0-100",
    nulls: Nulls = "error",
    least_probability: float = 0.0,
) -> Reader:
    """Read ``task2_pred`` and human scores as JSON; every language pair is a task, every item a row of systems.

    Parameters
    ----------
    items : {"official", "challenge", "all"}
        The set of items that is scored. Others are left out and counted.
    references : list of str
        Systems that are references. They are left out and counted.
    annotators : {"mean", "first"}
        The score of a translation that several people annotated: the mean, or that of the first one.
    cascade : {"yes", "no"}
        yes: a submission with ``task1_pred`` alone enters with scores derived from its spans, under a name that says
        so. no: it is left out and counted.
    minor, major : float
        The points that an error takes from 100 in derived scores, which are not below 0.
    scale : {"0-100", "any"}
        The numbers that predicted scores may be; any: those beyond 0 to 100 are noted.
    nulls : {"mean", "error"}
        mean: a score that is null becomes the mean of its system in the language pair, as in the organizers' baselines,
        and is counted.
    least_probability : float
        Annotators whose scores agree less with all scores of a campaign of 2026 are left out and counted; the official
        filter has .75. 0: all count.

    Returns
    -------
    Reader
        Of `Grid`, with NaN where a translation was not annotated.

    Raises
    ------
    DataError
        For points that are negative.

    References
    ----------
    WMT26 automated MT evaluation, sub-task 2.
    """
    rule = GoldRule(items=items, references=references, least_probability=least_probability)
    scored_by = partial(scores_of, weights={"minor": minor, "major": major}, cascade=cascade, scale=scale, nulls=nulls)
    lack = "no task2_pred" if cascade == "no" else "no task1_pred or task2_pred"
    return Reader(
        name="wmt26_scores",
        summary="a folder of JSON lines: gold annotation, and a score of every translation in task2_pred",
        source="WMT26 automated MT evaluation, sub-task 2",
        kind=Grid,
        read=partial(_read_scores, rule=rule, annotators=annotators, scored_by=scored_by, lack=lack),
        example=partial(examples.predictions, task=2),
        submission=predictions_format(scored_by, as_numbers, "task2_pred"),
        write=write_challenge_sets,
    )


def human_score(annotations: Sequence[Annotation], annotators: Annotators) -> float:
    """Return the score of a translation."""
    scores = [annotation.score for annotation in annotations]
    return sum(scores) / len(scores) if annotators == "mean" else scores[0]


def _read_scores(
    path: Path, best: Best, *, rule: GoldRule, annotators: Annotators, scored_by: Scored, lack: str
) -> Sequence[Reading]:
    readings: list[Reading] = []

    def scored(submission: Predictions) -> list[Answers[float]] | str:
        return lack if (found := scored_by(submission)) is None else [found]

    for folder, answers, pairs in read_folders(path, rule, 2, lambda folder: folder.answers(scored)):
        for pair in pairs:
            readings.append(_scores_reading(pair, folder, answers, annotators, best, first=not readings))
    return readings


def _scores_reading(
    pair: str, folder: Folder, answers: Sequence[Answers[float]], annotators: Annotators, best: Best, *, first: bool
) -> Reading:
    translations = folder.gold.pairs[pair]
    items = {translation.item.key: translation.item for translation in translations}
    rows = {key: row for row, key in enumerate(items)}
    columns = {name: column for column, name in enumerate(dict.fromkeys(of_item.system for of_item in translations))}
    cells = np.array([(rows[of_item.item.key], columns[of_item.system]) for of_item in translations]).T
    gold = np.full((len(rows), len(columns)), np.nan)
    gold[*cells] = [human_score(translation.annotations, annotators) for translation in translations]
    lines = {translation.item.key: translation.line for translation in translations}
    names = dict(enumerate(rows))
    taking_part = [submission for submission in answers if not rows.keys().isdisjoint(submission.items)]
    sides = [(submission, _side(submission, translations, cells, names)) for submission in taking_part]
    for submission, side in sides:
        folder.count_extra(pair, [pair], submission, int(np.count_nonzero(~np.isnan(side.values))))
    count = len(columns)
    return folder.reading(
        pair,
        Grid,
        gold,
        lines=[lines[key] for key in rows],
        names=names,
        sides=sides,
        answers=answers,
        first=first,
        best=best,
        groups=labels_of(items.values()),
        counts={"systems": count, "system_pairs": count * (count - 1) // 2, "segments": len(rows)},
        systems=tuple(columns),
    )


def _side(
    answers: Answers[float], translations: Sequence[Translation], cells: IntArray, names: Mapping[int, str]
) -> UnitValues:
    """Return the scores of a submission for the translations that were annotated, which are in these cells."""
    scores = np.array([answers.values.get((of_item.item.key, of_item.system), np.nan) for of_item in translations])
    kept = np.array([row for row, key in names.items() if key in answers.items], np.int64)
    lacking = np.flatnonzero(np.isnan(scores) & np.isin(cells[0], kept))
    if len(lacking):
        first = translations[lacking[0]]
        what = f"no prediction for the translation by '{first.system}' of item '{first.item.key}'"
        remedy = "predict for every system that was annotated, or set references in the reader"
        raise answers.file.error(what, line=answers.lines[first.item.key], remedy=remedy)
    values = np.full(cells.max(axis=1) + 1, np.nan)
    values[*cells] = scores
    return answers.side(kept, (names[row] for row in kept.tolist()), values[kept], names)


def wmt26_systems(
    *,
    pair: str = "",
    references: tuple[str, ...] = (),
    least_probability: float = 0.0,
    displayed_only: Literal["no", "yes"] = "no",
) -> Reader:
    """Read the annotation of campaigns; the submissions are the translation systems, every language pair is a task.

    PATH is the published file of 2026, ``annotations.json``, or that of 2025, a file of JSON lines.

    Parameters
    ----------
    pair : str
        The only language pair that is read; empty for all.
    references : list of str
        Systems that are references. They are left out and counted.
    least_probability : float
        Annotators whose scores agree less with all scores of a campaign of 2026 are left out and counted, with how well
        they agree; the official filter has .75. 0: all count.
    displayed_only : {"no", "yes"}
        yes: scores of systems that were not on the screen are left out and counted. no: they count, as in the official
        ranking.

    Returns
    -------
    Reader
        Of `Values`: the mean of the annotations of an item, NaN where a system was not annotated.

    Raises
    ------
    DataError
        If there is no item of the language pair.

    References
    ----------
    WMT26 general MT task, human evaluation.
    """
    rule = GoldRule(references=references, least_probability=least_probability, displayed_only=displayed_only == "yes")
    return Reader(
        name="wmt26_systems",
        summary="the annotation of ESA campaigns, as published: their translation systems are ranked",
        source="WMT26 general MT task, human evaluation",
        kind=Values,
        read=partial(_read_systems, rule=rule, pair=pair),
        example=examples.campaigns,
    )


def _read_systems(path: Path, best: Best, *, rule: GoldRule, pair: str) -> Sequence[Reading]:
    campaign = read_campaign(path, rule)
    pairs = campaign.pairs
    if pair and pair not in pairs:
        raise campaign.file.error(f"no item is of the language pair '{pair}'", remedy=did_you_mean(pair, pairs))
    chosen = [pair] if pair else list(pairs)
    return [_systems_reading(name, campaign, best, path, first=name == chosen[0]) for name in chosen]


def _systems_reading(name: str, campaign: Gold, best: Best, path: Path, *, first: bool) -> Reading:
    translations = campaign.pairs[name]
    items = {translation.item.key: translation.item for translation in translations}
    rows = {key: row for row, key in enumerate(items)}
    ratings: dict[str, FloatArray] = {}
    for translation in translations:
        of_system = ratings.setdefault(translation.system, np.full(len(rows), np.nan))
        of_system[rows[translation.item.key]] = human_score(translation.annotations, "mean")
    return reading_of_systems(
        name,
        ratings,
        dict(enumerate(rows)),
        source=str(campaign.file.path),
        groups=labels_of(items.values()),
        best=best,
        dropped=dropped_of(campaign.left_out, name, campaign.pairs if first else None),
        inputs=(input_of(campaign.file, path),),
        counts={"segments": len(rows), "systems": len(ratings), **campaign.counts.get(name, {})},
        remarks=tuple(campaign.remarks.get(name, ())),
    )


def reading_of_systems(
    name: str,
    scores: Mapping[str, FloatArray],
    names: Mapping[int, str],
    *,
    source: str,
    paths: Mapping[str, str] = {},
    **fields: Any,
) -> Reading:
    """Return a task whose submissions are translation systems; `paths` are those of systems with files of their own."""
    ids = np.arange(len(names))
    return Reading(
        name=name,
        kind=Values,
        gold=UnitValues(name="gold", ids=ids, values=np.zeros(len(ids)), path=source, names=names),
        submissions=tuple(
            UnitValues(name=system, ids=ids, values=values, path=paths.get(system, source), names=names)
            for system, values in scores.items()
        ),
        **fields,
    )
