"""The paired tests of sacrebleu, on its draws: for p-values and intervals that were published with it.

Its generator begins with the seed 12345 in every test. Draws come in blocks of some hundred: numpy's generators return
the same numbers in blocks as in one call, masks if a block has a multiple of 32 draws.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from qeframe.plugin import CapabilityError, Contest, DataError, FloatArray, Pairwise
from qeframe.plugin.resampling import over_pairs, parts_of_pairs, rounding_slack

SEED = 12345
"""The seed of sacrebleu where the environment variable SACREBLEU_SEED is not set."""

_DRAWS_AT_ONCE = 256


def bootstrap_p(contest: Contest, draws: int) -> Pairwise:
    """Return p of the absolute differences of draws less their mean, which are larger than the observed one."""
    observed, slack = _observed(contest)

    def of_part(differences: FloatArray, part: slice) -> FloatArray:
        distances = np.abs(differences)
        larger = distances - distances.mean(axis=0) > observed[part] + slack[part]
        return np.asarray((1 + larger.sum(axis=0)) / (1 + draws))

    return Pairwise(p=over_pairs(drawn_scores(contest, draws), contest.pairs, of_part))


def interval(contest: Contest, draws: int, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of the draws less and plus half the distance of two of them, and the draws."""
    drawn = drawn_scores(contest, draws)
    ordered, outside = np.sort(drawn, axis=0), int(draws * ((1 - confidence) / 2))
    half, center = (ordered[draws - outside - 1] - ordered[outside]) / 2, drawn.mean(axis=0)
    return center - half, center + half, drawn


def randomization_p(contest: Contest, draws: int) -> Pairwise:
    """Return p of the absolute differences after exchanges which are larger than the observed one."""
    observed, slack = _observed(contest)
    counts = np.zeros(len(observed))
    for masks in _masks(draws, _units(contest)):
        for part in parts_of_pairs(len(counts), len(masks)):
            pairs = tuple(side[part] for side in contest.pairs)
            differences = contest.exchanged_by(masks, (pairs[0], pairs[1]))
            counts[part] += (np.abs(differences) > observed[part] + slack[part]).sum(axis=0)
    return Pairwise(p=(1 + counts) / (1 + draws))


def drawn_scores(contest: Contest, draws: int) -> FloatArray:
    """Return the oriented scores of the samples that sacrebleu draws, (draws, S)."""
    units, blocks = _units(contest), list[FloatArray]()
    generator = np.random.default_rng(SEED)
    for start in range(0, draws, _DRAWS_AT_ONCE):
        count = min(_DRAWS_AT_ONCE, draws - start)
        drawn = generator.choice(units, size=(count, units)) + np.arange(count)[:, None] * units
        counts: Any = np.bincount(drawn.ravel(), minlength=count * units).reshape(count, units)
        blocks.append(contest.weighted(counts))
    return np.concatenate(blocks)


def check_rules(p: str, scheme: str, of_interval: str) -> None:
    """Raise a `DataError` if sacrebleu's bootstrap is asked for with other rules than its own."""
    if (p, scheme, of_interval) != ("centered", "multinomial", "percentile"):
        raise DataError(
            "bootstrap(replicate=sacrebleu) has its own p, interval and draws", remedy="leave the others out"
        )


def _masks(draws: int, units: int) -> Iterator[FloatArray]:
    """Yield the exchanges that sacrebleu draws, in blocks (b, units)."""
    generator = np.random.default_rng(SEED)
    for start in range(0, draws, _DRAWS_AT_ONCE):
        yield generator.integers(2, size=(min(_DRAWS_AT_ONCE, draws - start), units), dtype=np.bool_).view(np.uint8)


def _units(contest: Contest) -> int:
    if len(contest.sizes) > 1:
        raise CapabilityError("replicate=sacrebleu tests one task: sacrebleu has no average over tasks")
    return contest.sizes[0]


def _observed(contest: Contest) -> tuple[FloatArray, FloatArray]:
    """Return the absolute differences of pairs, and the rounding errors of each."""
    a, b = (contest.oriented[side] for side in contest.pairs)
    return np.abs(a - b), rounding_slack(a, b)
