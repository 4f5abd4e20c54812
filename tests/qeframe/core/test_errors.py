"""Every failure is one line that says what and the remedy, and one tree catches them all."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import (
    CapabilityError,
    DataError,
    PluginError,
    ProfileError,
    QeframeError,
    UnknownNameError,
    counted,
    did_you_mean,
    one_line,
)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (DataError("x"), ValueError),
        (UnknownNameError("metric", "x", ["y"]), LookupError),
        (CapabilityError("x"), TypeError),
        (PluginError("x"), Exception),
        (ProfileError("x"), Exception),
    ],
)
def test_errors_are_caught_by_the_root_and_by_the_builtin_they_refine(error, builtin):
    assert isinstance(error, QeframeError)
    assert isinstance(error, builtin)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "a tag is missing"),
        ({"path": "gold.txt"}, "gold.txt: a tag is missing"),
        ({"path": "gold.txt", "line": 3}, "gold.txt:3: a tag is missing"),
        ({"path": "gold.txt", "line": 3, "remedy": "add it"}, "gold.txt:3: a tag is missing; add it"),
        ({"remedy": "add it"}, "a tag is missing; add it"),
    ],
)
def test_a_data_error_says_where_what_and_remedy(given_, message):
    assert str(DataError("a tag is missing", **given_)) == message


@pytest.mark.parametrize("make", [DataError, PluginError, ProfileError, CapabilityError])
@pytest.mark.parametrize(
    ("separator", "shown"),
    [
        ("\n", " "), ("\r\n", "  "), ("\t", " "), ("\u2028", "\\u2028"), ("\x85", "\\x85"), ("\x0b", "\\x0b"),
        ("\xa0", "\\xa0"),
    ],
)  # fmt: skip
def test_no_message_runs_over_two_lines(make, separator, shown):
    assert str(make(f"first{separator}second")).splitlines() == [f"first{shown}second"]


def test_a_name_cannot_break_the_line_or_send_control_characters():
    assert str(UnknownNameError("metric", "a\nb\x1b[31m", ["f1_bad"])) == (
        "unknown metric 'a b\\x1b[31m'; known: f1_bad"
    )


@given(st.text())
def test_one_line_is_one_printable_line_and_leaves_printable_text_alone(text):
    line = one_line(text)
    assert line.isprintable()
    assert one_line(line) == line
    if text.isprintable():
        assert line == text


def test_the_nearest_name_is_proposed_else_the_remedy_or_all_names_once():
    assert did_you_mean("pearsn", ["pearson", "spearman", "mae"]).startswith("did you mean 'pearson'")
    assert did_you_mean("zzz", ["mae", "f1"]) == "known: f1, mae"
    assert did_you_mean("zzz", ["mae", "f1", "mae"]) == "known: f1, mae"
    assert did_you_mean("mea", ["mae", "mae"]) == "did you mean 'mae'?"
    assert did_you_mean("zzz", ["mae"], "look it up") == "look it up"
    assert did_you_mean("mea", ["mae"], "look it up") == "did you mean 'mae'?"
    assert str(UnknownNameError("metric", "mae", [])) == "unknown metric 'mae'; there are none"


@pytest.mark.parametrize(
    "error",
    [
        DataError("x", path="gold.txt", line=3, remedy="y"),
        UnknownNameError("metric", "x", ["y"], remedy="z"),
        PluginError("x"),
        ProfileError("x"),
        CapabilityError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way_back_from_a_worker_process(error):
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize(("number", "told"), [(0, "0 tags"), (1, "1 tag"), (2, "2 tags")])
def test_one_is_no_plural(number, told):
    assert counted(number, "tag") == told
