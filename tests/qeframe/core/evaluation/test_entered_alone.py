"""The rank that a submission takes when it is entered alone among the ranked ones."""

import numpy as np
import pytest

from qeframe.core.evaluation.entered_alone import entered_alone, ranked_attacks
from qeframe.core.evaluation.result import Result
from qeframe.core.tasks.task import Submission


@pytest.mark.parametrize(("oriented", "rank"), [(4.0, 1), (3.0, 1), (2.5, 2), (1.0, 2), (0.0, 3), (np.nan, 3)], ids=str)
def test_only_better_scores_are_ahead_and_all_defined_ones_of_an_undefined_score(oriented, rank):
    others = np.array([3.0, 1.0, np.nan])
    scores = {"m": Result(value=oriented)}
    scored = entered_alone(Submission("thief", "attack"), scores, oriented, others)
    assert (scored.name, scored.kind, scored.rank, scored.cluster) == ("thief", "attack", rank, None)
    assert scored.scores == scores


def test_without_attacks_there_is_none():
    assert list(ranked_attacks(None, None)) == []
