"""The places of submissions: ranks, clusters and rank sets, of a task, of several, and of a part of a task set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.comparison import Compared
from qeframe.core.pair import rank_sets
from qeframe.core.ranking import Ranking, RankingInput, RankingRule, rank
from qeframe.core.result import Result, ScoredSubmission
from qeframe.core.task import UNRANKED, Submission


@frozen(kw_only=True, eq=False)
class Places:
    """The ranks of submissions by a rule, and clusters if they were tested.

    `sets`: the first and the last rank of each that all significant differences allow; None where the family of
      comparisons is not controlled.
    """

    rule: RankingRule
    ranking: Ranking
    is_tested: bool
    sets: tuple[IntArray, IntArray] | None

    def cluster(self, nth: int) -> int | None:
        """Return the cluster of a submission; None without a test or a score."""
        return (int(self.ranking.cluster[nth]) or None) if self.is_tested else None

    def rank_set(self, nth: int) -> tuple[int, int] | None:
        """Return the first and the last rank of a submission; None where the family is not controlled, and unscored."""
        if self.sets is None or self.cluster(nth) is None:
            return None
        return int(self.sets[0][nth]), int(self.sets[1][nth])

    def submission(
        self, nth: int, of: Submission, scores: Mapping[str, Result], stated: Mapping[str, Mapping[str, float]]
    ) -> ScoredSubmission:
        """Return a submission with its scores by metric, and with what it states about itself by task."""
        shares, ranges = self.ranking.shares, self.ranking.ranges if self.is_tested else None
        return ScoredSubmission(
            name=of.name,
            kind=of.kind,
            scores=scores,
            rank=int(self.ranking.rank[nth]),
            cluster=self.cluster(nth),
            rank_shares=() if shares is None else tuple(map(float, shares[nth])),
            rank_set=self.rank_set(nth),
            rank_range=None if ranges is None or not ranges[0][nth] else (int(ranges[0][nth]), int(ranges[1][nth])),
            stated=stated,
        )


def place(
    rule: RankingRule, oriented: FloatArray, compared: Compared | None, draws: FloatArray | None, *, is_tested: bool
) -> Places:
    """Return the places of submissions by a rule.

    `oriented` (S,): their scores. `compared`: their pairs; None if they were not compared. `draws` (B, S): of their
    scores; None without intervals. `is_tested`: whether differences could be significant, so that there are clusters.
    """
    better = np.zeros((len(oriented), len(oriented)), dtype=np.bool_) if compared is None else compared.better
    controls = is_tested and compared is not None and compared.rules.controls_any_error
    return Places(
        rule=rule,
        ranking=rank(rule, RankingInput(oriented=oriented, better=better, draws=draws)),
        is_tested=is_tested,
        sets=rank_sets(better) if controls else None,
    )


def sort_by_rank(submissions: Iterable[ScoredSubmission], metric: str, sign: float) -> tuple[ScoredSubmission, ...]:
    """Return submissions by rank, then by score, so that one that is not ranked precedes those that it beats."""

    def order(submission: ScoredSubmission) -> tuple[float, float, bool, str]:
        oriented = sign * submission.scores[metric].value
        descending = math.inf if np.isnan(oriented) else -oriented
        return submission.rank, descending, submission.kind in UNRANKED, submission.name

    return tuple(sorted(submissions, key=order))
