"""Settings change the rules of a profile for one run."""

import pytest

from qeframe import (
    DataError,
    Profile,
    ProfileError,
    QeframeError,
    UnknownNameError,
    differences,
    find_profile,
    profile_from_toml,
)
from qeframe.api.overrides import change_profile, listed_words
from tests.outcome import failure
from tests.qeframe.core.profiles.small_registry import ruled


@pytest.fixture
def change(build):
    """Change settings of a small profile."""
    found = build()
    rules_of = {"across": '"declared"'}

    def settings(*changes: str, **rules: str) -> Profile:
        return change_profile(profile_from_toml(ruled(**rules_of, **rules), "own.toml", "own", found), changes, found)

    return settings


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("alpha=0.01", "alpha", 0.01),
        (" alpha = 0.01 ", "alpha", 0.01),
        ("strict=false", "strict", False),
        ("best=high", "best", "high"),
        ('best="high"', "best", "high"),
        ("title=2014", "title", "2014"),
        ("title=true", "title", "true"),
        ("title=a = b", "title", "a = b"),
        ("test=resampled(draws=7)", "test", "resampled(draws=7)"),
        ("test=", "test", ""),
        ("secondary=['error']", "secondary", ("error",)),
        ("secondary=error", "secondary", ("error",)),
        ('secondary="error"', "secondary", ("error",)),
        ("secondary=[error]", "secondary", ("error",)),
        ("secondary=", "secondary", ()),
        ("baselines=a-b, c", "baselines", ("a-b", "c")),
        ("secondary=error, accuracy(margin=1, best=high)", "secondary", ("error", "accuracy(margin=1, best=high)")),
        ("weights={en-de = 2}", "weights", {"en-de": 2.0}),
        ("primary=error", "primary", "error"),
        ("margin=0.5", "primary", "accuracy(margin=0.5)"),
        ("margin=2", "primary", "accuracy(margin=2)"),
        ("margin=0", "primary", "accuracy"),
    ],
)
def test_a_setting_changes_one_rule_and_is_recorded(change, setting, key, value):
    before, after = change(), change(setting)
    assert getattr(after, key) == value
    assert type(getattr(after, key)) is type(value)
    given_key, _, given_value = setting.partition("=")
    assert after.changed == {given_key.strip(): given_value.strip()}
    assert after.certainty(given_key.strip()).certainty == "chosen"
    assert after.certainty(given_key.strip()).source == "changed for this run"
    assert {k for k, _, _ in differences(before, after)} <= {key}


def test_settings_are_applied_in_order(change):
    profile = change("primary=error", "primary=accuracy", "margin=1", "margin=2", "alpha=0.5")
    assert (profile.primary, profile.alpha) == ("accuracy(margin=2)", 0.5)
    assert profile.changed == {"primary": "accuracy", "margin": "2", "alpha": "0.5"}


def test_a_parameter_goes_to_all_metrics_of_the_family_that_have_the_same_value(change):
    profile = change("margin=2", primary='"accuracy"', secondary='["accuracy(best=high)", "error"]')
    assert profile.metrics == ("accuracy(margin=2)", "accuracy(margin=2, best=high)", "error")
    profile = change("margin=2", primary='"accuracy"', secondary='["accuracy(margin=1)"]')
    assert profile.metrics == ("accuracy(margin=2)", "accuracy", "accuracy(margin=1)")
    profile = change("margin=1", primary='"accuracy"', secondary='["accuracy(margin=1)"]')
    assert profile.metrics == ("accuracy(margin=1)", "accuracy")


def test_a_setting_is_a_key_of_the_profile_else_a_parameter_of_the_metric(change):
    profile = change("best=high")
    assert (profile.best, profile.primary) == ("high", "accuracy")
    assert change("margin=1", primary='"accuracy(best=high)"').primary == "accuracy(margin=1, best=high)"
    assert failure(UnknownNameError, change, "primary=error", "margin=1").startswith("unknown profile key 'margin'")


