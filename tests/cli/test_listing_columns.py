"""Lists are wrapped between words to the width of the terminal."""

import json

import pytest

from qeframe.cli.commands.listing import _print_columns
from qeframe.core.profile import RULE_KEYS
from qeframe.core.profile_files import find_profile


@pytest.mark.parametrize("name", ["wmt12_metrics_segment", "wmt21_metrics_system", "wmt14_qe_task1_2"])
def test_a_profile_that_is_piped_is_120_columns_wide(name, qeframe_command, registry):
    lines = qeframe_command("profiles", name).out.splitlines()
    assert max(map(len, lines)) <= 120
    words = {word.rstrip(";") for line in lines for word in line.split()}
    profile = find_profile(name, registry)
    for key in profile.stated - {"title"}:
        known = profile.certainty(key)
        expected = [key, known.certainty, *known.source.split(), *known.note.split()]
        assert {word.rstrip(";") for word in expected} <= words


def test_every_rule_starts_a_line(qeframe_command, registry):
    starts = [line.partition(" ")[0] for line in qeframe_command("profiles", "wmt12_metrics_segment").out.splitlines()]
    profile = find_profile("wmt12_metrics_segment", registry)
    shown = [key for key in RULE_KEYS if key != "title" and (getattr(profile, key) or key in profile.stated)]
    assert [start for start in starts[2:] if start] == shown


def test_json_has_every_rule(qeframe_command):
    rules = json.loads(qeframe_command("profiles", "wmt13_metrics_segment", "--json").out)["rules"]
    assert set(rules) == set(RULE_KEYS)
    assert rules["secondary"] == {
        "value": ["kendall(ties=wmt12)", "kendall(ties=wmt14)", "kendall(ties=hties)"],
        "certainty": "chosen",
        "source": "set here",
        "note": "",
    }


def test_differences_are_wrapped_too(qeframe_command):
    text = qeframe_command("profiles", "--diff", "wmt21_metrics_segment", "wmt23_metrics_segment").out
    assert max(map(len, text.splitlines())) <= 120


@pytest.fixture
def printed(capsys, monkeypatch):
    def lines(rows, width):
        monkeypatch.setattr("qeframe.cli.commands.listing._WIDTH", width)
        _print_columns(rows)
        return capsys.readouterr().out.splitlines()

    return lines


def test_columns_are_as_wide_as_their_cells_where_there_is_room(printed):
    assert printed([("a", "bb", "c"), ("aa", "b", "ccc")], 80) == ["a   bb  c", "aa  b   ccc"]


def test_long_cells_are_wrapped_and_words_stay_whole(printed):
    text = "one two three four five six seven eight nine ten"
    lines = printed([("key", "short", text), ("other", "", "x" * 50)], 40)
    assert lines[0].split() == ["key", "short", "one", "two", "three", "four", "five"]
    assert " ".join(" ".join(lines[:-1]).split()) == "key short " + text
    assert max(map(len, lines[:-1])) <= 40
    assert lines[-1].split() == ["other", "x" * 50]


def test_nothing_is_printed_of_nothing(printed):
    assert printed([], 80) == []
