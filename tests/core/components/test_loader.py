"""The registry finds every component by name, names the owner of every failure, and lets nobody replace anything."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType
from typing import Literal

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe import hookimpl
from qeframe.batches.scores import Scores
from qeframe.components.aggregation import Aggregation
from qeframe.components.attack import Attack
from qeframe.components.calls import Call, parse_call
from qeframe.components.hookspecs import COMPONENT_HOOKS, GROUP
from qeframe.components.loader import block_list, load
from qeframe.components.metric import Metric, TiePolicy
from qeframe.components.parametric import Parametric
from qeframe.components.ranking import RankingRule
from qeframe.components.reader import Reader
from qeframe.components.registry import Origin
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.errors import DataError, PluginError, QeframeError, UnknownNameError
from qeframe.resampling.statistic import additive

BUILT_IN = sorted(point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "qeframe")
INSTALLED = sorted(point.name for point in entry_points(group=GROUP))


def share_equal(name: str = "share_equal") -> Metric:
    """Build a metric on numbers: the share of predictions that equal the gold."""
    return Metric(
        name=name,
        summary="Share of predictions that equal the gold",
        kind=Scores,
        bind=additive(
            columns=("units", "equal"),
            extract=lambda batch: np.stack([np.ones(len(batch)), batch.predicted == batch.gold], axis=1),
            score=lambda sums: sums[..., 1] / sums[..., 0],
        ),
    )


def tie_policy(name: str, middle: float | None = 0.0) -> TiePolicy:
    return TiePolicy(name=name, summary="", table=((1, 0, -1), (None, middle, None), (-1, 0, 1)))


def half(*, middle: float = 0.0) -> TiePolicy:
    return tie_policy("half", middle)


def power(
    *,
    exponent: float = 2.0,
    least: int = 1,
    rounded: bool = False,
    reading: Literal["literal", "clipped"] = "literal",
    label: str = "BAD",
    labels: tuple[str, ...] = (),
    cap: int | Literal["none"] = "none",
    ties: TiePolicy = tie_policy("plain"),  # noqa: B008
) -> Metric:
    """Build a metric that keeps its parameters in its summary."""
    told = (exponent, least, rounded, reading, label, labels, cap, ties.name)
    return attrs.evolve(share_equal("power"), summary=repr(told))


def plugin(**brought: object) -> ModuleType:
    """Make a plugin of hooks that return the given values, or raise the given error."""
    module = ModuleType("a_plugin")
    for hook, returned in brought.items():
        setattr(module, hook, hookimpl(_returning(hook, returned)))
    return module


def _returning(hook: str, returned: object):
    def implementation():
        if isinstance(returned, Exception):
            raise returned
        return returned

    implementation.__name__ = hook
    return implementation


def empty_but(**plugins: ModuleType):
    """Build a registry of the given plugins alone."""
    return load(extra=plugins, block=INSTALLED)


def failure(error: type[QeframeError], call, *arguments, **options) -> str:
    """Return the one line that a call fails with."""
    with pytest.raises(error) as caught:
        call(*arguments, **options)
    (line,) = str(caught.value).splitlines()
    return line


# --- what is found ---------------------------------------------------------------------------------------------------


def test_every_declared_plugin_is_loaded_with_its_distribution(registry):
    assert [p.origin.plugin for p in registry.plugins] == INSTALLED
    for loaded in registry.plugins:
        if loaded.origin.plugin in BUILT_IN:
            assert loaded.origin == Origin(loaded.origin.plugin, "qeframe", qeframe.__version__)


def test_every_component_is_found_by_its_own_name(registry):
    for kind in COMPONENT_HOOKS.values():
        assert [parse_call(component.name).name for component in registry.all(kind)] == registry.names(kind)
        for name in registry.names(kind):
            assert isinstance(registry.get(kind, name), kind)
            assert registry.get(kind, registry.get(kind, name).name).name == registry.get(kind, name).name


def test_the_default_registry_is_built_once(registry):
    assert qeframe.load() is registry


def test_a_plugin_of_every_hook_is_found():
    brought = {
        "qeframe_metrics": share_equal(),
        "qeframe_tie_policies": tie_policy("none_neutral"),
        "qeframe_aggregations": Aggregation(name="first", summary="", aggregate=lambda s, w, higher: s[..., 0]),
        "qeframe_significance_tests": SignificanceTest(name="coin", summary="", needs="bind", run=lambda *_: None),
        "qeframe_corrections": Correction(name="halve", summary="", adjust=lambda p: p / 2),
        "qeframe_ranking_rules": RankingRule(name="flat", summary="", rank=lambda standing: None),
        "qeframe_attacks": Attack(
            name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch
        ),
        "qeframe_readers": Reader(name="nothing", summary="", kind=Scores, read=lambda path, best: ()),
    }
    assert brought.keys() == COMPONENT_HOOKS.keys()
    registry = empty_but(own=plugin(**{hook: [component] for hook, component in brought.items()}))
    for hook, kind in COMPONENT_HOOKS.items():
        assert registry.all(kind) == [brought[hook]]
        assert registry.entry(kind, brought[hook].name).origin == Origin("own", "(given)", "")


def test_components_of_different_classes_may_share_a_name():
    own = plugin(qeframe_metrics=[share_equal("x")], qeframe_tie_policies=[tie_policy("x")])
    registry = empty_but(own=own)
    assert isinstance(registry.get(Metric, "x"), Metric)
    assert isinstance(registry.get(TiePolicy, "x"), TiePolicy)


def test_names_are_sorted_whatever_the_order_of_plugins():
    first, second = plugin(qeframe_metrics=[share_equal("b")]), plugin(qeframe_metrics=[share_equal("a")])
    assert empty_but(x=first, y=second).names(Metric) == ["a", "b"] == empty_but(y=second, x=first).names(Metric)


def test_a_third_partys_metric_gets_everything_that_a_built_in_has():
    registry = load(extra={"own": plugin(qeframe_metrics=[share_equal()])}, block=[])
    gold = [1.0, 2.0, 3.0, 4.0]
    assert qeframe.score("share_equal", gold, [1, 2, 0, 0], registry=registry) == 0.5
    (compared,) = qeframe.compare(
        "share_equal", gold, {"A": [1, 2, 3, 0], "B": gold}, test="randomisation", registry=registry
    )
    assert (compared.a, compared.b, compared.difference) == ("B", "A", 0.25)


def test_a_component_is_its_own_answer_and_needs_no_registration(registry):
    metric = share_equal()
    assert registry.get(Metric, metric) is metric
    assert qeframe.score(metric, [1, 2], [1, 3]) == 0.5


# --- families --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("power", "power"),
        ("power()", "power"),
        ("power(exponent=2)", "power"),
        ("power(exponent=2.0, least=1)", "power"),
        ("power(exponent=0.5)", "power(exponent=0.5)"),
        ("power(exponent=3)", "power(exponent=3)"),
        ("power(rounded=true)", "power(rounded=true)"),
        ("power(reading=clipped)", "power(reading=clipped)"),
        ("power(label='en-de')", 'power(label="en-de")'),
        ("power(labels=[a, b])", "power(labels=[a, b])"),
        ("power(cap=3)", "power(cap=3)"),
        ("power(least=2, exponent=3)", "power(exponent=3, least=2)"),
        ("power(ties=half)", "power(ties=half)"),
        ("power(ties=half(middle=1))", "power(ties=half(middle=1))"),
        ("power(ties=half(middle=0))", "power(ties=half)"),
    ],
)
def test_parameters_that_differ_from_their_defaults_are_printed_and_parse_back(asked, name):
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)]))
    metric = registry.get(Metric, asked)
    assert metric.name == name
    assert registry.get(Metric, metric.name).summary == metric.summary
    assert registry.get(Metric, Call("power", {})).name == "power"


def test_a_parameter_may_be_spelled_in_every_name():
    family = Parametric(power, spelled=("exponent",))
    registry = empty_but(own=plugin(qeframe_metrics=[family], qeframe_tie_policies=[Parametric(half)]))
    for asked in ("power", "power(exponent=2)"):
        assert registry.get(Metric, asked).name == "power(exponent=2)"
    assert registry.get(Metric, "power(least=2)").name == "power(exponent=2, least=2)"


def test_values_are_handed_over_in_the_hinted_type():
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)]))
    asked = "power(exponent=3, rounded=true, labels=[a], cap=2, ties=half(middle=1))"
    expected = (3.0, 1, True, "literal", "BAD", ("a",), 2, "half(middle=1)")
    assert registry.get(Metric, asked).summary == repr(expected)


@given(
    exponent=st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6),
    least=st.integers(),
    rounded=st.booleans(),
    reading=st.sampled_from(["literal", "clipped"]),
    label=st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    labels=st.lists(st.sampled_from(["OK", "BAD", "true", "a b", "1"])).map(tuple),
)
def test_any_parameters_print_and_parse_back(**given_):
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)]))
    metric = Parametric(power)(**given_)
    back = registry.get(Metric, metric.name)
    assert (back.name, back.summary) == (metric.name, metric.summary)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_refused(value):
    with pytest.raises(DataError, match=r"power: parameter exponent = .* must be a finite number"):
        Parametric(power)(exponent=value)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("power(exponent=big)", "power: parameter exponent = 'big' must be a number"),
        ("power(exponent=true)", "power: parameter exponent = True must be a number"),
        (f"power(exponent={10**400})", "power: parameter exponent = 1000"),
        ("power(least=1.5)", "power: parameter least = 1.5 must be a whole number"),
        ("power(least=true)", "power: parameter least = True must be a whole number"),
        ("power(rounded=1)", "power: parameter rounded = 1 must be true or false"),
        ("power(reading=symetric)", "power: parameter reading = 'symetric' must be literal or clipped"),
        ("power(label=3)", "power: parameter label = 3 must be a word"),
        ("power(labels=a)", "power: parameter labels = 'a' must be a list in brackets"),
        ("power(labels=[1])", "power: parameter labels = 1 must be a word"),
        ("power(cap=few)", "power: parameter cap = 'few' must be a whole number or "),
        ("power(ties=4)", "a tie policy is asked for by name or given itself, not as int"),
        ("plain(x=1)", "metric 'plain' has no parameters"),
        ("power(exponent", "cannot read the name 'power(exponent'; write NAME or "),
    ],
)
def test_a_parameter_that_is_not_what_it_must_be_is_refused(asked, message):
    brought = plugin(qeframe_metrics=[Parametric(power), share_equal("plain")], qeframe_tie_policies=[Parametric(half)])
    assert failure(DataError, empty_but(own=brought).get, Metric, asked).startswith(message)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("power(exponnent=2)", "unknown parameter of power 'exponnent'; did you mean 'exponent'"),
        ("powr", "unknown metric 'powr'; did you mean 'power'?"),
        ("f1", "unknown metric 'f1'; 'qeframe plugins' lists every metric"),
        ("power(ties=hlf)", "unknown tie policy 'hlf'; did you mean 'half'?"),
        ("power(ties=half(midle=1))", "unknown parameter of half 'midle'; did you mean 'middle'?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(asked, message):
    brought = plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)])
    assert failure(UnknownNameError, empty_but(own=brought).get, Metric, asked).startswith(message)


def test_what_is_neither_name_nor_component_is_refused(registry):
    message = failure(DataError, registry.get, Metric, tie_policy("x"))
    assert message == "a metric is asked for by name or given itself, not as TiePolicy"


def test_a_family_knows_what_it_makes_and_takes():
    family = Parametric(power)
    assert (family.name, family.makes) == ("power", Metric)
    assert list(family.parameters) == [
        "exponent",
        "least",
        "rounded",
        "reading",
        "label",
        "labels",
        "cap",
        "ties",
    ]
    assert family.component_parameters == {"ties": TiePolicy}


def test_a_tie_policy_needs_nine_cells():
    assert "3 x 3" in failure(DataError, TiePolicy, name="x", summary="", table=((1, 0), (0, 1)))


# --- immutable -------------------------------------------------------------------------------------------------------


def test_the_registry_cannot_be_changed(registry):
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        registry.tables = {}
    with pytest.raises(TypeError):
        registry.tables[Metric] = {}
    with pytest.raises(TypeError):
        registry.tables[Metric]["mine"] = share_equal()
    with pytest.raises(TypeError):
        registry.profiles["mine"] = None
    assert isinstance(registry.plugins, tuple)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        next(iter(registry.all(Metric))).name = "other"
    for table in (registry.tables, *registry.tables.values(), registry.profiles):
        assert isinstance(table, MappingProxyType)


def test_names_are_a_copy(registry):
    registry.names(Metric).clear()
    assert registry.names(Metric)


def test_what_a_hook_returned_can_be_changed_without_effect():
    brought = [share_equal()]
    registry = empty_but(own=plugin(qeframe_metrics=brought))
    brought.append(share_equal("late"))
    assert registry.names(Metric) == ["share_equal"]


def test_an_extra_plugin_leaves_the_default_registry_alone(registry):
    load(extra={"own": plugin(qeframe_metrics=[share_equal()])})
    assert "share_equal" not in qeframe.load().names(Metric)
    assert qeframe.load() is registry


# --- blocking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_can_be_taken_out(name, registry):
    without = load(block=[name])
    assert name not in {p.origin.plugin for p in without.plugins}
    assert without.blocked == (name,)
    for kind, table in registry.tables.items():
        assert without.names(kind) == [n for n, entry in table.items() if entry.origin.plugin != name]
    kept = [n for n, (_, origin) in registry.profiles.items() if origin.plugin != name]
    assert list(without.profiles) == kept
    assert any(len(without.names(kind)) < len(table) for kind, table in registry.tables.items()) or len(kept) < len(
        registry.profiles
    )


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


def test_the_block_list_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", " qeframe_scoring, qeframe_ties ,, qeframe_ties")
    assert block_list() == ("qeframe_scoring", "qeframe_ties")
    assert qeframe.load().blocked == ("qeframe_scoring", "qeframe_ties")
    assert "mae" not in qeframe.load().names(Metric)
    assert qeframe.load(block=[]).blocked == ()
    monkeypatch.delenv("QEFRAME_BLOCK")
    assert block_list() == ()


def test_a_block_list_given_as_text_does_not_look_at_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "x")
    assert block_list("") == ()
    assert block_list("b,a c") == ("a", "b", "c")


def test_a_plugin_that_is_not_there_cannot_be_blocked():
    line = failure(PluginError, load, block=["qeframe_scorng"])
    assert line.startswith("no plugin is named 'qeframe_scorng', so it cannot be blocked; the plugins are qeframe_")


def test_an_unknown_name_is_told_with_what_is_blocked():
    found = load(block=["qeframe_scoring", "qeframe_texts"])
    assert failure(UnknownNameError, found.get, Metric, "delta_avg") == (
        "unknown metric 'delta_avg'; 'qeframe plugins' lists every metric (blocked: qeframe_scoring, qeframe_texts)"
    )


# --- what is refused -------------------------------------------------------------------------------------------------


def refusal(**plugins: ModuleType) -> str:
    return failure(PluginError, empty_but(**plugins))


def refused(brought: ModuleType, name: str = "own") -> str:
    """Return the line that refuses a plugin; it names the plugin and how to start without it."""
    line = failure(PluginError, empty_but, **{name: brought})
    assert f"plugin '{name}' of distribution '(given)" in line
    return line


def test_an_unknown_hook_is_refused_with_the_known_ones():
    line = refused(plugin(qeframe_metric=[share_equal()]))
    assert "has unknown hooks: qeframe_metric;" in line
    for hook in [*COMPONENT_HOOKS, "qeframe_profiles"]:
        assert hook in line
    assert "QEFRAME_BLOCK=own" in line


def test_a_hook_that_takes_arguments_is_refused():
    module = ModuleType("a_plugin")

    @hookimpl
    def qeframe_metrics(registry):
        return []

    module.qeframe_metrics = qeframe_metrics
    assert "registry" in refused(module)


@pytest.mark.parametrize(
    ("hook", "returned", "message"),
    [
        ("qeframe_metrics", [tie_policy("x")], "hook qeframe_metrics must return values of type Metric, not TiePolicy"),
        ("qeframe_metrics", ["mae"], "hook qeframe_metrics must return values of type Metric, not str"),
        ("qeframe_metrics", [share_equal], "hook qeframe_metrics must return values of type Metric, not function"),
        ("qeframe_metrics", [Metric], "hook qeframe_metrics must return values of type Metric, not type"),
        ("qeframe_metrics", [Parametric(half)], "must return values of type Metric, not a family of TiePolicy"),
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


@pytest.mark.parametrize(
    ("hook", "component", "word"),
    [
        ("qeframe_metrics", share_equal("x"), "metric"),
        ("qeframe_metrics", Parametric(power), "metric"),
        ("qeframe_tie_policies", tie_policy("x"), "tie policy"),
    ],
)
def test_a_name_that_is_taken_stays_taken(hook, component, word):
    first, second = (plugin(**{hook: [component]}) for _ in range(2))
    line = failure(PluginError, empty_but, first=first, second=second)
    assert line == (
        f"the {word} '{component.name}' is brought twice: by plugin 'first' of distribution '(given)' and by "
        "plugin 'second' of distribution '(given)'; rename that of plugin 'second', or start with QEFRAME_BLOCK=second"
    )


def test_a_family_cannot_take_the_name_of_a_component():
    first, second = plugin(qeframe_metrics=[share_equal("power")]), plugin(qeframe_metrics=[Parametric(power)])
    assert "the metric 'power' is brought twice" in failure(PluginError, empty_but, first=first, second=second)


def test_a_profile_cannot_be_replaced(tmp_path):
    first, second = (plugin(qeframe_profiles={"mine": tmp_path / "mine.toml"}) for _ in range(2))
    assert "the profile 'mine' is brought twice" in failure(PluginError, empty_but, first=first, second=second)


def test_no_plugin_can_replace_a_built_in(registry):
    for name in registry.names(Metric):
        line = failure(PluginError, load, extra={"own": plugin(qeframe_metrics=[share_equal(name)])})
        assert f"the metric '{name}' is brought twice: by plugin 'qeframe_" in line
        assert "and by plugin 'own'" in line


def test_an_extra_plugin_cannot_take_the_name_of_an_installed_one():
    line = failure(PluginError, load, extra={BUILT_IN[0]: plugin()})
    assert line == (
        f"two plugins are named '{BUILT_IN[0]}': of distribution 'qeframe' and of distribution '(given)'; "
        "uninstall one of them"
    )


@pytest.mark.parametrize("name", ["F-beta", "f beta", "mean(x=1)", "lambda", ""])
def test_a_component_that_could_never_be_asked_for_is_refused(name):
    assert f"'{name}'" in refused(plugin(qeframe_metrics=[share_equal(name)]))


def test_a_profile_that_is_no_file_is_refused():
    assert "mine" in refused(plugin(qeframe_profiles={"mine": "mine.toml"}))


def test_a_family_whose_hints_cannot_be_read_is_refused():
    def unhinted(*, beta: float = 1.0) -> "Metrik":  # noqa: F821
        return share_equal("unhinted")

    assert "Metrik" in refused(plugin(qeframe_metrics=[Parametric(unhinted)]))


# --- entry points of installed distributions -------------------------------------------------------------------------


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
        ("raise SystemExit('licence expired')", "SystemExit: licence expired"),
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


@pytest.mark.parametrize("group", ["qeframe.v3", "qeframe.v0", "qeframe.v10"])
def test_a_plugin_for_another_interface_is_refused_and_never_imported(install, group):
    install("their-metrics", {"theirs": "never_imported"}, {"never_imported": "1 / 0"}, group=group)
    assert failure(PluginError, load_afresh) == (
        f"plugin 'theirs' of distribution 'their-metrics 2.5' is made for the plugin interface {group}, this qeframe "
        "speaks qeframe.v2; install a version of 'their-metrics' for qeframe.v2, or start with QEFRAME_BLOCK=theirs"
    )
    load_afresh("theirs")


def test_a_plugin_of_the_first_release_is_told_what_to_change(install):
    install("their-metrics", {"theirs": "never_imported"}, {"never_imported": "1 / 0"}, group="qeframe.v1")
    assert failure(PluginError, load_afresh) == (
        "plugin 'theirs' of distribution 'their-metrics 2.5' is made for the plugin interface qeframe.v1, this qeframe "
        "speaks qeframe.v2; its author changes two things: the group to qeframe.v2, and all imports to 'from "
        "qeframe.plugin import ...' (Family is now Parametric, see the changelog); install a version of "
        "'their-metrics' for qeframe.v2, or start with QEFRAME_BLOCK=theirs"
    )


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
