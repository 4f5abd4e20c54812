"""Numbers as readers see them: one precision a column, undefined ones said so."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["UNDEFINED", "decimals_for", "printed", "printed_interval", "printed_p"]

UNDEFINED = "n/a"
_LARGE = 1e7
"""From here on numbers are printed with an exponent."""


def decimals_for(values: Iterable[float]) -> int:
    """Return how many decimals show a column of numbers, so that its largest has about three significant digits.

    Returns
    -------
    int
        3 from 0.1 up to 10 (correlations, F1), fewer above, more below; between 1 and 6.
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest == 0 or 0.1 <= largest < 10:
        return 3
    return min(max(2 - math.floor(math.log10(largest)) + (largest >= 10), 1), 6)


def printed(value: float, decimals: int) -> str:
    """Return a number with a fixed number of decimals, without a sign on zero; "n/a" if it is undefined."""
    if not math.isfinite(value):
        return UNDEFINED if math.isnan(value) else "inf" if value > 0 else "-inf"
    if abs(value) >= _LARGE:
        return f"{value:.3g}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not float(text) else text


def printed_interval(low: float, high: float, decimals: int) -> str:
    """Return both ends of an interval, or nothing where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{printed(low, decimals)} to {printed(high, decimals)}"


def printed_p(p: float) -> str:
    """Return a p-value with four decimals; small ones as a bound, for they are never zero."""
    return "<0.0001" if p < 0.0001 else printed(p, 4)
