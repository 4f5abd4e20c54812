"""Defects that are known, each with what is missing; a case that matches one must be a defect, no other may be."""

# ruff: noqa: E501
from __future__ import annotations

import re

__all__ = ["KNOWN_DEFECTS", "known_defect"]

_PIPE = "a pipe where a file is expected hangs"
_BLANK = "blanks other than the space are taken off numbers and tags"
_BOM = "a BOM within a name is kept or ignored"
_PATH = "a path that is too long is an error that was not foreseen"
_NO_TASK = "the message that there is no submission names no folder"
_NO_MATCH = "a name that the user sets and that matches nothing is ignored"
_NO_FILE = "the message names neither profile nor rule"

KNOWN_DEFECTS: dict[str, str] = {
    r"[^|]+ \| (?!table\.tsv)\S+: a FIFO that nobody writes": _PIPE,
    r"(?!wmt20|rankings-systems)[^|]+ \| (submissions|scores|systems|references): a FIFO within": _PIPE,
    r"(score|profile): a FIFO that nobody writes": _PIPE,
    r"(?!word_columns_2014|qe_four_columns-ranks \| sub)[^|]+ \| \S+: number '1\\x0[bc]' in column .*": _BLANK,
    r"(qe_plain|qe_plain-ids|mtme|mtme-systems) \| \S+: number '(1\\xa0|\\xa01|1\\u2028|\\x851)' in column .*": _BLANK,
    r"(qe_four_columns|qe_four_columns-ranks|qe_sentence) \| gold\.txt: number '(1\\xa0|\\xa01|1\\u2028|\\x851)' .*": _BLANK,
    r"(decided_pairs-texts|spans_2023) \| \S+: whole number '1\\(u2028|xa0)' in column .*": _BLANK,
    r"(spans_2023|assessed_texts|rankings-texts) \| \S+: name '(\\ufeff\{\}|\{\}\\ufeff)' in column .*": _BOM,
    r"rankings-texts \| rankings\.csv: name '\{\}\\x1b.*": "a language that is unknown makes a language pair of its own",
    r"mtme \| metric-scores/en-de: a file instead": _NO_TASK,
    r"[^|]+ \| a task within": "a task below a folder that is itself a task is ignored",
    r"[^|]+ \| (mt_tok|documents/en-de\.docs): a (dangling|looping) link": "an optional file that is a broken link is ignored",
    r"(rankings|rankings-systems|rankings-texts) \| (scores|text): (emptied|a file instead)": _NO_TASK,
    r"decided_pairs-texts \| fr-en/fr-en\.ref\.sgm: missing": _NO_TASK,
    r"wmt20_darr \| da: a file instead": "a file in the place of a folder is an error that was not foreseen",
    r"assessed_texts \| assessments\.tsv: cells between blanks .*": "blanks around a name make another name",
    r"--seed '(1_000|\\uff11\\uff10|\\u0663|1 |1\\xa0)'": "numbers of options are not held to the digits 0 to 9",
    r"(path|--out): long( parts)?": _PATH,
    r"--out: a (dangling|looping) link": "results are printed before the folder is found unusable",
    r"--set: '(baselines=nobody|baselines=good,nobody|computed=chrf)'": _NO_MATCH,
    r"profile: a baseline that is not here": _NO_MATCH,
    r"profile: a (metric of another kind|test that the metric does not allow)": _NO_FILE,
    r"profile: (a key twice|a key without a value|a (quote|table) that is not closed|JSON|full-width digits)": "no remedy",
    r"profile: a bracket at character (4|23|42|156|175|251|270|289|327|346|365|384|403)": "no remedy",
    r"profile: cut after (?!(0|38|342) )\d+ characters": "no remedy",
}
"""What is missing, by a regular expression that the whole name of a case matches."""


def known_defect(case: str) -> str:
    """Return what is missing for a case to be no defect; empty for a case that must be none."""
    return next((missing for pattern, missing in KNOWN_DEFECTS.items() if re.fullmatch(pattern, case)), "")
