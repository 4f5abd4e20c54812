"""Gold and predictions of the null models: their correlations and their tails."""

import numpy as np
import pytest

from qeframe_nulls.numbers import NULL_MODELS

MODELS = {model.name: model for model in NULL_MODELS}


def draw(name: str, units: int = 100_000, submissions: int = 3) -> tuple[np.ndarray, np.ndarray]:
    batches = MODELS[name].draw(np.random.default_rng(8), units, submissions)
    assert all(batch.gold is batches[0].gold or np.array_equal(batch.gold, batches[0].gold) for batch in batches)
    return batches[0].gold, np.stack([batch.predicted for batch in batches])


@pytest.mark.parametrize("name", [name for name in MODELS if name not in {"elliptical_t3", "mqm_like"}])
def test_correlations_are_one_half(name: str) -> None:
    gold, predicted = draw(name)
    assert [np.corrcoef(gold, one)[0, 1] for one in predicted] == pytest.approx([0.5] * 3, abs=0.03)


def test_scores_like_those_of_mqm_have_many_zeros_and_a_long_tail() -> None:
    gold, predicted = draw("mqm_like")
    assert 0.45 < (gold == 0).mean() < 0.55
    assert gold.max() == 0
    assert gold.min() < -25
    found = [np.corrcoef(gold, one)[0, 1] for one in predicted]
    assert found == pytest.approx([found[0]] * 3, abs=0.02)


def test_only_the_first_submission_differs_in_scale() -> None:
    _, predicted = draw("scaled")
    assert predicted.std(axis=1) == pytest.approx([3, 1, 1], rel=0.03)
