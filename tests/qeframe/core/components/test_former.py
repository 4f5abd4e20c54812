"""Former spellings are read with a warning, and results show the present ones."""

import warnings
from typing import Literal

import attrs
import pytest

import qeframe
import qeframe_significance
from qeframe.cli.app import main
from qeframe.core.components.calls import Call
from qeframe.core.components.loading.loader import load
from qeframe.core.errors import (
    DataError,
    FormerSpellingWarning,
    PluginError,
    ResultWarning,
    UnknownNameError,
    warn_former,
)
from qeframe.plugin import Judgments, Metric, Parametric, SignificanceTest, TiePolicy
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import empty_but, half, plugin, share_equal, tie_policy

GOLD, ANSWERS = [1.0, 2.0, 3.0, 4.0], {"A": [1.0, 2.0, 3.0, 0.0], "B": [1.0, 2.5, 3.0, 4.0]}
HALF_TIES = tie_policy("half")


def colored(*, color: Literal["gray", "black"] = "black", size: int = 1, ties: TiePolicy = HALF_TIES) -> Metric:
    return attrs.evolve(share_equal(), summary=f"{color} {size} {ties.name}")


COLORED = Parametric(
    colored, formerly=("coloured",), former_parameters={"colour": "color"}, former_values={"color": {"grey": "gray"}}
)
HALF = Parametric(half, formerly=("demi",))


@pytest.fixture
def own():
    renamed = attrs.evolve(share_equal("share_equal"), formerly=("equal_share",))
    return empty_but(own=plugin(qeframe_metrics=[COLORED, renamed], qeframe_tie_policies=[HALF]))


def message(what: str, former: str, present: str) -> str:
    return f"{what} '{former}' is now spelled '{present}'; write the new spelling: the next release refuses the old"


