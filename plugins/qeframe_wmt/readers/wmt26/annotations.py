"""Human annotation of translations, scores and marked errors: what all campaigns have, and the lines of 2025.

A line of 2025 has an item with all its translations. `campaigns` reads the file of 2026.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Literal

from attrs import field, frozen

from qeframe.plugin.readers import Dropped, TextFile
from qeframe_wmt.formats.json_lines import Fields
from qeframe_wmt.readers.wmt26.items import Item, items_of, systems_of
from qeframe_wmt.readers.wmt26.marks import Beyond, Mark, Offsets, read_mark

Items = Literal["official", "challenge", "all"]  # which items are scored

LeftOut = Counter[tuple[str, str, str]]
"""How often something was left out: the language pair, what it is, and why."""


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
    text: str  # empty where it was scored and never displayed
    annotations: Sequence[Annotation]
    line: int

    @property
    def name(self) -> str:
        """The name of the translation for messages."""
        return f"{self.item.key}/{self.system}"


@frozen
class Reliability:
    """How well the scores of an annotator agree with all scores of a campaign; None if that is not known."""

    probability: float | None
    screens: int
    excluded: bool


@frozen(eq=False, slots=False)
class Gold:
    """The annotated translations of a file, no item and system twice, and what was left out.

    Of campaigns of 2026, by language pair: `annotators`, by name; `counts` of screens, step by step; `remarks`, what a
    user has to know.
    """

    file: TextFile
    translations: Sequence[Translation]
    left_out: LeftOut
    annotators: Mapping[str, Mapping[str, Reliability]] = field(factory=dict)
    counts: Mapping[str, Mapping[str, int]] = field(factory=dict)
    remarks: Mapping[str, Sequence[str]] = field(factory=dict)

    @cached_property
    def pairs(self) -> dict[str, list[Translation]]:
        """The annotated translations of each language pair, in the order of the file."""
        by_pair: dict[str, list[Translation]] = {}
        for translation in self.translations:
            by_pair.setdefault(translation.item.pair, []).append(translation)
        return by_pair


@frozen(kw_only=True)
class GoldRule:
    """How the gold is read, and what of it is scored.

    `least_probability`, `displayed_only`: of a campaign of 2026, see `campaigns`.
    """

    items: Items = "official"
    references: Collection[str] = ()  # systems that are left out
    beyond: Beyond = "clip"  # of the lines of 2025
    least_probability: float = 0.0
    displayed_only: bool = True


def dropped_of(left_out: LeftOut, pair: str, scored: Collection[str] | None = None) -> tuple[Dropped, ...]:
    """Return what was left out of a language pair.

    `scored`: the pairs with a task. What belongs to none of them is with this pair too. None: it is with another one.
    """
    return tuple(
        Dropped(of or "all", what, count, why)
        for (of, what, why), count in sorted(left_out.items())
        if of == pair or (scored is not None and (of not in scored or what == "language pair"))
    )


def read_lines_of_2025(file: TextFile, rule: GoldRule) -> Gold:
    """Read the lines of an ESA campaign: doc_id, src_text, tgt_text and scores; an item occurs once."""
    left_out: LeftOut = Counter()
    translations: list[Translation] = []
    for item, fields in items_of(file, "doc_id", _refuse_screen):
        fields.text("src_text")
        texts, scores = fields.object("tgt_text"), fields.object("scores")
        list(systems_of(texts))  # checks their names
        translations += _of_item(item, texts, scores, rule, left_out)
    return Gold(file, translations, left_out)


def _refuse_screen(fields: Fields) -> None:
    if "annotation" in fields.values and "doc_id" not in fields.values:
        what = "this is a screen of a campaign of 2026, not a line of 2025"
        raise fields.error(what, remedy="give the published annotations.json, one object with all campaigns")


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
            offsets = Offsets(text)
            annotations = []
            for fields in annotated:
                errors = fields.objects("errors")
                marks = tuple(read_mark(error, offsets, tokens=False, beyond=rule.beyond) for error in errors)
                if clipped := sum(mark.clipped for mark in marks):
                    left_out[item.pair, "span", "cut at the end of the text in the gold"] += clipped
                annotator = fields.name("annotator") if "annotator" in fields.values else ""
                annotations.append(Annotation(read_score(fields), marks, annotator))
            translations.append(Translation(item, system, text, annotations, texts.line))
    return translations


def read_score(fields: Fields) -> float:
    """Read the score of an annotation."""
    score = fields.number("score")
    if not 0 <= score <= 100:
        raise fields.error(f"'{fields.where}score' is {score:g}", remedy="a score is from 0 to 100")
    return score


def _refuse_repeated(annotated: Sequence[Fields]) -> None:
    """Raise a `DataError` for an annotation that equals another one of the same annotator."""
    for position, fields in enumerate(annotated):
        if "annotator" in fields.values and any(fields.values == other.values for other in annotated[:position]):
            what = f"'{fields.where[:-1]}' equals another annotation of '{fields.name('annotator')}'"
            raise fields.error(what, remedy="keep one")
