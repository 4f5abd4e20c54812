"""Human annotation of translations, scores and marked errors: as published in 2025, and the log of a campaign of 2026.

A line of 2025 has an item with all its translations, a line of the log one screen of one annotator, in order of time.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.plugin.readers import Dropped, TextFile, read_text_lines
from qeframe_wmt.formats.json_lines import Fields, json_objects

_OF_2026, _OF_2025 = "_###_", "_#_"
_LAYOUTS = {
    _OF_2026: ("official or challenge", "source", "target", "domain", "document", "segment"),
    _OF_2025: ("language pair", "domain", "origin", "segment"),
}
_SETS = ("official", "challenge")


@frozen
class Item:
    """One segment of the test set."""

    key: str  # the whole id, by which gold and predictions are joined
    part: str  # "official" or "challenge"; all items of 2025 are official
    pair: str  # ``eng_Latn-deu_Latn`` in 2026 and ``en-de_DE`` in 2025
    domain: str
    document: str  # with all fields before it, so that documents of different domains differ


def parse_item(fields: Fields, key: str) -> Item:
    """Read the id of an item, which has the fields of 2025 or of 2026, none of them empty."""
    text = fields.name(key)
    separator = _OF_2026 if _OF_2026 in text else _OF_2025
    parts, layout = text.split(separator), _LAYOUTS[separator]
    if len(parts) != len(layout) or not all(parts):
        empty = " (one is empty)" if len(parts) == len(layout) else ""
        remedy = f"an id is {separator.join(_LAYOUTS[_OF_2026])}"
        if separator == _OF_2025:
            remedy += f", in 2025 {separator.join(layout)}"
        raise fields.error(f"{key} '{text}' has {len(parts)} fields{empty}", remedy=remedy)
    document = separator.join(parts[:-1])
    if separator == _OF_2025:
        return Item(text, "official", parts[0], parts[1], document)
    if parts[0] not in _SETS:
        raise fields.error(f"{key} '{text}' begins with '{parts[0]}'", remedy=f"begin with {' or '.join(_SETS)}")
    return Item(text, parts[0], f"{parts[1]}-{parts[2]}", parts[3], document)


def items_of(file: TextFile, key: str, check: Callable[[Fields], None]) -> Iterator[tuple[Item, Fields]]:
    """Yield the item and the object of every line, after its check; an item occurs once."""
    lines: dict[str, int] = {}
    for fields in json_objects(file):
        check(fields)
        item = parse_item(fields, key)
        if item.key in lines:
            what = f"item '{item.key}' occurs twice, first on line {lines[item.key]}"
            raise fields.error(what, remedy="keep one line an item")
        lines[item.key] = fields.line
        yield item, fields


def systems_of(fields: Fields) -> Iterator[str]:
    """Yield the names of systems, the keys of an object."""
    for system in fields.values:
        yield fields.checked_name(system, "the name of a system")


def labels_of(items: Iterable[Any]) -> dict[str, list[str]]:
    """Return the document and the domain of every item, as groupings."""
    chosen = list(items)
    return {"document": [item.document for item in chosen], "domain": [item.domain for item in chosen]}


LINES = "one JSON object a line"
GoldFormat = Literal["esa", "cesa"]  # the published annotation of 2025, or a log of contrastive annotation
Ends = Literal["inclusive", "exclusive"]
"""Whether the end of a marked span is its last character, or the first one after it."""

Beyond = Literal["error", "clip"]  # what happens to a span that ends after its text; a clipped one is counted
Items = Literal["official", "challenge", "all"]  # which items are scored

LeftOut = Counter[tuple[str, str, str]]
"""How often something was left out: the language pair, what it is, and why."""

SCORED = ("minor", "major")
_UNSCORED = ("neutral", "undecided", None)
_MISSING = "missing"


@frozen
class Mark:
    """An error that an annotator marked."""

    start: int  # characters, the end exclusive; both -1 for a mark on ``[missing]``
    end: int
    severity: str | None  # "minor", "major", "neutral", "undecided" or None

    @property
    def is_missing(self) -> bool:
        """Whether the mark is on ``[missing]``: something of the source is not in the translation."""
        return self.start < 0

    @property
    def is_scored(self) -> bool:
        """Whether the severity counts in span scores."""
        return self.severity in SCORED


@frozen
class Annotation:
    """What one annotator said of one translation: a score from 0 to 100, and marks; "" if the name is not known."""

    score: float
    marks: tuple[Mark, ...]
    annotator: str = ""


@frozen(eq=False)
class Translation:
    """A translation of an item by a system, with at least one annotation, and its line in the file."""

    item: Item
    system: str
    text: str
    annotations: Sequence[Annotation]
    line: int

    @property
    def name(self) -> str:
        """The name of the translation for messages."""
        return f"{self.item.key}/{self.system}"


@frozen(eq=False, slots=False)
class Gold:
    """The annotated translations of a file, no item and system twice, and what was left out."""

    file: TextFile
    translations: Sequence[Translation]
    left_out: LeftOut

    @cached_property
    def pairs(self) -> dict[str, list[Translation]]:
        """The annotated translations of each language pair, in the order of the file."""
        by_pair: dict[str, list[Translation]] = {}
        for translation in self.translations:
            by_pair.setdefault(translation.item.pair, []).append(translation)
        return by_pair


@frozen(kw_only=True)
class GoldRule:
    """How the gold is read, and what of it is scored."""

    gold: GoldFormat = "esa"
    items: Items = "official"
    references: Collection[str] = ()  # systems that are left out
    ends: Ends = "exclusive"
    beyond: Beyond = "clip"

    @property
    def missing_after_text(self) -> bool:
        """Whether a mark on the position after the last character is one on ``[missing]``."""
        return self.gold == "cesa"


def read_gold(file: TextFile, rule: GoldRule) -> Gold:
    """Read the annotation of a campaign, in either format."""
    return (_read_campaign_2025 if rule.gold == "esa" else _read_campaign_log)(file, rule)


def read_campaign(path: Path, gold: GoldFormat, references: Collection[str], *, packed: bool = False) -> Gold:
    """Read the annotation of a campaign alone, which must have a score."""
    file = read_text_lines(path, texts=True, pipe=True, packed=packed, holds=LINES)
    campaign = read_gold(file, GoldRule(gold=gold, references=references))
    if not campaign.translations:
        raise file.error("no translation has a score", remedy="give a file with annotation")
    return campaign


def dropped_of(left_out: LeftOut, pair: str, *, first: bool = False) -> tuple[Dropped, ...]:
    """Return what was left out of a language pair, without marks; what belongs to none of them, with the first one."""
    return tuple(
        Dropped(of or "all", what, count, why)
        for (of, what, why), count in sorted(left_out.items())
        if what != "span" and (of == pair or (first and not of))
    )


def _mark(fields: Fields, length: int, rule: GoldRule, left_out: LeftOut, pair: str) -> Mark:
    """Read a mark: an object with start_i, end_i and severity."""
    severity = fields.get("severity", str, type(None))
    if severity not in (*SCORED, *_UNSCORED):
        remedy = f"give {', '.join((*SCORED, 'neutral', 'undecided'))} or null"
        raise fields.error(f"unknown severity '{severity}' in '{fields.where}severity'", remedy=remedy)
    start, end = (fields.get(key, int, str) for key in ("start_i", "end_i"))
    if start == end == _MISSING or (rule.missing_after_text and start == length == end):
        return Mark(-1, -1, severity)
    after = end + (rule.ends == "inclusive") if isinstance(end, int) else -1
    if not (isinstance(start, int) and isinstance(end, int)) or not 0 <= start <= after:
        remedy = f'characters count from 0, the end is {rule.ends}; "missing" twice for [missing]'
        raise fields.error(f"'{fields.where}' marks '{start}' to '{end}'".replace(".'", "'", 1), remedy=remedy)
    if after > length and (rule.beyond == "error" or start > length):
        what = f"'{fields.where[:-1]}' marks {start} to {end}, the end {rule.ends}; the text has {length} characters"
        raise fields.error(what, remedy="mark characters of the text, or set beyond=clip in the reader")
    if after > length:
        left_out[pair, "span", "cut at the end of the text in the gold"] += 1
    return Mark(start, min(after, length), severity)


def _read_campaign_2025(file: TextFile, rule: GoldRule) -> Gold:
    """Read the lines of an ESA campaign: doc_id, src_text, tgt_text and scores; an item occurs once."""
    left_out: LeftOut = Counter()
    translations: list[Translation] = []
    for item, fields in items_of(file, "doc_id", _refuse_log):
        fields.text("src_text")
        texts, scores = fields.object("tgt_text"), fields.object("scores")
        list(systems_of(texts))  # checks their names
        translations += _of_item(item, texts, scores, rule, left_out)
    return Gold(file, translations, left_out)


def _refuse_log(fields: Fields) -> None:
    if "annotation" in fields.values and "doc_id" not in fields.values:
        what = "this is a line of a log of annotation, not of 2025"
        raise fields.error(what, remedy="set gold=cesa in the reader")


def _of_item(item: Item, texts: Fields, scores: Fields, rule: GoldRule, left_out: LeftOut) -> list[Translation]:
    for system in scores.values:
        if system not in texts.values:
            raise scores.error(f"'{scores.where}{system}' has no text", remedy="give its text in tgt_text")
    translations = []
    for system in texts.values:
        text = texts.text(system)
        annotated = scores.objects(system) if system in scores.values else []
        if system in rule.references:
            left_out[item.pair, "translation", f"{system}: a reference"] += 1
        elif not annotated:
            left_out[item.pair, "translation", "not annotated"] += 1
        else:
            _refuse_repeated(annotated)
            annotations = [_annotation(fields, "errors", text, rule, left_out, item.pair) for fields in annotated]
            translations.append(Translation(item, system, text, annotations, texts.line))
    return translations


def _refuse_repeated(annotated: Sequence[Fields]) -> None:
    """Raise a `DataError` for an annotation that equals another one of the same annotator."""
    for position, fields in enumerate(annotated):
        if "annotator" in fields.values and any(fields.values == other.values for other in annotated[:position]):
            what = f"'{fields.where[:-1]}' equals another annotation of '{fields.name('annotator')}'"
            raise fields.error(what, remedy="keep one")


def _annotation(fields: Fields, errors: str, text: str, rule: GoldRule, left_out: LeftOut, pair: str) -> Annotation:
    """Read one annotation: its score from 0 to 100, and its marks under the key `errors`."""
    score = fields.number("score")
    if not 0 <= score <= 100:
        raise fields.error(f"'{fields.where}score' is {score:g}", remedy="a score is from 0 to 100")
    annotator = fields.name("annotator") if "annotator" in fields.values else ""
    marks = tuple(_mark(error, len(text), rule, left_out, pair) for error in fields.objects(errors))
    return Annotation(score, marks, annotator)


_RESET = "__RESET__"
_EXTRA_SCREENS = ("welcome_", "random_", "goodbye_")
_TUTORIAL, _CHECK = "_#_tutorial_#_", "attention_check_"
_EVERYWHERE = ""


@frozen(eq=False)
class _Log:
    """The annotations that were read so far, by item and system."""

    rule: GoldRule
    left_out: LeftOut = field(factory=Counter)
    items: dict[str, Item] = field(factory=dict)
    texts: dict[tuple[str, str], tuple[str, int]] = field(factory=dict)
    annotations: dict[tuple[str, str], list[Annotation]] = field(factory=dict)


def _read_campaign_log(file: TextFile, rule: GoldRule) -> Gold:
    """Read the lines of a log: annotation, item, user_id and item_i.

    Attention checks, tutorials, and what an annotator did before a reset are left out and counted.
    """
    log = _Log(rule)
    seen: dict[str, int] = {}
    for fields in _valid_lines(json_objects(file), log.left_out):
        first = seen.setdefault(file.lines[fields.line - 1], fields.line)
        if first != fields.line:
            raise fields.error(f"the same screen again, as on line {first}", remedy="keep one line a screen")
        _add_line(fields, log)
    translations = []
    for (key, system), annotations in log.annotations.items():
        text, line = log.texts[key, system]
        translations.append(Translation(log.items[key], system, text, annotations, line))
    return Gold(file, translations, log.left_out)


def _valid_lines(lines: list[Fields], left_out: LeftOut) -> list[Fields]:
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
    for system in systems_of(answers):
        text, place = texts.text(system), (item.key, system)
        first, line = log.texts.setdefault(place, (text, fields.line))
        if first != text:
            what = f"another text of {system} for item '{item.key}' than on line {line}"
            raise fields.error(what, remedy="a translation has one text")
        answer = answers.object(system)
        if system in log.rule.references:
            log.left_out[item.pair, "annotation", f"{system}: a reference"] += 1
        elif answer.get("score", int, float, type(None)) is None:
            log.left_out[item.pair, "annotation", "without a score"] += 1
        else:
            annotation = _annotation(answer, "error_spans", text, log.rule, log.left_out, item.pair)
            log.annotations.setdefault(place, []).append(attrs.evolve(annotation, annotator=user))
