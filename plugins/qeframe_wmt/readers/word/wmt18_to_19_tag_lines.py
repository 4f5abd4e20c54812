"""Tag lines in gold and submissions: word level, 2018 and 2019."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Tags
from qeframe.plugin.kinds import SentenceTags
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    UnitValues,
    check_lengths,
    check_lines,
    find_tasks,
    input_of,
    parse_plain,
    read_text_lines,
)
from qeframe_wmt.examples import word as examples
from qeframe_wmt.formats.layouts import TAG_LINES, refuse_other_layout
from qeframe_wmt.readers.word.tag_readings import word_reading

Tagging = Literal["words", "words_and_gaps", "source"]
Stream = Literal["joint", "words", "gaps"]


def tag_lines(*, layout: Tagging = "words", stream: Stream = "joint", gold: str = "") -> Reader:
    """Read task folders whose gold and submissions have the tags of one sentence a line.

    Parameters
    ----------
    layout : {"words", "words_and_gaps", "source"}
        What is tagged: the words of the translation; its N words and N + 1 gaps, in the order gap 0, word 1, gap 1 and
        so on (2018 and 2019); or the words of the source.
    stream : {"joint", "words", "gaps"}
        The tags of words_and_gaps that are scored. Of the other layouts all are scored.
    gold : str
        The name of the file of the gold in the folder of a task. Empty: the one whose name begins with gold.

    Returns
    -------
    Reader
        Of `Tags`. A submission has the name of its file without suffix. The first line is unit 0. An empty line is a
        sentence without tags.

    Raises
    ------
    DataError
        For a stream that the layout does not have.

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
        read=partial(_read, gaps=layout == "words_and_gaps", stream=stream, gold=gold),
        example=partial(examples.tag_lines, gaps=layout == "words_and_gaps", gold=gold or "gold.tags"),
        submission=SubmissionFormat(
            read=partial(_submission, gaps=layout == "words_and_gaps", stream=stream), first=0, check=_check_lengths
        ),
    )


def _read(path: Path, best: Best, *, gaps: bool, stream: Stream, gold: str) -> Sequence[Reading]:
    return [_read_task(task, path, best, gaps, stream) for task in find_tasks(path, gold=gold)]


def _read_task(task: TaskFolder, root: Path, best: Best, gaps: bool, stream: Stream) -> Reading:
    gold, *files = map(read_text_lines, (task.gold, *task.submissions))
    gold_tags = _tags(gold, "gold", gaps, stream)
    submissions = [_tags(file, file.path.stem, gaps, stream) for file in files]
    for submission in submissions:
        check_lines(gold_tags, submission)
    return word_reading(
        task.name,
        gold_tags,
        submissions,
        best=best,
        inputs=[input_of(file, root) for file in (gold, *files)],
        remedy="give one tag for each tag of the gold",
    )


def _submission(path: Path, *, gaps: bool, stream: Stream) -> Sequence[Submitted]:
    return [Submitted(answers=_tags(read_text_lines(path), path.stem, gaps, stream))]


def _check_lengths(expected: Submitted, given: Submitted) -> None:
    check_lengths(expected.answers, given.answers, remedy="give one tag for each tag of the input")


def _tags(file: TextFile, name: str, gaps: bool, stream: Stream) -> UnitValues:
    refuse_other_layout(file, TAG_LINES, gold=name == "gold")
    read = parse_plain(Tags, file, name=name)
    return _of_stream(read, file, stream) if gaps else read


def _of_stream(read: UnitValues, file: TextFile, stream: Stream) -> UnitValues:
    """Return the scored tags of sentences of 2 N + 1 tags: gaps have even positions, words odd ones, from 0."""
    tags: SentenceTags = read.values
    even = np.flatnonzero((tags.lengths % 2 == 0) & (tags.lengths > 0))
    if len(even):
        what = f"{tags.lengths[even[0]]} tags, expected an odd number: N words and N + 1 gaps"
        raise file.error(what, line=int(even[0]) + 1, remedy="give the tags of the gaps too, or set layout=words")
    if stream == "joint":
        return read
    odd = 1 if stream == "words" else 0
    position = np.arange(len(tags.values)) - np.repeat(tags.offsets[:-1], tags.lengths)
    lengths = (tags.lengths + 1 - odd) // 2
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return attrs.evolve(read, values=SentenceTags(tags.values[position % 2 == odd], offsets))
