"""Corrections of a family of p-values. NaN stays NaN and counts in the size of the family."""

import numpy as np

from qeframe.plugin import Correction, FloatArray, IntArray


def _unadjusted(p: FloatArray) -> FloatArray:
    return np.asarray(p, dtype=np.float64)


def adjust_bonferroni(p: FloatArray) -> FloatArray:
    """Return p times the size of the family, at most 1."""
    values = np.asarray(p, dtype=np.float64)
    return np.minimum(values * len(values), 1.0)


def adjust_holm(p: FloatArray) -> FloatArray:
    """Return Holm's step-down adjustment: never less powerful than Bonferroni's, with the same guarantee."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    # undefined p are sorted to the end and count as members of the family
    stepped = values[order] * np.arange(len(values), 0, -1)
    return _undo(np.maximum.accumulate(np.where(np.isnan(stepped), -np.inf, stepped)), order, values)


def adjust_hochberg(p: FloatArray) -> FloatArray:
    """Return Hochberg's step-up adjustment: never less powerful than Holm's, for tests that depend positively."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    return _step_up(values[order] * np.arange(len(values), 0, -1), order, values)


def adjust_bh(p: FloatArray) -> FloatArray:
    """Return Benjamini and Hochberg's step-up adjustment: controls the false discovery rate."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    return _step_up(values[order] * len(values) / np.arange(1, len(values) + 1), order, values)


def adjust_by(p: FloatArray) -> FloatArray:
    """Return Benjamini and Yekutieli's step-up adjustment: that of Benjamini and Hochberg times 1 + 1/2 + ... + 1/m."""
    values = np.asarray(p, dtype=np.float64)
    order, places = np.argsort(values, kind="stable"), np.arange(1, len(values) + 1)
    return _step_up(values[order] * len(values) / places * (1.0 / places).sum(), order, values)


def _step_up(stepped: FloatArray, order: IntArray, values: FloatArray) -> FloatArray:
    """Return the smallest of each adjusted p and those of all larger p, in the order of the family."""
    least = np.minimum.accumulate(np.where(np.isnan(stepped), np.inf, stepped)[::-1])[::-1]
    return _undo(least, order, values)


def _undo(adjusted: FloatArray, order: IntArray, values: FloatArray) -> FloatArray:
    restored = np.empty_like(values)
    restored[order] = np.minimum(adjusted, 1.0)
    return np.where(np.isnan(values), np.nan, restored)


none = Correction(name="none", summary="p-values as they are", adjust=_unadjusted)
bonferroni = Correction(
    name="bonferroni",
    summary="p times the number of comparisons; controls the chance of any false claim where each p holds",
    source="Dunn (1961); Logacheva et al. (2016)",
    adjust=adjust_bonferroni,
    controls_any_error=True,
)
holm = Correction(
    name="holm",
    summary="Holm's step-down: the guarantee of Bonferroni's correction with more power",
    source="Holm (1979)",
    adjust=adjust_holm,
    controls_any_error=True,
)
hochberg = Correction(
    name="hochberg",
    summary="Hochberg's step-up: the chance of any false claim, if the tests depend positively",
    source="Hochberg (1988)",
    adjust=adjust_hochberg,
)
bh = Correction(
    name="bh",
    summary="Benjamini and Hochberg's step-up: the expected share of false claims, if the tests depend positively",
    source="Benjamini and Hochberg (1995)",
    adjust=adjust_bh,
)
by = Correction(
    name="by",
    summary="Benjamini and Yekutieli's step-up: the expected share of false claims, however the tests depend",
    source="Benjamini and Yekutieli (2001)",
    adjust=adjust_by,
)
