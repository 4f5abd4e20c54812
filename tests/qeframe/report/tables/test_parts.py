"""The table of the parts of a task set, and the same for programs."""

import attrs
import pytest

import qeframe
from qeframe.core.task import Submission
from qeframe.report import as_latex, as_markdown, as_text, leaderboard, part_records, parts_table
from qeframe.report.html.panel_scores import scores_of_panels
from tests.qeframe.assembly.made_sets import WMT23, profile, task, two_pairs


@pytest.fixture(scope="module")
def evaluation(registry):
    return qeframe.evaluate(profile(registry, WMT23), two_pairs(), registry=registry)


def test_a_column_for_each_part_with_cluster_and_score(evaluation):
    table = parts_table(evaluation)
    assert [column.title for column in table.columns][:4] == [
        "submission",
        "overall ↑",
        "pairwise_accuracy ↑",
        "system_pearson ↑",
    ]
    assert [head[0] for head in table.heads] == ["language pairs", "level", "weight", "scale"]
    assert table.heads[0][2:5] == ("en-de, he-en", "en-de", "he-en")
    assert table.heads[3][1:5] == ("", "", "-1..1 → 0..1", "-1..1 → 0..1")
    first = table.rows[0]
    score = evaluation.parts[0].submissions[first[0].text]
    assert first[2].text == f"{score.value:.3f} ({score.cluster})"
    assert first[2].strong == (score.cluster == 1)
    for written in (as_markdown(table), as_latex(table), as_text(table)):
        assert "0.250" in written or "0.25" in written


def test_ranks_without_a_test_and_gaps_of_absent_submissions(registry):
    tasks = [task("en-de", 1), task("he-en", 2, absent=("m1",))]
    evaluation = qeframe.evaluate(profile(registry, WMT23, test='""'), tasks, registry=registry)
    table = parts_table(evaluation)
    assert table.notes[0] == "in brackets: the rank in the part"
    absent = next(row for row in table.rows if row[0].text == "m1")
    assert [cell.text for cell in absent].count("n/a") == 5


def test_selections_are_a_head_where_parts_differ_in_nothing_else(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\nread = {domain = ["", "news"]}'
    tasks = [task("en-de", 1, selection='domain=""'), task("en-de", 2, selection="domain=news")]
    table = parts_table(qeframe.evaluate(profile(registry, parts), tasks, registry=registry))
    assert ("selection", "", 'domain=""', "domain=news") in table.heads


def test_which_levels_are_resampled_together(registry):
    parts = "".join(f'[[parts]]\nmetric = "acc_eq"\nfolder = "{folder}"\n' for folder in ("a", "b", "c"))
    tasks = [task(pair, selection=folder) for pair in ("en-de", "he-en") for folder in ("a", "b", "c")]
    last = tasks[-1]
    batches = {s: attrs.evolve(batch, ids=batch.ids + 50) for s, batch in last.batches.items()}
    made = profile(registry, parts, test='""')
    notes = parts_table(
        qeframe.evaluate(made, [*tasks[:-1], attrs.evolve(last, batches=batches)], registry=registry)
    ).notes
    assert [note for note in notes if "resampled" in note and not note.startswith("warning")] == [
        "resampled in en-de: a, b and c together",
        "resampled in he-en: a and b together; c by itself",
    ]


def test_records_have_every_score(evaluation):
    records = part_records(evaluation)
    assert len(records.rows) == 7 * 3
    names = [column.title for column in records.columns]
    row = dict(zip(names, (cell.text for cell in records.rows[0]), strict=True))
    assert (row["part"], row["pairs"], row["weight"]) == ("all pairs pairwise_accuracy", "en-de,he-en", "0.25")
    assert float(row["value"]) == evaluation.parts[0].submissions[row["submission"]].value
    assert row["details.epsilon"] == "", "a part over several pairs has none"


def test_records_and_panels_have_what_the_metric_of_a_part_reports(evaluation):
    names = [column.title for column in part_records(evaluation).columns]
    rows = [dict(zip(names, (cell.text for cell in row), strict=True)) for row in part_records(evaluation).rows]
    of_part = {row["submission"]: row for row in rows if row["part"] == "en-de acc_eq"}
    for submission in evaluation.submissions:
        details = submission.scores["overall"].tasks["en-de acc_eq"].details
        assert float(of_part[submission.name]["details.epsilon"]) == details["epsilon"]
        assert float(of_part[submission.name]["details.pairs"]) == details["pairs"] > 0
    (panel,) = [scores for scores in scores_of_panels(evaluation) if scores.name == "en-de acc_eq"]
    assert "; pairs 48; " in f"{panel.note}; "
    assert "epsilon" not in next(s for s in scores_of_panels(evaluation) if s.name == "en-de segment_pearson").note


def test_the_leaderboard_has_the_overall_score_alone(evaluation):
    board = leaderboard(evaluation)
    assert not any("acc_eq" in column.title for column in board.columns)
    assert parts_table(attrs.evolve(evaluation, parts=())) is None


def test_a_submission_that_is_not_ranked_has_its_scores_alone(registry):
    tasks = [
        attrs.evolve(each, batches={**each.batches, Submission("thief", "attack"): next(iter(each.batches.values()))})
        for each in two_pairs()
    ]
    table = parts_table(qeframe.evaluate(profile(registry, WMT23), tasks, registry=registry))
    thief, copied = (next(row for row in table.rows if row[0].text.split()[0] == name) for name in ("thief", "m0"))
    assert [cell.text for cell in thief[1:]] == [cell.text.split()[0] for cell in copied[1:]]
