"""The items of a test set with their translations: the input that participants get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.readers.wmt26.annotations import Gold
from qeframe_wmt.readers.wmt26.item_ids import Item, parse_item
from qeframe_wmt.readers.wmt26.predictions import Answers, MarkedText

_KEYS = ("item_id", "src", "ref", "hyps")

THRESHOLDS = "thresholds.jsonl"  # the file of the thresholds that participants declared for their scores


@frozen(eq=False)
class TestSet:
    """The translations of a test set by item and system, and the lines of its items."""

    __test__ = False

    file: TextFile
    items: Mapping[str, Item]
    texts: Mapping[tuple[str, str], str]
    lines: Mapping[str, int]

    def check_answers(self, answers: Answers[Any]) -> None:
        """Raise a `DataError` if a submission has an answer beyond the input, or lacks one of an item that it has.

        Items that it lacks altogether are left to the policy of the profile.
        """
        for key, line in answers.lines.items():
            if key not in self.items:
                what = f"item '{key}' is not in {self.file.path}"
                raise answers.file.error(what, line=line, remedy="predict for the items of the input")
        for key, system in answers.values:
            if (key, system) not in self.texts:
                what = f"item '{key}' has no translation by '{system}' in {self.file.path}:{self.lines[key]}"
                raise answers.file.error(what, line=answers.lines[key], remedy="predict for the systems of the input")
        for key, system in self.texts:
            if key in answers.lines and (key, system) not in answers.values:
                what = f"no prediction for the translation by '{system}' of item '{key}'"
                raise answers.file.error(what, line=answers.lines[key], remedy="predict for every system of the input")


def read_test_set(file: TextFile) -> TestSet:
    """Read the lines of an input: item_id, src, ref (an object or null) and hyps."""
    items: dict[str, Item] = {}
    texts: dict[tuple[str, str], str] = {}
    lines: dict[str, int] = {}
    for fields in json_objects(file):
        fields.check_keys(_KEYS)
        item = parse_item(fields, "item_id")
        if item.key in lines:
            what = f"item '{item.key}' occurs twice, first on line {lines[item.key]}"
            raise fields.error(what, remedy="keep one line an item")
        items[item.key], lines[item.key] = item, fields.line
        _check_source(fields)
        outputs = fields.object("hyps")
        if not outputs.values:
            raise fields.error("'hyps' has no translation", remedy="give an object with the text of every system")
        for system in outputs.values:
            outputs.checked_name(system, "the name of a system")
            texts[item.key, system] = outputs.text(system)
    return TestSet(file, items, texts, lines)


def _check_source(fields: Fields) -> None:
    fields.text("src")
    if fields.values.get("ref") is not None:
        reference = fields.object("ref")
        reference.text("text")
        reference.get("type", str, type(None))


def check_texts(gold: Gold, test_set: TestSet) -> None:
    """Raise a `DataError` if a translation was annotated that the input lacks, or has with another text."""
    for translation in gold.translations:
        place = (translation.item.key, translation.system)
        if place not in test_set.texts:
            what = f"item '{place[0]}' has no translation by '{place[1]}' in {test_set.file.path}"
            raise gold.file.error(what, line=translation.line, remedy="give the input of this gold")
        if test_set.texts[place] != translation.text:
            where = f"{test_set.file.path}:{test_set.lines[place[0]]}"
            what = f"another text of {place[1]} for item '{place[0]}' than in {where}"
            raise gold.file.error(what, line=translation.line, remedy="give the input of this gold")


def check_spans(answers: Answers[MarkedText], texts: Mapping[tuple[str, str], str]) -> None:
    """Raise a `DataError` for the first span that ends after its text, where the text is known."""
    for place, marked in answers.values.items():
        length = len(texts[place]) if place in texts else None
        for start, end, *_ in marked.spans if length is not None else ():
            if end > (length or 0):
                where = f"for {place[1]} of item '{place[0]}', the text has {length} characters"
                remedy = "mark characters of the text; the end is the first one after the span"
                raise answers.file.error(
                    f"a span from {start} to {end} {where}", line=answers.lines[place[0]], remedy=remedy
                )
