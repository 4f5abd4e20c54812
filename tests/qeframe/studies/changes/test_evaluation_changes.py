"""What differs between two evaluations: scores, ranks, outcomes, and the causes that signatures name."""

import math

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation, Result, ScoredSubmission, Signature
from qeframe.core.task import Dropped, Input, LeftOut
from qeframe.studies.changes.evaluation_changes import all_causes, check_related, find_causes, find_changes
from qeframe.studies.changes.tables import change_tables


def signature(**changes):
    rules = {"name": "p", "primary": "m", "test": "t", "correction": "holm", "ranking": "r", "resample": "unit"}
    values = {
        "qeframe": "1.0",
        "versions": {"numpy": "2"},
        "plugins": {"a": "x 1"},
        "blocked": (),
        "rules": rules,
        "changed": {},
        "seed": 0,
        "units": {"de": "3 x segment", "fr": "2 x segment"},
        "inputs": (Input("gold", "ab"),),
    }
    return Signature(**values | changes)


def submission(name, value, rank, tasks=(), cluster=None):
    result = Result(value=value, tasks={task: Result(value=score) for task, score in dict(tasks).items()})
    return ScoredSubmission(name=name, kind="real", scores={"m": result}, rank=rank, cluster=cluster)


def outcome(a, b, *, significant, p=0.01, task=""):
    return Comparison(
        a=a,
        b=b,
        metric="m",
        task=task,
        test="t",
        sided="two",
        difference=0.1,
        p=p,
        p_adjusted=p,
        significant=significant,
    )


def evaluation(*submissions, **changes):
    values = {
        "profile": "p",
        "title": "P",
        "primary": "m",
        "metrics": ("m",),
        "higher_is_better": {"m": True},
        "signature": signature(),
        "submissions": submissions,
        "comparisons": (),
        "tasks": {"de": {}, "fr": {}},
    }
    return Evaluation(**values | changes)


OLD = evaluation(submission("A", 0.5, 1, {"de": 0.4, "fr": 0.6}), submission("B", 0.3, 2))


def test_an_evaluation_and_itself_have_no_change():
    changes = find_changes(OLD, OLD)
    assert changes.same
    assert not changes.causes
    assert [s.same for s in changes.submissions] == [True, True]


def test_scores_of_all_tasks_and_of_each():
    new = evaluation(submission("B", 0.6, 1), submission("A", 0.45, 2, {"de": 0.4, "fr": 0.5}))
    b, a = find_changes(OLD, new).submissions
    assert (a.name, a.presence, a.rank, a.same) == ("A", "both", (1, 2), False)
    assert [(s.task, round(s.difference, 9), round(s.gain, 9), s.same) for s in a.scores] == [
        ("", -0.05, -0.05, False),
        ("de", 0, 0, True),
        ("fr", -0.1, -0.1, False),
    ]
    assert b.rank == (2, 1)


def test_a_lower_score_is_a_gain_where_lower_is_better():
    lower = {"higher_is_better": {"m": False}, "higher_in_tasks": {"m": True}}
    old = attrs.evolve(OLD, **lower)
    new = evaluation(submission("A", 0.4, 1, {"de": 0.3, "fr": 0.6}), submission("B", 0.3, 2), **lower)
    scores = find_changes(old, new).submissions[0].scores
    assert [round(s.gain, 9) for s in scores] == [0.1, -0.1, 0]


def test_submissions_that_came_and_went():
    new = evaluation(submission("A", 0.5, 1, {"de": 0.4, "fr": 0.6}), submission("C", 0.1, 2))
    changes = find_changes(OLD, new)
    assert [(s.name, s.presence, s.rank) for s in changes.submissions[1:]] == [
        ("C", "added", (None, 2)),
        ("B", "removed", (2, None)),
    ]
    assert changes.submissions[1].scores == ()
    assert not changes.same


def test_a_submission_that_is_listed_apart_has_no_rank():
    lacks = attrs.evolve(submission("A", math.nan, 2), absent=("fr",))
    rules = signature().rules
    for partial, rank in (("apart", None), ("last", 2)):
        made = evaluation(lacks, signature=signature(rules={**rules, "partial": partial}))
        assert find_changes(made, made).submissions[0].rank == (rank, rank)


def test_undefined_scores_are_equal_to_each_other_only():
    undefined, defined = (evaluation(submission("A", value, 1)) for value in (math.nan, 0.5))
    assert find_changes(undefined, undefined).same
    score = find_changes(undefined, defined).submissions[0].scores[0]
    assert not score.same
    assert math.isnan(score.difference)


def test_outcomes_of_pairs_whatever_their_order():
    old = attrs.evolve(
        OLD, comparisons=(outcome("A", "B", significant=True), outcome("B", "A", significant=False, task="de"))
    )
    new = attrs.evolve(
        OLD, comparisons=(outcome("B", "A", significant=True, p=0.02), outcome("A", "B", significant=False, task="de"))
    )
    (change,) = find_changes(old, new).significance
    assert (change.a, change.b, change.task, change.old, change.new) == ("A", "B", "", "A", "B")
    assert (change.p_old, change.p_new) == (0.01, 0.02)


def test_pairs_that_only_one_side_compared_are_no_change_of_outcome():
    changes = find_changes(OLD, attrs.evolve(OLD, comparisons=(outcome("A", "B", significant=True),)))
    assert changes.significance == ()
    assert changes.not_compared == ("only the new result has significance tests",)


