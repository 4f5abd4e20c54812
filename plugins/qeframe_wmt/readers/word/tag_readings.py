"""From the tags of gold and submissions to the reading of a word-level task: lengths checked, sentences grouped."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np

from qeframe.plugin import Best, Tags
from qeframe.plugin.kinds import SentenceTags
from qeframe.plugin.readers import Input, Reading, TextFile, UnitValues, check_lengths, parse_plain
from qeframe_wmt.formats.layouts import TAG_LINES, refuse_other_layout
from qeframe_wmt.formats.length_groups import length_labels


def gold_tags(file: TextFile) -> UnitValues:
    """Return a gold of plain tag lines; the first line is sentence 0, as submissions number it."""
    refuse_other_layout(file, TAG_LINES, gold=True)
    return attrs.evolve(parse_plain(Tags, file, name="gold"), numbered_from=0, known_by="line_number")


def with_empty_sentences(submission: UnitValues, gold: UnitValues) -> UnitValues:
    """Add the sentences that have no tag in the gold, since a table of one word a line cannot hold them."""
    empty = np.setdiff1d(gold.ids[gold.values.lengths == 0], submission.ids)
    if not len(empty):
        return submission
    values: SentenceTags = submission.values
    lines = submission.lines
    offsets = np.append(values.offsets, np.full(len(empty), values.offsets[-1]))
    return attrs.evolve(
        submission,
        ids=np.append(submission.ids, empty),
        values=SentenceTags(values.values, offsets, values.classes),
        lines=None if lines is None else np.append(lines, np.full(len(empty), lines[-1])),
    )


def word_reading(
    name: str, gold: UnitValues, submissions: Sequence[UnitValues], *, best: Best, inputs: Sequence[Input], remedy: str
) -> Reading:
    """Return a reading of tags, with the sentences grouped by their number of scored tags.

    A sentence of a submission with another number of tags than in the gold is an error, with this remedy.
    """
    for submission in submissions:
        check_lengths(gold, submission, remedy=remedy)
    return Reading(
        name=name,
        kind=Tags,
        gold=gold,
        submissions=tuple(submissions),
        groups={"length": length_labels(gold.values.lengths)},
        best=best,
        inputs=tuple(inputs),
    )
