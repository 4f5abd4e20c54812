"""TrueSkill scores of systems, from who beat whom, for many draws at once: the human scores of WMT14 to WMT16."""

import math
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from attrs import field, frozen

from qeframe.plugin import DataError, FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices

_SPREAD = 0.5  # the first standard deviation of every system; its first mean is 0

_STEP, _MATCHES_OF_STEP = 0.5, 40
"""The deviation of a performance, beta, for so many matches; it grows with their number, so that steps shrink."""

_AT_ONCE = 512  # how many matches take their random numbers together

_TINY = 1e-300


def _whole(name: str, least: int, instance: Any, attribute: Any, value: int) -> None:
    if value < least:
        raise DataError(
            f"trueskill: {name} must be at least {least}, not {value}", remedy=f"set {name}={max(least, 10)}"
        )


def _share(instance: Any, attribute: Any, value: float) -> None:
    if not 0 < value < 1:
        raise DataError(f"trueskill: draw_rate must be above 0 and below 1, not {value:g}", remedy="set draw_rate=0.25")


@frozen(kw_only=True)
class TrueSkill:
    """The TrueSkill model of the translation tasks of 2014 to 2016.

    A match has two systems and one of the judgments on them, drawn with replacement. The first system is the one with
    the largest variance, the last of several. Its opponent is drawn with probability in proportion to exp(-distance of
    the two means), among the systems that it was compared with. After the match the means and variances of both are
    those of Herbrich et al. (2007) for two players, without dynamics. The score of a system is its mean after the last
    match, averaged over runs.

    Parameters
    ----------
    runs : int
        How many runs are averaged. Matches are random, so that a single run has an error of its own.
    matches : int
        How many matches a run has; 0: one more than there are judgments, as in the official program.
    draw_rate : float
        The probability of a tie between equal systems.
    seed : int

    Raises
    ------
    DataError
        For numbers out of range.

    References
    ----------
    Sakaguchi, Post and Van Durme (2014), WMT; Herbrich, Minka and Graepel (2007), NIPS.
    """

    runs: int = field(default=10, validator=partial(_whole, "runs", 1))
    matches: int = field(default=0, validator=partial(_whole, "matches", 0))
    draw_rate: float = field(default=0.25, validator=_share)
    seed: int = field(default=0, validator=partial(_whole, "seed", 0))

    def __call__(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        """Return the scores of systems.

        Parameters
        ----------
        wins, ties : (..., systems, systems) float64
            As `count_wins` returns them: `ties` is symmetric.

        Returns
        -------
        (..., systems) float64
            NaN for a system without a comparison. Two systems that were compared with no third one, and other groups
            without a link, are scored each around 0. The random numbers depend on `seed` and on the counts alone: equal
            counts have equal scores, however many draws are computed together.
        """
        systems = wins.shape[-1]
        counts = np.stack([wins, ties], axis=-3).reshape(math.prod(wins.shape[:-2]), 2, systems, systems)
        numbers: dict[bytes, int] = {}
        which = [numbers.setdefault(draw.tobytes(), len(numbers)) for draw in counts]
        different = np.frombuffer(b"".join(numbers), dtype=np.float64).reshape(-1, 2, systems, systems)
        scores = np.empty((len(different), systems))
        for part in bounded_slices(len(different), self.runs * (4 * systems**2 + 2 * _AT_ONCE)):
            scores[part] = self._scores(different[part])
        return scores[which].reshape(wins.shape[:-1])

    def _scores(self, counts: FloatArray) -> FloatArray:
        keys = [crc32(draw.tobytes()) for draw in counts]
        streams = [np.random.default_rng([self.seed, key, run]) for key in keys for run in range(self.runs)]
        wins, ties = counts[:, 0], counts[:, 1]
        met = wins + wins.swapaxes(1, 2) + ties
        judged = np.rint(met.sum(axis=(1, 2)) / 2).astype(np.int64)
        number = np.where(judged > 0, self.matches or judged + 1, 0)
        won, compared = (np.repeat(side, self.runs, axis=0) for side in (wins, met))
        play = _Play.begin(won, compared, np.repeat(number, self.runs))
        play.run(streams, self.draw_rate)
        scores: FloatArray = play.mean.reshape(len(counts), self.runs, -1).mean(axis=1)
        return np.where(met.any(axis=2), scores, np.nan)


@frozen(eq=False)
class _Play:
    """Runs side by side; (runs, ...) each."""

    wins: FloatArray  # who won against whom
    met: FloatArray  # how often they were compared
    number: IntArray  # how many matches each run has
    mean: FloatArray
    # changed by every match, as means are; -1 for systems without a comparison: they are never first
    variance: FloatArray

    @classmethod
    def begin(cls, wins: FloatArray, met: FloatArray, number: IntArray) -> "_Play":
        """Return runs before the first match."""
        variance = np.where(met.any(axis=2), _SPREAD**2, -1.0)
        return cls(wins, met, number, np.zeros(variance.shape), variance)

    def run(self, streams: list[np.random.Generator], draw_rate: float) -> None:
        """Play all matches."""
        beta = _STEP * self.number / _MATCHES_OF_STEP
        for start in range(0, int(self.number.max(initial=0)), _AT_ONCE):
            chance = np.stack([stream.random((_AT_ONCE, 2)) for stream in streams])
            for match in range(_AT_ONCE):
                left = np.flatnonzero(self.number > start + match)
                if not len(left):
                    break
                self._match(left, chance[left, match], beta[left], draw_rate)

    def _match(self, left: IntArray, chance: FloatArray, beta: FloatArray, draw_rate: float) -> None:
        systems = self.mean.shape[1]
        # the last one of those with the largest variance: the argmax of the reversed row
        first = systems - 1 - self.variance[left, ::-1].argmax(axis=1)
        distance = np.abs(self.mean[left] - self.mean[left, first, None])
        # an opponent of about the same mean is likely, and one that was never met has odds 0
        odds = (np.exp(-distance) * (self.met[left, first] > 0)).cumsum(axis=1)
        # the first system whose cumulative odds are above the random number
        second = (odds <= chance[:, :1] * odds[:, -1:]).sum(axis=1)
        # one of the comparisons of both at random: the wins of first come before those of second, and these before ties
        judged = chance[:, 1] * self.met[left, first, second]
        won = self.wins[left, first, second]
        signs = np.where(judged < won, 1, np.where(judged < won + self.wins[left, second, first], -1, 0))
        sides = (left, first), (left, second)
        before = [side[place] for side in (self.mean, self.variance) for place in sides]
        changed = updated(before[0], before[1], before[2], before[3], signs, beta, draw_rate)
        for place, mean, variance in zip(sides, changed[:2], changed[2:], strict=True):
            self.mean[place], self.variance[place] = mean, variance


def updated(
    first: FloatArray,
    second: FloatArray,
    of_first: FloatArray,
    of_second: FloatArray,
    signs: IntArray,
    beta: FloatArray,
    draw_rate: float,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the means of two systems and then their variances after a match, from those before it.

    The sign is 1 if the first one won, -1 if the second one, 0 for a tie; beta is the deviation of a performance. These
    are the functions V and W of wins and of draws of Herbrich, Minka and Graepel (2007), TrueSkill, section 3.
    """
    from scipy.special import ndtr, ndtri

    deviation = np.sqrt(2 * beta**2 + of_first + of_second)
    margin = ndtri((1 + draw_rate) / 2) * math.sqrt(2) * beta / deviation
    ahead = (first - second) / deviation
    # A win of the second is a win of the first with both exchanged.
    winner = np.where(signs < 0, -ahead, ahead) - margin
    shift = _density(winner) / np.maximum(ndtr(winner), _TINY)
    shrink = shift * (shift + winner)
    low, high = -margin - ahead, margin - ahead
    inside = np.maximum(ndtr(high) - ndtr(low), _TINY)
    of_tie = (_density(low) - _density(high)) / inside
    shrink_of_tie = of_tie**2 + (high * _density(high) - low * _density(low)) / inside
    tied = signs == 0
    move = np.where(tied, of_tie, np.where(signs < 0, -shift, shift)) / deviation
    less = np.where(tied, shrink_of_tie, shrink) / deviation**2
    return (
        first + of_first * move,
        second - of_second * move,
        of_first * (1 - of_first * less),
        of_second * (1 - of_second * less),
    )


def _density(at: FloatArray) -> FloatArray:
    return np.exp(-(at**2) / 2) / math.sqrt(2 * math.pi)
