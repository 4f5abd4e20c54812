"""The format of numbers in tables and figures: one number of decimals for each column, "n/a" for undefined ones."""

import math
from collections.abc import Iterable

UNDEFINED = "n/a"
_LARGE = 1e7
"""Numbers of this size and larger are written with an exponent."""


def decimals_for(values: Iterable[float]) -> int:
    """Return the number of decimals for a column, so that its largest number has about three significant digits.

    Parameters
    ----------
    values : iterable of float
        Those of the column; undefined and infinite ones do not count.

    Returns
    -------
    int
        3 if the largest is from 0.1 up to 10, fewer above, more below; from 1 to 6.
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest == 0 or 0.1 <= largest < 10:
        return 3
    return min(max(2 - math.floor(math.log10(largest)) + (largest >= 10), 1), 6)


def format_number(value: float, decimals: int) -> str:
    """Return a number with a fixed number of decimals, without a sign on zero; "n/a" if it is undefined.

    Parameters
    ----------
    value : float
    decimals : int

    Returns
    -------
    str
        From 10 million on with an exponent; infinite values are "inf" and "-inf".
    """
    if not math.isfinite(value):
        return UNDEFINED if math.isnan(value) else "inf" if value > 0 else "-inf"
    if abs(value) >= _LARGE:
        return f"{value:.3g}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not float(text) else text


def exact(value: str | bool | float) -> str:
    """Return a text that reads back as the same value; an empty text for an undefined number."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value
    return repr(float(value)) if math.isfinite(value) else ""


def format_interval(low: float, high: float, decimals: int) -> str:
    """Return both ends of an interval, or an empty text if an end is NaN.

    Parameters
    ----------
    low, high : float
    decimals : int

    Returns
    -------
    str
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{format_number(low, decimals)} to {format_number(high, decimals)}"


def format_estimated_count(count: float) -> str:
    """Return an estimated number of things, from 1,000 on with three digits; "no bound" if it is infinite."""
    if not math.isfinite(count):
        return UNDEFINED if math.isnan(count) else "no bound"
    return f"{count if count < 1000 else float(f'{count:.3g}'):,.0f}"


def format_p(p: float) -> str:
    """Return a p-value with four decimals, or "<0.0001" if it is smaller.

    Parameters
    ----------
    p : float
        In [0, 1], or NaN.

    Returns
    -------
    str
    """
    return "<0.0001" if p < 0.0001 else format_number(p, 4)
