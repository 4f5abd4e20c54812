"""The scores that 2000 lines of WMT15 and WMT16 were given with exponents 1, 2 and 3."""

import numpy as np
import pytest

from qeframe.core.components.metric import segment_scores
from qeframe.kinds.texts.batch import Texts


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data("gtm-wmt16")


@pytest.fixture(scope="module")
def batch(folder):
    """The files were made from lower-cased texts with candidate and reference exchanged."""
    said, known = (
        (folder / f"{name}.tok").read_text(encoding="utf-8").splitlines() for name in ("reference", "candidate")
    )
    return Texts.from_plain(known, said)


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_every_line(folder, batch, metric, exponent):
    wanted = np.loadtxt(folder / f"gtm-e{exponent}.scores")
    scores = segment_scores(metric(f"gtm_f(exponent={exponent}, lowercase=true)"), batch)
    assert scores.shape == (2000,)
    np.testing.assert_allclose(scores, wanted, rtol=0, atol=1e-9)
