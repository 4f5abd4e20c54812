"""The tables of the metrics tasks.

Rows are what the human said (``<`` left better, ``=`` tie, ``>`` right better), columns what the metric says. A score
is the sum of coefficients over the number of pairs that are not excluded (None). Whether two metric scores tie
(exactly, within an epsilon, within a calibrated one) is a parameter of the metric that uses the table.
"""

from __future__ import annotations

from typing import Literal

from qeframe.plugin import TiePolicy

__all__ = ["acc23", "custom", "darr", "hties", "tau23", "wmt12", "wmt13", "wmt14"]

Rows = tuple[tuple[float | Literal["none"], ...], ...]

wmt12 = TiePolicy(
    name="wmt12",
    summary="Human ties excluded, metric ties count as wrong",
    source="Metrics tasks 2009-12; the matrix of Machacek and Bojar (2014), not the sentence above it",
    table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, -1.0, 1.0)),
)

wmt13 = TiePolicy(
    name="wmt13",
    summary="All ties excluded: a metric may tie the hard pairs and be scored on the easy ones",
    source="Metrics task 2013; Machacek and Bojar (2014)",
    table=((1.0, None, -1.0), (None, None, None), (-1.0, None, 1.0)),
)

wmt14 = TiePolicy(
    name="wmt14",
    summary="Human ties excluded, metric ties count nothing in the numerator and as pairs in the denominator",
    source="Metrics tasks 2014-16; Machacek and Bojar (2014), equation 3 with sums over <, = and >",
    table=((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0)),
    claims=("tie_neutral",),
)

hties = TiePolicy(
    name="hties",
    summary="As wmt14, and where humans tie a metric tie is right and a difference counts nothing",
    source="Metrics task 2014 (secondary, also 'xties'); Machacek and Bojar (2014)",
    table=((1.0, 0.0, -1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 1.0)),
)

darr = TiePolicy(
    name="darr",
    summary="As wmt12, on pairs that have no human ties by construction: metric ties count as wrong",
    source="Metrics tasks 2017-20 (DARR)",
    table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, -1.0, 1.0)),
)

acc23 = TiePolicy(
    name="acc23",
    summary="The share of pairs with the relation that the human gave, ties included",
    source="Metrics tasks 2023-25; Deutsch, Foster and Freitag (2023)",
    table=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
)

tau23 = TiePolicy(
    name="tau23",
    summary="acc23 from -1 to 1: right relations minus wrong ones",
    source="Deutsch, Foster and Freitag (2023)",
    table=((1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)),
)

_WMT14_ROWS: Rows = ((1.0, 0.0, -1.0), ("none", "none", "none"), (-1.0, 0.0, 1.0))


def custom(*, table: Rows = _WMT14_ROWS) -> TiePolicy:
    """Make a tie policy from any table, for profiles and what-ifs.

    Parameters
    ----------
    table : three rows of three numbers or "none"
        Rows are human relations, columns metric relations, in the order ``<``, ``=``, ``>``; none excludes the pairs
        of that cell. By default the table of wmt14. In a profile:
        ``custom(table=[[1, 0, -1], [none, none, none], [-1, 0, 1]])``.

    Returns
    -------
    TiePolicy
        A table that excludes every pair leaves every score undefined (NaN).

    Raises
    ------
    DataError
        If there are not three rows of three.
    """
    return TiePolicy(
        name="custom",
        summary="A table of one's own",
        table=tuple(tuple(None if entry == "none" else float(entry) for entry in row) for row in table),
    )
