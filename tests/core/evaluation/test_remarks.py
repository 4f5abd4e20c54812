"""The warnings of an evaluation, each on the case that calls for it."""

import numpy as np
import pytest

from qeframe.components.significance import Correction, SignificanceTest
from qeframe.evaluation.comparison import ComparisonRules
from qeframe.evaluation.remarks import remarks_on_family, too_few_draws
from qeframe.evaluation.result import Comparison


def rules(draws=99, factor=1.0, alpha=0.05) -> ComparisonRules:
    test = SignificanceTest(name="test", summary="", needs="bind", run=lambda *_: None, least_p=1 / (1 + draws))
    correction = Correction(name="times", summary="", adjust=lambda p: np.minimum(p * factor, 1))
    return ComparisonRules(test=test, correction=correction, alpha=alpha)


def comparison(a, b, task="", **numbers) -> Comparison:
    given = {"difference": 1.0, "p": 0.01, "p_adjusted": 0.01, "least_p": 0.01, **numbers}
    return Comparison(a=a, b=b, metric="m", task=task, test="test", sided="two", significant=False, **given)


@pytest.mark.parametrize(("factor", "needed"), [(4.0, ""), (10.0, "ask for at least 200 draws")])
def test_draws_that_the_correction_makes_too_few(factor, needed):
    warning = too_few_draws(rules(factor=factor), 3)
    assert warning.endswith(needed)
    assert bool(warning) is bool(needed)


def test_an_empty_family_and_a_test_without_a_bound_have_no_warning():
    assert too_few_draws(rules(factor=100.0), 0) == ""
    unbounded = ComparisonRules(
        test=SignificanceTest(name="t", summary="", needs="vectors", run=lambda *_: None), correction=rules().correction
    )
    assert too_few_draws(unbounded, 10) == ""


def test_pairs_without_a_score_are_counted_by_task():
    pairs = [comparison("a", "b", "en-de"), comparison("a", "c", "en-de", difference=np.nan, p=np.nan)]
    assert list(remarks_on_family(rules(), pairs)) == [
        "1 of 2 pairs on en-de cannot be tested and do not count in the correction: there is no score of c"
    ]


def test_few_exchanges_that_were_enumerated_name_their_tasks():
    pairs = [comparison("a", "b", task, p=0.125, least_p=0.125) for task in ("x", "y")]
    (warning,) = remarks_on_family(rules(), pairs)
    assert warning.startswith("no difference can be significant on x, y: the smallest p of test is 0.12")
    assert warning.endswith("all exchanges were enumerated: there are too few units")
