"""Whole tables, as text, against reviewed snapshots: every column, mark, head and note of each."""

import csv
import math

import attrs
import numpy as np
import pytest

from qeframe.core.findings import Detectable, PairEquivalence
from qeframe.core.ragged import Ragged
from qeframe.core.result import Result
from qeframe.kinds.tags.batch import SentenceTags
from qeframe.kinds.texts.alignments import Alignment, MatchedBlock
from qeframe.plugin.readers import Dropped, Input, Submitted, UnitValues
from qeframe.report import Column, as_latex, as_markdown, as_text, as_tsv
from qeframe.report.layouts.terminal import print_table
from qeframe.report.tables.comparisons import comparison_list, pair_table
from qeframe.report.tables.explanations import explanations
from qeframe.report.tables.grid import grid_caption, grid_text
from qeframe.report.tables.leaderboard import detectable_note, leaderboard
from qeframe.report.tables.left_out import dropped_table
from qeframe.report.tables.rank_ranges import central_ranks
from qeframe.report.tables.records import comparison_records, found_in, score_records, submitted_table
from qeframe.report.tables.rules import inputs_table, rule_text, rules_table, versions_table
from qeframe.report.tables.task_columns import cluster_column, gathered_warnings, metric_column, out_of_order


def whole(tables, layout=as_text):
    """Return tables below each other, each under what it shows."""
    return "\n".join(f"#### {what}\n\n{layout(table)}" for what, table in tables.items())


def numbered(what, tables):
    return {f"{what}, {number}": table for number, table in enumerate(tables, 1)}


@pytest.fixture
def boards(evaluation, evaluation_of, scored, over_tasks):
    """Return evaluations by what their leaderboards show."""
    first, second, third = evaluation.submissions
    plain = {"pearson": 0.5, "mae": 1.0}
    nothing = dict.fromkeys(evaluation.metrics, Result(value=math.nan))
    apart = {name: Result(value=value) for name, value in (("en-de", 0.5), ("de-en", 0.05))}
    many = [f"m{number}" for number in range(20)]
    eight, nine = ({f"t{number}": {"units": 9} for number in range(count)} for count in (8, 9))
    ranks = over_tasks.signature.rules | {"across": "average_rank", "across_columns": "average_rank"}
    table = Result(value=0.5, details={"table": [[1.0, -1.0, -1.0], [math.nan] * 3, [-1.0, -1.0, 1.0]]})
    detectable = Detectable(
        power=0.8, level=0.05, sided="two", leader="first", smallest=0.05, median=0.0625, largest=0.125,
        from_leader={"first": math.nan, "second": 0.0625, "third": math.nan},
    )  # fmt: skip

    def with_submissions(*submissions):
        return attrs.evolve(evaluation, submissions=submissions)

    return {
        "a winner with an interval, a baseline, one without a score": evaluation,
        "rules that no source confirms": attrs.evolve(evaluation, unconfirmed=("reader", "primary")),
        "equal best values, but for rounding": evaluation_of(
            [scored(name, 1, {"pearson": value, "mae": 1.0}) for name, value in (("a", 0.1 + 0.2), ("b", 0.3))]
        ),
        "one submission is best of nothing": evaluation_of([scored("alone", 1, plain)]),
        "an undefined score that was ranked before": with_submissions(third, second, first),
        "as many decimals in each task": with_submissions(
            attrs.evolve(first, scores={**first.scores, "pearson": Result(value=0.275, tasks=apart)}), second, third
        ),
        "no score at all": with_submissions(
            *(attrs.evolve(each, scores=nothing, cluster=None) for each in evaluation.submissions)
        ),
        "an attack that is no winner": with_submissions(first, second, attrs.evolve(third, kind="attack")),
        "an attack is never the best": evaluation_of(
            [
                scored("honest", 1, plain),
                scored("gamed", 1, {"pearson": 0.9, "mae": 0.1}, kind="attack"),
                scored("last", 2, {"pearson": 0.4, "mae": 3.0}),
            ]
        ),
        "more clusters than winners and others": with_submissions(first, second, attrs.evolve(third, cluster=3)),
        "no winner": evaluation_of([scored(name, rank, plain) for rank, name in enumerate("ab", 1)]),
        "what is dropped, and a warning": attrs.evolve(
            evaluation,
            dropped=(
                Dropped("en-de", "unit", 2, "not answered"),
                Dropped("", "answer", 1, "extra in x"),
                *(Dropped("en-de", "submission", n, f"why: {', '.join(many[:n])}") for n in (7, 20)),
            ),
            warnings=("few units",),
        ),
        "counts of one task": attrs.evolve(evaluation, tasks={"en-de": {"systems": 12, "decided": 10000}}),
        "tasks before their average, with counts; an incomplete submission": over_tasks,
        "tasks with their weights": attrs.evolve(over_tasks, shares={"de-en": 0.75, "en-de": 0.25}),
        "values that are ranks": attrs.evolve(
            over_tasks,
            signature=attrs.evolve(over_tasks.signature, rules=ranks),
            higher_is_better={"pearson": False, "mae": False},
            higher_in_tasks={"pearson": True, "mae": False},
        ),
        "eight tasks": evaluation_of(
            [scored("a", 1, {"pearson": Result(value=0.5, tasks=dict.fromkeys(eight, Result(value=0.5)))})], tasks=eight
        ),
        "nine tasks": evaluation_of(
            [scored("a", 1, {"pearson": Result(value=0.5, tasks=dict.fromkeys(nine, Result(value=0.5)))})], tasks=nine
        ),
        "nine tasks, of which one counts twice": attrs.evolve(
            evaluation_of(
                [scored("a", 1, {"pearson": Result(value=0.5, tasks=dict.fromkeys(nine, Result(value=0.5)))})],
                tasks=nine,
            ),
            shares={task: 0.2 if task == "t3" else 0.1 for task in nine},
        ),
        "a tie table": evaluation_of([scored("a", 1, {"pearson": table})]),
        "detectable differences": attrs.evolve(evaluation, detectable=detectable),
        "undefined detectable differences": attrs.evolve(
            evaluation, detectable=attrs.evolve(detectable, reason="few units")
        ),
    }


