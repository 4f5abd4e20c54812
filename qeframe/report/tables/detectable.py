"""The smallest detectable differences: the note of a leaderboard."""

from __future__ import annotations

from typing import Any

from qeframe.report.layouts.numbers import decimals_for, format_number


def detectable_note(found: Any) -> str:
    """Return the note of a leaderboard on the smallest differences that it could have detected."""
    if found.reason:
        return f"detectable differences are undefined: {found.reason}"
    decimals = decimals_for([found.largest])
    sizes = [format_number(value, decimals) for value in (found.smallest, found.median, found.largest)]
    return (
        f"detectable: the smallest difference from {found.leader} that a {found.sided}-sided jackknife test at p = "
        f"{found.level:.2g} (alpha after the correction) would have found with {100 * found.power:g} %; over all pairs "
        f"{sizes[0]} to {sizes[2]}, median {sizes[1]}"
    )
