import numpy as np
import pytest

from qeframe.core.components.comparable import Pairwise
from qeframe.core.components.significance import SignificanceTest
from qeframe.testing import checks_of


def broken(run, law):
    test = SignificanceTest(name="wrong", summary="", needs="per_unit", run=run)
    (check,) = [check for check in checks_of(test, tries=10) if check.law.name == law]
    found = check.search().found
    return "" if found is None else found.what


def changing(comparable, sided):
    comparable.oriented[:] = 0.0
    return Pairwise(p=np.array([0.5]))


@pytest.mark.parametrize(
    ("law", "run", "what"),
    [
        ("shape", lambda comparable, sided: 0.5, "it returns float instead of a Pairwise"),
        (
            "shape",
            lambda comparable, sided: Pairwise(p=np.ones(2)),
            "for one pair p is float64 of shape (2,) instead of",
        ),
        (
            "defined",
            lambda comparable, sided: Pairwise(p=np.array([np.nan])),
            "one-sided p of two different submissions",
        ),
        (
            "determinism",
            lambda comparable, sided: Pairwise(p=np.random.default_rng().random(1)),
            "the same input gives ",
        ),
        ("input", changing, "it "),
    ],
)
def test_a_wrong_test_is_found_out(law, run, what):
    assert broken(run, law).startswith(what)