def test_leaderboards(boards, snapshot):
    found = {what: leaderboard(each) for what, each in boards.items()}
    snapshot("leaderboards.txt", whole(found))
    assert metric_column(boards["values that are ranks"], "average_rank") == Column(
        "average_rank ↑", written="average rank ↑"
    )
    detectable = boards["detectable differences"]
    assert detectable_note(detectable.detectable) in found["detectable differences"].notes
    assert ('"detectable"' in detectable.to_json(), '"detectable"' in boards["no winner"].to_json()) == (True, False)


def test_leaderboards_of_every_layout(boards, snapshot):
    shown = {what: leaderboard(boards[what]) for what in boards if "," in what}
    for layout, ending in ((as_markdown, "md"), (as_latex, "tex"), (as_tsv, "tsv")):
        snapshot(f"leaderboards.{ending}", whole(shown, layout))


def test_comparisons_and_records(evaluation, evaluation_of, scored, pair, snapshot):
    verdict = PairEquivalence(delta=0.2, low=0.05, high=0.15, p=0.01, p_adjusted=0.02, verdict="equivalent")
    judged = evaluation_of(
        [scored(name, 1, {"pearson": 0.5, "mae": 1.0}) for name in "abc"],
        [pair("a", "b", 0.2, equivalence=verdict), pair("a", "c", 0.01)],
    )
    several = [pair("a", "b", 0.5), pair("a", "b", 0.5, metric="mae", task="en-de", difference=-12.0)]
    lists = {
        "what all share is said once": comparison_list(evaluation),
        "several metrics and tasks; none is significant": comparison_list(evaluation_of([], several)),
        "no comparison": comparison_list(evaluation_of([])),
        "equivalence": comparison_list(judged),
        "pairs without an evaluation": pair_table(evaluation.comparisons, "x", notes=["n"]),
        "none of them is significant": pair_table(several, "t"),
        "an interval of the test, and one of another test": pair_table(
            [
                pair("a", "b", 0.01, score_a=0.75, score_b=0.625, low=0.0625, high=0.1875, interval="williams"),
                pair("a", "c", 0.5, score_a=0.75, score_b=0.625, low=-0.5, high=0.75, interval="jackknife"),
                pair("b", "c", 0.5, score_a=0.625, score_b=0.625),
            ],
            "t",
            alpha=0.01,
        ),
    }
    snapshot("comparisons.txt", whole(lists))
    records = {"scores": score_records(evaluation), "pairs": comparison_records(evaluation)}
    snapshot("records.tsv", whole(records | {"equivalence": comparison_records(judged)}, as_tsv))


