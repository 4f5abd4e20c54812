"""Files of LP, METHOD, SEG and SCORE after some header lines, and the reading of their scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, Scores, labels_to_index
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.formats.header_lines import check_header, stated_numbers
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.formats.tab_columns import check_pair_names, only_text
from qeframe_wmt.readers.sentence.post_edit_rates import per_word

_NAMES = ("LP", "METHOD", "SEG", "SCORE")


@frozen(kw_only=True)
class ScoreColumns:
    """The parameters of the format."""

    header: int
    first: int  # the number of the segment on the first line of the gold
    missing: float | None  # the gold value that marks a missing one
    rate_by: str  # the name of the file beside the gold by whose words scores are divided; empty for none

    def only_pair(self, file: TextFile) -> tuple[str, UnitValues]:
        """Return the language pair of a submission, which has one, and its answers."""
        pairs, answers = self._columns(file, file.path.stem)
        return only_text(pairs, "LP", file, skip=self.header), answers

    def by_pair(self, file: TextFile, name: str) -> dict[str, UnitValues]:
        """Return the answers of a submission of this name for each of its language pairs."""
        pairs, answers = self._columns(file, name)
        check_pair_names(pairs, file, skip=self.header)
        pair_of, found = labels_to_index(pairs)
        return {pair: answers.take(np.flatnonzero(pair_of == number)) for number, pair in enumerate(found)}

    def submission(self, *, several: bool) -> SubmissionFormat:
        """Return how one file of a submission is read; `several` is whether it may have several language pairs."""
        return SubmissionFormat(read=partial(self._parts, several=several), first=self.first)

    def _parts(self, path: Path, *, several: bool) -> Sequence[Submitted]:
        file = read_text_lines(path)
        by_pair = self.by_pair(file, path.stem) if several else dict([self.only_pair(file)])
        return [Submitted(part=pair, answers=answers) for pair, answers in by_pair.items()]

    def _columns(self, file: TextFile, name: str) -> tuple[list[str], UnitValues]:
        """Return the language pair of every line, and the answers."""
        layout = Layout(f"scores of sentences ({' '.join(_NAMES)})", "qe_sentence")
        refuse_other_layout(file, layout, any_header=True)
        check_header(file, self.header, names=_NAMES, reader="qe_sentence")
        pairs, methods, segments, scores = split_columns(file, _NAMES, separator="\t", skip=self.header)
        only_text(methods, "METHOD", file, skip=self.header)
        return pairs, UnitValues(
            name=name,
            ids=parse_ids(segments, file, skip=self.header),
            values=parse_numbers(scores, file, skip=self.header),
            path=str(file.path),
            lines=np.arange(self.header + 1, len(file.lines) + 1),
            stated=stated_numbers(file, self.header),
        )

    def reading(
        self,
        name: str,
        gold: TextFile,
        submissions: Sequence[UnitValues],
        files: Sequence[TextFile],
        *,
        best: Best,
        root: Path,
    ) -> Reading:
        """Return the reading of a task, without segments that have no gold; `files` are those of the submissions."""
        reading = Reading(
            name=name,
            kind=Scores,
            gold=gold_by_line(gold, first=self.first),
            submissions=tuple(submissions),
            best=best,
            inputs=tuple(input_of(file, root) for file in (gold, *files)),
        )
        units = len(reading.gold.ids)
        if self.missing is not None:
            reading = _without(reading, self.missing)
        return per_word(reading, self.rate_by, folder=gold.path.parent, root=root, first=self.first, units=units)


def _without(reading: Reading, missing: float) -> Reading:
    """Leave out the segments without gold, and the answers to them."""
    absent = reading.gold.values == missing
    if not absent.any():
        return reading
    removed = reading.gold.ids[absent]
    note = Dropped(reading.name, "unit", int(absent.sum()), f"its gold is {missing:g}, which says that there is none")
    submissions = (each.take(np.flatnonzero(~np.isin(each.ids, removed))) for each in reading.submissions)
    gold = reading.gold.take(np.flatnonzero(~absent))
    return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), dropped=(*reading.dropped, note))
