"""Defects that are known, each with what is missing; a case that matches one must be a defect, no other may be."""

from __future__ import annotations

import re

__all__ = ["KNOWN_DEFECTS", "known_defect"]

KNOWN_DEFECTS: dict[str, str] = {
    r".*: a FIFO (that nobody writes|within)": "a pipe where a file is expected hangs",
}
"""What is missing, by a regular expression that the whole name of a case matches."""


def known_defect(case: str) -> str:
    """Return what is missing for a case to be no defect; empty for a case that must be none."""
    return next((missing for pattern, missing in KNOWN_DEFECTS.items() if re.fullmatch(pattern, case)), "")
