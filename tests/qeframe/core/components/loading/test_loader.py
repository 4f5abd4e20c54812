"""The loader names the owner of every failure."""

import sys
from collections.abc import Mapping
from types import MappingProxyType, ModuleType

import pytest

import qeframe
from qeframe import PluginError, UnknownNameError, hookimpl
from qeframe.core.hookspecs import COMPONENT_HOOKS, GROUP, OTHER_HOOKS
from qeframe.core.loader import load
from qeframe.core.metric import Attack
from qeframe.core.origin import Origin
from qeframe.core.reader import Reader
from qeframe.plugin import Aggregation, Correction, Metric, Parametric, RankingRule, SignificanceTest, TiePolicy
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import (
    BUILT_IN,
    INSTALLED,
    empty_but,
    half,
    plugin,
    share_equal,
    tie_policy,
)


def test_every_declared_plugin_is_loaded_with_its_distribution(registry):
    assert [p.origin.plugin for p in registry.plugins] == INSTALLED
    for loaded in registry.plugins:
        if loaded.origin.plugin in BUILT_IN:
            assert loaded.origin == Origin(loaded.origin.plugin, "qeframe", qeframe.__version__)


def test_the_default_registry_is_built_once_and_left_alone_by_extra_plugins(registry):
    assert qeframe.load() is registry
    load(extra={"own": plugin(qeframe_metrics=[share_equal()])})
    assert "share_equal" not in qeframe.load().names(Metric)
    assert qeframe.load() is registry


def test_a_third_partys_metric_gets_everything_that_a_built_in_has():
    registry = load(extra={"own": plugin(qeframe_metrics=[share_equal()])}, block=[])
    gold = [1.0, 2.0, 3.0, 4.0]
    assert qeframe.score("share_equal", gold, [1, 2, 0, 0], registry=registry) == 0.5
    (compared,) = qeframe.compare(
        "share_equal", gold, {"A": [1, 2, 3, 0], "B": gold}, test="randomization", registry=registry
    )
    assert (compared.a, compared.b, compared.difference) == ("B", "A", 0.25)


def test_what_a_hook_returned_can_be_changed_without_effect():
    brought = [share_equal()]
    registry = empty_but(own=plugin(qeframe_metrics=brought))
    brought.append(share_equal("late"))
    assert registry.names(Metric) == ["share_equal"]


@pytest.fixture
def placed(monkeypatch):
    """A module of components that hooks name by their places."""
    module = ModuleType("placed_components")
    module.share_equal, module.half = share_equal(), half
    monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.mark.usefixtures("placed")
def test_a_component_may_be_named_by_its_place():
    registry = empty_but(
        own=plugin(
            qeframe_metrics=["placed_components:share_equal"], qeframe_tie_policies=["half = placed_components:half"]
        )
    )
    assert registry.names(Metric) == ["share_equal"]
    assert qeframe.score("share_equal", [1, 2], [1, 3], registry=registry) == 0.5
    assert str(registry.get(Metric, "share_equal").origin).startswith("plugin 'own'")
    assert isinstance(registry.get(TiePolicy, "half"), TiePolicy)
    assert [one.name for one in registry.all(Metric)] == ["share_equal"]


@pytest.mark.usefixtures("placed")
def test_a_name_with_a_place_is_taken_like_any_other():
    two = {"a": plugin(qeframe_metrics=["placed_components:share_equal"]), "b": plugin(qeframe_metrics=[share_equal()])}
    assert "the metric 'share_equal' is brought twice" in failure(PluginError, empty_but, **two)
    assert "cannot be read" in refused(plugin(qeframe_metrics=["Share = placed_components:share_equal"]))


@pytest.mark.usefixtures("placed")
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("same = placed_components:share_equal",
         "names the place of 'same', and what is there has the name 'share_equal'"),
        ("absent = placed_components:absent", "cannot be imported: AttributeError"),
        ("absent = placed_nowhere:absent", "cannot be imported: ModuleNotFoundError"),
        ("half = placed_components:half", "must return values of type Metric, not Parametric[TiePolicy]"),
    ],
)  # fmt: skip
def test_what_is_not_at_its_place_is_refused_when_it_is_used(place, said):
    registry = empty_but(own=plugin(qeframe_metrics=[place]))
    line = failure(PluginError, registry.get, Metric, registry.names(Metric)[0])
    assert said in line
    assert "QEFRAME_BLOCK=own" in line


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_can_be_taken_out(name, registry):
    without = load(block=[name])
    assert name not in {p.origin.plugin for p in without.plugins}
    assert without.blocked == (name,)
    for kind in registry.tables:
        kept = [n for n, entry in registry.tables[kind].items() if entry.origin.plugin != name]
        assert without.names(kind) == kept
    kept = [n for n, (_, origin) in registry.profiles.items() if origin.plugin != name]
    assert list(without.profiles) == kept
    fewer = any(len(without.names(kind)) < len(table) for kind, table in registry.tables.items())
    assert fewer or len(kept) < len(registry.profiles) or len(without.kinds) < len(registry.kinds)