def test_rules_and_what_a_result_was_made_from(evaluation, snapshot):
    made = attrs.evolve(
        evaluation,
        dropped=(Dropped("", "segment", 1234, "empty"),),
        signature=attrs.evolve(
            evaluation.signature, versions={"numpy": "2"}, plugins={"p": "d 1"}, blocked=("q",),
            inputs=(Input("f", "0a"),), changed={"alpha": "0.05"},
        ),
    )  # fmt: skip
    tables = {
        "sources": rules_table(evaluation, {"test": {"certainty": "read", "source": "Graham", "note": "as printed"}}),
        "changed rules": rules_table(made, {}),
        "left out": dropped_table(made),
        "programs": versions_table(made),
        "files": inputs_table(made),
    }
    snapshot("rules.txt", whole(tables))


def test_explanations(evaluation_of, scored, snapshot):
    classes = [f"class_{n}" for n in range(6)]
    units = [{"id": 7, "gain": 0.125}, {"id": 3, "name": "doc:3", "gain": 0.0625}]
    slices = {"length": {"11-20": 0.25, "1-10": 0.5, "news": 0.75}}
    cases = {
        "nothing": ({}, {}),
        "groups": ({"slices": slices}, {"slices": {"length": {"1-10": 0.125}}}),
        "counts": ({"pairs": 3, "nested": {"inner": 2.5}, "text": "left out"}, {"pairs": 12}),
        "many counts": ({f"count number {n:02}": n for n in range(12)},) * 2,
        "two classes": ({"confusion": {"OK": {"OK": 7, "BAD": 2}, "BAD": {"BAD": 4}}}, {}),
        "six classes": (
            {"confusion": {g: {t: 10 * i + j for j, t in enumerate(classes)} for i, g in enumerate(classes)}},
            {},
        ),
        "units": ({"worst_units": units}, {"worst_units": units[:1]}),
        "not computed": ({"not_computed": {"worst_units": "1000 units"}}, {}),
    }
    tables = {}
    for what, both in cases.items():
        results = [Result(value=value, details=each) for value, each in zip((0.5, 0.25), both, strict=True)]
        submissions = [scored(name, n, {"pearson": each}) for n, name, each in zip((1, 2), "ab", results, strict=True)]
        tables |= numbered(what, explanations(evaluation_of(submissions)))
    tasks = {"en-de": Result(value=0.5, details={"pairs": 3}), "zh-en": Result(value=0.25, details={"pairs": 9})}
    apart = evaluation_of([scored("a", 1, {"pearson": Result(value=0.375, tasks=tasks)})])
    tables |= numbered("each task", explanations(apart))
    snapshot("explanations.txt", whole(tables))
    assert max(len(line) for table in tables.values() for line in as_text(table).splitlines()) <= 120


@pytest.mark.parametrize(
    ("shares", "coverage", "ranks"),
    [
        ((1.0,), 0.95, (1, 1)),
        ((0.025, 0.95, 0.025), 0.95, (2, 2)),
        ((0.026, 0.95, 0.024), 0.95, (1, 2)),
        ((0.97, 0.0, 0.03), 0.95, (1, 3)),
        ((0.0, 0.5, 0.5, 0.0), 0.95, (2, 3)),
        ((0.1,) * 10, 0.95, (1, 10)),
        ((2.0, 2.0), 0.95, (1, 2)),
        ((), 0.95, None),
        ((0.0, 0.0), 0.95, None),
        ((math.nan, math.nan), 0.95, None),
        ((0.2, 0.6, 0.2), 0.5, (2, 2)),
    ],
)
def test_central_ranks_leave_out_half_of_the_rest_on_either_side(shares, coverage, ranks):
    assert central_ranks(shares, coverage=coverage) == ranks


