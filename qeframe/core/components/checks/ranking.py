"""What a ranking rule returns: ranks and clusters of all submissions."""

from __future__ import annotations

from qeframe.core.components.checks.work import at_work
from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.core.returned import WrongReturnError, check_returned, describe


def rank(rule: RankingRule, given: RankingInput) -> Ranking:
    """Rank submissions: ranks and clusters are whole numbers, at least 1 and 0, at most the number of submissions."""
    submissions = len(given.oriented)
    with at_work(rule, "rank"):
        ranking = rule.rank(given)
        if not isinstance(ranking, Ranking):
            raise WrongReturnError("rank", describe(ranking), "a Ranking")
        check_returned("rank", ranking.rank, (submissions,), most=submissions)
        check_returned("cluster", ranking.cluster, (submissions,), most=submissions)
        if (ranges := ranking.ranges) is not None:
            if not (isinstance(ranges, (tuple, list)) and len(ranges) == 2):
                raise WrongReturnError("ranges", describe(ranges), "two arrays, of first and of last ranks")
            for position, ends in enumerate(ranges):
                check_returned("ranges", ends, (submissions,), name=f"ranges[{position}]", most=submissions)
        if ranking.shares is not None:
            check_returned("shares", ranking.shares, (submissions, submissions))
    return ranking
