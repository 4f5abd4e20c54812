"""Metrics on corrections that count edits: what a correction gains for what it changes."""

from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import FloatArray, Metric, PostEdits, Texts, additive
from qeframe_texts.ter_metric import Edits, Wording
from qeframe_texts.word_error_rates import RATE_COLUMNS, error_rate

Replicate = Literal["none", "official"]
_SOURCE = "WMT25 task 3, quality-informed correction"
_UNEDITED = -999.0
_EDITS = Edits(Wording(lowercase=True, normalized=False, punctuation=True, asian_support=False))
_SYMBOLS = (
    "$e_i$ is the smallest number of edits, found greedily as by TER, that make the original of corrected translation "
    "$i$, $r_i$ the number of words of the corrected translation, and $n$ the number of translations."
)


def _edits(batch: PostEdits) -> FloatArray:
    """Return edits and words of the corrected translations, which are the references, (n, 2)."""
    return _EDITS(Texts.pair(ids=batch.ids, gold=batch.after, predicted=batch.before))


def _rows(batch: PostEdits) -> FloatArray:
    gains = batch.predicted - batch.gold
    return np.column_stack([np.ones(len(batch)), gains, batch.rows(_edits)])


def _ratio(unedited: float, sums: FloatArray) -> FloatArray:
    units, gain, rate = sums[..., 0], sums[..., 1], error_rate(sums[..., 2:]) / 100
    mean = np.divide(gain, units, out=np.full(units.shape, np.nan), where=units > 0)
    none = np.where(units > 0, unedited, np.nan)
    return np.divide(mean, rate, out=none, where=rate > 0)


def gain_to_edit_ratio(*, replicate: Replicate = "none") -> Metric:
    """Divide the gain of corrections in quality by their edits: TER / 100 of the originals against the corrections.

    The edits of all translations are divided by the words of all corrected translations.

    Parameters
    ----------
    replicate : {"none", "official"}
        Without any edit the ratio is n/a, or -999 as the official program writes.

    Returns
    -------
    Metric
        On `PostEdits`; higher is better, without a bound. It divides two small numbers: one word of 2,000 that gains
        .3 in one of 100 translations has the ratio 6. TER divides words by white space, so that in Chinese and Japanese
        every edit of a translation costs the whole translation.

    References
    ----------
    WMT25 task 3, task3_evaluate_2025.py.
    """
    return Metric(
        name="gain_to_edit_ratio",
        summary="Mean gain of corrected translations divided by TER / 100 of the originals against them",
        source=_SOURCE,
        formula=r"\frac{1}{n} \sum_{i=1}^{n} (x_i - y_i) \bigg/ \frac{\sum_{i=1}^{n} e_i}{\sum_{i=1}^{n} r_i}",
        symbols=f"$x_i$ and $y_i$ are the scores that a quality metric gives to the corrected translation and to the "
        f"original. {_SYMBOLS}",
        kind=PostEdits,
        bind=additive(
            columns=("units", "gain", *RATE_COLUMNS),
            extract=_rows,
            score=partial(_ratio, _UNEDITED if replicate == "official" else np.nan),
        ),
        smooth=True,
        known_weaknesses={"blind": 10.61},
    )


edit_rate = Metric(
    name="edit_rate",
    summary="TER in percent of original translations against their corrections, which count as the references",
    source=_SOURCE,
    formula=r"100 \cdot \frac{\sum_{i=1}^{n} e_i}{\sum_{i=1}^{n} r_i}",
    symbols=_SYMBOLS,
    kind=PostEdits,
    bind=additive(columns=RATE_COLUMNS, extract=_edits, score=error_rate),
    smooth=True,
    interval_scale="log",
    bounds=(0.0, np.inf),
    higher_is_better=False,
    known_weaknesses={"blind": 1.16},
)
"""How much a submission changes. Lower is fewer edits, which is not by itself better; 0 for doing nothing.

Words that are appended count in the denominator too, so that appending alone stays below 100; cutting exceeds it.
"""