def test_values_in_words():
    rules = {True: "true", ("a", "b"): "a, b", None: ""}
    assert {value: rule_text(value) for value in rules} == rules
    assert rule_text({"en-de": 0.5}) == "en-de 0.5"
    assert rule_text([{"metric": "mcc", "weight": 1}]) == "(metric mcc, weight 1)"


PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


def test_the_grid_of_the_paper():
    assert grid_text(PAPER).splitlines() == [
        "  A B C D E B F G",
        "D · · · ○ · · · ·",
        "A ■ · · · · · · ·",
        "B · ■ · · · ○ · ·",
        "C · · ■ · · · · ·",
        "D · · · ■ · · · ·",
        "X · · · · · · · ·",
        "B · ○ · · · ■ · ·",
        "F · · · · · · ■ ·",
        "G · · · · · · · ■",
        "",
        "■ matched  ○ equal words, not matched",
    ]


def test_a_barrier_and_signs_for_old_terminals():
    lines = grid_text(TWO, encoding="ascii").splitlines()
    assert lines[:5] == ["  a b c   d e", "a # . . | . .", "b . o . | . .", "d . . . | # .", "e . . . | . #"]
    assert grid_text(Alignment(("é",), (("é",),), ()), encoding="ascii").splitlines()[1] == "? o"


def test_long_wide_and_strange_words():
    alignment = Alignment(("一二", "b\x1b", "abcdefghijklmnopq"), (("abcdefghijklmnopq", "一二"),), ())
    lines = grid_text(alignment).splitlines()
    assert len(lines) == 14 + 3 + 2
    assert "".join(line[18:19] for line in lines[:14]) == "abcdefghijkl.."
    assert lines[12:14] == [" " * 18 + ".一", " " * 18 + ".二"]
    assert lines[14:17] == ["             一二 · ○", "            b\\x1b · ·", "abcdefghijklmnopq ○ ·"]


def test_a_narrow_terminal_cuts_the_columns():
    parts = grid_text(PAPER, width=10).split("\n\n")
    assert [part.splitlines()[0].split() for part in parts[:-1]] == [list("ABCD"), list("EBFG")]
    assert max(len(line) for part in parts[:-1] for line in part.splitlines()) <= 10


def test_empty_sides():
    assert grid_text(Alignment((), (("a",),), ())) == "the candidate has no word\n"
    assert grid_text(Alignment(("a",), ((),), ())) == "the references have no word\n"


def test_caption():
    assert grid_caption(PAPER, [("precision", 5 / 9), ("recall", 0.625)]) == (
        "precision 0.556, recall 0.625, 2 blocks of 4 + 3 words"
    )
    assert grid_caption(TWO, []) == "2 blocks of 0.5 + 2 words"
    assert grid_caption(Alignment((), ((),), ()), [("gtm_f", 0.0)]) == "gtm_f 0.000, no block"


def test_records_read_back_to_the_last_bit(evaluation_of, scored, pair):
    third = Result(value=1 / 3, low=0.1 + 0.2, high=math.inf, tasks={"en-de": Result(value=2 / 3)})
    made = evaluation_of([scored("a", 1, {"pearson": third})], [pair("a", "b", 1 / 7)])
    rows = list(csv.DictReader(as_tsv(score_records(made)).splitlines(), delimiter="\t"))
    assert [row["task"] for row in rows] == ["", "en-de"]
    assert float(rows[0]["value"]) == 1 / 3
    assert float(rows[0]["low"]) == 0.1 + 0.2
    assert [rows[0]["high"], rows[1]["low"]] == ["", ""]
    (row,) = csv.DictReader(as_tsv(comparison_records(made)).splitlines(), delimiter="\t")
    assert float(row["p"]) == 1 / 7
    assert row["significant"] == "false"


def side(values, **more):
    return UnitValues(name="a", ids=np.arange(len(values)), values=values, **more)


def test_numbers():
    assert found_in(side(np.array([3.0, np.nan, -1.0]))) == {"segments": 3, "lowest": -1.0, "highest": 3.0}
    assert found_in(side(np.array([np.nan]))) == {"segments": 1}
    assert found_in(side(np.empty(0))) == {"segments": 0}


