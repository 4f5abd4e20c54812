"""What tests and corrections say of p-values is checked, whoever wrote them."""

import attrs
import numpy as np
import pytest

from qeframe.additions.remarks_of_components import remarks_of_correction, remarks_of_test, remarks_on_claims
from qeframe.api.arrays.binding import bind_submissions
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import PluginError


@pytest.fixture
def comparable(registry):
    gold = np.arange(8.0)
    return bind_submissions(registry.get(Metric, "mae"), gold, {"A": gold + 1, "B": gold + 2})


def test_texts_are_returned_and_no_function_says_nothing(registry, comparable):
    test, correction = registry.get(SignificanceTest, "jackknife"), registry.get(Correction, "holm")
    said = attrs.evolve(test, remarks=lambda *_: ["few"], on_claims=lambda *_: {np.int64(0): "one unit decides"})
    assert remarks_of_test(said, comparable, "two") == ("few",)
    assert remarks_on_claims(said, comparable, np.array([0])) == {0: "one unit decides"}
    assert remarks_on_claims(said, comparable, np.array([], int)) == {}
    assert remarks_of_correction(attrs.evolve(correction, remarks=lambda _: ("few",)), comparable) == ("few",)
    assert remarks_of_test(attrs.evolve(test, remarks=None), comparable, "two") == ()
    assert remarks_on_claims(attrs.evolve(test, on_claims=None), comparable, np.array([0])) == {}
    assert remarks_of_correction(attrs.evolve(correction, remarks=None), comparable) == ()


def test_what_is_no_text_is_refused(registry, comparable):
    test, correction = registry.get(SignificanceTest, "jackknife"), registry.get(Correction, "holm")
    wrong = attrs.evolve(test, remarks=lambda *_: [1], on_claims=lambda *_: {0: None})
    for call in (
        lambda: remarks_of_test(wrong, comparable, "two"),
        lambda: remarks_on_claims(wrong, comparable, np.array([0])),
        lambda: remarks_of_correction(attrs.evolve(correction, remarks=lambda _: [1]), comparable),
    ):
        with pytest.raises(PluginError, match="a value that is no text"):
            call()
