"""What limits p-values and intervals on given data: laws of residuals that differ, skewed gold, few units."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from qeframe.plugin import CapabilityError, Comparable, FloatArray
from qeframe.plugin.resampling import jackknife_variance, on_working_scale

FEW_UNITS = 50
"""Below this number of units results say that they are few."""

_UNEQUAL = 4.0
"""By which factor the degrees of freedom of scores differ where the laws of their residuals differ."""

_FEW_DECIDE = 0.1
"""Degrees of freedom below this share of the units: under normality they are rarely so few."""

_SKEWED = 2.0
"""Gold with at least this skewness, in either direction, is skewed as log-normal numbers are."""

_MANY = 0.2
"""Gold with a value that at least this share of the units has is skewed because of that value, as MQM is."""


def on_unequal_laws(comparable: Comparable, test: str) -> Iterator[str]:
    """Yield a remark if few units decide the error of some scores and many units that of others.

    The sign is degrees of freedom that differ by a factor of 4, and are fewer than a tenth of the units for some score.
    Of two submissions with equal correlations, one of them with t3 residuals, .2, .5 and .9 have both at 50, 200 and
    1,000 units; with normal residuals on both sides one in a hundred at 50 units, fewer at more. Rates were measured
    for correlations; of other scores the remark says that few units decide, and no rate.
    """
    if not comparable.smooth:
        return
    left_out = on_working_scale(comparable.jackknife(), comparable.working_scale)
    freedom = jackknife_variance(left_out, comparable.sizes).freedom
    defined = freedom[np.isfinite(freedom)]
    if len(defined) < 2 or defined.max() < _UNEQUAL * defined.min() or defined.min() > _FEW_DECIDE * len(left_out):
        return
    how_many = f"(degrees of freedom from {defined.min():.0f} to {defined.max():.0f}, {len(left_out)} units)"
    if _is_correlation(comparable):
        yield (
            f"the residuals of the submissions follow different laws {how_many}: between such submissions the {test} "
            "was measured to reject up to .09 of true null hypotheses at .05"
        )
    else:
        yield (
            f"few units decide the scores of some submissions, many those of others {how_many}: p of such pairs is "
            f"less exact, since the errors of the {test} rest on few units"
        )


def _is_correlation(comparable: Comparable) -> bool:
    try:
        comparable.vectors()
    except CapabilityError:
        return False
    return True


def on_gold(comparable: Comparable) -> Iterator[str]:
    """Yield a remark if the gold of a correlation is skewed as log-normal numbers are."""
    try:
        gold, _ = comparable.vectors()
    except CapabilityError:
        return
    skewness = _skewness(gold)
    if abs(skewness) < _SKEWED or np.unique(gold, return_counts=True)[1].max() >= _MANY * len(gold):
        return
    yield (
        f"the gold is skewed as log-normal numbers are (skewness {skewness:.1f}): intervals of 95 % of correlations "
        "with such gold were measured to hold the true value in .87 of data sets"
    )


def _skewness(values: FloatArray) -> float:
    away = values - values.mean() if len(values) else values
    spread = float(np.sqrt(np.mean(away**2))) if len(values) else 0.0
    return float(np.mean(away**3)) / spread**3 if spread > 0 else 0.0
