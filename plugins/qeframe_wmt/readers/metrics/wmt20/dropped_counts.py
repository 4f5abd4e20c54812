"""How much of the data of 2020 is left out: human translations, and systems that no human assessed."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from qeframe.plugin.readers import Dropped, Reading
from qeframe_wmt.readers.metrics.segment_scores import SegmentScores
from qeframe_wmt.readers.metrics.wmt20.published_files import PublishedFiles
from qeframe_wmt.readers.metrics.wmt20.score_lines import PublishedScores


def human_translations(systems: Sequence[str], beginning: str) -> list[str]:
    """Return the systems whose names have a beginning; none if it is empty."""
    return [name for name in systems if beginning and name.startswith(beginning)]


def left_out(
    pair: str,
    compared: Sequence[str],
    humans: Sequence[str],
    scores: Sequence[SegmentScores],
    beginning: str,
    *,
    known: Sequence[str] = (),
) -> tuple[Dropped, ...]:
    """Count the human translations, and the systems that metrics scored but no human assessed.

    `compared` are the systems that are compared, `humans` the human translations with assessments, whose names have the
    `beginning`, and `known` are counted elsewhere.
    """
    note = Dropped(pair, "system", len(humans), f"human translations ({beginning}...)")
    scored = dict.fromkeys(name for each in scores for name in each.names)
    others = [name for name in scored if name not in {*compared, *humans, *known}]
    unassessed = Dropped(pair, "system", len(others), f"no assessments: {', '.join(others)}")
    return tuple(each for each in (note, unassessed) if each.count)


def with_notes(readings: Sequence[Reading], files: PublishedFiles, scores: PublishedScores) -> Sequence[Reading]:
    """Return readings; each counts what was left out of its scores, the last one what belongs to none of them."""
    names = {reading.name for reading in readings}
    notes = [note for note in scores.dropped if note.task not in names]
    if files.other:
        notes.append(Dropped("", "file", len(files.other), f"no scores of this level: {', '.join(files.other)}"))
    counted = [
        attrs.evolve(
            reading, dropped=(*reading.dropped, *(note for note in scores.dropped if note.task == reading.name))
        )
        for reading in readings
    ]
    return [*counted[:-1], attrs.evolve(counted[-1], dropped=(*counted[-1].dropped, *notes))]
