"""Fields of components that have a wrong value are refused in one line when the component is made."""

import attrs
import numpy as np
import pytest

from qeframe.core.components.comparable import Pairwise
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import DataError
from qeframe.gaming.gaming_gate import declared_gate


def significance_test(**fields):
    defaults = {"name": "mine", "summary": "", "needs": "bind", "run": lambda compared, sided: Pairwise(p=np.ones(1))}
    return SignificanceTest(**defaults | fields)


def test_one_side_is_a_word_or_several():
    assert significance_test(sides="two").sides == significance_test(sides=("two",)).sides == {"two"}
    assert significance_test(least_p=np.float64(0.5), null="equal scores").sides == {"one", "two"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"needs": "per-unit"},
            "needs is str 'per-unit'; give 'bind' or 'smooth' or 'grid' or 'exchange' or 'outcomes' or 'vectors' or "
            "'per_unit'",
        ),
        ({"sides": ("both",)}, "sides is list ['both']; give 'one', 'two' or both"),
        ({"sides": ()}, "sides is list []; give 'one', 'two' or both"),
        (
            {"null": "equal"},
            "null is str 'equal'; give '' or 'equal scores' or 'exchangeable answers' or 'equal scores or exchangeable "
            "answers'",
        ),
        ({"least_p": 1.01}, "least_p is float 1.01; give a number from 0 to 1"),
        ({"least_p": -0.01}, "least_p is float -0.01; give a number from 0 to 1"),
        ({"least_p": True}, "least_p is bool True; give a number from 0 to 1"),
        ({"least_p": np.nan}, "least_p is float nan; give a number from 0 to 1"),
        ({"run": 3}, "run is int 3; give a function"),
        ({"remarks": "none"}, "remarks is str 'none'; give a function"),
    ],
)
def test_a_wrong_field_of_a_test_is_refused(fields, line):
    with pytest.raises(DataError) as refused:
        significance_test(**fields)
    assert str(refused.value) == f"significance test 'mine': {line}"


def test_a_wrong_field_of_a_correction_is_refused():
    with pytest.raises(DataError, match=r"^correction 'mine': least_p is str '0'; give a number from 0 to 1$"):
        Correction(name="mine", summary="", adjust=np.copy, least_p="0")
    with pytest.raises(DataError, match=r"^correction 'mine': adjust is float 0.05; give a function$"):
        Correction(name="mine", summary="", adjust=0.05)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"higher_is_better": "no"}, "higher_is_better is str 'no'; give True or False"),
        ({"smooth": "yes"}, "smooth is str 'yes'; give True or False"),
        ({"working_scale": "logit"}, "working_scale is str 'logit'; give 'identity' or 'arctanh'"),
        ({"interval_scale": "logg"}, "interval_scale is str 'logg'; give 'identity' or 'arctanh' or 'logit' or 'log'"),
        ({"degenerate": "none"}, "degenerate is str 'none'; give a number, or NaN"),
        ({"per_unit": 3}, "per_unit is int 3; give a function"),
        (
            {"known_weaknesses": {"blind": 30}},
            "known_weaknesses are dict {'blind': 30}; give for each attack by name the largest index that it may have, "
            "above 0: .3, not 30 %",
        ),
    ],
)
def test_a_wrong_field_of_a_metric_is_refused(registry, fields, line):
    with pytest.raises(DataError) as refused:
        attrs.evolve(registry.get(Metric, "mae"), **fields)
    assert str(refused.value) == f"metric 'mae': {line}"


def test_an_index_above_1_can_be_declared(registry):
    mae = attrs.evolve(registry.get(Metric, "mae"), smooth=np.bool_(True), known_weaknesses={"blind": 1.3})
    assert declared_gate(mae, attacks=["constant_median"]).outcome == "kept"
