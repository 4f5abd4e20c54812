"""The laws of components, and how far the metrics can be gamed."""

import pytest

import qeframe
import qeframe_preferences
from qeframe.plugin import Metric
from qeframe.testing import check_gaming, check_metric, parametrize_with_checks


@parametrize_with_checks(qeframe_preferences)
def test_laws(check):
    check()


@pytest.mark.parametrize("name", ["section_accuracy(rule=judgebench, ties=0.5)", "preference_kappa(chance=base_rate)"])
def test_laws_with_parameters(name):
    check_metric(qeframe.load().get(Metric, name), tries=6)


def test_no_attack_gains_more_than_is_declared():
    check_gaming(qeframe_preferences)
