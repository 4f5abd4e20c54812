"""What limits p-values and intervals on given data: errors that follow unlike laws, skewed gold, few units."""

from collections.abc import Iterator

import numpy as np

from qeframe.plugin import CapabilityError, Contest, FloatArray, IntArray
from qeframe.plugin.resampling import jackknife_variance, magnitude_of, on_working_scale

FEW_UNITS = 50
"""Below this number of units results say that they are few."""

_UNLIKE = 5.0
"""By which factor the degrees of freedom of two scores differ where their errors follow different laws."""

_FEW_DECIDE = 0.1
"""Degrees of freedom of at most this share of the units: under normality they are rarely so few."""

_MANY_DECIDE = 0.15
"""Degrees of freedom of at least this share of the units: of heavy tails alone nearly always both scores have fewer."""

_SKEWED = 2.0
"""Gold with at least this skewness, in either direction, is skewed as log-normal numbers are."""

_MANY = 0.2
"""Gold with a value that at least this share of the units has is skewed because of that value, as MQM is."""


def on_unlike_errors(contest: Contest, claimed: IntArray) -> dict[int, str]:
    """Return a remark on each claimed pair in which few units decide the error of one score, many that of the other.

    The sign is degrees of freedom that differ by a factor of 5, the fewer of them at most a tenth of the units, the
    more of them at least .15 of the units: under one law with heavy tails a factor of 5 comes by chance, but then few
    units decide both errors. Only pairs that are claimed to differ are asked about.
    """
    if not contest.smooth:
        return {}
    left_out = on_working_scale(contest.jackknife(), contest.working_scale)
    with np.errstate(invalid="ignore"):
        freedom = jackknife_variance(left_out, contest.sizes).freedom
    both = np.sort(np.stack([side[claimed] for side in contest.pairs]), axis=0)
    low, high = np.sort(freedom[both], axis=0)
    units = len(left_out)
    told = (high >= _UNLIKE * low) & (low <= _FEW_DECIDE * units) & (high >= _MANY_DECIDE * units)
    return {
        int(pair): "few units decide the error of one score, many that of the other (degrees of freedom "
        f"{fewest:.0f} and {most:.0f} of {units} units): p is less certain; look at the units by --influence"
        for pair, fewest, most in zip(claimed[told], low[told], high[told], strict=True)
    }


def on_gold(contest: Contest) -> Iterator[str]:
    """Yield a remark if the gold of a correlation is skewed as log-normal numbers are."""
    try:
        gold, _ = contest.vectors()
    except CapabilityError:
        return
    skewness = _skewness(gold)
    if abs(skewness) < _SKEWED or np.unique(gold, return_counts=True)[1].max() >= _MANY * len(gold):
        return
    yield (
        f"the gold is skewed as log-normal numbers are (skewness {skewness:.1f}): intervals of 95 % of correlations "
        "with such gold were measured to hold the true value in .89 to .92 of data sets (Pearson, jackknife)"
    )


def _skewness(values: FloatArray) -> float:
    away = values - values.mean() if len(values) else values
    away = away / magnitude_of(away, axis=0)
    spread = float(np.sqrt(np.mean(away**2))) if len(values) else 0.0
    return float(np.mean(away**3)) / spread**3 if spread > 0 else 0.0
