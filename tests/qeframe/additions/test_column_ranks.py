"""Averages of ranks in columns: metrics, and numbers that submissions state."""

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError, ProfileError
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

RULES = Profile(
    reader="none", primary="pearson", secondary=("mae",), test="", interval="", columns=("pearson", "mae", "size")
)


def task(answers, sizes, name="one"):
    rng = np.random.default_rng(len(answers))
    gold = rng.normal(size=12)
    batches = {
        Submission(f"s{i}"): Scores.from_plain(gold, gold + spread * rng.normal(size=12))
        for i, spread in enumerate(answers)
    }
    stated = {f"s{i}": {"size": float(size)} for i, size in enumerate(sizes) if size is not None}
    return Task(name=name, batches=batches, stated=stated)


def slow(values):
    """Return mid-ranks, 1 for the highest."""
    return [1 + sum(b > a for b in values) + (sum(b == a for b in values) - 1) / 2 for a in values]


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=5))
def test_the_mean_of_ranks(rows):
    found = qeframe.evaluate(RULES, task(*zip(*rows, strict=True)))
    scores = {each.name: each.scores for each in found.submissions}
    names = [f"s{i}" for i in range(len(rows))]
    columns = [
        slow([round(scores[name]["pearson"].value, 13) for name in names]),
        slow([-round(scores[name]["mae"].value, 13) for name in names]),
        slow([-size for _, size in rows]),
    ]
    expected = np.mean(columns, axis=0)
    assert [scores[name]["average_rank"].value for name in names] == pytest.approx(expected.tolist())
    assert found.metrics == ("pearson", "mae", "average_rank")
    assert not found.higher_is_better["average_rank"]


def test_several_tasks():
    tasks = [task((0, 1), (5, 6), "x"), task((0, 1, 2), (7, 7, None), "y")]
    found = qeframe.evaluate(RULES, tasks)
    results = {each.name: each.scores["average_rank"] for each in found.submissions}
    assert {name: set(result.tasks) for name, result in results.items()} == {
        "s0": {"x", "y"},
        "s1": {"x", "y"},
        "s2": {"y"},
    }
    assert results["s0"].tasks["x"].value == pytest.approx(1)
    assert results["s0"].value == pytest.approx((1 + results["s0"].tasks["y"].value) / 2)
    assert np.isnan(results["s2"].value)


def test_an_attack_has_none():
    found = qeframe.evaluate(RULES, task((0, 1), (5, 6)), attacks=["constant_mean"])
    attacks = [each for each in found.submissions if each.kind == "attack"]
    assert len(attacks) >= 1
    assert all(np.isnan(each.scores["average_rank"].value) for each in attacks)


def test_unknown_columns_and_rules():
    with pytest.raises(
        DataError, match="columns: 'length' is neither a metric of the profile nor stated by a submission"
    ):
        qeframe.evaluate(attrs.evolve(RULES, columns=("pearson", "length")), task((0, 1), (5, 6)))
    with pytest.raises(ProfileError, match="across_columns: 'micro' combines groups of units"):
        qeframe.evaluate(attrs.evolve(RULES, across_columns="micro"), task((0, 1), (5, 6)))
    with pytest.raises(ProfileError, match="across_columns: unknown aggregation 'averge_rank'"):
        qeframe.evaluate(attrs.evolve(RULES, across_columns="averge_rank"), task((0, 1), (5, 6)))


def test_columns_of_a_registered_profile_that_are_absent_are_counted():
    profile = attrs.evolve(RULES, columns=("pearson", "length"), stated=frozenset({"columns"}))
    found = qeframe.evaluate(profile, task((0, 1), (5, 6)))
    assert found.metrics == ("pearson", "mae")
    reason = "named by the profile, neither metrics nor stated by a submission: length; there is no average_rank"
    assert [(note.what, note.count, note.reason) for note in found.dropped] == [("column", 1, reason)]


def test_counts_without_submissions():
    empty = Task(name="x", batches={}, counts={"decided": 3})
    found = qeframe.evaluate(attrs.evolve(RULES, columns=()), empty)
    assert found.submissions == ()
    assert dict(found.tasks) == {"x": {"decided": 3}}
    assert found.warnings == ("there is no submission to evaluate: only the counts of the gold are reported",)
    with pytest.raises(DataError, match="there is no submission to evaluate"):
        qeframe.evaluate(attrs.evolve(RULES, columns=()), Task(name="x", batches={}))
