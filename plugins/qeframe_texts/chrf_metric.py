"""chrF: the F-score of character n-grams, from the counts of sacrebleu."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Metric, Texts, additive
from qeframe.plugin.texts import Options
from qeframe_texts.sacrebleu_counts import SegmentCounts, quotient, signature

_EPSILON = 1e-16
_HIGHEST_ORDER = 9


@frozen
class ChrfOfCounts:
    """chrF as a score of sums (..., 3 * orders): candidate n-grams, reference n-grams and hits of every order.

    The score is 0 without a hit, so also for an empty candidate or reference. With `epsilon` it is the mean of the
    F-scores of all orders. Otherwise it is the F-score of the mean precision and the mean recall over the orders that
    both sides have.
    """

    beta: float
    epsilon: bool

    def __call__(self, sums: FloatArray) -> FloatArray:
        candidate, reference, hits = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
        absent = _EPSILON if self.epsilon else 0.0
        precision, recall = (quotient(hits, total, absent) for total in (candidate, reference))
        if self.epsilon:
            score = self._f(precision, recall, _EPSILON).mean(axis=-1)
        else:
            both = (candidate > 0) & (reference > 0)
            orders = np.maximum(both.sum(axis=-1), 1)
            means = [(share * both).sum(axis=-1) / orders for share in (precision, recall)]
            score = self._f(means[0], means[1], 0.0)
        return np.minimum(100.0 * score, 100.0)

    def _f(self, precision: FloatArray, recall: FloatArray, otherwise: float) -> FloatArray:
        factor = self.beta * self.beta
        return quotient((1.0 + factor) * precision * recall, factor * precision + recall, otherwise)


def _details(options: Options, stem: str, batch: Texts) -> Mapping[str, Any]:
    return {"sacrebleu": signature("CHRF", options, batch, stem)}


def chrf(
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    epsilon_smoothing: bool = False,
    stem: str = "none",
) -> Metric:
    """F-score of the character n-grams, and for chrF++ word n-grams, that candidate and reference share.

    The counts and the score are those of sacrebleu. With several references, each segment is scored with the reference
    that gives the best score.

    Parameters
    ----------
    char_order, word_order : int
        The longest n-grams of characters and of words, 0 to 9, not both 0. ``chrf(word_order=2)`` is chrF++.
    beta : float
        How much more recall counts than precision.
    lowercase : bool
        Whether case is ignored.
    whitespace : bool
        Whether n-grams of characters include white space.
    epsilon_smoothing : bool
        Whether orders that a side lacks count 1e-16 in the mean over all orders, as in chrF++.py, Moses and nltk. By
        default these orders are left out.
    stem : str
        A language of Snowball such as "english": each word is its stem. It needs snowballstemmer, which knows lower
        case only. Words end at white space: a sign that is not split off belongs to its word.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 100; needs sacrebleu. 0 without any hit: also for empty texts, on both sides.

    References
    ----------
    Popovic (2015), WMT; Popovic (2017), WMT, for chrF++; Post (2018), WMT. Baseline of the WMT metrics tasks.
    """
    orders = {"character": char_order, "word": word_order}
    if not all(0 <= order <= _HIGHEST_ORDER for order in orders.values()) or not any(orders.values()):
        raise DataError(f"chrf: orders {char_order} and {word_order} must be from 0 to {_HIGHEST_ORDER}, not both 0")
    if not 0 <= beta < np.inf:
        raise DataError(f"chrf: parameter beta = {beta} must be finite and not negative")
    grams = [f"{kind} {n}-grams" for kind, order in orders.items() for n in range(1, order + 1)]
    columns = tuple(f"{side} {gram}" for gram in grams for side in ("candidate", "reference", "matched"))
    shown = int(beta) if beta.is_integer() else beta  # as sacrebleu prints it
    given = (("char_order", char_order), ("word_order", word_order), ("beta", shown), ("lowercase", lowercase))
    options: Options = (*given, ("whitespace", whitespace), ("eps_smoothing", epsilon_smoothing))
    extract, score = SegmentCounts("CHRF", options, columns, stem), ChrfOfCounts(beta, epsilon_smoothing)
    return Metric(
        name="chrf",
        summary="F-score of character n-grams of sacrebleu, 0 to 100; needs the extra mt",
        source="WMT metrics tasks, baseline; Popovic (2015)",
        formula=r"100 \cdot \frac{(1 + \beta^2) P R}{\beta^2 P + R}, \qquad P = \frac{1}{O} \sum_{o=1}^{O} "
        r"\frac{h_o}{c_o}, \qquad R = \frac{1}{O} \sum_{o=1}^{O} \frac{h_o}{r_o}",
        symbols=r"$c_o$ and $r_o$ are the numbers of n-grams of order $o$ in the candidates and in the references, "
        r"$h_o$ is the number of hits, all summed over the segments. $O$ is the number of orders, of characters and "
        r"of words, that both sides have; $\beta$ is the parameter `beta`.",
        kind=Texts,
        bind=additive(columns=columns, extract=extract, score=score),
        smooth=True,
        details=partial(_details, options, stem),
        bounds=(0.0, 100.0),
        degenerate=0.0,
        known_weaknesses={"blind": 0.12, "cosmetic": 0.05},
    )
