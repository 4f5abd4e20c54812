"""Who took part in which tasks, and why not in the others: one line for each team."""

import attrs
import pytest

from qeframe.core.result import Result, ScoredPart
from qeframe.core.task import Dropped, LeftOut
from qeframe.report.tables.left_out import dropped_table, participation, participation_notes

PAIRS = ("km-en", "en-de", "en-cs")


@pytest.fixture
def part_of(evaluation_of, scored):
    """Return an evaluation of teams with the tasks of each, and of what was left out."""

    def make(teams, *left_out, human=(), tasks=PAIRS):
        submissions = [
            attrs.evolve(
                scored(name, 1, {"pearson": Result(value=0.5, tasks=dict.fromkeys(there, Result(value=0.5)))}),
                kind="human" if name in human else "real",
                absent=tuple(task for task in tasks if task not in there),
            )
            for name, there in teams.items()
        ]
        evaluation = evaluation_of(submissions, tasks={task: {} for task in tasks})
        return attrs.evolve(evaluation, left_out=left_out)

    return make


def left_out(name, *files, reason="NaN", by="skip_invalid"):
    return LeftOut(submission=name, files=files, reason=reason, by=by)


def test_one_line_for_each_team(part_of):
    evaluation = part_of(
        {"all": PAIRS, "b": ("en-de",), "A": ("en-de",), "T3": ("km-en", "en-de"), "T6": ("km-en",), "T8": ("en-cs",)},
        left_out("T6", "en-cs/submissions/T6.txt", reason="line 81: 1 column"),
        left_out("T6", "en-de/submissions/T6.txt", reason="line 81: 1 column"),
        left_out("T3", "sent/task_en-cs.txt"),
        left_out("T8", "en-de.txt"),
        left_out("T7", *(f"{pair}/submissions/T7.txt" for pair in reversed(PAIRS)), reason="late", by="exclude"),
        left_out("T9", "word/xx/1", "word/xx/2", reason="", by="exclude"),
    )
    assert participation_notes(evaluation) == [
        "A, b: no submission in km-en, en-cs; ranked in en-de",
        "T3: en-cs left out by --skip-invalid (NaN); ranked in km-en, en-de",
        "T6: en-de, en-cs left out by --skip-invalid (line 81: 1 column); ranked in km-en",
        "T7: km-en, en-de, en-cs left out by --exclude (late)",
        "T8: en-de left out by --skip-invalid (NaN); no submission in km-en; ranked in en-cs",
        "T9: 2 files left out by --exclude (no reason given)",
    ]
    assert {each.submission: each.tasks for each in participation(evaluation)}["T8"] == ("km-en", "en-de")


def test_a_single_task_needs_no_name(part_of):
    evaluation = part_of({"a": ("en-de",)}, left_out("b", "submissions/b.txt"), tasks=("en-de",))
    assert participation_notes(evaluation) == ["b: left out by --skip-invalid (NaN)"]


def test_human_scores_are_scored_and_not_ranked(part_of):
    evaluation = part_of({"a": PAIRS, "refB": ("en-de",)}, human=("refB",))
    assert participation_notes(evaluation) == ["refB: no submission in km-en, en-cs; scored in en-de"]


def test_parts_are_named_by_their_pairs_where_a_file_was_left_out(part_of):
    parts = {"en-de mcc": ("en-de",), "en-de mae": ("en-de",), "all mae": ("en-de", "en-cs")}
    evaluation = part_of({"a": tuple(parts), "b": ()}, left_out("b", "en-de/b.txt"), tasks=tuple(parts))
    scored = tuple(
        ScoredPart(name=name, metric="m", pairs=pairs, weight=1 / 3, scale=(0, 1), submissions={})
        for name, pairs in parts.items()
    )
    assert participation_notes(attrs.evolve(evaluation, parts=scored)) == [
        "b: en-de left out by --skip-invalid (NaN); no submission in all mae"
    ]


def test_a_part_with_a_folder_of_its_own(part_of):
    tasks = ("en-de mae sentence", "en-de mcc word")
    evaluation = part_of({"a": tasks, "b": tasks[:1]}, left_out("b", "word/en-de/submissions/b.txt"), tasks=tasks)
    parts = tuple(
        ScoredPart(name=name, metric="m", pairs=("en-de",), selection=folder, weight=0.5, scale=(0, 1), submissions={})
        for name, folder in zip(tasks, ("sentence", "word, tag_lines(layout=words)"), strict=True)
    )
    assert participation_notes(attrs.evolve(evaluation, parts=parts)) == [
        "b: word/en-de left out by --skip-invalid (NaN); ranked in en-de mae sentence"
    ]


def test_long_lists_are_cut(part_of):
    tasks = tuple(f"t{number}" for number in range(12))
    (line,) = participation_notes(part_of({"a": tasks, "b": ("t0",)}, tasks=tasks))
    assert line == "b: no submission in t1, t2, t3, t4, t5, t6, t7, t8 and 3 more; ranked in t0"


def test_the_table_has_a_row_for_each_line_and_what_was_dropped(part_of):
    evaluation = part_of({"all": PAIRS, "a": ("en-de",), "b": ("en-de",)})
    table = dropped_table(attrs.evolve(evaluation, dropped=(Dropped("en-de", "unit", 2, "no gold"),)))
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["km-en, en-cs", "2", "submissions a, b", "no submission in km-en, en-cs; ranked in en-de"],
        ["en-de", "2", "unit", "no gold"],
    ]
    assert table.notes[0].startswith("submissions that lack a task: ")
