"""The published annotation of 2025: one item a line, with the scores of all its translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.readers.wmt26.annotations import Annotation, Gold, MarkRule, Translation, parse_marks
from qeframe_wmt.readers.wmt26.item_ids import Item, parse_item


def read_campaign_2025(file: TextFile, rule: MarkRule, references: Collection[str]) -> Gold:
    """Read the lines of an ESA campaign: doc_id, src_text, tgt_text and scores; an item occurs once."""
    left_out: Counter[tuple[str, str, str]] = Counter()
    lines: dict[str, int] = {}
    systems: dict[str, None] = {}
    translations: list[Translation] = []
    for fields in json_objects(file):
        if "annotation" in fields.values and "doc_id" not in fields.values:
            raise fields.error(
                "this is a line of a log of annotation, not of 2025", remedy="set gold=cesa in the reader"
            )
        item = parse_item(fields, "doc_id")
        if item.key in lines:
            what = f"item '{item.key}' occurs twice, first on line {lines[item.key]}"
            raise fields.error(what, remedy="keep one line an item")
        lines[item.key] = fields.line
        fields.text("src_text")
        texts, scores = fields.object("tgt_text"), fields.object("scores")
        for system in texts.values:
            systems.setdefault(texts.checked_name(system, "the name of a system"))
        translations += _of_item(item, texts, scores, rule, references, left_out)
    return Gold(file, translations, left_out, tuple(systems))


def _of_item(
    item: Item,
    texts: Fields,
    scores: Fields,
    rule: MarkRule,
    references: Collection[str],
    left_out: Counter[tuple[str, str, str]],
) -> list[Translation]:
    for system in scores.values:
        if system not in texts.values:
            raise scores.error(f"'{scores.where}{system}' has no text", remedy="give its text in tgt_text")
    found = []
    for system in texts.values:
        text = texts.text(system)
        annotated = scores.objects(system) if system in scores.values else []
        if system in references:
            left_out[item.pair, "translation", f"{system}: a reference"] += 1
        elif not annotated:
            left_out[item.pair, "translation", "not annotated"] += 1
        else:
            _refuse_repeated(annotated)
            annotations = [annotation_of(each, "errors", text, rule, left_out, item.pair) for each in annotated]
            found.append(Translation(item, system, text, annotations, texts.line))
    return found


def _refuse_repeated(annotated: Sequence[Fields]) -> None:
    """Raise a `DataError` for an annotation that equals another one of the same annotator."""
    for position, fields in enumerate(annotated):
        if "annotator" in fields.values and any(fields.values == other.values for other in annotated[:position]):
            what = f"'{fields.where[:-1]}' equals another annotation of '{fields.name('annotator')}'"
            raise fields.error(what, remedy="keep one")


def annotation_of(
    fields: Fields, errors: str, text: str, rule: MarkRule, left_out: Counter[tuple[str, str, str]], pair: str
) -> Annotation:
    """Read one annotation: its score from 0 to 100, and its marks under the key `errors`."""
    score = fields.number("score")
    if not 0 <= score <= 100:
        raise fields.error(f"'{fields.where}score' is {score:g}", remedy="a score is from 0 to 100")
    annotator = fields.name("annotator") if "annotator" in fields.values else ""
    return Annotation(score, parse_marks(fields.objects(errors), text, rule, left_out, pair), annotator)
