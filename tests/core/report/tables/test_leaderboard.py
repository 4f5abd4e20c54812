"""The leaderboard."""

import math

import attrs
import pytest

from qeframe.evaluation.result import Result
from qeframe.report import (
    central_ranks,
    leaderboard,
)
from qeframe.tasks.task import Dropped


def column(table, title):
    position = [c.title for c in table.columns].index(title)
    return [row[position] for row in table.rows]


def texts(table, title):
    return [cell.text for cell in column(table, title)]


def test_leaderboard_has_all_columns_in_order_and_none_that_counts_wins(evaluation):
    titles = [c.title for c in leaderboard(evaluation).columns]
    assert titles == ["rank", "", "submission", "pearson ↑", "90 % interval", "drawn ranks", "mae ↓"]


def test_leaderboard_shows_values_intervals_ranks_and_undefined_ones(evaluation):
    board = leaderboard(evaluation)
    assert texts(board, "pearson ↑") == ["0.750", "-0.125", "n/a"]
    assert texts(board, "90 % interval") == ["0.500 to 0.875", "", ""]
    assert texts(board, "drawn ranks") == ["1–2", "2–3", ""]
    assert texts(board, "") == ["•", "", ""]


def test_rules_that_no_source_confirms_are_named(evaluation):
    said = "no source confirms these rules"
    assert not any(said in note for note in leaderboard(evaluation).notes)
    unsure = leaderboard(attrs.evolve(evaluation, unconfirmed=("reader", "primary")))
    assert f"{said}: reader, primary; 'qeframe profiles made_up' has notes on each" in unsure.notes


def test_best_value_is_strong_in_the_direction_of_the_metric(evaluation):
    board = leaderboard(evaluation)
    assert [cell.strong for cell in column(board, "pearson ↑")] == [True, False, False]
    assert [cell.strong for cell in column(board, "mae ↓")] == [False, True, False]
    assert board.strong_means


def test_equal_best_values_are_all_strong_and_share_their_rank(evaluation_of, scored):
    tied = evaluation_of([scored(n, 1, {"pearson": 0.1 + 0.2, "mae": 1.0}) for n in "ab"])
    board = leaderboard(tied)
    assert [cell.strong for cell in column(board, "pearson ↑")] == [True, True]
    assert texts(board, "rank") == ["1", "1"]


def test_one_submission_is_best_of_nothing(evaluation_of, scored):
    board = leaderboard(evaluation_of([scored("alone", 1, {"pearson": 0.5, "mae": 0.1})]))
    assert len(board.rows) == 1
    assert board.strong_means == ""
    assert not any(cell.strong for row in board.rows for cell in row)


def test_undefined_comes_last_even_if_ranked_before(evaluation):
    reversed_order = attrs.evolve(evaluation, submissions=evaluation.submissions[::-1])
    assert texts(leaderboard(reversed_order), "rank") == ["1", "2", "3"]
    assert texts(leaderboard(reversed_order), "submission")[-1] == "third"


def test_single_tasks_have_as_many_decimals_as_each_other(evaluation):
    told = []
    for scored, (first, second) in zip(
        evaluation.submissions, [(0.5, 0.05), (0.25, 0.025), (0.125, 0.01)], strict=True
    ):
        whole = Result(value=first, tasks={"en-de": Result(value=first), "de-en": Result(value=second)})
        told.append(attrs.evolve(scored, scores={**scored.scores, "pearson": whole}))
    board = leaderboard(attrs.evolve(evaluation, submissions=tuple(told)))
    assert [texts(board, name)[0] for name in ("en-de", "de-en")] == ["0.500", "0.050"]


def test_submissions_without_any_score_have_no_rank(evaluation):
    scores = {name: Result(value=math.nan) for name in evaluation.metrics}
    blank = [attrs.evolve(s, scores=scores, cluster=None) for s in evaluation.submissions]
    board = leaderboard(attrs.evolve(evaluation, submissions=tuple(blank)))
    assert texts(board, "rank") == ["n/a"] * 3
    assert not any(note.startswith("ranks:") for note in board.notes)


def test_baselines_and_attacks_are_marked_and_explained(evaluation):
    attacked = attrs.evolve(
        evaluation, submissions=(*evaluation.submissions[:2], attrs.evolve(evaluation.submissions[2], kind="attack"))
    )
    board = leaderboard(attacked)
    assert texts(board, "submission") == ["first", "second †", "third ‡"]
    assert {"† baseline", "‡ attack, not ranked; the rank that it would take is in brackets"} <= set(board.notes)
    assert texts(board, "rank") == ["1", "2", "(3)"]
    assert not any("‡" in note for note in leaderboard(evaluation).notes)


def test_an_attack_is_never_the_best(evaluation_of, scored):
    board = leaderboard(
        evaluation_of(
            [
                scored("honest", 1, {"pearson": 0.5, "mae": 0.2}),
                scored("gamed", 1, {"pearson": 0.9, "mae": 0.1}, kind="attack"),
                scored("last", 2, {"pearson": 0.4, "mae": 0.3}),
            ]
        )
    )
    for title in ("pearson ↑", "mae ↓"):
        assert [cell.strong for cell in column(board, title)] == [True, False, False]


