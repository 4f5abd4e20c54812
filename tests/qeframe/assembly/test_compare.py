"""Who may be best by valid rules, beside the winners of rules that do not limit the chance of a false claim."""

import json

import numpy as np
import pytest

import qeframe
from qeframe import ProfileError, Submission, Task, choose_profile
from qeframe.assembly.compare import is_shown
from qeframe.core.comparison import comparison_rules
from qeframe.core.profile_checks import by_valid_rules
from qeframe.core.resolve import resolve
from qeframe.kinds.scores.batch import Scores
from qeframe.report.tables.leaderboard import leaderboard

RULES = "wmt14_qe_task1_2"


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    gold = rng.normal(size=60)
    answers = {name: gold + noise * rng.normal(size=60) for name, noise in [("A", 0.9), ("B", 1.2), ("C", 4.0)]}
    return Task(name="t", batches={Submission(name): Scores.from_plain(gold, x) for name, x in answers.items()})


def test_rank_sets_are_those_of_valid_rules_beside_official_winners(task):
    found = qeframe.evaluate(RULES, task)
    valid = qeframe.evaluate(RULES, task, settings=["test=valid"])
    assert {s.name: s.rank_set for s in found.submissions} == {s.name: s.rank_set for s in valid.submissions}
    assert [(s.may_be_best, s.winner) for s in found.submissions] == [(True, True), (True, True), (True, False)]
    assert valid.valid_rules is None
    shown = found.valid_rules
    assert (shown.test, shown.sided, shown.correction) == ("jackknife_and_exchange", "two", "romano_wolf_and_max_t")
    (line,) = [w for w in found.warnings if "--set test=valid" in w]
    assert line.startswith(
        "the rules do not limit the chance of a false claim ('williams', one-sided, correction=none), since the tests "
        "are one-sided and correction=none does not limit it over all pairs; who may be best, and the rank sets, are "
        "by 'jackknife_and_exchange', two-sided, "
    )
    table = leaderboard(found)
    assert [column.title for column in table.columns][:5] == ["rank", "", "submission", "pearson ↑", "rank set"]
    assert "official winner" in [column.title for column in table.columns]
    assert [row[1].text for row in table.rows] == ["•", "•", "•"]
    assert (
        "• may be best: no one is significantly better (two-sided, p adjusted by romano_wolf_and_max_t, at most 0.05, "
        "by jackknife_and_exchange)"
    ) in table.notes
    plain = json.loads(found.to_json())
    assert plain["valid_rules"] == {
        "test": "jackknife_and_exchange",
        "sided": "two",
        "correction": "romano_wolf_and_max_t",
    }
    assert [(s["may_be_best"], s["winner"]) for s in plain["submissions"]] == [
        (True, True),
        (True, True),
        (True, False),
    ]
    official = qeframe.evaluate(RULES, task, settings=["valid={shown = false}"]).submissions
    assert {s.name: s.cluster for s in official} == {s.name: s.cluster for s in found.submissions}
    assert {s.may_be_best for s in official} == {None}


OFFICIAL = ("test=williams", "sided=one", "correction=none")
CONTROLLED = ("test=jackknife", "sided=two", "correction=holm")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ranking", ["not_worse_than_best", "not_outperformed", "clusters", "separated"])
@pytest.mark.parametrize("rules", [OFFICIAL, CONTROLLED])
def test_whoever_is_marked_is_beaten_by_nobody_and_whoever_is_beaten_is_not_marked(rules, ranking):
    some_beaten = 0
    for seed in range(3):
        rng = np.random.default_rng([seed, 1])
        gold, noise = rng.normal(size=50), rng.uniform(0.5, 2.5, size=7)
        answers = {f"s{i}": gold + x * rng.normal(size=50) for i, x in enumerate(noise)}
        batches = {Submission(name): Scores.from_plain(gold, given) for name, given in answers.items()}
        task, settings = Task(name="t", batches=batches), [*rules, f"ranking={ranking}"]
        found = qeframe.evaluate(RULES, task, settings=settings, seed=seed)
        valid = found.valid_rules is not None
        assert valid == (rules is OFFICIAL)
        by = qeframe.evaluate(RULES, task, settings=[*settings, "test=valid"], seed=seed) if valid else found
        beaten = {pair.b for pair in by.comparisons if pair.significant}
        marked = {s.name for s in found.submissions if s.may_be_best}
        assert marked == answers.keys() - beaten
        assert {row[2].text for row in leaderboard(found).rows if row[1].text == "•"} == marked
        for scored in found.submissions:
            assert scored.rank_set[0] == 1 + sum(pair.significant and pair.b == scored.name for pair in by.comparisons)
        some_beaten += len(beaten)
    assert some_beaten > 5


def test_rules_that_are_valid_have_no_others_beside(task):
    for setting in ("test=valid", "test=", "valid={shown = false}"):
        found = qeframe.evaluate(RULES, task, settings=[setting])
        assert found.valid_rules is None
        assert "valid_rules" not in json.loads(found.to_json())
    kept = qeframe.evaluate(RULES, task, settings=["correction=holm", "test=valid"]).signature.rules
    assert (kept["test"], kept["sided"], kept["correction"]) == ("jackknife_and_exchange", "two", "holm")


@pytest.mark.parametrize("changed", ["correction=none", "correction=bh", "sided=one"])
@pytest.mark.parametrize("profile", [RULES, "wmt23_metrics"])  # a task set is evaluated by the rules that are returned
def test_rules_of_a_run_that_are_not_valid_are_not_among_the_valid_ones(profile, changed):
    registry = qeframe.load()
    valid = resolve(by_valid_rules(choose_profile(profile, [changed]), registry), registry, reads=False)
    assert not is_shown(valid, comparison_rules(valid, valid.test))
    assert choose_profile(profile, [changed, "test=valid"]).correction != changed.partition("=")[2]


@pytest.mark.parametrize(
    ("valid", "wrong"),
    [
        ("{test = 1}", "valid.test: must be a word"),
        ("{tests = 'x'}", "valid.tests: unknown key"),
        ("{test = 'x'}", "valid.test:"),
        ("{correction = 'none'}", "valid.correction: none does not control"),
    ],
)
def test_wrong_rules(task, valid, wrong):
    with pytest.raises((ProfileError, qeframe.core.errors.DataError), match=wrong):
        qeframe.evaluate(RULES, task, settings=[f"valid={valid}"])
