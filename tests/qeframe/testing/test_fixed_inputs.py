"""Fixed inputs: three submissions on one gold for each size."""

import pytest

from qeframe.core.batches.base import Batch
from qeframe.kinds.registered import kind_of
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.tags.batch import Tags
from qeframe.testing.laws.probes import SIZES, fixed_submissions


@pytest.mark.parametrize("batch", [Scores, Tags])
def test_the_inputs_of_a_kind(batch):
    inputs = fixed_submissions(batch)
    assert list(inputs) == [f"{batch.__name__.lower()}-{size}" for size in SIZES]
    plain = kind_of(batch).plain
    for submissions in inputs.values():
        assert len(submissions) == 3
        assert all(plain(each)["gold"] == plain(submissions[0])["gold"] for each in submissions)


def test_an_unknown_kind_has_none():
    class Unknown(Batch):
        pass

    assert fixed_submissions(Unknown) == {}
