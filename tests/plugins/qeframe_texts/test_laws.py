"""Laws under parameters that change a formula (the defaults are held to them in tests/laws); a claim found out."""

import attrs
import pytest

import qeframe_texts
from qeframe.core.metric import Metric
from qeframe.testing import checks_of


@pytest.mark.parametrize("metric", [qeframe_texts.chrf(), qeframe_texts.nist()])
def test_monotony_is_not_claimed_where_it_fails(metric: Metric) -> None:
    claiming = attrs.evolve(metric, claims=("monotone",))
    (check,) = [check for check in checks_of(claiming, tries=1500) if check.law.name == "monotone"]
    with pytest.raises(AssertionError, match="breaks the law 'monotone'"):
        attrs.evolve(check, shrink=False, presupposed=())()  # tests/laws holds both metrics to the other laws
