"""Spans below their text: signs by severity, lines for spans that overlap or touch, faults, unknown texts."""

from qeframe.kinds.spans import Spans
from qeframe.report.tables.marked_text import Mark, lanes, marked_text, text_of_marks, visible


def drawn(gold, predicted, text, width=None, **declared):
    return text_of_marks(
        marked_text(Spans.from_plain([gold], [predicted], text=[text], **declared), 0, "ours"), width=width
    )


def test_a_segment():
    found = drawn([(0, 3, "minor"), (4, 7, "major", "accuracy")], [(2, 5, "critical")], "Die alte")
    assert found.splitlines() == [
        "text Die alte",
        "gold ~~~ ===",
        "ours   ###",
        "",
        "gold: 0-3 minor 'Die'",
        "gold: 4-7 major accuracy 'alt'",
        "ours: 2-5 critical 'e a'",
        "~ minor  = major  # critical  ^ an empty span",
    ]


def test_spans_that_overlap_or_touch_are_on_lines_of_their_own():
    marks = [Mark(3, 5, "minor"), Mark(0, 3, "minor"), Mark(1, 2, "major"), Mark(6, 6, "minor")]
    assert lanes(marks) == [[marks[1], marks[3]], [marks[2], marks[0]]]
    assert lanes([]) == []


def test_wide_characters_have_wide_signs():
    assert drawn([(1, 2, "minor")], [], "東京").splitlines()[:3] == ["text 東京", "gold   ~~", "ours"]


def test_a_long_text_is_cut_and_every_part_shows_its_spans():
    lines = drawn([(18, 22, "minor"), (30, 30, "major")], [], "x" * 30, width=25).splitlines()
    assert lines[:3] == ["text " + "x" * 20, "gold                   ~~", "ours"]
    assert lines[4:7] == ["text " + "x" * 10, "gold ~~        ^", "ours"]


def test_a_text_that_is_not_known():
    lines = drawn([(1, 3, "minor")], [(0, 4, "major")], 5).splitlines()
    assert lines[:3] == ["text ·····", "gold  ~~", "ours ===="]
    assert "gold: 1-3 minor" in lines
    assert marked_text(Spans.from_plain([[(1, 3, 0)]], [[]]), 0, "ours").text == "···"


def test_faults_are_named():
    lines = drawn([], [], "abc", omission=(["major"], [None]), instruction_fault=([None], ["minor"])).splitlines()
    assert lines[4:8] == [
        "gold: no span",
        "ours: no span",
        "omission in gold: major",
        "instruction fault in ours: minor",
    ]


def test_control_characters_are_visible():
    assert visible("a\tb\x1b[31m\n") == "a b·[31m "
