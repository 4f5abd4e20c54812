"""Values of units and of documents."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_nulls.values import independent_values, values_in_documents


def test_half_of_the_variance_is_shared() -> None:
    one, other = independent_values().draw(np.random.default_rng(1), 50_000, 2)
    assert np.corrcoef(one.predicted, other.predicted)[0, 1] == pytest.approx(0.5, abs=0.02)


def test_documents() -> None:
    model = values_in_documents(length=10, share=0.4)
    (one, _) = model.draw(np.random.default_rng(1), 40_000, 2)
    means = one.predicted.reshape(-1, 10).mean(axis=1)
    assert means.var() == pytest.approx(0.4 + 0.06, abs=0.03)
    labels = model.groups(25)["document"]
    assert (labels[0], labels[9], labels[10], len(set(labels))) == ("document 1", "document 1", "document 2", 3)


def test_mistakes() -> None:
    with pytest.raises(DataError, match="law"):
        independent_values(law="cauchy")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="share"):
        values_in_documents(share=2)