def warned(call, *arguments, **options):
    """Return what a call returns, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        returned = call(*arguments, **options)
    caught = [w for w in caught if not issubclass(w.category, ResultWarning)]
    assert all(issubclass(w.category, FormerSpellingWarning) for w in caught)
    return returned, [str(w.message) for w in caught]


def test_the_warning_is_a_future_warning():
    with pytest.warns(FutureWarning, match="unit 'judgement' is now spelled 'judgment'"):
        warn_former("unit", "judgement", "judgment")


@pytest.mark.parametrize(
    "use",
    [
        lambda: qeframe.compare("mae", GOLD, ANSWERS, test="randomisation"),
        lambda: load(block=[]).get(SignificanceTest, "permutation(unit=judgement)"),
        lambda: qeframe.choose_profile("qe_sentence", ["interval=bootstrap(p=centred)"]),
        lambda: qeframe_significance.randomisation,
        lambda: qeframe_significance.bootstrap([1, 2, 3], [0, 2, 1]).p_centred,
        lambda: __import__("qeframe_significance", fromlist=["randomisation"]),
    ],
)
def test_the_warning_is_at_the_line_that_uses_the_former_spelling(use):
    with pytest.warns(FormerSpellingWarning) as caught:
        use()
    expected = (__file__, use.__code__.co_firstlineno)
    assert {(each.filename, each.lineno) for each in caught} == {expected}


@pytest.mark.parametrize(
    ("asked", "name", "messages"),
    [
        ("share_equal", "share_equal", []),
        ("equal_share", "share_equal", [message("metric", "equal_share", "share_equal")]),
        ("coloured", "colored", [message("metric", "coloured", "colored")]),
        ("colored(colour=gray)", "colored(color=gray)", [message("parameter of colored", "colour", "color")]),
        (
            "colored(color=grey)",
            "colored(color=gray)",
            [message("value of parameter color of colored", "grey", "gray")],
        ),
        ("colored(ties=demi(middle=1))", "colored(ties=half(middle=1))", [message("tie policy", "demi", "half")]),
        (
            "coloured(size=2, colour=grey)",
            "colored(color=gray, size=2)",
            [
                message("metric", "coloured", "colored"),
                message("parameter of colored", "colour", "color"),
                message("value of parameter color of colored", "grey", "gray"),
            ],
        ),
    ],
)
def test_former_spellings_are_read_once_each_with_one_warning(own, asked, name, messages):
    component, texts = warned(own.get, Metric, asked)
    assert (component.name, texts) == (name, messages)
    text, texts = warned(own.present_spelling, Metric, asked)
    assert (own.get(Metric, text).name, texts) == (name, messages)
    assert own.present_spelling(Metric, text) == text


def test_a_parametric_component_reads_them_without_a_registry():
    component, texts = warned(COLORED, colour="grey")
    assert component.name == "colored(color=gray)"
    assert len(texts) == 2


def test_both_spellings_of_a_parameter_at_once_are_refused(own):
    with pytest.warns(FormerSpellingWarning):
        line = failure(DataError, own.get, Metric, Call("colored", {"color": "gray", "colour": "black"}))
    assert line == "colored: parameter color is given twice; leave out colour"


@pytest.mark.parametrize("text", ["no_such_metric", "colored(size", "colored(sizes=2)", "", "share_equal(x=1)"])
def test_a_text_that_names_no_component_is_returned_as_it_is(own, text):
    assert own.present_spelling(Metric, text) == text


def test_a_former_name_is_no_name_in_listings_and_hints(own):
    assert own.names(Metric) == ["colored", "share_equal"]
    assert "coloured" not in failure(UnknownNameError, own.get, Metric, "colore")


@pytest.mark.parametrize(
    ("metrics", "line"),
    [
        ([share_equal("old"), attrs.evolve(share_equal("new"), formerly=("old",))],
         "the former name 'old' of the metric 'new' is also a name of the metric 'old' of plugin 'own' of"),
        ([attrs.evolve(share_equal(name), formerly=("old",)) for name in ("new", "newer")],
         "the former name 'old' of the metric 'newer' is also a name of the metric 'new' of plugin 'own' of"),
    ],
)  # fmt: skip
def test_a_former_name_cannot_hide_another_component(metrics, line):
    assert line in failure(PluginError, empty_but, own=plugin(qeframe_metrics=metrics))


def test_the_former_name_of_another_plugins_component_is_refused_whatever_the_order():
    first = plugin(qeframe_metrics=[attrs.evolve(share_equal("new"), formerly=("old",))])
    second = plugin(qeframe_metrics=[share_equal("old")])
    for plugins in ({"a": first, "b": second}, {"b": second, "a": first}):
        assert "the former name 'old' of the metric 'new'" in failure(PluginError, empty_but, **plugins)


@pytest.mark.parametrize(
    ("declared", "line"),
    [
        ({"former_parameters": {"size": "color"}}, "colored: the former parameter size is a present parameter"),
        ({"former_parameters": {"colour": "hue"}},
         "colored: parameter colour is renamed to hue, which is no parameter"),
        ({"former_values": {"hue": {"grey": "gray"}}},
         "colored: former values are declared for hue, which is no parameter"),
        ({"former_values": {"color": {"black": "gray"}}}, "colored: value black of color cannot be renamed to gray"),
        ({"former_values": {"color": {"grey": "white"}}}, "colored: value grey of color cannot be renamed to white"),
    ],
)  # fmt: skip
def test_former_spellings_that_could_not_be_read_are_refused(declared, line):
    assert failure(DataError, Parametric, colored, **declared) == line


# --- the spellings of the first release ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("randomisation", "randomization"),
        ("randomisation(draws=99)", "randomization(draws=99)"),
        ("bootstrap(p=centred)", "bootstrap"),
        ("permutation(standardise=true)", "permutation(standardize=true)"),
        ("permutation(unit=judgement)", "permutation(unit=judgment)"),
    ],
)
def test_tests_of_significance_in_the_spelling_of_the_first_release(registry, former, present):
    component, texts = warned(registry.get, SignificanceTest, former)
    assert component.name == present
    assert len(texts) == 1


def test_from_python():
    (pair,), texts = warned(qeframe.compare, "mae", GOLD, ANSWERS, test="randomisation")
    assert (pair.test, len(texts)) == ("randomization", 1)


def test_functions_and_results_of_the_first_release():
    function, texts = warned(getattr, qeframe_significance, "randomisation")
    assert function is qeframe_significance.randomization
    assert texts == [message("name in qeframe_significance", "randomisation", "randomization")]
    kind, _ = warned(getattr, qeframe_significance, "RandomisationResult")
    assert kind is qeframe_significance.RandomizationResult
    result = qeframe_significance.bootstrap([1, 2, 3], [0, 2, 1])
    p, texts = warned(lambda: result.p_centred)
    assert (p, len(texts)) == (result.p_centered, 1)
    with pytest.raises(AttributeError, match="no attribute 'randomness'"):
        qeframe_significance.randomness  # noqa: B018


def test_settings_of_a_profile(registry):
    profile, texts = warned(
        qeframe.choose_profile, "qe_sentence", ["test=randomisation(draws=99)", "interval=bootstrap(p=centred)"]
    )
    assert (profile.test, profile.interval) == ("randomization(draws=99)", "bootstrap(p=centered)")
    assert profile.changed == {"test": "randomization(draws=99)", "interval": "bootstrap(p=centered)"}
    assert len(texts) == 2


def test_a_setting_that_is_a_former_parameter_of_the_metric():
    known = load(extra={"own": plugin(qeframe_metrics=[COLORED])}, block=[])
    profile = qeframe.choose_profile("qe_sentence", ["primary=colored", "test="], known)
    changed, texts = warned(qeframe.change_profile, profile, ["colour=grey"], known)
    assert changed.primary == "colored(color=gray)"
    assert changed.changed == {"primary": "colored", "test": "", "color": "grey"}
    assert len(texts) == 2


@pytest.mark.parametrize("named", ["judgement", "judgment"])
def test_the_unit_of_judgments(registry, named):
    profile, texts = warned(qeframe.choose_profile, "wmt14_metrics_segment", [f"resample={named}"])
    assert profile.resample == Judgments.unit == "judgment"
    assert profile.changed == {"resample": "judgment"}
    assert texts == ([message("unit", "judgement", "judgment")] if named == "judgement" else [])


def test_the_unit_of_judgments_is_no_alias_elsewhere(registry):
    profile, texts = warned(qeframe.choose_profile, "qe_sentence", ["resample=judgement"])
    assert (profile.resample, texts) == ("judgement", [])


def test_a_users_toml_file(tmp_path, registry):
    file = tmp_path / "mine.toml"
    file.write_text(
        'extends = "wmt14_metrics_segment"\nresample = "judgement"\ntest = "randomisation(draws=99)"\n'
        'secondary = ["kendall(ties=wmt12)"]\n'
    )
    profile, texts = warned(qeframe.choose_profile, file)
    assert (profile.resample, profile.test) == ("judgment", "randomization(draws=99)")
    assert sorted(texts) == [
        message("significance test", "randomisation", "randomization"),
        message("unit", "judgement", "judgment"),
    ]


def test_the_command_line_prints_one_line_for_each(tmp_path, capsys):
    for name, values in {"gold": GOLD, **ANSWERS}.items():
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    main(["compare", "mae", *(str(tmp_path / name) for name in ("gold", "A", "B")), "--test", "randomisation"])
    out, err = capsys.readouterr()
    assert "randomisation" not in out
    line = message("significance test", "randomisation", "randomization")
    assert err.count(f"qeframe: warning: {line}\n") == 1
    assert "FutureWarning" not in err
