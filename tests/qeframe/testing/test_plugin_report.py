import attrs
import numpy as np
import pytest

import qeframe
from qeframe import DataError, PluginError, hookimpl
from qeframe.cli.commands.check_plugin import _json_record, _print
from qeframe.plugin import Metric, Parametric, SignificanceTest, Values, additive
from qeframe.testing.plugin_report import PluginReport, check_plugin, find_plugins
from tests.registered import REGISTRY


class Undefined:
    """A plugin whose metric is undefined everywhere."""

    @hookimpl
    def qeframe_metrics(self):
        bind = additive(
            columns=("units",),
            extract=lambda batch: np.ones((len(batch), 1)),
            score=lambda sums: np.full(sums.shape[:-1], np.nan),
        )
        return [Metric(name="undefined", summary="", kind=Values, bind=bind)]


def test_a_metric_that_is_undefined_everywhere_breaks_one_law_and_the_rest_is_not_tried():
    report = check_plugin("odd", qeframe.load(extra={"odd": Undefined()}), tries=5)
    (broken,) = report.broken
    assert (broken.law, broken.what) == ("defined", "the score is nan for 100 of 100 ordinary examples")
    results = {finding.law: finding.result for finding in report.findings}
    assert [results[law] for law in ("shape", "input", "determinism", "free_name")] == ["kept"] * 4
    assert results["order"] == results["bounds"] == "not tried"
    assert "constant_proof" not in results
    (order,) = [finding for finding in report.findings if finding.law == "order"]
    assert order.what == "Metric 'undefined' breaks the law 'defined', which 'order' presupposes"
    assert not order.broken


def test_a_long_counterexample_is_printed_by_its_beginning_and_recorded_whole(capsys):
    class LongBreach:
        @hookimpl
        def qeframe_metrics(self):
            return [attrs.evolve(REGISTRY.get(Metric, "mae"), name="long")]

    report = check_plugin("long", qeframe.load(extra={"long": LongBreach()}), tries=1)
    (finding,) = [finding for finding in report.findings if finding.law == "monotone"]
    numbers = list(range(40))
    values = {"counterexample": (f"gold = {numbers}",), "beginning": ("gold = [0, 1, 2, 3, ... 40 in all]",)}
    changed = PluginReport(report.name, (attrs.evolve(finding, broken=True, what="it is lower", **values),))
    _print(changed)
    printed = capsys.readouterr().out
    assert "smallest counterexample:\n  gold = [0, 1, 2, 3, ... 40 in all]\n  (--json has all of it)" in printed
    (record,) = _json_record(changed)["findings"]
    assert [*record["counterexample"]] == [f"gold = {numbers}"]
    assert "beginning" not in record


class Liberal:
    """A plugin whose test gives a third of the p of Williams' test."""

    @hookimpl
    def qeframe_significance_tests(self):
        williams = REGISTRY.get(SignificanceTest, "williams")

        def run(contest, sided):
            given = williams.run(contest, sided)
            return attrs.evolve(given, p=given.p / 3)

        return [attrs.evolve(williams, name="liberal", run=run, sides=("two",))]


def test_costly_laws_are_tried_where_they_are_asked_for():
    registry = qeframe.load(extra={"liberal": Liberal()})
    assert "size" not in {finding.law for finding in check_plugin("liberal", registry, tries=2).findings}
    report = check_plugin("liberal", registry, tries=2, costly=True)
    assert "size" in {finding.law for finding in report.broken}


def test_a_metric_may_declare_where_it_is_undefined():
    (metric,) = Undefined().qeframe_metrics()

    class Declared:
        @hookimpl
        def qeframe_metrics(self):
            return [attrs.evolve(metric, undefined=lambda batch: True)]

    (broken,) = check_plugin("odd", qeframe.load(extra={"odd": Declared()}), tries=5).broken
    assert broken.what == "the metric declares itself undefined on all 100 examples"


def test_a_plugin_is_found_by_its_name_or_its_distribution():
    (found,) = find_plugins("qeframe_ties", REGISTRY)
    assert found.origin.plugin == "qeframe_ties"
    assert len(find_plugins("QEframe", REGISTRY)) == len(REGISTRY.plugins)
    with pytest.raises(DataError, match="'pearson' is a component, no plugin; give what brings it, 'qeframe_scoring'"):
        find_plugins("pearson", REGISTRY)
    with pytest.raises(DataError, match="no plugin or distribution is named 'ties'"):
        find_plugins("ties", REGISTRY)


def test_a_component_that_cannot_be_made_names_its_plugin():
    def failing(*, within: float = 0.1) -> Metric:
        """Fail.

        Parameters
        ----------
        within : float
            Anything.
        """
        raise ValueError("no")

    class Plugin:
        @hookimpl
        def qeframe_metrics(self):
            return [Parametric(failing)]

    with pytest.raises(PluginError, match=r"plugin 'odd' of .* cannot make its components: ValueError: no"):
        check_plugin("odd", qeframe.load(extra={"odd": Plugin()}))
