"""Attacks on numbers: constants, a reversed ranking, and transformations that keep the ranking."""

from collections.abc import Callable
from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, Scores
from qeframe.plugin.audit import Attack

_GRAHAM = "Graham (2015), ACL"
_FACTORS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
_LEVELS = (2, 3, 5, 10, 20)
_attack = partial(Attack, kind=Scores, source="qeframe")
_blind = partial(_attack, manner="blind", knowledge="nothing")
_cosmetic = partial(_attack, manner="cosmetic", knowledge="nothing")


def _answered(batch: Scores, answers: Callable[[], FloatArray]) -> Scores:
    """Return the batch with new answers; an empty batch is returned as it is."""
    return attrs.evolve(batch, predicted=answers()) if len(batch) else batch


def _constant(middle: Callable[[FloatArray], float], batch: Scores, rng: np.random.Generator) -> Scores:
    return _answered(batch, lambda: np.full(len(batch), float(middle(batch.gold))))


def _middle_of_tail(batch: Scores, rng: np.random.Generator) -> Scores:
    """Answer the quantile in the middle of the worst tenth."""
    return _constant(partial(np.quantile, q=0.95 if batch.best == "low" else 0.05), batch, rng)


def _draw_ranks(batch: Scores, rng: np.random.Generator) -> Scores:
    """Answer with distinct numbers in random order, distributed like the gold."""
    steps = 1e-9 * np.linspace(0, 1, len(batch))
    return _answered(batch, lambda: rng.permutation(np.sort(batch.gold) + max(1.0, np.ptp(batch.gold)) * steps))


def _reverse(batch: Scores, rng: np.random.Generator) -> Scores:
    return _answered(batch, lambda: 2 * batch.pivot[0] - batch.gold)


def _spread(answers: FloatArray, center: float, factor: float) -> FloatArray:
    """Return answers with another mean and their deviations multiplied by `factor`."""
    return center + factor * (answers - answers.mean())


def _shrink(factor: float, batch: Scores, rng: np.random.Generator) -> Scores:
    """Shrink the answers to their mean."""
    return _answered(batch, lambda: _spread(batch.predicted, batch.predicted.mean(), factor))


def _fit(factor: float, batch: Scores, rng: np.random.Generator) -> Scores:
    """Give the answers the mean of the gold and a multiple of its standard deviation; a constant stays constant."""
    gold, deviation = batch.gold, batch.predicted.std() if len(batch) else 0.0
    scale = factor * gold.std() / deviation if deviation > 0 else 0.0
    return _answered(batch, lambda: _spread(batch.predicted, gold.mean(), scale))


def _round(levels: int, batch: Scores, rng: np.random.Generator) -> Scores:
    """Round the answers to equally spaced levels between their smallest and their largest."""
    low, high = batch.predicted.min(initial=np.inf), batch.predicted.max(initial=-np.inf)
    step = (high - low) / (levels - 1) if high > low else 1.0
    return _answered(batch, lambda: low + np.rint((batch.predicted - low) / step) * step)


def _tie_middle(answers: FloatArray, share: float) -> FloatArray:
    center = np.median(answers)
    away = np.abs(answers - center)
    return np.where(away <= np.quantile(away, share), center, answers)


def _tie(share: float, batch: Scores, rng: np.random.Generator) -> Scores:
    """Give the median to the answers nearest to it."""
    return _answered(batch, lambda: _tie_middle(batch.predicted, share))


def _continue(batch: Scores, rng: np.random.Generator) -> Scores:
    """Move the answers at random, by less than half the distance to the nearest other answer."""
    levels = np.unique(batch.predicted)
    if len(levels) < 2:
        return batch
    gaps = np.diff(levels)
    room = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))[np.searchsorted(levels, batch.predicted)]
    return _answered(batch, lambda: batch.predicted + room * rng.uniform(-0.49, 0.49, len(batch)))


constant_mean = _blind(
    name="constant_mean",
    summary="Answers the mean of the gold everywhere",
    source=_GRAHAM,
    knowledge="the mean, from earlier data",
    answer=partial(_constant, np.mean),
    refutes="constant_proof",
)

constant_median = _blind(
    name="constant_median",
    summary="Answers the median of the gold everywhere",
    source=_GRAHAM,
    knowledge="the median, from earlier data",
    answer=partial(_constant, np.median),
    refutes="constant_proof",
)

constant_tail = _blind(
    name="constant_tail",
    summary="Answers the median of the worst tenth of the gold everywhere: it games errors that are counted there",
    knowledge="the quantiles of the gold, from earlier data",
    answer=_middle_of_tail,
    refutes="constant_proof",
)

random_scores = _blind(
    name="random_scores",
    summary="Answers at random, no two answers equal, distributed like the gold",
    knowledge="the distribution of the gold",
    answer=_draw_ranks,
    refutes="blind_proof",
)

