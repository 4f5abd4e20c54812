"""The ids of the items of the test sets of 2025 and 2026: fields that a separator joins."""

from __future__ import annotations

from attrs import frozen

from qeframe_wmt.formats.json_lines import Fields

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