def test_without_settings_nothing_changes(change, build):
    profile = change()
    assert change_profile(profile, [], build()) is profile


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ("alpha", DataError, "cannot read the setting 'alpha'; write KEY=VALUE"),
        ("alpha=x", DataError, "cannot set alpha: must be a number, not 'x'"),
        ("strict=no", DataError, "cannot set strict: must be true or false, not 'no'"),
        ("year=1e3", DataError, "cannot set year: must be a whole number, not 1000.0"),
        ("secondary=eror", ProfileError, "profile 'own': secondary: unknown metric 'eror'; did you mean 'error'?"),
        ("secondary=1", DataError, "cannot set secondary: must be a list of words, not 1"),
        ("best=middle", DataError, "cannot set best: "),
        ("alpha=2", ProfileError, "profile 'own': alpha: must lie between 0 and 1, not 2.0"),
        ("primary=eror", ProfileError, "profile 'own': primary: unknown metric 'eror'; did you mean 'error'?"),
        ("alfa=1", UnknownNameError, "unknown profile key 'alfa'; did you mean 'alpha'?"),
        ("margn=1", UnknownNameError, "unknown profile key 'margn'; did you mean 'margin'"),
        ("margin=big", DataError, "accuracy: parameter margin = 'big' must be a number"),
        ("margin=)(", DataError, "cannot set margin: ')(' is not one value; write one KEY=VALUE for each rule"),
        ("margin=1, best=high", DataError, "cannot set margin: '1, best=high' is not one value"),
        ("margin=1e999", DataError, "cannot set margin: '1e999' is not one value"),
        ("margin=0.5\nalpha=0.5", DataError, "the setting 'margin=0.5 alpha=0.5' has several lines; write one"),
        ("alpha=0.5\nstrict=false", DataError, "the setting 'alpha=0.5 strict=false' has several lines"),
        ("alpha=0.5\rstrict=false", DataError, "the setting 'alpha=0.5 strict=false' has several lines"),
        ("alpha=0.5, strict=false", DataError, "cannot set alpha: must be a number, not '0.5, strict=false'"),
        ("alpha=" + "9" * 5000, ProfileError, "profile 'own': alpha: must lie between 0 and 1, not inf"),
        ("baselines=" + "[" * 5000, DataError, "cannot set baselines: must be a list of words, not '[["),
        ("weights={en-de = nan}", DataError, "cannot set weights.en-de: must be a finite number"),
        ("name=x", UnknownNameError, "unknown profile key 'name'"),
        ("stated=[]", UnknownNameError, "unknown profile key 'stated'"),
        ("changed={}", UnknownNameError, "unknown profile key 'changed'"),
        ("provenance={}", UnknownNameError, "unknown profile key 'provenance'"),
        ("=1", UnknownNameError, "unknown profile key ''"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(change, setting, error, message):
    assert failure(error, change, setting).startswith(message)


@pytest.mark.parametrize(
    "setting",
    ["alpha=0.0_5", "alpha=\uff10.1", "year=2_000", "weights={a=1_0}", "confidence=.9_0", "test=resampled(draws=1_0)"],
)
def test_numbers_are_plain_digits(change, setting):
    with pytest.raises(QeframeError) as caught:
        change(setting)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("profile", "settings", "told"),
    [
        ("qe_sentence", ["alpha=.01"], "a Profile is changed, and a value of type str was given; choose_profile takes"),
        (None, "alpha=.01", "the settings are the string 'alpha=.01'; give a list of KEY=VALUE"),
        (None, {"alpha": 0.01}, "the settings are of type dict, not a list of texts; give a list of KEY=VALUE"),
        (None, [3], "the settings are of type list, not a list of texts"),
    ],
)
def test_what_is_no_profile_and_no_list_of_settings_is_refused_in_a_line(registry, profile, settings, told):
    with pytest.raises(DataError) as refused:
        change_profile(profile or find_profile("qe_sentence", registry), settings, registry)
    assert str(refused.value).startswith(told)


def test_the_installed_plugins_are_used_by_default(registry):
    profile = find_profile("qe_sentence", registry)
    assert change_profile(profile, ["alpha=.01"]) == change_profile(profile, ["alpha=.01"], registry)


@pytest.fixture
def change_parameter(build):
    """Change settings of a small profile whose reader has parameters."""
    found = build()

    def settings(*changes, reader="columns", **rules):
        profile = profile_from_toml(ruled(reader=f"'{reader}'", **rules), "own.toml", "own", found)
        return change_profile(profile, changes, found)

    return settings


