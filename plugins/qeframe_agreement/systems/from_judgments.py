"""System level from judgments: human scores of systems from who beat whom, derived again under weights of judgments.

A judgment is one row: who won, who was compared, and the metric scores of both sides. Resampling judgments, rankings,
segments or judges resamples the human scores of systems too, as the tasks of 2013 to 2015 did.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, Judgments, Metric
from qeframe.plugin.calls import Call
from qeframe_agreement.systems.human_scores import bradley_terry, expected_wins, ratio_of_wins
from qeframe_agreement.systems.means import Compared, correlation, rank_correlation, ranks
from qeframe_agreement.systems.trueskill import TrueSkill

Wins = Literal["ratio", "expected", "bradley_terry", "trueskill"]
Scale = Literal["ratio", "expected", "bradley_terry"] | TrueSkill
Ties = Literal["ignore", "half", "win"]

_FORMULA = (
    r"\frac{\sum_{s} (x_{s} - \bar{x})(y_{s} - \bar{y})}"
    r"{\sqrt{\sum_{s} (x_{s} - \bar{x})^2} \sqrt{\sum_{s} (y_{s} - \bar{y})^2}}, "
    r"\qquad y_s = \frac{W_s}{W_s + L_s}"
)
_SYMBOLS = (
    r"System $s$ won $W_s$ and lost $L_s$ of its comparisons (`wins=ratio`, `ties=ignore`); $x_s$ is the mean of its "
    r"metric scores over all judgments, and $\bar{x}$ and $\bar{y}$ are the means over systems."
)
_RANKED = " Both $x_s$ and $y_s$ are replaced by their ranks among the systems; ties share their mean rank."


@frozen
class _Rows:
    """Scores and counts, then wins, losses and ties, (n, 5 systems); `squared`: wins by loser instead of these.

    The rows are sparse, since a judgment is about two systems. `tied`: ties by opponent follow the wins by loser.
    """

    squared: bool
    tied: bool

    def __call__(self, batch: Judgments) -> Any:
        from scipy.sparse import csr_array

        count, (left, right) = batch.system_count, batch.systems.T
        won, lost, tied = ((batch.human == sign).astype(np.float64) for sign in (1, -1, 0))
        ones = np.ones(len(batch))
        parts = [(left, batch.predicted[:, 0]), (right, batch.predicted[:, 1]), (count + left, ones)]
        parts.append((count + right, ones))
        if self.squared:
            parts += [((2 + left) * count + right, won), ((2 + right) * count + left, lost)]
            width = (2 + count) * count
            if self.tied:
                parts += [((2 + count + a) * count + b, tied) for a, b in ((left, right), (right, left))]
                width += count**2
        else:
            for kind, (of_left, of_right) in enumerate(((won, lost), (lost, won), (tied, tied)), 2):
                parts += [(kind * count + left, of_left), (kind * count + right, of_right)]
            width = 5 * count
        columns, values = (np.concatenate(side) for side in zip(*parts, strict=True))
        units = np.tile(np.arange(len(batch)), len(parts))
        nonzero = values != 0
        return csr_array((values[nonzero], (units[nonzero], columns[nonzero])), shape=(len(batch), width))


@frozen
class _Score:
    """A comparison of human scores and mean metric scores of systems, from sums of rows."""

    compare: Compared
    wins: Scale
    ties: Ties
    count: int

    def __call__(self, sums: FloatArray) -> FloatArray:
        return self.compare(*self.sides(sums))

    def sides(self, sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return human scores, metric scores, and which systems have both, (..., systems) each."""
        total, seen = np.split(sums[..., : 2 * self.count], 2, axis=-1)
        human = self._human(sums[..., 2 * self.count :])
        present = (seen > 0) & ~np.isnan(human)
        metric = np.divide(total, seen, out=np.zeros(total.shape), where=present)
        return np.where(present, human, 0.0), metric, present.astype(np.float64)

    def _human(self, sums: FloatArray) -> FloatArray:
        if isinstance(self.wins, TrueSkill):
            both = sums.reshape(*sums.shape[:-1], 2, self.count, self.count)
            return self.wins(both[..., 0, :, :], both[..., 1, :, :])
        if self.wins != "ratio":
            wins = sums.reshape(*sums.shape[:-1], self.count, self.count)
            return expected_wins(wins) if self.wins == "expected" else bradley_terry(wins)
        won, lost, tied = np.split(sums, 3, axis=-1)
        return ratio_of_wins(won, lost, tied, self.ties)


def _rows(wins: Scale) -> _Rows:
    return _Rows(wins != "ratio", isinstance(wins, TrueSkill))


