"""Scores of the General Text Matcher beside the texts of Blend (Ma et al. 2017), of its original program."""

import numpy as np
import pytest

from qeframe.core.metric import segment_scores
from qeframe.plugin import Texts
from qeframe_gtm.measures import gtm_f

LINES = 2000


def first(path):
    lines = path.read_text(encoding="utf-8").splitlines()[:LINES]
    assert len(lines) == LINES
    return lines


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_the_first_segments_have_the_published_score(shared_data, exponent):
    """The files were made from lower-cased texts, with candidate and reference exchanged."""
    folder = shared_data("gtm-wmt16")
    batch = Texts.from_plain(first(folder / "candidate.tok"), first(folder / "reference.tok"))
    published = np.array([float(line) for line in first(folder / f"gtm-e{exponent}.scores")])
    scores = segment_scores(gtm_f(exponent=exponent, lowercase=True), batch)
    assert np.abs(scores - published).max() <= 1e-9