@pytest.mark.parametrize(
    ("setting", "reader", "recorded"),
    [
        ("names=all", "columns(names=all)", ("names", "all")),
        ("names=[a-b, c]", 'columns(names=["a-b", c])', ("names", '["a-b", c]')),
        ("names=a-b", 'columns(names=["a-b"])', ("names", '["a-b"]')),
        ("names+=[c]", "columns(names=[official, c])", ("names", "[official, c]")),
        (" names += c, official ", "columns(names=[official, c])", ("names", "[official, c]")),
        ("gold=mqm", "columns(gold=mqm)", ("gold", "mqm")),
        ("gold=da-sqm", 'columns(gold="da-sqm")', ("gold", '"da-sqm"')),
        ("gold=2023", 'columns(gold="2023")', ("gold", '"2023"')),
        ('gold={he-en="refB"}', "columns(gold={he-en=refB})", ("gold", "{he-en=refB}")),
        ("level=sys", "columns(level=sys)", ("level", "sys")),
    ],
)
def test_a_parameter_of_the_reader_is_changed_and_recorded(change_parameter, setting, reader, recorded):
    after = change_parameter(setting)
    assert after.reader == reader
    assert after.changed == dict([recorded])
    assert after.set_by_user("reader")
    assert (after.certainty("reader").certainty, after.certainty("reader").source) == ("chosen", "changed for this run")


def test_other_parameters_stay_and_additions_add_up(change_parameter):
    after = change_parameter("names+=[b]", "names+=[c, b]", reader="columns(gold=mqm, names=[a])")
    assert after.reader == "columns(gold=mqm, names=[a, b, c])"
    assert after.changed == {"names": "[a, b, c]"}
    after = change_parameter("baselines=[a]", "baselines+=[b-c, a]", "secondary+=[accuracy(margin=1)]")
    assert (after.baselines, after.secondary) == (("a", "b-c"), ("accuracy(margin=1)",))
    assert after.changed == {"baselines": "a, b-c", "secondary": "accuracy(margin=1)"}


def test_a_parameter_of_the_metric_goes_before_one_of_the_reader_and_that_before_a_key(change_parameter):
    after = change_parameter("margin=2", primary='"accuracy"')
    assert (after.primary, after.reader) == ("accuracy(margin=2)", "columns")
    assert change_parameter("margin=2", primary='"error"').reader == "columns(margin=2)"
    after = change_parameter("level=word", reader="lines")
    assert (after.level, after.reader) == ("word", "lines")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (["namse=all"], UnknownNameError, "unknown profile key 'namse'; did you mean 'names'?"),
        (["names={a=b}"], DataError, "columns: parameter names = {'a': 'b'} must be all or a list in "),
        (["gold=[a, b]"], DataError, "columns: parameter gold = ('a', 'b') must be a word or a table in braces"),
        (["gold={a=}"], DataError, "cannot set gold: '{a=}' is not one value; write one KEY=VALUE for each rule"),
        (["level=doc"], DataError, "columns: parameter level = 'doc' must be seg or sys"),
        (["names=all", "names+=[a]"], DataError, "cannot add to names: it is names=all, not a list"),
        (["names+=all"], DataError, "cannot add to names: it is names=[official], not a list; write names=[VALUE, "),
        (["alpha+=1"], DataError, "cannot add to alpha: it is not a list; write alpha=VALUE"),
        (["gold+=a"], DataError, 'cannot add to gold: it is gold="", not a list; write gold=[VALUE, ...]'),
    ],
)
def test_what_cannot_be_set(change_parameter, settings, error, message):
    assert failure(QeframeError, change_parameter, *settings).startswith(message)
    with pytest.raises(error):
        change_parameter(*settings)


@pytest.mark.parametrize(
    ("text", "words"),
    [("a, b", ["a", "b"]), ("[a-b]", ["a-b"]), ("", []), ("[]", []), ("f(x, y), z", ["f(x, y)", "z"]), ("[[", None)],
)
def test_words_between_commas(text, words):
    assert listed_words(text) == words
