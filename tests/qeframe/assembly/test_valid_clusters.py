"""The clusters by valid rules, beside those of a profile whose rules do not limit the chance of a false claim."""

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


def test_both_clusters_are_shown(task):
    found = qeframe.evaluate(RULES, task)
    valid = qeframe.evaluate(RULES, task, settings=["test=valid"])
    assert found.valid_clusters is not None
    assert found.valid_clusters.clusters == {s.name: s.cluster for s in valid.submissions}
    shown = found.valid_clusters
    assert (shown.test, shown.sided, shown.correction) == ("jackknife_and_exchange", "two", "romano_wolf_and_max_t")
    (line,) = [w for w in found.warnings if "--set test=valid" in w]
    assert line.startswith(
        "the rules do not limit the chance of a false claim ('williams', one-sided, correction=none), since the tests "
        "are one-sided and correction=none does not limit it over all pairs; the valid winners beside are by "
    )
    assert "valid winner" in [column.title for column in leaderboard(found).columns]
    legend = "valid winner: winner by rules that limit the chance of a false claim where they hold on the data: "
    assert f"{legend}jackknife_and_exchange, two-sided, correction romano_wolf_and_max_t" in leaderboard(found).notes
    assert json.loads(found.to_json())["valid_clusters"]["clusters"] == dict(found.valid_clusters.clusters)
    official = {
        s.name: s.cluster for s in qeframe.evaluate(RULES, task, settings=["valid={shown = false}"]).submissions
    }
    assert official == {s.name: s.cluster for s in found.submissions}


def test_rules_that_are_valid_have_no_valid_clusters_beside(task):
    for setting in ("test=valid", "test=", "valid={shown = false}"):
        found = qeframe.evaluate(RULES, task, settings=[setting])
        assert found.valid_clusters is None
        assert "valid_clusters" not in json.loads(found.to_json())
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
