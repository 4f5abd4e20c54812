"""What a ranking rule returns: ranks and clusters of all submissions."""

from __future__ import annotations

from typing import Any

import numpy as np

from qeframe.core.components.checks.work import at_work
from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.core.resampling.return_checks import WrongReturnError, describe, numbers_of_shape


def rank(rule: RankingRule, given: RankingInput) -> Ranking:
    """Rank submissions: ranks and clusters are whole numbers, at least 1 and 0, at most the number of submissions."""
    submissions = len(given.oriented)
    with at_work(rule, "rank"):
        ranking = rule.rank(given)
        if not isinstance(ranking, Ranking):
            raise WrongReturnError("rank", describe(ranking), "a Ranking")
        _check_places(ranking.rank, "rank", submissions, least=1)
        _check_places(ranking.cluster, "cluster", submissions, least=0)
        if (ranges := ranking.ranges) is not None:
            if not (isinstance(ranges, (tuple, list)) and len(ranges) == 2):
                raise WrongReturnError("ranges", describe(ranges), "two arrays, of first and of last ranks")
            for position, ends in enumerate(ranges):
                _check_places(ends, f"ranges[{position}]", submissions, least=0)
        if ranking.shares is not None:
            shares = numbers_of_shape(ranking.shares, "shares", (submissions, submissions), "submissions x ranks")
            if (shares < -1e-9).any() or (shares > 1 + 1e-9).any():
                raise WrongReturnError("shares", describe(ranking.shares), "shares of draws, from 0 to 1")
    return ranking


def _check_places(places: Any, what: str, submissions: int, *, least: int) -> None:
    numbers = numbers_of_shape(places, what, (submissions,), "a whole number for each submission")
    wrong = (numbers != np.rint(numbers)) | (numbers < least) | (numbers > max(submissions, least))
    if wrong.any():
        returned = f"{float(numbers[wrong][0]):g}"
        raise WrongReturnError(what, returned, f"whole numbers from {least} to {submissions}")
