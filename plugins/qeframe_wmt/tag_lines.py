"""Plain tag lines on both sides: what the scorer of 2019 read, and the gold of most years."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Reader, Reading, Side, Tagged, Tags, TextFile, check_lines, read_text_lines
from qeframe_wmt.folders import TaskFolder, find_tasks, input_of
from qeframe_wmt.layouts import TAG_LINES, refuse_other_layout
from qeframe_wmt.word_readings import tag_side, word_reading

__all__ = ["tag_lines"]

Place = Literal["words", "words_and_gaps", "source"]
Stream = Literal["joint", "words", "gaps"]


def tag_lines(*, layout: Place = "words", stream: Stream = "joint") -> Reader:
    """Folders of a task whose gold and submissions have the tags of one sentence a line.

    Parameters
    ----------
    layout : {"words", "words_and_gaps", "source"}
        What the tags of a line belong to: the words of the translation; its N words and N + 1 gaps, gap 0 first, then
        word 1, gap 1 and so on (2018 and 2019); or the words of the source.
    stream : {"joint", "words", "gaps"}
        Of words_and_gaps: which tags are scored. Otherwise all are.

    Returns
    -------
    Reader
        Of `Tags`; a submission is called by the stem of its file, sentences count from 0. An empty line is a sentence
        without tags.

    Raises
    ------
    DataError
        If a stream is asked for that the layout does not have.

    References
    ----------
    deep-spin/qe-evaluation, the scorer of 2019.
    """
    if stream != "joint" and layout != "words_and_gaps":
        remedy = "set layout=words_and_gaps, or leave stream out"
        raise DataError(f"stream={stream} asks for one of two streams, layout={layout} has one", remedy=remedy)
    return Reader(
        name="tag_lines",
        summary="folders of a task, gold and submissions with the tags of one sentence a line",
        source="scorer of WMT19 QE, word level; gold of WMT15-22",
        kind=Tags,
        read=partial(_read, gaps=layout == "words_and_gaps", stream=stream),
    )


def _read(path: Path, best: Best, *, gaps: bool, stream: Stream) -> Sequence[Reading]:
    return [_read_task(task, path, best, gaps, stream) for task in find_tasks(path)]


def _read_task(task: TaskFolder, root: Path, best: Best, gaps: bool, stream: Stream) -> Reading:
    gold, *files = map(read_text_lines, (task.gold, *task.submissions))
    sides = [_side(gold, "gold", gaps, stream), *(_side(file, file.path.stem, gaps, stream) for file in files)]
    for side in sides[1:]:
        check_lines(sides[0], side)
    return word_reading(
        task.name,
        sides[0],
        sides[1:],
        best=best,
        inputs=[input_of(file, root) for file in (gold, *files)],
        remedy="give one tag for each tag of the gold",
    )


def _side(file: TextFile, name: str, gaps: bool, stream: Stream) -> Side:
    refuse_other_layout(file, TAG_LINES, gold=name == "gold")
    side = tag_side(file, name)
    return _streamed(side, file, stream) if gaps else side


def _streamed(side: Side, file: TextFile, stream: Stream) -> Side:
    """Return the scored tags of sentences of 2 N + 1 tags: gaps have even places, words odd ones, from 0."""
    tags: Tagged = side.values
    even = np.flatnonzero((tags.lengths % 2 == 0) & (tags.lengths > 0))
    if len(even):
        what = f"{tags.lengths[even[0]]} tags, expected an odd number: N words and N + 1 gaps"
        raise file.error(what, line=int(even[0]) + 1, remedy="give the tags of the gaps too, or set layout=words")
    if stream == "joint":
        return side
    odd = 1 if stream == "words" else 0
    place = np.arange(len(tags.values)) - np.repeat(tags.offsets[:-1], tags.lengths)
    lengths = (tags.lengths + 1 - odd) // 2
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return attrs.evolve(side, values=Tagged(tags.values[place % 2 == odd], offsets))
