"""Curves of agreement with judges: means and spreads over documents, and tests between metrics."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve, compare_curves

NAN = float("nan")


def curve(name, values, references=1, sizes=(1, 10)):
    table = np.array(values, dtype=float)
    return AgreementCurve(name=name, scale="rank", references=references, sizes=sizes, values=table)


def test_means_and_spreads_are_over_defined_documents():
    one = curve("bleu", [[0.2, NAN, 0.4, 0.9], [NAN, NAN, NAN, 0.5]])
    assert one.mean == pytest.approx([0.5, 0.5])
    assert one.spread == pytest.approx([np.std([0.2, 0.4, 0.9], ddof=1), NAN], nan_ok=True)
    assert one.undefined.tolist() == [0.25, 0.75]


def test_nothing_is_defined_without_documents():
    none = curve("bleu", [[NAN, NAN], [NAN, NAN]])
    assert np.isnan(none.mean).all()
    assert np.isnan(none.spread).all()
    assert none.undefined.tolist() == [1.0, 1.0]


def test_labels_state_several_references():
    assert curve("bleu", [[0.1], [0.2]]).label == "bleu"
    assert curve("bleu", [[0.1], [0.2]], references=4).label == "bleu, 4 references"
    assert curve(BETWEEN_JUDGES, [[0.1], [0.2]], references=0).label == BETWEEN_JUDGES


def test_wilcoxon_on_documents_that_are_defined_for_all():
    rng = np.random.default_rng(0)
    low, high = rng.normal(0, 0.1, 30), rng.normal(0.1, 0.1, 30)
    low[3], high[7] = NAN, NAN
    curves = [curve("low", [low] * 2), curve("high", [high] * 2), curve(BETWEEN_JUDGES, [[NAN] * 30] * 2, references=0)]
    (pair,) = compare_curves(curves, 10)
    both = np.isfinite(low) & np.isfinite(high)
    assert (pair.a, pair.b, pair.test) == ("high", "low", "wilcoxon")
    assert pair.difference == pytest.approx((high - low)[both].mean())
    assert pair.p == pytest.approx(wilcoxon(high[both], low[both]).pvalue)
    assert pair.significant == (pair.p < 0.05)


def test_numbers_of_references_of_one_metric_are_compared():
    values = np.random.default_rng(1).normal(size=(1, 20))
    curves = [curve("bleu", values + 0.1 * n, references=n, sizes=(5,)) for n in (1, 2, 4)]
    pairs = {(pair.a, pair.b) for pair in compare_curves(curves, 5)}
    assert pairs == {
        ("bleu, 4 references", "bleu"),
        ("bleu, 4 references", "bleu, 2 references"),
        ("bleu, 2 references", "bleu"),
    }


def test_one_metric_is_compared_with_nothing():
    one = curve("bleu", [[0.1], [0.2]])
    assert compare_curves([one], 1) == []
    assert compare_curves([one, curve(BETWEEN_JUDGES, [[0.1], [0.2]], references=0)], 1) == []