reversed_ranking = _blind(
    name="reversed_ranking",
    summary="Ranks the worst first: above 0 wherever a rule takes absolute values",
    source="official scripts of WMT13 and their ports: DeltaAvg without its sign",
    knowledge="the gold, reversed: the worst possible answer",
    answer=_reverse,
    refutes="location_scale_invariant",
    left_out={"knowledge": "it turns the gold round, as it says"},
)

shrink = _cosmetic(
    name="shrink",
    summary="Shrinks all answers to their mean, by the factor that scores best",
    source=_GRAHAM,
    knowledge="the best factor, from earlier data",
    answer=partial(_shrink, 0.5),
    settings={f"factor={factor:g}": partial(_shrink, factor) for factor in _FACTORS},
    refutes="location_scale_invariant",
)

shift_and_scale = _cosmetic(
    name="shift_and_scale",
    summary="Gives the answers the mean of the gold, and the share of its standard deviation that scores best",
    source=f"{_GRAHAM}: tables 2 and 3",
    knowledge="the mean and standard deviation of the gold, from earlier data",
    answer=partial(_fit, 0.5),
    settings={f"factor={factor:g}": partial(_fit, factor) for factor in (*_FACTORS, 0.55, 1.0)},
    refutes="location_scale_invariant",
)

continuous_answers = _cosmetic(
    name="continuous_answers",
    summary="Breaks the ties of discrete answers at random, within the gaps between them",
    source=f"{_GRAHAM}: figure 1, continuous answers on discrete gold",
    answer=_continue,
)

round_scores = _cosmetic(
    name="round_scores",
    summary="Rounds the answers to a few levels",
    knowledge="the best number of levels, from earlier data",
    answer=partial(_round, 5),
    settings={f"levels={levels}": partial(_round, levels) for levels in _LEVELS},
)

tie_scores = _cosmetic(
    name="tie_scores",
    summary="Ties the answers in the middle of the ranking",
    knowledge="its own answers",
    answer=partial(_tie, 0.9),
    settings={f"share={share:g}": partial(_tie, share) for share in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)},
)

best_of_scores = _attack(
    name="best_of_scores",
    summary="Answers at random thirty times, and keeps the answers that score best on the test set",
    manner="selection",
    knowledge="the scores of thirty tries on the test set itself",
    answer=_draw_ranks,
    tries=30,
)


def _quantile(at: float, batch: Scores, rng: np.random.Generator) -> Scores:
    return _constant(partial(np.quantile, q=min(max(at, 0), 1)), batch, rng)


def constant_quantile(*, at: float = 0.5) -> Attack:
    """Answer a quantile of the gold everywhere.

    Parameters
    ----------
    at : float
        From 0, the smallest value, to 1, the largest.

    Returns
    -------
    Attack
        On `Scores`, blind.
    """
    return _blind(
        name="constant_quantile",
        summary="Answers a quantile of the gold everywhere: a space for a search",
        knowledge="the quantile that scores best, from earlier data",
        answer=partial(_quantile, at),
        space={"at": tuple(round(0.05 * i, 2) for i in range(21))},
        refutes="constant_proof",
    )


def _reshape(shift: float, spread: float, power: float, levels: int, batch: Scores, rng: np.random.Generator) -> Scores:
    """Bend the deviations from the mean, scale them, move them towards the mean of the gold, and round them."""
    if not len(batch):
        return batch
    mean, width = batch.predicted.mean(), batch.predicted.std() or 1.0
    bent = (batch.predicted - mean) / width
    bent = np.sign(bent) * np.abs(bent) ** power
    answers = mean + shift * (batch.gold.mean() - mean) + spread * width * (bent - bent.mean())
    if levels > 1:
        step = np.ptp(answers) / (levels - 1) or 1.0
        answers = answers.min() + np.rint((answers - answers.min()) / step) * step
    return attrs.evolve(batch, predicted=answers)


def reshape_scores(*, shift: float = 1.0, spread: float = 0.5, power: float = 1.0, levels: int = 0) -> Attack:
    """Give the answers of a submission another mean, spread and shape, in the same order.

    Parameters
    ----------
    shift : float
        How far the mean moves from its own (0) to that of the gold (1).
    spread : float
        The factor of the deviations.
    power : float
        The exponent of the standardized deviations: below 1 extremes come nearer.
    levels : int
        To how many equally spaced levels the answers are rounded; 0 or 1: not rounded.

    Returns
    -------
    Attack
        On `Scores`, cosmetic.
    """
    return _cosmetic(
        name="reshape_scores",
        summary="Gives the answers another mean, spread and shape, in the same order: a space for a search",
        knowledge="the mean of the gold, and the shape that scores best, from earlier data",
        answer=partial(_reshape, shift, spread, power, levels),
        space={
            "shift": (0.0, 0.5, 1.0),
            "spread": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2),
            "power": (0.5, 0.7, 1.0, 1.4, 2.0),
            "levels": (0, 2, 3, 5, 10),
        },
    )
