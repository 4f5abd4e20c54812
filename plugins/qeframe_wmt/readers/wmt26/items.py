"""The items of the evaluation tasks of 2025 and 2026: one segment of the test set, known by an id of several fields.

A prediction of 2026 has the whole id, an annotation its end alone: the name of the campaign has the languages.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, json_objects

_OF_2026, _OF_2025 = "_###_", "_#_"
_LAYOUTS = {
    _OF_2026: ("official or challenge", "source", "target", "domain", "document", "segment"),
    _OF_2025: ("language pair", "domain", "origin", "segment"),
}
_OF_ANNOTATION = _LAYOUTS[_OF_2026][3:]
OFFICIAL = "official"
_SETS = (OFFICIAL, "challenge")
LINES = "one JSON object a line"


@frozen
class Item:
    """One segment of the test set."""

    key: str  # the whole id, by which gold and predictions are joined
    part: str  # "official" or "challenge"; all items of 2025 are official
    pair: str  # ``eng_Latn-deu_Latn`` in 2026 and ``en-de_DE`` in 2025
    domain: str
    document: str  # an id with the domain in it; of official items of 2026 that of the document in the test set


def parse_item(fields: Fields, key: str) -> Item:
    """Read the id of an item, which has the fields of 2025 or of 2026, none of them empty."""
    text = fields.name(key)
    of_2025 = _OF_2025 in text and _OF_2026 not in text and not text.startswith(_SETS)
    separator = _OF_2025 if of_2025 else _OF_2026
    parts = _split(fields, key, text, separator, _LAYOUTS[separator])
    if separator == _OF_2025:
        return Item(text, OFFICIAL, parts[0], parts[1], separator.join(parts[:-1]))
    if parts[0] not in _SETS:
        raise fields.error(f"{key} '{text}' begins with '{parts[0]}'", remedy=f"begin with {' or '.join(_SETS)}")
    return _of_2026(parts)


def parse_annotated_item(fields: Fields, languages: tuple[str, str]) -> Item:
    """Read the ``item_id`` of an annotation in a campaign: domain, document and segment."""
    return _of_2026(
        [OFFICIAL, *languages, *_split(fields, "item_id", fields.name("item_id"), _OF_2026, _OF_ANNOTATION)]
    )


def _split(fields: Fields, key: str, text: str, separator: str, layout: Sequence[str]) -> list[str]:
    parts = text.split(separator)
    if len(parts) != len(layout) or not all(parts):
        fault = "one is empty" if len(parts) == len(layout) else f"not {len(layout)}"
        remedy = f"join {', '.join(layout)} by {separator}"
        raise fields.error(f"'{fields.where}{key}' has {len(parts)} fields, {fault}", remedy=remedy)
    return parts


def _of_2026(parts: list[str]) -> Item:
    part, source, target, domain, document, _ = parts
    of_document = ("WMT26", domain, source, target, document) if part == OFFICIAL else parts[:-1]
    return Item(_OF_2026.join(parts), part, f"{source}-{target}", domain, _OF_2026.join(of_document))


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


def labels_of(items: Iterable[Item]) -> dict[str, list[str]]:
    """Return the document and the domain of every item, as groupings."""
    chosen = list(items)
    return {"document": [item.document for item in chosen], "domain": [item.domain for item in chosen]}