def _scale(wins: Wins | Call) -> Scale:
    """Return how wins become scores; only TrueSkill has parameters."""
    if isinstance(wins, str) and wins != "trueskill":
        return wins
    call = wins if isinstance(wins, Call) else Call("trueskill")
    types = {field.name: type(field.default) for field in attrs.fields(TrueSkill)}
    wrong = [key for key, value in call.parameters.items() if type(value) is not types.get(key)]
    if call.name != "trueskill" or wrong:
        what = f"wins = {call}: only trueskill has parameters, {', '.join(types)}"
        raise DataError(what, remedy="write wins=trueskill(runs=10), with numbers; draw_rate=0.25")
    return TrueSkill(**call.parameters)


def _bind(compare: Compared, wins: Scale, ties: Ties, batch: Judgments) -> Additive:
    return Additive(batch.rows(_rows(wins)), _Score(compare, wins, ties, batch.system_count), batch.unit)


def _vectors(compare: Compared, wins: Scale, ties: Ties, batch: Judgments) -> tuple[FloatArray, FloatArray]:
    score = _Score(compare, wins, ties, batch.system_count)
    human, metric, present = score.sides(batch.rows(_rows(wins)).sum(axis=0))
    chosen = human[present > 0], metric[present > 0]
    if compare is correlation:
        return chosen
    ones = np.ones_like(chosen[0])
    return ranks(chosen[0], ones), ranks(chosen[1], ones)


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "judged_pearson": {"cosmetic": 0.05},
    "judged_spearman": {"cosmetic": 0.05},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(name: str, summary: str, source: str, compare: Compared, wins: Wins | Call, ties: Ties) -> Metric:
    scale = _scale(wins)
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Judgments,
        bind=partial(_bind, compare, scale, ties),
        vectors=partial(_vectors, compare, scale, ties),
        bounds=(-1.0, 1.0),
        working_scale="arctanh",
        smooth=compare is not rank_correlation and not isinstance(scale, TrueSkill),
        formula=_FORMULA,
        symbols=_SYMBOLS + (_RANKED if compare is rank_correlation else ""),
        known_weaknesses=_KNOWN[name],
    )


def judged_pearson(*, wins: Wins | Call = "ratio", ties: Ties = "ignore") -> Metric:
    """Pearson's correlation of systems: their human scores from comparisons, and their mean metric scores.

    Parameters
    ----------
    wins : {"ratio", "expected", "bradley_terry", "trueskill"}
        How comparisons become scores of systems. ratio: the share that a system won. expected: its chance to win
        against another system drawn at random, ties ignored. bradley_terry: its ability in log odds, ties ignored;
        undefined if a system always wins or always loses, or if two groups of systems were not compared, which can
        happen in a resample too. trueskill: its TrueSkill mean, with ties, as in 2014 to 2016;
        ``trueskill(runs=10, matches=0, draw_rate=0.25, seed=0)`` is its default. Matches are random, and drawn anew
        from the judgments of each resample; see `qeframe_agreement.TrueSkill`.
    ties : {"ignore", "half", "win"}
        What a tie is in the ratio: neither won nor compared, half a win, or a win for both.

    Returns
    -------
    Metric
        On `Judgments` that name the compared systems, in [-1, 1]. A system's metric score is the mean of its
        scores over the judgments, which is the score itself where a metric has one for each system. Under weights both
        sides are derived anew. Systems without a comparison that counts are left out; undefined (NaN) for constants
        and for fewer than two systems.

    References
    ----------
    Bojar et al. (2011); Koehn (2012); Machacek and Bojar (2014), whose intervals resample judgments.
    """
    summary = "Pearson's correlation of systems, human scores derived from the comparisons under their weights"
    return _metric("judged_pearson", summary, "Machacek and Bojar (2014)", correlation, wins, ties)


def judged_spearman(*, wins: Wins | Call = "ratio", ties: Ties = "ignore") -> Metric:
    """Spearman's correlation of systems: their human scores from comparisons, and their mean metric scores.

    Parameters
    ----------
    wins, ties
        As for `judged_pearson`.

    Returns
    -------
    Metric
        On `Judgments`, in [-1, 1]; undefined as `judged_pearson`. Equal scores share a rank.

    References
    ----------
    Metrics tasks 2008-13; Bojar et al. (2011).
    """
    summary = "Spearman's correlation of systems, human scores derived from the comparisons under their weights"
    return _metric("judged_spearman", summary, "Metrics tasks 2008-13", rank_correlation, wins, ties)