def test_without_any_plugin_the_core_works_empty():
    empty = load(block=INSTALLED)
    assert empty.plugins == ()
    assert empty.blocked == tuple(INSTALLED)
    assert all(empty.names(kind) == [] == empty.all(kind) for kind in COMPONENT_HOOKS.values())
    assert empty.profiles == {}
    assert qeframe.score(share_equal(), [1, 2], [1, 3], registry=empty) == 0.5
    for kind, word in {
        Metric: "metric",
        TiePolicy: "tie policy",
        Aggregation: "aggregation",
        SignificanceTest: "significance test",
        Correction: "correction",
        RankingRule: "ranking rule",
        Attack: "attack",
        Reader: "reader",
    }.items():
        assert failure(UnknownNameError, empty.get, kind, "mae") == (
            f"unknown {word} 'mae'; there are none (blocked: {', '.join(INSTALLED)})"
        )


def test_a_plugin_that_is_not_there_cannot_be_blocked():
    line = failure(PluginError, load, block=["qeframe_scorng"])
    assert line.startswith("no plugin is named 'qeframe_scorng', so it cannot be blocked; the plugins are qeframe_")


def refused(brought: ModuleType, name: str = "own") -> str:
    """Return the line that refuses a plugin; it names the plugin and how to start without it."""
    line = failure(PluginError, empty_but, **{name: brought})
    assert f"plugin '{name}' of distribution '(given)" in line
    return line


def test_an_unknown_hook_is_refused_with_the_known_ones():
    line = failure(PluginError, load, extra={"own": plugin(qeframe_metric=[share_equal()])}, block=[])
    assert "has unknown hooks: qeframe_metric;" in line
    for hook in [*COMPONENT_HOOKS, *OTHER_HOOKS]:
        assert hook in line
    assert "QEFRAME_BLOCK=own" in line


def test_a_blocked_plugin_is_not_imported(install):
    install("their-metrics", {"theirs": "their_blocked_module"}, {"their_blocked_module": "IMPORTED = True"})
    found = load(extra={"own": plugin(qeframe_metrics=[share_equal()])}, block=["theirs"])
    assert "their_blocked_module" not in sys.modules
    assert found.get(Metric, "share_equal").name == "share_equal"


def test_a_hook_that_takes_arguments_is_refused():
    module = ModuleType("a_plugin")

    @hookimpl
    def qeframe_metrics(registry):
        return []

    module.qeframe_metrics = qeframe_metrics
    assert "registry" in refused(module)


def without_annotation():
    return share_equal()


@pytest.mark.parametrize(
    ("hook", "returned", "message"),
    [
        ("qeframe_metrics", [tie_policy("x")], "hook qeframe_metrics must return values of type Metric, not TiePolicy"),
        ("qeframe_metrics", ["mae"], "hook qeframe_metrics must return values of type Metric, not str"),
        ("qeframe_metrics", [share_equal], "hook qeframe_metrics must return values of type Metric, not function"),
        ("qeframe_metrics", [Metric], "hook qeframe_metrics must return values of type Metric, not type"),
        ("qeframe_metrics", [Parametric(half)], "must return values of type Metric, not Parametric[TiePolicy]"),
        (
            "qeframe_metrics",
            [Parametric(without_annotation)],
            "the function 'without_annotation' of hook qeframe_metrics does not say what it returns: its return "
            "annotation is missing, write -> Metric",
        ),
        ("qeframe_metrics", share_equal(), "hook qeframe_metrics must return a sequence, not Metric"),
        ("qeframe_metrics", "mae", "hook qeframe_metrics must return a sequence, not str"),
        ("qeframe_metrics", None, "hook qeframe_metrics must return a sequence, not NoneType"),
        ("qeframe_profiles", ["x"], "hook qeframe_profiles must return a mapping, not list"),
        ("qeframe_readers", RuntimeError("no\nfiles"), "failed in hook qeframe_readers: RuntimeError: no files"),
    ],
)
def test_what_a_hook_must_not_return_is_refused(hook, returned, message):
    line = refused(plugin(**{hook: returned}))
    assert message in line
    assert line.endswith("; repair it, or start with QEFRAME_BLOCK=own")


def test_an_extra_plugin_cannot_take_the_name_of_an_installed_one():
    line = failure(PluginError, load, extra={BUILT_IN[0]: plugin()})
    assert line == (
        f"two plugins are named '{BUILT_IN[0]}': of distribution 'qeframe' and of distribution '(given)'; "
        "uninstall one of them"
    )


@pytest.mark.parametrize("name", ["F-beta", "f beta", "mean(x=1)", "lambda", ""])
def test_a_component_that_could_never_be_asked_for_is_refused(name):
    assert f"'{name}'" in refused(plugin(qeframe_metrics=[share_equal(name)]))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../../x", "the name '../../x' cannot be read, it is not lower case with underscores: character 1 is U+002E"),
        ("mine\n", "character 5 is U+000A"),
        ("qe_\u0455entence", "character 4 is U+0455 CYRILLIC SMALL LETTER DZE"),
        ("qe_wo\u0301rd", "character 6 is U+0301 COMBINING ACUTE ACCENT"),
        ("mine.toml", "character 5 is U+002E FULL STOP"),
        ("2mine", "the name '2mine' cannot be read"),
        (7, "a name is of type int, not a text"),
    ],
)
def test_profiles_and_components_are_named_by_one_rule(name, said, tmp_path):
    assert said in refused(plugin(qeframe_profiles={name: tmp_path / "mine.toml"}))
    assert said in refused(plugin(qeframe_metrics=[share_equal(name)]))