def test_a_single_task_is_compared_whatever_its_name():
    old, new = (
        evaluation(
            submission("A", 0.5, 1),
            tasks={name: {}},
            signature=signature(units={name: "3 x segment"}),
            dropped=(Dropped(name, "segments", 1, "no score"),),
        )
        for name in ("monday", "friday")
    )
    changes = find_changes(old, new)
    assert changes.same
    assert changes.causes == ()


def test_what_only_one_side_has_is_said():
    new = attrs.evolve(
        OLD,
        primary="n",
        metrics=("n",),
        higher_is_better={"n": True},
        tasks={"de": {}},
        warnings=("few units",),
        dropped=(Dropped("de", "segments", 1, "no score"),),
        submissions=(ScoredSubmission(name="A", kind="real", scores={"n": Result(value=1.0)}, rank=1),),
    )
    changes = find_changes(OLD, new)
    assert changes.not_compared == (
        "the primary metric is n and was m: ranks and clusters mean something else",
        "metric n is only in the new result",
        "metric m is only in the old result",
        "task fr is only in the old result",
    )
    assert (changes.warnings_added, changes.warnings_removed) == (("few units",), ())
    assert (changes.dropped_added, changes.dropped_removed) == (new.dropped, ())
    back = find_changes(new, OLD)
    assert (back.warnings_removed, back.dropped_removed) == (("few units",), new.dropped)


names = st.lists(st.sampled_from("ABCDE"), unique=True, min_size=1)


@given(names, names, st.data())
def test_there_and_back_are_opposites(before, after, data):
    value = st.sampled_from([0.0, 0.25, 1.0])
    old, new = (
        evaluation(*(submission(name, data.draw(value), rank) for rank, name in enumerate(side, 1)))
        for side in (before, after)
    )
    onward = {s.name: s for s in find_changes(old, new).submissions}
    back = {s.name: s for s in find_changes(new, old).submissions}
    assert onward.keys() == back.keys() == {*before, *after}
    opposite = {"both": "both", "added": "removed", "removed": "added"}
    for name, change in onward.items():
        assert back[name].presence == opposite[change.presence]
        assert back[name].rank == change.rank[::-1]
        assert [s.difference for s in back[name].scores] == pytest.approx([-s.difference for s in change.scores])


def test_what_has_nothing_in_common_is_not_related():
    check_related(OLD, OLD)
    for change in (
        {"metrics": ("other",)},
        {"submissions": (submission("X", 0.6, 1),)},
        {"tasks": {"ja": {}, "zh": {}}},
    ):
        with pytest.raises(DataError, match=f"no {next(iter(change)).removesuffix('s')} in common"):
            check_related(OLD, attrs.evolve(OLD, **change))
    check_related(OLD, attrs.evolve(OLD, submissions=()))


def test_causes_by_kind():
    now = signature(
        qeframe="1.1",
        plugins={"a": "x 1", "b": "y 2"},
        rules={**OLD.signature.rules, "alpha": 0.1, "test": ""},
        seed=3,
        inputs=(Input("gold", "cd"), Input("new", "ef")),
        units={"de": "4 x segment", "fr": "2 x segment"},
    )
    causes = list(find_causes(OLD.signature, now))
    assert [(c.kind, c.name, c.old, c.new) for c in causes] == [
        ("rule", "alpha", "", "0.1"),
        ("rule", "test", "t", ""),
        ("data", "gold", "ab", "cd"),
        ("data", "new", "", "ef"),
        ("data", "units of de", "3 x segment", "4 x segment"),
        ("software", "b", "", "y 2"),
        ("software", "qeframe", "1.0", "1.1"),
        ("seed", "seed", "0", "3"),
    ]


def test_rules_from_json_and_from_python_are_the_same():
    listed = signature(rules={**OLD.signature.rules, "parts": ({"a": (1, 2)},)})
    read = signature(rules={**OLD.signature.rules, "parts": [{"a": [1, 2]}]})
    assert list(find_causes(listed, read)) == []


def test_who_was_left_out_is_a_cause():
    files = [LeftOut(submission="x", files=(f"{task}/x",), reason="NaN", by="skip_invalid") for task in ("de", "fr")]
    late = LeftOut(submission="y", reason="late", by="exclude")
    old, new = attrs.evolve(OLD, left_out=(*files, late)), attrs.evolve(OLD, left_out=(files[0],))
    assert [(c.kind, c.name, c.old, c.new) for c in all_causes(old, new)] == [
        ("left out", "x", f"{files[0].in_words}; {files[1].in_words}", files[0].in_words),
        ("left out", "y", late.in_words, ""),
    ]


def test_what_arithmetic_cannot_tell_is_no_change():
    """Of scores of another library, and of one near 0 among others: by the size of the scores under the metric."""
    old = evaluation(submission("A", 0.2478291079918082, 1), submission("B", 1e-12, 2))
    for value, near, same in ((0.2478291079918082 + 2e-16, 3e-12, True), (0.2477, 3e-12, False)):
        changes = find_changes(old, evaluation(submission("A", value, 1), submission("B", near, 2)))
        assert changes.same == same
        first, second = changes.submissions
        assert [score.same for score in first.scores] == [same] * len(first.scores)
        assert all(score.same and score.difference == 0 for score in second.scores)
        (table, *_) = change_tables(changes, "old -> new")
        marked = [cell for row in table.rows for cell in row if cell.strong]
        assert len(marked) == (not same)
        assert not any(cell.text.strip("+-0.") == "" and cell.text[:1] in "+-" and cell.strong for cell in marked)
