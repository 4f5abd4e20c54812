"""What tests and corrections say of their p-values on given data, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qeframe.core.batches.base import IntArray
from qeframe.core.components.checks.work import at_work
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.evaluation.contest import Contest
from qeframe.core.resampling.return_checks import WrongReturnError


def remarks_of_test(test: SignificanceTest, contest: Contest, sided: Sided) -> tuple[str, ...]:
    """Return what limits the p-values of a test on these data."""
    if test.remarks is None:
        return ()
    with at_work(test, "remarks"):
        return _texts("remarks", test.remarks(contest, sided))


def remarks_of_correction(correction: Correction, contest: Contest) -> tuple[str, ...]:
    """Return what limits the adjusted p-values of a correction on these data."""
    if correction.remarks is None:
        return ()
    with at_work(correction, "remarks"):
        return _texts("remarks", correction.remarks(contest))


def remarks_on_significant(test: SignificanceTest, contest: Contest, claimed: IntArray) -> dict[int, str]:
    """Return by the position of a claimed pair why its claim is less certain than its p says."""
    if test.on_significant is None or not len(claimed):
        return {}
    with at_work(test, "on_significant"):
        said = test.on_significant(contest, claimed)
        return dict(zip(map(int, said), _texts("on_significant", said.values()), strict=True))


def _texts(what: str, returned: Iterable[Any]) -> tuple[str, ...]:
    texts = tuple(returned)
    if not all(isinstance(text, str) for text in texts):
        raise WrongReturnError(what, "a value that is no text", "texts")
    return texts
