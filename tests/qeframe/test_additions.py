"""What is added to a result."""

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe import Profile, Submission, Task
from qeframe.api.arrays.comparing import bind_submissions
from qeframe.assembly.evaluate import EvaluationRequest, assemble, evaluate_tasks
from qeframe.assembly.remarks import on_untested_winners
from qeframe.core.errors import DataError, PluginError, ProfileError, ResultWarning
from qeframe.core.resolve import resolve
from qeframe.core.significance import remarks_of, remarks_on_significant
from qeframe.data.notices import notices, on_answers
from qeframe.plugin import Correction, Grid, Metric, Scores, SignificanceTest, Spans, Tags, Texts, TokenScores
from qeframe.report import leaderboard


# What an evaluation has besides scores, comparisons and ranks.
def test_additions_change_no_score_comparison_or_rank(registry):
    rules = Profile(
        reader="none", primary="pearson", secondary=("mae",), test="williams", sided="one", columns=("pearson", "mae")
    )
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    batches = {Submission(name): Scores.from_plain(gold, gold + rng.normal(size=40)) for name in "AB"}
    task = Task(name="t", batches={**batches, Submission("a"): batches[Submission("A")]})
    request = EvaluationRequest(seed=0, registry=registry, on_answers=on_answers)
    plain, _ = assemble(resolve(rules, registry, reads=False), [task], request)
    whole = qeframe.evaluate(rules, task, registry=registry)
    assert (plain.warnings, plain.valid_rules, plain.metrics) == ((), None, ("pearson", "mae"))
    assert any("look alike" in warning for warning in whole.warnings)
    assert whole.valid_rules is not None
    assert whole.metrics == (*plain.metrics, "average_rank")
    taken_back = [
        attrs.evolve(each, scores={name: each.scores[name] for name in plain.metrics}, rank_set=None)
        for each in whole.submissions
    ]
    assert tuple(taken_back) == plain.submissions
    assert [c.to_plain() for c in whole.comparisons] == [c.to_plain() for c in plain.comparisons]
    again = evaluate_tasks(resolve(rules, registry, reads=False), [task], request)
    assert again.to_json() == whole.to_json()


def test_winners_for_want_of_a_test_are_named():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=60)
    noise = {"first": 0.5, "near": 0.51, "far": 3.0}
    batches = {Submission(n): Scores.from_plain(gold, gold + sd * rng.normal(size=60)) for n, sd in noise.items()}
    found = qeframe.evaluate("qe_sentence", Task(name="t", batches=batches), settings=["interval="])
    assert {each.name for each in found.submissions if each.may_be_best} == {"first", "near"}
    assert not list(on_untested_winners(found.submissions, found.comparisons)), "a test did not tell them apart"
    untested = [attrs.evolve(each, p=np.nan, reason="no error") for each in found.comparisons]
    (warning,) = on_untested_winners(found.submissions, untested)
    assert warning == "marked only because the difference could not be tested: near; no error"


# Averages of ranks in columns: metrics, and numbers that submissions state.
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


def test_a_submission_that_is_not_ranked_beside_counts_alone_is_named():
    human = {Submission("reference", kind="human"): Scores.from_plain([1.0, 2, 3], [1.0, 3, 2])}
    found = qeframe.evaluate(attrs.evolve(RULES, columns=()), Task(name="x", batches=human, counts={"decided": 3}))
    assert dict(found.tasks) == {"x": {"decided": 3}}
    assert found.warnings[1:] == (
        "what is not ranked is scored beside ranked submissions only, and is left out: 'reference'",
    )


# What the answers of a submission say about it.
RNG = np.random.default_rng(0)
GOLD = RNG.normal(size=200)
HONEST = GOLD + RNG.normal(size=200)


def found(kind, gold, /, **submissions):
    batches = {Submission(name): kind.from_plain(gold, answers) for name, answers in submissions.items()}
    return list(notices([Task(name="t", batches=batches)]))


