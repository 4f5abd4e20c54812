"""Every hook brings the components of one class."""

import inspect

import pytest

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.assembler import Assembler
from qeframe.core.components.component import Origin
from qeframe.core.components.loading import hookspecs
from qeframe.core.components.loading.hookspecs import COMPONENT_HOOKS, GROUP, OTHER_HOOKS, PREFIX
from qeframe.core.components.ranking import RankingRule
from qeframe.core.components.reader import Reader
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.components.supplement import Supplement
from qeframe.extensions import hooks
from qeframe.extensions.attack import Attack
from qeframe.extensions.null_model import NullModel
from qeframe.extensions.published.data_source import DataSource, SourceFile
from qeframe.extensions.published.published_table import PublishedTable
from qeframe.extensions.writer import Writer, Written
from qeframe.kinds.scores.batch import Scores
from tests.qeframe.core.components.made_plugins import empty_but, plugin, share_equal, tie_policy


def test_a_plugin_of_every_hook_is_found():
    brought = {
        "qeframe_metrics": share_equal(),
        "qeframe_tie_policies": tie_policy("none_neutral"),
        "qeframe_aggregations": Aggregation(name="first", summary="", aggregate=lambda s, w, higher: s[..., 0]),
        "qeframe_significance_tests": SignificanceTest(name="coin", summary="", needs="bind", run=lambda *_: None),
        "qeframe_corrections": Correction(name="halve", summary="", adjust=lambda p: p / 2),
        "qeframe_ranking_rules": RankingRule(name="flat", summary="", rank=lambda standing: None),
        "qeframe_supplements": Supplement(name="more", summary="", of_evaluation=lambda given: 1),
        "qeframe_assemblers": Assembler(name="sets", summary="", key="sets", evaluate=lambda *_: None),
        "qeframe_attacks": Attack(
            name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch
        ),
        "qeframe_readers": Reader(name="nothing", summary="", kind=Scores, read=lambda path, best: ()),
        "qeframe_null_models": NullModel(name="none", summary="", kind=Scores, draw=lambda rng, units, submissions: []),
        "qeframe_writers": Writer(name="wrote", summary="", kinds=(Scores,), write=lambda readings: Written(files={})),
        "qeframe_data_sources": DataSource(
            name="files", summary="", files=[SourceFile(url="https://example.org/a", path="a")]
        ),
        "qeframe_published_tables": PublishedTable(
            name="values", summary="", paths=["."], columns=[], rows={}, profile="none"
        ),
    }
    own = plugin(**{hook: [component] for hook, component in brought.items()})
    registry = empty_but(own=own, extensions=hooks)
    assert brought.keys() == registry.hooks.keys()
    for hook, kind in registry.hooks.items():
        assert registry.all(kind) == [brought[hook]]
        assert registry.entry(kind, brought[hook].name).origin == Origin("own", "(given)", "")


def test_every_hook_is_documented_and_takes_no_argument():
    names = [name for name in dir(hookspecs) if name.startswith("qeframe_")]
    assert sorted(names) == sorted([*COMPONENT_HOOKS, *OTHER_HOOKS])
    for name in names:
        hook = getattr(hookspecs, name)
        assert hook.__doc__.startswith("Return ")
        assert not inspect.signature(hook).parameters
        with pytest.raises(AssertionError):
            hook()


def test_the_group_has_the_version_of_the_interface():
    assert GROUP == PREFIX + "2"
