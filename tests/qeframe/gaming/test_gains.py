"""What each submission gains by cosmetic attacks."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.gaming.gains import gains_of_submissions
from qeframe.kinds.grid.batch import Grid


@pytest.fixture
def task():
    rng = np.random.default_rng(0)
    gold = rng.normal(0, 1, (60, 1)) + rng.normal(0, 1, (60, 6))
    noisy, exact = gold + rng.normal(0, 2, gold.shape), gold + rng.normal(0, 0.01, gold.shape)
    batches = {Submission(n): Grid.from_plain(gold, each) for n, each in (("noisy", noisy), ("exact", exact))}
    return Task(name="en-de", batches=batches)


def test_a_noisy_metric_gains_by_its_own_means_and_an_exact_one_does_not(task):
    gains = gains_of_submissions(["segment_pearson"], [task], attacks=["add_item_means"]).gains
    assert [(gain.submission, gain.rank) for gain in gains] == [("exact", 1), ("noisy", 2)]
    exact, noisy = gains
    assert exact.gain < 0
    assert exact.attacked_rank == 1
    assert noisy.gain > 2 * noisy.error > 0
    assert noisy.setting.startswith("factor=")


def test_low_is_good_and_what_cannot_be_asked(task):
    with pytest.raises(DataError, match="no attack transforms a submission"):
        gains_of_submissions(["segment_pearson"], [task], attacks=["all_equal"])
    with pytest.raises(DataError, match="'mae' is a metric on Scores"):
        gains_of_submissions(["mae"], [task])
    assert '"gains"' in gains_of_submissions(["segment_pearson"], [task], attacks=["untie_grid"]).to_json()
