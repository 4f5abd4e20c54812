"""What tests and corrections return: the values that pass; tests/hostile has those that do not."""

import numpy as np
import pytest

from qeframe.core.components.checks.significance import adjust
from qeframe.core.components.significance import Correction
from qeframe.core.errors import PluginError


def test_adjusted_p_pass_and_p_stays_as_it_was(registry):
    p = np.array([0.01, 0.2])
    assert adjust(registry.get(Correction, "holm"), p).tolist() == [0.02, 0.2]
    p[0] = 0.5
    assert p.tolist() == [0.5, 0.2]


def test_p_may_exceed_1_by_rounding_only():
    def times(factor):
        return Correction(name="times", summary="", adjust=lambda p: p * factor)

    assert adjust(times(1 + 1e-12), np.ones(1))[0] == pytest.approx(1)
    with pytest.raises(PluginError, match=r"^correction 'times' \(given\): adjust returned 1.01, expected p-values"):
        adjust(times(1.01), np.ones(1))
