"""The sample sizes that ``qeframe distinguish --by-sampling`` is asked for; its output is tested with the command."""

import pytest

from qeframe.cli.shared.sampling import sizes_of
from qeframe.core.errors import DataError


def test_sizes_of_the_text_and_of_the_listing():
    assert sizes_of(0) == (100, 200, 500, 1000, 2000, 5000, 10_000)
    assert sizes_of(2500) == (2500, 5000, 7500, 10_000)
    assert len(sizes_of(100)) == 100
    assert sizes_of(3000)[-1] == 9000


@pytest.mark.parametrize("step", [1, 10_001])
def test_other_steps_are_refused(step):
    with pytest.raises(DataError, match="the step must lie from 2 to 10,000"):
        sizes_of(step)
