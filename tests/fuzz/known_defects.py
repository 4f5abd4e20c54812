"""Defects that are known, each with what is missing; a case that matches one must be a defect, no other may be."""

# ruff: noqa: E501
from __future__ import annotations

import re

__all__ = ["KNOWN_DEFECTS", "known_defect"]

_BLANK = "blanks other than the space are taken off numbers and tags"
_BOM = "a BOM within a name is kept or ignored"
_NO_TASK = "the message that there is no submission names no folder"
_NO_MATCH = "a name that the user sets and that matches nothing is ignored"
_NO_FILE = "the message names neither profile nor rule"

KNOWN_DEFECTS: dict[str, str] = {
    r"spans_2023 \| submissions/fair\.txt: name '\\ufeff\{\}' in column 2 on line 7|spans_2023 \| submissions/good\.txt: name '\{\}\\ufeff' in column 2 on line 4": _BOM,
    r"spans_2023 \| gold\.txt: whole number '1\\u2028' in column 5 on line 5|spans_2023 \| gold\.txt: whole number '1\\xa0' in column 6 on line 3": _BLANK,
    r"rankings \| scores: emptied|rankings\-systems \| scores: emptied|rankings\-texts \| text: emptied": _NO_TASK,
    r"rankings\-texts \| rankings\.csv: name '\{\}\\x1b\[31m' in column 2 on line 3": "a language that is unknown makes a language pair of its own",
    r"decided_pairs\-texts \| fr\-en/fr\-en\.ref\.sgm: missing": _NO_TASK,
    r"assessed_texts \| assessments\.tsv: cells between blanks on line 49": "blanks around a name make another name",
    r"profile: (a key twice|a key without a value|a (quote|table) that is not closed|JSON|full-width digits)": "no remedy",
    r"profile: a metric of another kind|profile: a test that the metric does not allow": _NO_FILE,
    r"profile: a baseline that is not here": _NO_MATCH,
    r"profile: cut after (?!(0|38|342) )\d+ characters": "no remedy",
    r"profile: a bracket at character (4|23|42|156|175|251|270|289|327|346|365|384|403)": "no remedy",
    r"(score|profile): a FIFO that nobody writes": "a pipe that the user names is waited for, a minute at the most",
}
"""What is missing, by a regular expression that the whole name of a case matches."""


def known_defect(case: str) -> str:
    """Return what is missing for a case to be no defect; empty for a case that must be none."""
    return next((missing for pattern, missing in KNOWN_DEFECTS.items() if re.fullmatch(pattern, case)), "")
