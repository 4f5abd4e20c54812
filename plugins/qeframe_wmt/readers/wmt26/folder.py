"""The folder of a task of 2026: ``gold*``, ``submissions/``, and possibly ``input.jsonl`` and ``thresholds.jsonl``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen

from qeframe.plugin import DataError
from qeframe.plugin.readers import Dropped, Input, TaskFolder, TextFile, has_file, input_of, read_text_lines
from qeframe_wmt.readers.wmt26.annotations import Gold, MarkRule, Translation
from qeframe_wmt.readers.wmt26.campaign_2025 import read_campaign_2025
from qeframe_wmt.readers.wmt26.campaign_log import read_campaign_log
from qeframe_wmt.readers.wmt26.predictions import Answers, Predictions, read_predictions
from qeframe_wmt.readers.wmt26.test_sets import THRESHOLDS, TestSet, check_texts, read_test_set

GoldFormat = Literal["esa", "cesa"]
"""The files of gold: the published annotation of 2025, or a log of contrastive annotation."""

Items = Literal["official", "challenge", "all"]  # which items are scored

_LINES = "one JSON object a line"


@frozen(kw_only=True)
class GoldRule:
    """How the gold is read, and what of it is scored."""

    gold: GoldFormat = "esa"
    items: Items = "official"
    references: tuple[str, ...] = ()
    marks: MarkRule = field(factory=MarkRule)


@frozen(eq=False, slots=False)
class Folder:
    """The files of a task that were read."""

    gold: Gold
    predictions: Sequence[Predictions]
    test_set: TestSet | None
    thresholds: TextFile | None  # what participants declared, not yet parsed
    inputs: tuple[Input, ...]

    @cached_property
    def texts(self) -> Mapping[tuple[str, str], str]:
        """The texts that are known, by item and system."""
        if self.test_set is not None:
            return self.test_set.texts
        return {(each.item.key, each.system): each.text for each in self.gold.translations}

    @cached_property
    def pairs(self) -> dict[str, list[Translation]]:
        """The annotated translations of each language pair, in the order of the file."""
        found: dict[str, list[Translation]] = {}
        for translation in self.gold.translations:
            found.setdefault(translation.item.pair, []).append(translation)
        return found

    def check(self, answers: Answers[Any]) -> None:
        """Raise a `DataError` if the answers do not fit the input."""
        if self.test_set is not None:
            self.test_set.check_answers(answers)

    def answered_pairs(self, answers: Sequence[Answers[Any]]) -> list[str]:
        """Return the language pairs of which a submission has an item; the others are counted as left out."""
        if not answers:
            reasons = ", ".join(reason for _, what, reason in self.gold.left_out if what == "submission")
            what = f"no submission has predictions of this task: {reasons}"
            remedy = "give such predictions, or choose the profile of the task that these are for"
            raise DataError(what, path=self.gold.file.path.parent, remedy=remedy)
        known = {item.pair for each in answers for item in each.items.values()}
        for pair in self.pairs:
            if pair not in known:
                self.gold.left_out[pair, "language pair", "no submission has an item of it"] += 1
        return [pair for pair in self.pairs if pair in known]

    def dropped(self, pair: str, *, first: bool) -> tuple[Dropped, ...]:
        """Return what was left out of a language pair; what belongs to no pair that is scored, with the first one."""
        return tuple(
            Dropped(of or "all", what, count, reason)
            for (of, what, reason), count in sorted(self.gold.left_out.items())
            if of == pair or (first and of not in self.pairs) or (first and what == "language pair")
        )


def read_folder(task: TaskFolder, root: Path, rule: GoldRule) -> Folder:
    """Read the files of a task; the gold must fit the input, and have a translation to score."""
    files = [read_text_lines(path, texts=True, holds=_LINES) for path in (task.gold, *task.submissions)]
    test_set, thresholds = (
        read_text_lines(path, texts=True, holds=_LINES) if has_file(path) else None
        for path in (task.path / "input.jsonl", task.path / THRESHOLDS)
    )
    read_gold = read_campaign_2025 if rule.gold == "esa" else read_campaign_log
    gold = _of_items(read_gold(files[0], rule.marks, rule.references), rule.items)
    parsed = None if test_set is None else read_test_set(test_set)
    if parsed is not None:
        check_texts(gold, parsed)
    others = [file for file in (test_set, thresholds) if file is not None]
    inputs = tuple(input_of(file, root) for file in (*files, *others))
    return Folder(gold, list(map(read_predictions, files[1:])), parsed, thresholds, inputs)


def _of_items(gold: Gold, items: Items) -> Gold:
    kept = [each for each in gold.translations if items in ("all", each.item.part)]
    if not kept:
        parts = Counter(each.item.part for each in gold.translations)
        there = ", ".join(f"{count} of the set {part}" for part, count in sorted(parts.items())) or "none at all"
        remedy = "annotate some, or set items in the reader"
        raise gold.file.error(f"no annotated translation is in the set {items}: there are {there}", remedy=remedy)
    for each in gold.translations:
        if items not in ("all", each.item.part):
            gold.left_out[each.item.pair, "translation", f"not in the set {items}"] += 1
    return Gold(gold.file, kept, gold.left_out, gold.systems)
