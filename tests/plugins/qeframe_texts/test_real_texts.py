"""Real translations: et-en with two references and human scores."""

import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import segment_scores
from qeframe.kinds.texts.batch import Texts


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data("mlqe-pe-multiref")


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def batches(folder):
    candidates = lines(folder / "mt.en")
    references = list(zip(lines(folder / "ref-1.en"), lines(folder / "ref-2.en"), strict=True))
    return {n: Texts.from_plain([list(of[:n]) for of in references], candidates) for n in (1, 2)}


@pytest.mark.parametrize(("several", "correlation"), [(1, 0.508), (2, 0.554)])
def test_chrf_of_segments_correlates_with_humans(folder, batches, metric, several, correlation):
    human = np.loadtxt(folder / "DA-z.scores")
    scores = segment_scores(metric("chrf"), batches[several])
    assert qeframe.score("pearson", human, scores) == pytest.approx(correlation, abs=0.0005)


@pytest.mark.parametrize("name", ["bleu", "chrf", "sentence_bleu", "ter", "wer", "per", "cder", "nist"])
def test_a_second_reference_helps_every_metric(batches, metric, name):
    measure = metric(name)
    one, two = (qeframe.score(measure, batches[n], None) for n in (1, 2))
    assert (two > one) == measure.higher_is_better


def test_cder_forgives_order_and_per_forgives_more(batches, metric):
    errors = {name: segment_scores(metric(name), batches[1]) for name in ("wer", "cder", "per")}
    assert (errors["cder"] <= errors["wer"] + 1e-9).all()
    assert (errors["per"] <= errors["wer"] + 1e-9).all()