def test_clusters_are_numbered_only_where_there_are_more_than_winners_and_others(evaluation):
    assert "cluster" not in [c.title for c in leaderboard(evaluation).columns]
    third = attrs.evolve(evaluation.submissions[2], cluster=3)
    clustered = attrs.evolve(evaluation, submissions=(*evaluation.submissions[:2], third))
    assert texts(leaderboard(clustered), "cluster") == ["1", "2", "3"]


def test_nothing_is_marked_without_a_winner(evaluation_of, scored):
    board = leaderboard(evaluation_of([scored(n, i, {"pearson": 1 / i, "mae": 1.0}) for i, n in enumerate("ab", 1)]))
    assert "" not in [c.title for c in board.columns]
    assert not any("winner" in note for note in board.notes)


def test_notes_count_what_is_dropped_and_end_with_the_signature(evaluation):
    dropped = (Dropped("en-de", "unit", 2, "not answered"), Dropped("", "answer", 1, "extra in x"))
    board = leaderboard(attrs.evolve(evaluation, dropped=dropped, warnings=("few units",)))
    assert "dropped in en-de: 2 units, not answered" in board.notes
    assert "dropped: 1 answer, extra in x" in board.notes
    assert "warning: few units" in board.notes
    assert board.notes[-1] == evaluation.signature.text


def test_every_single_task_of_several_gets_a_column_of_the_primary_metric(evaluation_of, scored):
    def over(first, second):
        parts = {"en-de": Result(value=first), "de-en": Result(value=second)}
        return {"pearson": Result(value=(first + second) / 2, tasks=parts), "mae": 1.0}

    several = evaluation_of([scored("a", 1, over(0.75, 0.25)), scored("b", 2, over(0.125, 0.5))])
    board = leaderboard(several)
    assert texts(board, "en-de") == ["0.750", "0.125"]
    assert [cell.strong for cell in column(board, "de-en")] == [False, True]
    assert "en-de, de-en: pearson in each task" in board.notes


@pytest.mark.parametrize(
    ("shares", "ranks"),
    [
        ((1.0,), (1, 1)),
        ((0.025, 0.95, 0.025), (2, 2)),
        ((0.026, 0.95, 0.024), (1, 2)),
        ((0.97, 0.0, 0.03), (1, 3)),
        ((0.0, 0.5, 0.5, 0.0), (2, 3)),
        ((0.1,) * 10, (1, 10)),
        ((2.0, 2.0), (1, 2)),
        ((), None),
        ((0.0, 0.0), None),
        ((math.nan, math.nan), None),
    ],
)
def test_central_ranks_leave_out_half_of_the_rest_on_either_side(shares, ranks):
    assert central_ranks(shares) == ranks


def test_central_ranks_narrow_with_the_coverage():
    assert central_ranks((0.2, 0.6, 0.2), coverage=0.5) == (2, 2)


def test_tasks_stand_before_their_average_with_their_counts(over_tasks):
    board = leaderboard(over_tasks)
    assert [c.title for c in board.columns] == ["rank", "submission", "en-de", "de-en", "cs-en", "pearson ↑", "mae ↓"]
    assert board.heads == (("", "systems", "4", "5", "", "", ""), ("", "pairs", "12,345", "", "7", "", ""))
    assert texts(board, "cs-en") == ["n/a"] * 3


def test_incomplete_submissions_stand_at_the_bottom_whatever_their_rank(over_tasks):
    board = leaderboard(over_tasks)
    assert texts(board, "submission") == ["a", "b", "c"]
    assert texts(board, "de-en") == ["0.250", "0.125", "n/a"]
    assert "last rows: submissions without a score in some task in which others have one" in board.notes


def test_half_widths_and_marks_of_another_order(over_tasks):
    board = leaderboard(over_tasks)
    assert texts(board, "en-de") == ["0.750±0.020", "0.500±0.020", "0.900±0.020"]
    assert texts(board, "mae ↓") == ["0.500", "≀0.250", "≀0.100"]
    assert any(note.startswith("≀ better than the value above it") and "averages" in note for note in board.notes)
    (note,) = [note for note in board.notes if note.startswith("en-de, ")]
    assert note == "en-de, de-en, cs-en: pearson in each task, ± half the width of its 90 % interval"


def test_a_long_list_of_dropped_names_is_shortened_and_counted(evaluation):
    names = [f"m{k}" for k in range(20)]
    dropped = tuple(Dropped("en-de", "submission", n, f"why: {', '.join(names[:n])}") for n in (7, 20))
    board = leaderboard(attrs.evolve(evaluation, dropped=dropped))
    assert "dropped in en-de: 7 submissions, why: m0, m1, m2, m3, m4, m5, m6" in board.notes
    assert "dropped in en-de: 20 submissions, why: m0, m1, m2, m3, m4, m5 and 14 more" in board.notes


@pytest.mark.parametrize(("count", "columns"), [(8, 8), (9, 0)])
def test_more_than_eight_tasks_have_no_columns(evaluation_of, scored, count, columns):
    tasks = {f"t{i}": {"units": 9} for i in range(count)}
    whole = Result(value=0.5, tasks={name: Result(value=0.5) for name in tasks})
    table = leaderboard(evaluation_of([scored("a", 1, {"pearson": whole})], tasks=tasks))
    assert sum(column.title in tasks for column in table.columns) == columns
    assert any(f"over {count} tasks; with --out, scores.tsv has" in note for note in table.notes) == (columns == 0)
    assert len(table.heads) == (columns > 0)
