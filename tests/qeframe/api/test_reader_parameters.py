"""Settings of the parameters of a profile's reader."""

import pytest

from qeframe.api.overrides import change_profile
from qeframe.api.reader_parameters import listed_words
from qeframe.core.errors import DataError, QeframeError, UnknownNameError
from qeframe.core.profiles.load import profile_from_toml
from tests.qeframe.core.components.made_plugins import failure
from tests.qeframe.core.profiles.small_registry import ruled


@pytest.fixture
def change(build):
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
def test_a_parameter_of_the_reader_is_changed_and_recorded(change, setting, reader, recorded):
    after = change(setting)
    assert after.reader == reader
    assert after.changed == dict([recorded])
    assert after.set_by_user("reader")
    assert (after.certainty("reader").certainty, after.certainty("reader").source) == ("chosen", "changed for this run")


def test_other_parameters_stay_and_additions_add_up(change):
    after = change("names+=[b]", "names+=[c, b]", reader="columns(gold=mqm, names=[a])")
    assert after.reader == "columns(gold=mqm, names=[a, b, c])"
    assert after.changed == {"names": "[a, b, c]"}


def test_a_parameter_of_the_metric_goes_before_one_of_the_reader(change):
    after = change("margin=2", primary='"accuracy"')
    assert (after.primary, after.reader) == ("accuracy(margin=2)", "columns")
    assert change("margin=2", primary='"error"').reader == "columns(margin=2)"


def test_keys_that_describe_the_profile_are_set_where_the_reader_has_no_such_parameter(change):
    after = change("level=word", reader="lines")
    assert (after.level, after.reader) == ("word", "lines")


def test_lists_of_the_profile_are_added_to(change):
    after = change("baselines=[a]", "baselines+=[b-c, a]", "secondary+=[accuracy(margin=1)]")
    assert (after.baselines, after.secondary) == (("a", "b-c"), ("accuracy(margin=1)",))
    assert after.changed == {"baselines": "a, b-c", "secondary": "accuracy(margin=1)"}


def test_a_former_name_of_a_parameter_is_read(change):
    with pytest.warns(FutureWarning, match="parameter of columns 'human' is now spelled 'gold'"):
        assert change("human=mqm").reader == "columns(gold=mqm)"


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
def test_what_cannot_be_set(change, settings, error, message):
    line = failure(QeframeError, change, *settings)
    assert line.startswith(message)
    with pytest.raises(error):
        change(*settings)


@pytest.mark.parametrize(
    ("text", "words"),
    [("a, b", ["a", "b"]), ("[a-b]", ["a-b"]), ("", []), ("[]", []), ("f(x, y), z", ["f(x, y)", "z"]), ("[[", None)],
)
def test_words_between_commas(text, words):
    assert listed_words(text) == words
