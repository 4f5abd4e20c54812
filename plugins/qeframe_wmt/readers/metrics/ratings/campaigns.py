"""ESA ratings, the scores of the annotators of a campaign: JSON lines, or the table that Appraise exports."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from qeframe.plugin import Best, Grid
from qeframe.plugin.readers import Reader, Reading, TextFile, input_of, language_code, plain_numbers, read_text_lines
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.formats.tables import csv_rows
from qeframe_wmt.readers.metrics.ratings.rated import Rating, Ratings, in_order
from qeframe_wmt.readers.wmt26.annotations import Annotation, Gold, GoldRule, LeftOut, Translation
from qeframe_wmt.readers.wmt26.campaigns import read_campaign
from qeframe_wmt.readers.wmt26.items import OFFICIAL, Item

_COLUMNS = 12
_LAYOUT = (
    "a line is USER,SYSTEM,SEGMENT,TYPE,SOURCE,TARGET,SCORE,DOCUMENT,-,ERRORS,START,END, with quotes around a "
    "cell that has a comma"
)
_CODES = {"isl": "is", "jpn": "ja", "rus": "ru", "spa": "es", "ukr": "uk", "zho": "zh"}
"""Codes of languages that are used in these tables alone."""
_DOMAIN = re.compile(r"test-[a-z]+-([a-z]+)_")
_MARKED = {"#incomplete": "a document that fills up a task", "#dup": "a document that is repeated for an annotator"}


def segment_number(key: str) -> int:
    """Return the number of a segment in the test set, from 0, by the key of its item in a table of Appraise."""
    return int(key.rpartition("/")[2])


def read_appraise(path: Path, references: Collection[str]) -> Gold:
    """Read the scores of translations, each as a translation with the annotation of one annotator.

    Attention checks (a TYPE other than TGT), tutorials, documents that are marked as incomplete or repeated, and
    references are left out and counted. Of two scores that an annotator gave to a translation the one that ended later
    counts.
    """
    file = read_text_lines(path, texts=True, pipe=True, packed=True, holds="one item a line")
    left_out: LeftOut = Counter()
    latest: dict[tuple[str, str, str, str], tuple[float, Translation]] = {}
    for line, cells in enumerate(csv_rows(file, remedy="write one item a line"), 1):
        if len(cells) != _COLUMNS:
            raise file.error(f"{len(cells)} columns", line=line, remedy=_LAYOUT)
        user, system, segment, kind, source, target, score, document, *_, end = (cell.strip() for cell in cells)
        pair = "-".join(_CODES.get(name) or language_code(name) for name in (source, target))
        if why := _why_left_out(system, kind, document):
            left_out[pair, "item", why] += 1
            continue
        if not all(name and name.isprintable() for name in (user, system, source, target, document)):
            raise file.error("a name is empty or has characters that are not printed", line=line, remedy=_LAYOUT)
        rating, ended = (_number(text, file, line) for text in (score, end))
        if not (segment.isascii() and segment.isdecimal() and 0 <= rating <= 100):
            what = f"segment {segment!a}, score {score!a}"
            raise file.error(what, line=line, remedy="a segment is a number from 0, a score from 0 to 100")
        place = (pair, user, system, f"{document}/{segment}")
        if place in latest:
            left_out[pair, "item", "scored again by the same annotator"] += 1
        if place not in latest or ended >= latest[place][0]:
            domain = match[1] if (match := _DOMAIN.match(document)) else document
            item = Item(f"{document}/{int(segment)}", OFFICIAL, pair, domain, document)
            latest[place] = ended, Translation(item, system, "", [Annotation(rating, (), user)], line)
    translations = [translation for _, translation in latest.values() if translation.system not in references]
    for pair, _, system, _ in latest:
        if system in references:
            left_out[pair, "item", f"{system}: a reference"] += 1
    if not translations:
        raise file.error("no translation has a score", remedy="give a file with annotation")
    return Gold(file, translations, left_out)


def _why_left_out(system: str, kind: str, document: str) -> str:
    if "tutorial" in system:
        return "a tutorial"
    if kind != "TGT":
        return "an attention check"
    if document == "canary":
        return "the canary line of the test set"
    return next((why for mark, why in _MARKED.items() if mark in document), "")


def _number(text: str, file: TextFile, line: int) -> float:
    if (numbers := plain_numbers([text])) is None:
        raise file.error(f"{text!a} cannot be read as a number", line=line, remedy=_LAYOUT)
    return float(numbers[0])


def esa_ratings(*, gold: Literal["esa", "appraise"] = "esa", references: tuple[str, ...] = ()) -> Reader:
    """Read the scores of an ESA campaign, from 0 to 100; every language pair is a task.

    Parameters
    ----------
    gold : {"esa", "appraise"}
        esa: the published annotation, ``annotations.json`` of 2026 or the lines of 2025. appraise: comma-separated
        values without a header, as exported from Appraise in 2024.
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
        read=partial(_read, references=references, appraise=gold == "appraise"),
        example=examples.appraise if gold == "appraise" else examples.campaign_of_2025,
    )


def _read(path: Path, best: Best, *, references: tuple[str, ...], appraise: bool) -> Sequence[Reading]:
    rule = GoldRule(references=references)
    campaign, readings = read_appraise(path, references) if appraise else read_campaign(path, rule), []
    first = next(iter(campaign.pairs))
    for pair, translations in campaign.pairs.items():
        segments = list(dict.fromkeys(of_item.item.key for of_item in translations))
        if appraise:
            segments = in_order(campaign.file, {key: str(segment_number(key) + 1) for key in segments}, 0)
        ratings = Ratings(
            file=campaign.file,
            name=pair,
            scale="esa",
            ratings=[
                Rating(of_item.item.key, of_item.system, annotation.annotator or str(number), annotation.score)
                for of_item in translations
                for number, annotation in enumerate(of_item.annotations, 1)
            ],
            segments=segments,
            systems=list(dict.fromkeys(of_item.system for of_item in translations)),
            left_out={
                (what, why): count
                for (of, what, why), count in campaign.left_out.items()
                if of == pair or (of not in campaign.pairs and pair == first)
            },
        )
        readings.append(ratings.reading(best, (input_of(campaign.file, path),)))
    return readings
