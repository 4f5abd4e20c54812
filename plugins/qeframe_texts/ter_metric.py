"""TER: edits and shifts of word blocks, from the counts of sacrebleu."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from qeframe.plugin import Metric, Options, Texts, additive
from qeframe_texts.sacrebleu_counts import SegmentCounts, signature
from qeframe_texts.word_error_rates import ERROR_RATE, ERROR_SYMBOLS, RATE_COLUMNS, error_rate

__all__ = ["ter"]


def _details(options: Options, batch: Texts) -> Mapping[str, Any]:
    return {"sacrebleu": signature("TER", options, batch)}


def ter(
    *, lowercase: bool = True, normalized: bool = False, punctuation: bool = True, asian_support: bool = False
) -> Metric:
    """TER, translation edit rate: insertions, deletions, substitutions and shifts in percent of the reference length.

    The counts are those of sacrebleu, which follows the program tercom: shifts are found greedily. With several
    references the smallest number of edits and the mean length count.

    Parameters
    ----------
    lowercase : bool
        Whether case is ignored, as in tercom by default.
    normalized : bool
        Whether punctuation is split off and XML entities are resolved.
    punctuation : bool
        Whether punctuation is kept.
    asian_support : bool
        Whether normalization splits Chinese and Japanese text into characters.

    Returns
    -------
    Metric
        On `Texts`, in percent, can exceed 100; lower is better; needs sacrebleu. If the references have no word, 100 if
        the candidates have words, else 0.

    References
    ----------
    Snover et al. (2006), AMTA; Post (2018), WMT. Baseline of the WMT metrics tasks.
    """
    options: Options = (
        ("case_sensitive", not lowercase),
        ("normalized", normalized),
        ("no_punct", not punctuation),
        ("asian_support", asian_support),
    )
    return Metric(
        name="ter",
        summary="Translation edit rate of sacrebleu in percent; needs the extra mt",
        source="WMT metrics tasks, baseline; Snover et al. (2006)",
        formula=ERROR_RATE,
        symbols=f"{ERROR_SYMBOLS} $e_i$ is the smallest number of edits, found greedily: insertions, deletions, "
        "substitutions and shifts of a block of words.",
        kind=Texts,
        bind=additive(columns=RATE_COLUMNS, extract=SegmentCounts("TER", options, RATE_COLUMNS), score=error_rate),
        details=partial(_details, options),
        bounds=(0.0, np.inf),
        higher_is_better=False,
        degenerate=0.0,
        claims=("monotone",),
    )