def test_a_profile_that_is_no_file_is_refused():
    assert "mine" in refused(plugin(qeframe_profiles={"mine": "mine.toml"}))


def test_a_parametric_component_whose_hints_cannot_be_read_is_refused():
    def unhinted(*, beta: float = 1.0) -> "Metrik":  # noqa: F821
        return share_equal("unhinted")

    assert "Metrik" in refused(plugin(qeframe_metrics=[Parametric(unhinted)]))


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a distribution with entry points and modules where the interpreter finds it, as an installer would."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(
        distribution: str, points: Mapping[str, str], modules: Mapping[str, str] = MappingProxyType({}), group=GROUP
    ):
        metadata = tmp_path / f"{distribution.replace('-', '_')}-2.5.dist-info"
        metadata.mkdir()
        metadata.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 2.5\n")
        lines = [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
        metadata.joinpath("entry_points.txt").write_text("\n".join(lines))
        for name, text in modules.items():
            tmp_path.joinpath(f"{name}.py").write_text(text)

    return write


def load_afresh(*block: str):
    return load(extra={"nothing": plugin()}, block=block)


def test_an_installed_plugin_is_named_with_its_distribution_and_version(install):
    text = "from qeframe import hookimpl\n@hookimpl\ndef qeframe_metrics():\n    return []\n"
    install("their-metrics", {"theirs": "their_module_a"}, {"their_module_a": text})
    (found,) = [p for p in load_afresh().plugins if p.origin.plugin == "theirs"]
    assert str(found.origin) == "plugin 'theirs' of distribution 'their-metrics 2.5'"
    assert found.module.__name__ == "their_module_a"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import not_there_at_all", "ModuleNotFoundError: No module named 'not_there_at_all'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def :", "SyntaxError: "),
        ("raise RuntimeError('first\\nsecond')", "RuntimeError: first second"),
        ("raise SystemExit('license expired')", "SystemExit: license expired"),
    ],
)
def test_a_plugin_that_cannot_be_imported_names_its_distribution(install, request, text, reason):
    module = f"their_module_{abs(hash(request.node.name))}"
    install("their-metrics", {"theirs": module}, {module: text})
    line = failure(PluginError, load_afresh)
    assert line.startswith(f"plugin 'theirs' of distribution 'their-metrics 2.5' cannot be imported: {reason}")
    assert line.endswith("repair or uninstall 'their-metrics', or start with QEFRAME_BLOCK=theirs")
    assert load_afresh("theirs").blocked == ("theirs",)


def test_a_plugin_without_its_module_or_its_object_names_its_distribution(install):
    install("their-metrics", {"theirs": "their_module_b:absent"}, {"their_module_b": ""})
    assert "AttributeError: module 'their_module_b' has no attribute 'absent'" in failure(PluginError, load_afresh)


@pytest.mark.parametrize("group", ["qeframe.v3", "qeframe.v1", "qeframe.v10"])
def test_a_plugin_for_another_interface_is_refused_and_never_imported(install, group):
    install("their-metrics", {"theirs": "never_imported"}, {"never_imported": "1 / 0"}, group=group)
    assert failure(PluginError, load_afresh) == (
        f"plugin 'theirs' of distribution 'their-metrics 2.5' is made for the plugin interface {group}, this qeframe "
        "has qeframe.v2; install a version of 'their-metrics' for qeframe.v2, or start with QEFRAME_BLOCK=theirs"
    )
    load_afresh("theirs")


def test_other_groups_are_left_alone(install):
    install("their-metrics", {"theirs": "never_imported"}, group="qeframe_other")
    assert "theirs" not in {p.origin.plugin for p in load_afresh().plugins}


@pytest.mark.parametrize("distribution", ["aaa-metrics", "zzz-metrics"])
def test_the_name_of_a_built_in_plugin_cannot_be_taken(install, distribution):
    install(distribution, {BUILT_IN[0]: "never_imported"}, {"never_imported": "raise RuntimeError('hijacked')"})
    line = failure(PluginError, load_afresh)
    assert line.startswith(f"two plugins are named '{BUILT_IN[0]}': ")
    assert "distribution 'qeframe'" in line
    assert f"distribution '{distribution}'" in line


def test_two_distributions_cannot_share_a_plugins_name(install):
    install("one-metrics", {"theirs": "their_module_c"}, {"their_module_c": ""})
    install("two-metrics", {"theirs": "their_module_c"})
    assert failure(PluginError, load_afresh) == (
        "two plugins are named 'theirs': of distribution 'one-metrics' and of distribution 'two-metrics'; "
        "uninstall one of them"
    )
