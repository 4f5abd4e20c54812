"""What code of third parties changes is found and named; without such code nothing is compared."""

import math

import numpy as np
import pytest

from qeframe.core.components.checks import tampering
from qeframe.core.components.checks.tampering import nothing_replaced, untouched
from qeframe.core.components.component import Origin
from qeframe.core.errors import PluginError
from qeframe.plugin import Scores

OTHER, OWN = Origin("odd", "odd-metrics", "1.0"), Origin("qeframe_scoring", "qeframe", "1.0")


def write(array, value):
    """Write through the array that owns the memory."""
    owner = array if array.base is None else array.base
    owner.flags.writeable = True
    owner[0] = value


@pytest.mark.parametrize(("field", "words"), [("gold", "the gold"), ("predicted", "the answers"), ("ids", "'ids'")])
def test_a_change_of_a_batch_is_named_with_the_plugins_at_work(field, words):
    batch = Scores(ids=np.arange(3), gold=np.array([0.1, 0.2, 0.4]), predicted=np.array([0.3, 0.2, 0.1]), best="low")
    with untouched({"submission 'a'": batch}, [OTHER, OWN]):
        pass
    says = rf"^{words} of submission 'a' changed .*odd-metrics.*QEFRAME_BLOCK=odd$"
    with pytest.raises(PluginError, match=says), untouched({"submission 'a'": batch}, [OTHER, OWN]):
        write(getattr(batch, field), 9)


def test_a_function_that_is_replaced_is_named_and_put_back():
    original = math.sqrt
    with pytest.raises(PluginError, match=r"math\.sqrt was replaced"), nothing_replaced(OTHER):
        math.sqrt = abs
    assert math.sqrt is original


def test_without_plugins_of_third_parties_nothing_is_compared(monkeypatch):
    monkeypatch.delattr(tampering, "_contents")
    monkeypatch.delattr(tampering, "_names")
    with untouched({}, [OWN]), nothing_replaced(OWN):
        pass
