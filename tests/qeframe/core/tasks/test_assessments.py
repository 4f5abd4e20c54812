"""Scores of judges: standardized for each judge, and in pairs of judges."""

import numpy as np
import pytest
from scipy import stats

from qeframe.core.errors import DataError
from qeframe.core.tasks.assessments import Assessments, z_scores

NAN = float("nan")


def assessments(values: list[list[float]], judges: tuple[str, ...], segments: list[int]) -> Assessments:
    systems = tuple("ABC"[: len(values[0])])
    return Assessments(
        scale="adequacy", systems=systems, segments=np.array(segments), judges=judges, values=np.array(values)
    )


def test_nothing_was_judged() -> None:
    with pytest.raises(DataError, match=r"^no translation was judged on the scale 'adequacy'$"):
        assessments([[NAN, NAN]], ("x",), [1])


@pytest.mark.parametrize("ddof", [0, 1])
def test_z_scores_of_each_judge(ddof: int) -> None:
    values, judges = np.array([1.0, 5.0, 4.0, 2.0, 6.0]), ["x", "y", "x", "x", "y"]
    z = z_scores(values, judges, ddof=ddof, constant=0.0)
    for judge in "xy":
        rows = [i for i, each in enumerate(judges) if each == judge]
        np.testing.assert_allclose(z[rows], stats.zscore(values[rows], ddof=ddof))


def test_missing_scores_stay_missing() -> None:
    z = assessments([[1.0, NAN], [3.0, 2.0]], ("x", "x"), [1, 2]).standardized()
    np.testing.assert_allclose(z, np.array([[-1.0, NAN], [1.0, 0.0]]) * np.sqrt(1.5))


@pytest.mark.parametrize("values", [[0.1, 0.1, 0.1], [1e9, 1e9 + 1e-6, 1e9]])
def test_a_judge_whose_scores_are_equal(values: list[float]) -> None:
    assert z_scores(np.array(values), ["x"] * 3, ddof=1, constant=-2.0).tolist() == [-2.0] * 3


def test_a_judge_with_a_single_score() -> None:
    assert z_scores(np.array([0.1, 1.0, 2.0]), ["x", "y", "y"], ddof=1, constant=0.0)[0] == 0.0


def test_pairs_of_judges_of_a_segment() -> None:
    looks = assessments([[1.0], [2.0], [3.0], [4.0], [5.0]], ("x", "x", "y", "z", "x"), [1, 2, 1, 1, 1])
    first, second = looks.pairs()
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (0, 3), (2, 3), (2, 4), (3, 4)]


def test_no_pairs_of_judges() -> None:
    first, second = assessments([[1.0], [2.0]], ("x", "y"), [1, 2]).pairs()
    assert (first.shape, second.shape) == ((0,), (0,))
