"""The kit broken on purpose: without a check, the lie that it finds is not told."""

import numpy as np
import pytest

from tests.hostile.test_hostile import LIARS

BY_LIE = {liar.lie: liar for liar in LIARS}
REMOVED = {
    "p above 1": ("qeframe.core.components.checks.significance._probabilities",),
    "score above its bounds": ("qeframe.core.components.checks.metric.check_scores",),
}
"""Functions that return what they check, by the lie that each finds."""


@pytest.mark.parametrize("lie", REMOVED)
def test_without_a_check_its_liar_passes(meet, monkeypatch, lie):
    for check in REMOVED[lie]:
        monkeypatch.setattr(check, lambda *given: next(value for value in given if isinstance(value, np.ndarray)))
    outcome = meet(BY_LIE[lie].source, *BY_LIE[lie].command)
    assert outcome.status == 0, outcome.err
    assert BY_LIE[lie].line not in outcome.err
