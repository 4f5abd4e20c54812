"""The human evaluation of translation systems in 2025 and 2026: a mean rating of each system for each item."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from qeframe.plugin import Best, Values
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, Reader, Reading, UnitValues, input_of, read_text_lines
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.wmt26.annotations import Gold, MarkRule, Translation
from qeframe_wmt.readers.wmt26.campaign_2025 import read_campaign_2025
from qeframe_wmt.readers.wmt26.campaign_log import read_campaign_log
from qeframe_wmt.readers.wmt26.folder import GoldFormat
from qeframe_wmt.readers.wmt26.scores import human_score


def wmt26_systems(*, gold: GoldFormat = "cesa", pair: str = "", references: tuple[str, ...] = ()) -> Reader:
    """Read the annotation of a campaign; the submissions are the translation systems, every language pair is a task.

    Parameters
    ----------
    gold : {"esa", "cesa"}
        esa: the published annotation of 2025. cesa: a log of contrastive annotation, as the tool of 2026 writes it.
    pair : str
        The only language pair that is read; empty for all.
    references : list of str
        Systems that are references. They are left out and counted.

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
    return Reader(
        name="wmt26_systems",
        summary="a file of JSON lines: the annotation of an ESA campaign, whose translation systems are ranked",
        source="WMT26 general MT task, human evaluation",
        kind=Values,
        read=partial(_read, gold=gold, pair=pair, references=references),
        example=partial(examples.campaign, gold=gold),
    )


def _read(path: Path, best: Best, *, gold: GoldFormat, pair: str, references: tuple[str, ...]) -> Sequence[Reading]:
    file = read_text_lines(path, texts=True, pipe=True, holds="one JSON object a line")
    read = read_campaign_2025 if gold == "esa" else read_campaign_log
    found = read(file, MarkRule("exclusive", "clip", missing_after_text=gold == "cesa"), references)
    by_pair: dict[str, list[Translation]] = {}
    for translation in found.translations:
        by_pair.setdefault(translation.item.pair, []).append(translation)
    if not by_pair:
        raise file.error("no translation has a score", remedy="give a file with annotation")
    if pair and pair not in by_pair:
        raise file.error(f"no item is of the language pair '{pair}'", remedy=did_you_mean(pair, by_pair))
    chosen = [pair] if pair else list(by_pair)
    return [_reading(name, by_pair[name], found, best, path, first=name == chosen[0]) for name in chosen]


def _reading(
    name: str, translations: Sequence[Translation], found: Gold, best: Best, path: Path, *, first: bool
) -> Reading:
    rows = {key: row for row, key in enumerate(dict.fromkeys(each.item.key for each in translations))}
    ratings: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    for each in translations:
        of_system = ratings.setdefault(each.system, np.full(len(rows), np.nan))
        of_system[rows[each.item.key]] = human_score(each.annotations, "mean")
    ids, names = np.arange(len(rows)), {row: key for key, row in rows.items()}
    items = {each.item.key: each.item for each in translations}
    source = str(found.file.path)
    return Reading(
        name=name,
        kind=Values,
        gold=UnitValues(name="gold", ids=ids, values=np.zeros(len(rows)), path=source, names=names),
        submissions=tuple(
            UnitValues(name=system, ids=ids, values=values, path=source, names=names)
            for system, values in ratings.items()
        ),
        groups={
            "document": [items[key].document for key in rows],
            "domain": [items[key].domain for key in rows],
        },
        best=best,
        dropped=tuple(
            Dropped(of or "all", what, count, why)
            for (of, what, why), count in sorted(found.left_out.items())
            if what != "span" and (of == name or (first and not of))
        ),
        inputs=(input_of(found.file, path),),
        counts={"segments": len(rows), "systems": len(ratings)},
    )
