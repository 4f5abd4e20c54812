"""ESA ratings: the scores of the annotators of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from qeframe.plugin import Best, Grid
from qeframe.plugin.readers import Reader, Reading, input_of, read_text_lines
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.metrics.ratings.appraise import read_appraise
from qeframe_wmt.readers.metrics.ratings.rated import Rating, Ratings, in_order, ratings_reading
from qeframe_wmt.readers.wmt26.annotations import MarkRule, Translation
from qeframe_wmt.readers.wmt26.campaign_2025 import read_campaign_2025
from qeframe_wmt.readers.wmt26.campaign_log import read_campaign_log
from qeframe_wmt.readers.wmt26.folder import GoldFormat


def esa_ratings(*, gold: GoldFormat | Literal["appraise"] = "esa", references: tuple[str, ...] = ()) -> Reader:
    """Read the scores of an ESA campaign, from 0 to 100; every language pair is a task.

    Parameters
    ----------
    gold : {"esa", "cesa", "appraise"}
        esa: the published annotation of 2025. cesa: a log of contrastive annotation, as the tool of 2026 writes it.
        appraise: comma-separated values without a header, as exported from Appraise in 2024.
    references : list of str
        Systems that are references. They are left out and counted.

    Returns
    -------
    Reader
        Of `Grid` without submissions, with the scores as assessments on the scale "esa": for ``qeframe ratings``.

    References
    ----------
    WMT25 general MT task, human evaluation.
    """
    return Reader(
        name="esa_ratings",
        summary="a file of an ESA campaign, JSON lines or the table of Appraise: the scores of all annotators",
        source="WMT24-26 general MT task, human evaluation",
        kind=Grid,
        read=partial(_read_table, references=references)
        if gold == "appraise"
        else partial(_read, gold=gold, references=references),
        example=examples.appraise if gold == "appraise" else partial(examples.campaign, gold=gold),
    )


def _read_table(path: Path, best: Best, *, references: tuple[str, ...]) -> Sequence[Reading]:
    file = read_text_lines(path, texts=True, pipe=True, packed=True, holds="one item a line")
    found, readings = read_appraise(file), []
    for pair, assessed in found.pairs.items():
        kept = [each for each in assessed if each.system not in references]
        left_out = Counter({(what, why): n for (of, what, why), n in found.left_out.items() if of == pair})
        left_out.update(("item", f"{each.system}: a reference") for each in assessed if each.system in references)
        ratings = Ratings(
            file=file,
            name=pair,
            scale="esa",
            ratings=[Rating(each.place, each.system, each.user, each.score) for each in kept],
            segments=in_order(file, {each.place: str(each.segment + 1) for each in kept}, 0),
            systems=list(dict.fromkeys(each.system for each in kept)),
            left_out=left_out,
        )
        readings.append(ratings_reading(ratings, best, (input_of(file, path),)))
    return readings


def _read(path: Path, best: Best, *, gold: GoldFormat, references: tuple[str, ...]) -> Sequence[Reading]:
    file = read_text_lines(path, texts=True, pipe=True, holds="one JSON object a line")
    read = read_campaign_2025 if gold == "esa" else read_campaign_log
    found = read(file, MarkRule("exclusive", "clip", missing_after_text=gold == "cesa"), references)
    by_pair: dict[str, list[Translation]] = {}
    for translation in found.translations:
        by_pair.setdefault(translation.item.pair, []).append(translation)
    if not by_pair:
        raise file.error("no translation has a score", remedy="give a file with annotation")
    first = next(iter(by_pair))
    return [
        ratings_reading(
            Ratings(
                file=file,
                name=pair,
                scale="esa",
                ratings=[
                    Rating(each.item.key, each.system, annotation.annotator or str(number), annotation.score)
                    for each in translations
                    for number, annotation in enumerate(each.annotations, 1)
                ],
                segments=list(dict.fromkeys(each.item.key for each in translations)),
                systems=list(dict.fromkeys(each.system for each in translations)),
                left_out={
                    (what, why): count
                    for (of, what, why), count in found.left_out.items()
                    if what != "span" and (of == pair or (of not in by_pair and pair == first))
                },
            ),
            best,
            (input_of(file, path),),
        )
        for pair, translations in by_pair.items()
    ]
