"""A profile is a name or a file, in every command that evaluates by one."""

import pytest

from tests.fuzz.verdicts import outcome_of

GATE = ("--fail-if-worse-than", "1", "--data", "t", "t")
COMMANDS = {
    "audit": ("audit", "{}", "t", "pearson", "--attack", "constant_mean", "--no-claims"),
    "diff": ("diff", "r", "r", *GATE, "--profile", "{}"),
    "power": ("power", "{}", "t", "--draws", "20"),
    "profiles": ("profiles", "{}"),
    "run": ("run", "{}", "t"),
    "sensitivity": ("sensitivity", "t", "--profiles", "{},qe_sentence"),
    "validate": ("validate", "{}", "t/submissions/a.txt"),
}


@pytest.fixture(autouse=True)
def files(tmp_path, write_task):
    write_task("t", range(12), {"a": [*range(1, 12), 0], "b": [3, *range(11)]})
    (tmp_path / "mine.toml").write_text('extends = "qe_sentence"\ntitle = "Mine"\n')
    assert outcome_of(["run", "mine.toml", "t", "--out", "r", "--quiet"]).status == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_taken_where_a_name_is(command):
    outcome = outcome_of([word.format("mine.toml") for word in COMMANDS[command]])
    assert outcome.status == 0, outcome


def test_a_result_whose_profile_is_a_file_asks_for_it():
    outcome = outcome_of(["diff", "r", "r", *GATE])
    what = "qeframe: the profile of the new result, 'mine', is not registered; name its file: --profile FILE.toml\n"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", what)