@pytest.mark.parametrize(
    ("answers", "notice"),
    [
        (GOLD, "t: X equals the gold in all 200 values"),
        (HONEST + 0.0, "t: X equals honest in all 200 values"),
        (np.full(200, 0.5), "t: X is constant: it has one answer for all, 0.5 (200 segments)"),
        (np.roll(HONEST, 1), "t: X looks shifted by 1 segment: its correlation with the gold is 0.6"),
        (np.roll(HONEST, -3), "t: X looks shifted by 3 segments: its correlation with the gold is 0.6"),
        (-GOLD + RNG.normal(size=200), "t: X may have the wrong sign: its correlation with the gold is -0.6"),
        (
            np.where(np.arange(200) < 2, [0.1, 0.2] * 100, 0.5),
            "t: X is almost constant: all but 2 of 200 values equal 0.5; its score, intervals and tests depend on "
            "these few",
        ),
        (np.where(np.arange(200) < 3, 0.1, 0.5), None),
        (3 * GOLD - 7, "t: X is the gold on another scale: their correlation is 1 to rounding in 200 values"),
        ((HONEST / 9).round(6), "t: X is honest on another scale: their correlation is 1 to rounding in 200 values"),
        (GOLD + RNG.normal(size=200), None),
        (RNG.normal(size=200), None),
    ],
)
def test_scores(answers, notice):
    said = found(Scores, GOLD, honest=HONEST, X=answers)
    assert said == [] if notice is None else (len(said) == 1 and said[0].startswith(notice))


def test_copies_on_a_scale_with_the_other_end_first():
    assert found(Scores, GOLD, honest=HONEST, X=-HONEST.round(6), gold=-GOLD)[:2] == [
        "t: X is honest on another scale: their correlation is -1 to rounding in 200 values",
        "t: gold is the gold on another scale: their correlation is -1 to rounding in 200 values",
    ]


def test_several_copies_are_named_at_once():
    same = GOLD + RNG.normal(size=len(GOLD))
    assert found(Scores, GOLD, one=same, two=same, three=same) == ["t: two, three equal one in all 200 values"]


def test_few_units_say_nothing():
    assert found(Scores, GOLD[:19], copy=GOLD[:19], again=GOLD[:19]) == []


def of_kind(kind):
    """Return a gold, an honest answer, and a function that shifts answers by one unit."""
    sizes = RNG.integers(3, 9, size=200)
    if kind is Grid:
        gold = RNG.normal(size=(200, 4)) + GOLD[:, None]
        return gold, gold + RNG.normal(size=(200, 4)), lambda rows: np.roll(rows, 1, axis=0)
    if kind is Texts:
        gold = ["a" * int(size) for size in sizes]
        return gold, [text + "b" * int(RNG.integers(0, 2)) for text in gold], lambda rows: rows
    if kind is Spans:
        length = [int(20 * size) for size in sizes]
        gold = [[(0, int(RNG.integers(1, n)), "minor")] for n in length]
        return gold, [[(*spans[0][:2], "major")] for spans in gold], lambda rows: [rows[-1], *rows[:-1]]
    gold = [(RNG.random(6) < 0.1 + 0.8 * (n % 2)).astype(int).tolist() for n in sizes]
    honest = [[tag if RNG.random() < 0.9 else 1 - tag for tag in row] for row in gold]
    return gold, honest, lambda rows: [rows[-1], *rows[:-1]]


@pytest.mark.parametrize("kind", [Grid, Tags, TokenScores, Spans, Texts])
def test_every_kind(kind):
    gold, honest, shift = of_kind(kind)
    assert found(kind, gold, honest=honest) == []
    said = " ".join(found(kind, gold, honest=honest, again=honest, copy=gold))
    assert "again equals honest" in said
    assert "copy equals the gold" in said
    if kind is not Texts:
        assert "moved looks shifted by 1" in " ".join(found(kind, gold, moved=shift(honest)))


# What tests and corrections say of p-values is checked, whoever wrote them.
@pytest.fixture
def contest(registry):
    gold = np.arange(8.0)
    return bind_submissions(registry.get(Metric, "mae"), gold, {"A": gold + 1, "B": gold + 2})


