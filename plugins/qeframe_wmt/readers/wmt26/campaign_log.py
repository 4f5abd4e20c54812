"""The log of an annotation campaign of 2026 (contrastive ESA): one screen of one annotator a line, in order of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import attrs
from attrs import field, frozen

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.readers.wmt26.annotations import Annotation, Gold, MarkRule, Translation
from qeframe_wmt.readers.wmt26.campaign_2025 import annotation_of
from qeframe_wmt.readers.wmt26.item_ids import Item, parse_item

_RESET = "__RESET__"
_EXTRA_SCREENS = ("welcome_", "random_", "goodbye_")
_TUTORIAL, _CHECK = "_#_tutorial_#_", "attention_check_"
_EVERYWHERE = ""


@frozen(eq=False)
class _Log:
    """The annotations that were read so far, by item and system."""

    file: TextFile
    rule: MarkRule
    references: Collection[str]
    left_out: Counter[tuple[str, str, str]] = field(factory=Counter)
    items: dict[str, Item] = field(factory=dict)
    texts: dict[tuple[str, str], tuple[str, int]] = field(factory=dict)
    annotations: dict[tuple[str, str], list[Annotation]] = field(factory=dict)


def read_campaign_log(file: TextFile, rule: MarkRule, references: Collection[str]) -> Gold:
    """Read the lines of a log: annotation, item, user_id and item_i.

    Attention checks, tutorials, and what an annotator did before a reset are left out and counted.
    """
    log = _Log(file, rule, references)
    seen: dict[str, int] = {}
    for fields in _valid_lines(json_objects(file), log.left_out):
        first = seen.setdefault(file.lines[fields.line - 1], fields.line)
        if first != fields.line:
            raise fields.error(f"the same screen again, as on line {first}", remedy="keep one line a screen")
        _add_line(fields, log)
    translations = [
        Translation(log.items[key], system, *_text_and(log.texts[key, system], found))
        for (key, system), found in log.annotations.items()
    ]
    systems = tuple(dict.fromkeys(system for _, system in log.texts))
    return Gold(file, translations, log.left_out, systems)


def _text_and(text: tuple[str, int], found: list[Annotation]) -> tuple[str, list[Annotation], int]:
    return text[0], found, text[1]


def _valid_lines(lines: list[Fields], left_out: Counter[tuple[str, str, str]]) -> list[Fields]:
    """Return the lines of screens with items, without what their annotators reset."""
    by_user: dict[str, list[Fields]] = {}
    for fields in lines:
        if "doc_id" in fields.values and "annotation" not in fields.values:
            raise fields.error("this is a line of the campaign of 2025", remedy="set gold=esa in the reader")
        user = fields.name("user_id")
        screen = fields.get("item_i", int, str, type(None))
        if fields.values.get("annotation") == _RESET:
            reset = by_user.pop(user, [])
            left_out[_EVERYWHERE, "screen", "before a reset"] += len(reset)
        elif isinstance(screen, str) and screen.startswith(_EXTRA_SCREENS):
            left_out[_EVERYWHERE, "screen", "an attention check or a tutorial"] += 1
        else:
            by_user.setdefault(user, []).append(fields)
    return sorted((line for of_user in by_user.values() for line in of_user), key=lambda fields: fields.line)


def _add_line(fields: Fields, log: _Log) -> None:
    items, annotated = fields.objects("item"), fields.get("annotation", list)
    if len(items) != len(annotated):
        what = f"{len(annotated)} annotations of {len(items)} items"
        raise fields.error(what, remedy="give an annotation, or null, for each item")
    for position, (item, answers) in enumerate(zip(items, annotated, strict=True)):
        where = f"annotation[{position}]"
        name = item.values.get("item_id")
        if name is None or (isinstance(name, str) and (name.startswith(_CHECK) or _TUTORIAL in name)):
            log.left_out[_EVERYWHERE, "item", "an attention check or a tutorial"] += 1
        elif answers is None:
            log.left_out[_EVERYWHERE, "item", "skipped by the annotator"] += 1
        elif not isinstance(answers, dict):
            raise fields.error(f"'{where}' is no object", remedy="give an object by system, or null")
        else:
            _add_item(item, Fields(fields.file, fields.line, answers, f"{where}."), fields.name("user_id"), log)


def _add_item(fields: Fields, answers: Fields, user: str, log: _Log) -> None:
    item = parse_item(fields, "item_id")
    log.items[item.key] = item
    texts = fields.object("tgt")
    for system in answers.values:
        answers.checked_name(system, "the name of a system")
        text, place = texts.text(system), (item.key, system)
        first, line = log.texts.setdefault(place, (text, fields.line))
        if first != text:
            what = f"another text of {system} for item '{item.key}' than on line {line}"
            raise fields.error(what, remedy="a translation has one text")
        answer = answers.object(system)
        if system in log.references:
            log.left_out[item.pair, "annotation", f"{system}: a reference"] += 1
        elif answer.get("score", int, float, type(None)) is None:
            log.left_out[item.pair, "annotation", "without a score"] += 1
        else:
            made = annotation_of(answer, "error_spans", text, log.rule, log.left_out, item.pair)
            log.annotations.setdefault(place, []).append(attrs.evolve(made, annotator=user))
