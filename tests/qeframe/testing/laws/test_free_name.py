import attrs
import pytest

import qeframe
from qeframe.core.components.metric import Metric, TiePolicy
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.testing import checks_of
from qeframe.testing.laws.free_name import NAME_LAW

REGISTRY = qeframe.load()
OTHER = Correction(name="other", summary="", adjust=lambda p: p)


def breach(component):
    (check,) = [check for check in checks_of(component) if check.law is NAME_LAW]
    found = check.search().found
    return "" if found is None else found.what


@pytest.mark.parametrize(
    ("kind", "name"),
    [(Metric, "mae"), (Metric, "mae(replicate=perl)"), (TiePolicy, "wmt13"), (SignificanceTest, "randomization")],
)
def test_the_names_of_a_plugin_are_free_for_its_own_components(kind, name):
    assert breach(REGISTRY.get(kind, name)) == ""


def test_a_name_that_nobody_has_is_free():
    assert breach(OTHER) == ""


def test_the_name_of_a_metric_of_another_plugin_is_taken():
    what = breach(attrs.evolve(OTHER, name="holm"))
    assert what.startswith("the correction 'holm' is brought by plugin 'qeframe_significance' of distribution 'qeframe")
    assert what.endswith(" too: with both installed, no command starts")


def test_a_former_name_is_taken():
    test = SignificanceTest(name="randomisation", summary="", needs="bind", run=lambda comparable, sided: None)
    assert breach(test).startswith("the significance test 'randomisation' is brought by plugin 'qeframe_significance'")


def test_a_former_name_must_be_free_too():
    assert "correction 'bh' is brought" in breach(attrs.evolve(OTHER, formerly="bh"))


def test_another_class_may_have_the_name():
    assert breach(attrs.evolve(OTHER, name="mae")) == ""


def test_a_blocked_plugin_takes_no_name(monkeypatch):
    from qeframe.testing.laws import free_name

    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_significance")
    free_name._installed.cache_clear()
    try:
        assert breach(attrs.evolve(OTHER, name="holm")) == ""
    finally:
        free_name._installed.cache_clear()