def test_texts_are_returned_and_no_function_says_nothing(registry, contest):
    test, correction = registry.get(SignificanceTest, "jackknife"), registry.get(Correction, "holm")
    said = attrs.evolve(test, remarks=lambda *_: ["few"], on_significant=lambda *_: {np.int64(0): "one unit decides"})
    assert remarks_of(said, contest, "two") == ("few",)
    assert remarks_on_significant(said, contest, np.array([0])) == {0: "one unit decides"}
    assert remarks_on_significant(said, contest, np.array([], int)) == {}
    assert remarks_of(attrs.evolve(correction, remarks=lambda _: ("few",)), contest) == ("few",)
    assert remarks_of(attrs.evolve(test, remarks=None), contest, "two") == ()
    assert remarks_on_significant(attrs.evolve(test, on_significant=None), contest, np.array([0])) == {}
    assert remarks_of(attrs.evolve(correction, remarks=None), contest) == ()


def test_what_is_no_text_is_refused(registry, contest):
    test, correction = registry.get(SignificanceTest, "jackknife"), registry.get(Correction, "holm")
    wrong = attrs.evolve(test, remarks=lambda *_: [1], on_significant=lambda *_: {0: None})
    for call in (
        lambda: remarks_of(wrong, contest, "two"),
        lambda: remarks_on_significant(wrong, contest, np.array([0])),
        lambda: remarks_of(attrs.evolve(correction, remarks=lambda _: [1]), contest),
    ):
        with pytest.raises(PluginError, match="a value that is no text"):
            call()


# What intervals do not promise is said beside them: no interval, and scores that few units carry.
def task_of(gold, answers, name="t") -> Task:
    batches = {Submission(who): Scores.from_plain(gold, of) for who, of in answers.items()}
    return Task(name=name, batches=batches)


def with_outlier() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=60)
    answers = {"plain": gold + rng.normal(size=60), "pulled": gold + rng.normal(size=60)}
    answers["pulled"][7] = 50.0
    return gold, answers


def test_scores_without_an_interval_are_told_with_the_reason(registry):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=30)
    answers = {"exact": gold, "near": gold + 0.1 * rng.normal(size=30)}
    task = Task(name="t", batches={Submission(name): Scores.from_plain(gold, of) for name, of in answers.items()})
    found = qeframe.evaluate("qe_sentence", [task], registry=registry)
    assert "no interval of pearson, spearman for exact: the score is perfect, whole or when one unit is left out" in (
        found.warnings
    )
    assert "no interval of mae, rmse for exact: the score is 0, whole or when one unit is left out" in found.warnings
    exact = next(each for each in found.submissions if each.name == "exact")
    assert exact.scores["mae"].details["no_interval"].startswith("the score is 0")


def test_a_score_that_few_units_carry_is_marked_wherever_it_is_shown(registry):
    gold, answers = with_outlier()
    found = qeframe.evaluate("qe_sentence", [task_of(gold, answers)], registry=registry)
    few = {scored.name: scored.scores["pearson"].details.get("few_units") for scored in found.submissions}
    assert few["plain"] is None
    assert few["pulled"]["units"] == 2
    assert few["pulled"]["share"] > 0.9
    table = leaderboard(found)
    interval = next(i for i, column in enumerate(table.columns) if "interval" in column.title)
    assert [row[interval].text.endswith("°") for row in table.rows] == [False, True]
    assert [note for note in table.notes if note.startswith("° few units carry the score: at most three of them")]
    several = qeframe.evaluate(
        "qe_sentence", [task_of(gold, answers, "en-de"), task_of(gold, answers, "en-cs")], registry=registry
    )
    cells = [cell.text for row in leaderboard(several).rows for cell in row]
    assert len([text for text in cells if "±" in text and text.endswith("°")]) == 2


def test_compared_scores_that_few_units_carry_are_told():
    gold, answers = with_outlier()
    with pytest.warns(ResultWarning, match="few units carry pearson of pulled"):
        found = qeframe.compare("pearson", gold, answers)
    (told,) = [warning for warning in found.warnings if "carry" in warning]
    assert told.startswith("few units carry pearson of pulled (2 units with 0.9")
    assert told.endswith("of its jackknife variance): look at them, another sample may have none like them")
