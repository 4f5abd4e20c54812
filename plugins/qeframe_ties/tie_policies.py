"""The tie policies of the metrics tasks: tables of what each pair of a human and a metric relation counts.

Rows are human relations (``<`` left better, ``=`` tie, ``>`` right better), columns are metric relations. A score is
the sum of coefficients divided by the number of pairs that are not excluded (None). When two metric scores tie
(exactly, within an epsilon, within a calibrated epsilon) is decided by the metric that uses the table.
"""

from typing import Literal

from qeframe.plugin import TiePolicy

Rows = tuple[tuple[float | Literal["none"], ...], ...]

wmt12 = TiePolicy(
    name="wmt12",
    summary="Human ties excluded, metric ties count as wrong",
    source="Metrics tasks 2009-12; the matrix of Machacek and Bojar (2014), not the sentence above it",
    table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, -1.0, 1.0)),
    claims=("right_is_best",),
)

wmt13 = TiePolicy(
    name="wmt13",
    summary="All ties excluded: a metric can tie hard pairs, so that only the easy ones count",
    source="Metrics task 2013; Machacek and Bojar (2014)",
    table=((1.0, None, -1.0), (None, None, None), (-1.0, None, 1.0)),
    claims=("right_is_best",),
)

wmt14 = TiePolicy(
    name="wmt14",
    summary="Human ties excluded, metric ties count 0 in the numerator and 1 in the denominator",
    source="Metrics tasks 2014-16; Machacek and Bojar (2014), equation 3 with sums over <, = and >",
    table=((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0)),
    claims=("tie_neutral", "right_is_best"),
)

hties = TiePolicy(
    name="hties",
    summary="As wmt14, but where humans tie, a metric tie counts as right and a difference counts 0",
    source="Metrics task 2014 (secondary, also 'xties'); Machacek and Bojar (2014)",
    table=((1.0, 0.0, -1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 1.0)),
    claims=("right_is_best",),
)

darr = TiePolicy(
    name="darr",
    summary="As wmt12, on pairs that have no human ties by construction: metric ties count as wrong",
    source="Metrics tasks 2017-20 (DARR)",
    table=((1.0, -1.0, -1.0), (None, None, None), (-1.0, -1.0, 1.0)),
    claims=("right_is_best",),
)

acc23 = TiePolicy(
    name="acc23",
    summary="The share of pairs with the relation that the human gave, ties included",
    source="Metrics tasks 2023-25; Deutsch, Foster and Freitag (2023)",
    table=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    claims=("right_is_best",),
)

accuracy_half = TiePolicy(
    name="accuracy_half",
    summary="Human ties excluded; the share of pairs in the order of the human, a metric tie as half of one",
    source="Challenge sets: a metric that ties all pairs has .5",
    table=((1.0, 0.5, 0.0), (None, None, None), (0.0, 0.5, 1.0)),
    claims=("right_is_best",),
)

tau23 = TiePolicy(
    name="tau23",
    summary="acc23 rescaled to [-1, 1]: right relations minus wrong ones",
    source="Deutsch, Foster and Freitag (2023)",
    table=((1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)),
    claims=("right_is_best",),
)

_WMT14_ROWS: Rows = ((1.0, 0.0, -1.0), ("none", "none", "none"), (-1.0, 0.0, 1.0))


def custom(*, table: Rows = _WMT14_ROWS) -> TiePolicy:
    """Make a tie policy from any table.

    Parameters
    ----------
    table : three rows of three numbers or "none"
        Rows are human relations, columns metric relations, in the order ``<``, ``=``, ``>``. "none" excludes the pairs
        of a cell. By default the table of wmt14. In a profile:
        ``custom(table=[[1, 0, -1], [none, none, none], [-1, 0, 1]])``.

    Returns
    -------
    TiePolicy
        If the table excludes every pair, every score is undefined (NaN).

    Raises
    ------
    DataError
        If there are not three rows of three.
    """
    return TiePolicy(
        name="custom",
        summary="A table given as a parameter",
        table=tuple(tuple(None if entry == "none" else float(entry) for entry in row) for row in table),
    )