def test_ragged_values():
    offsets = np.array([0, 2, 3])
    tags = SentenceTags(np.array([0, 1, 0], np.int8), offsets)
    assert found_in(side(tags)) == {"segments": 2, "OK": 2, "BAD": 1}
    numbers = Ragged(np.array([0.5, 0.25, 1.0]), offsets)
    assert found_in(side(numbers)) == {"segments": 2, "tokens": 3, "lowest": 0.25, "highest": 1.0}
    assert found_in(side(Ragged(np.zeros((3, 3), np.int64), offsets))) == {"segments": 2, "spans": 3}
    assert found_in(side(Ragged(np.empty(0), np.array([0, 0])))) == {"segments": 1, "tokens": 0}


def test_a_table(capsys):
    note = Dropped("", "line", 2, "of another TYPE")
    stated = {"parameters": 560145557.0}
    parts = [
        Submitted(part="en-cs", answers=side(np.ones(2), stated=stated), dropped=(note,)),
        Submitted(answers=side(np.empty(0), stated=stated), dropped=(note,)),
    ]
    print_table(submitted_table(parts, "t", heading="language pair", checked="not compared"))
    printed = capsys.readouterr().out
    assert printed.count("stated: parameters 560145557\n") == 1
    assert printed.count("noted: 2 lines, of another TYPE\n") == 1
    assert "not named" in printed
    (table,) = [submitted_table(parts[1:], "t", heading="language pair", checked="")]
    assert [column.title for column in table.columns] == ["submission", "segments"]


@pytest.mark.parametrize(("rule", "says"), [("clusters", True), ("separated", False)])
def test_what_a_border_of_clusters_claims(evaluation_of, scored, rule, says):
    made = evaluation_of([scored(f"s{n}", n, {"pearson": 1 / n}, cluster=n) for n in (1, 2, 3)])
    rules = {**made.signature.rules, "ranking": rule}
    made = attrs.evolve(made, signature=attrs.evolve(made.signature, rules=rules))
    assert any(note.startswith("official cluster: a border says") for note in leaderboard(made).notes) == says


@pytest.mark.parametrize(
    ("values", "high", "marks"),
    [
        ([0.3, 0.2, 0.25], True, [False, False, True]),
        ([0.3, 0.2, 0.25], False, [False, True, False]),
        ([0.2, math.nan, 0.3], True, [False, False, True]),
        ([0.3, 0.1 + 0.2], True, [False, False]),
        ([math.nan, 0.1], True, [False, False]),
        ([], True, []),
    ],
)
def test_order_is_compared_with_the_value_above(values, high, marks):
    assert out_of_order(values, high) == marks


def test_clusters_of_rules_that_only_find_winners_are_called_winners():
    title, in_words = cluster_column([1, 2, None])
    assert (title, in_words(1), in_words(2), in_words(None)) == ("official winner", "yes", "no", "")
    title, in_words = cluster_column([1, 3, None])
    assert (title, in_words(3), in_words(None)) == ("official cluster", "3", "")


def test_equal_warnings_of_several_tasks_are_one():
    warnings = ["'t' on a: few: units", "other", "'t' on b: few: units", "'t' on b: many", "'s' on a: few: units"]
    assert gathered_warnings(warnings, ["a", "b"]) == [
        "'t' on a, b: few: units",
        "other",
        "'t' on b: many",
        "'s' on a: few: units",
    ]


def test_every_place_of_the_name_of_a_task():
    warnings = [
        *(f"{task}: c is constant" for task in ("a", "a b", "c", "a")),
        *(f"1 of 3 pairs{on} cannot be tested: few on a" for on in ("", " on a", " on a b")),
    ]
    assert gathered_warnings(warnings, ["a", "a b", "c"]) == [
        "a, a b, c: c is constant",
        "1 of 3 pairs cannot be tested: few on a",
        "1 of 3 pairs on a, a b cannot be tested: few on a",
    ]


def test_many_tasks_are_counted():
    tasks = [f"task {i}" for i in range(100)]
    assert gathered_warnings([f"x on {task}: y" for task in tasks], tasks) == [
        "x on task 0, task 1 and 98 more tasks: y"
    ]


@pytest.mark.parametrize("warning", ["", "on", "based on a: b", "a on ", "x on a:"])
def test_a_warning_about_no_task_stays_as_it_is(warning):
    assert gathered_warnings([warning], ["task"]) == [warning]
