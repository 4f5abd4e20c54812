"""Scores of parts outside their own intervals."""

import numpy as np

from qeframe import Result, ScoredSubmission
from qeframe.assembly.remarks_on_parts import on_ends


def result(value, low, high, **parts):
    return Result(value=value, low=low, high=high, tasks=parts)


def scored(name, overall, **parts):
    made = result(*overall, **{part: result(*ends) for part, ends in parts.items()})
    return ScoredSubmission(name=name, kind="real", scores={"overall": made}, rank=1, cluster=None)


def test_scores_outside_their_own_intervals_are_counted_by_part():
    inside, none = (0.5, 0.4, 0.6), (0.5, np.nan, np.nan)
    ranked = [scored("a", (0.9, 0.7, 0.8), spa=(0.9, 0.7, 0.8), acc=inside), scored("b", inside, spa=(0.1, 0.2, 0.3))]
    (line,) = on_ends(ranked)
    assert line.startswith(
        "scores outside their own intervals: the overall score (1 of 2), spa (2 of 2): in every draw"
    )
    assert list(on_ends([scored("a", inside, spa=none, acc=inside)])) == []
    assert list(on_ends([])) == []
