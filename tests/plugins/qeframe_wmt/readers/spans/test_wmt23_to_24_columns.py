"""Error spans: the tables of 2023 and 2024."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.profile_files import find_profile
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import spans_2023
from tests.plugins.qeframe_wmt.readings import only as read
from tests.plugins.qeframe_wmt.readings import rows

OLD = Parametric(spans_2023)
HEADER = "123\n456\n1\n"
NAMES = "lp\tmethod\tseg\ttarget\tstarts\tends\ttypes\n"


def line(segment, spans, *, text="abcdefghijklmnop", pair="en-de"):
    return "\t".join([pair, "x", segment, text, *spans.split("|")]) + "\n"


NONE = "-1|-1|no-error"
GOLD = NAMES + line("0", "0|10|major") + line("1", NONE) + line("2", "1 1 4|2 3 9|minor major minor")
ANSWER = HEADER + line("2", "||") + line("0", "5|12|minor") + line("01", "3|3|minor")


def test_the_tables_of_2023(tree):
    tree({"t/gold.tsv": GOLD, "t/submissions/team.x.tsv": ANSWER})
    reading = read(OLD())
    (side,) = reading.submissions
    assert (reading.name, side.name) == ("en-de", "team.x")
    assert (side.ids.tolist(), side.lines.tolist()) == ([2, 0, 1], [4, 5, 6])
    assert rows(reading.gold) == [[[0, 10, 1]], [], [[1, 2, 0], [1, 3, 1], [4, 9, 0]]]
    assert rows(side) == [[], [[5, 12, 0]], [[3, 3, 0]]]
    (batch,) = align(reading).batches.values()
    assert batch.text.tolist() == [16, 16, 16]
    assert reading.groups == {"length": ["1-10"] * 3}


def test_the_checked_value_of_2023(tree, registry):
    tree({"t/gold": NAMES + line("0", "0|10|major"), "t/submissions/a": HEADER + line("0", "5|12|minor")})
    rules = find_profile("wmt23_qe_span", registry)
    found = qeframe.evaluate(rules, align(read(OLD())), registry=registry)
    assert found.submissions[0].scores["span_f1(rule=2023)"].value == pytest.approx(5 / 17)


def test_every_language_pair_is_a_task(tree):
    gold = GOLD + line("0", NONE, pair="zh-en", text="xyz")
    other = HEADER + line("0", "0|1|minor", pair="ZH-EN", text="xyz")
    tree({"t/gold": gold, "t/submissions/a": ANSWER, "t/submissions/b": other})
    readings = OLD().read(Path("t"), "low")
    assert [(r.name, [s.name for s in r.submissions]) for r in readings] == [("en-de", ["a"]), ("zh-en", ["b"])]
    assert [align(r).units for r in readings] == [3, 1]


def test_what_is_lenient_is_declared(tree):
    answer = HEADER + line("0", "0|4|critical", text="other") + line("1", NONE) + line("2", NONE)
    tree({"t/gold": GOLD, "t/submissions/a": answer})
    reading = read(OLD(critical="major", compare="no"))
    assert rows(reading.submissions[0])[0] == [[0, 4, 2]]
    (batch,) = align(reading).batches.values()
    assert batch.text.tolist() == [16, 16, 16]


def test_spans_beyond_the_text_can_be_cut_and_are_counted(tree):
    answer = HEADER + line("0", "5 7 16 300|12 400 17 304|minor minor major minor") + line("1", "16|16|minor")
    tree({"t/gold": GOLD.replace("2 3 9", "2 3 90"), "t/submissions/a": answer + line("2", NONE)})
    reading = read(OLD(beyond="clip"))
    assert rows(reading.submissions[0]) == [[[5, 12, 0], [7, 16, 0], [16, 16, 1]], [[16, 16, 0]], []]
    assert reading.dropped == (
        Dropped("en-de", "span", 1, "cut at the end of the text in the gold"),
        Dropped("en-de", "span", 1, "beyond the end of the text in a"),
        Dropped("en-de", "span", 2, "cut at the end of the text in a"),
    )


def test_missing_segments_follow_the_policy(tree):
    tree({"t/gold": GOLD, "t/submissions/a": HEADER + line("0", NONE) + line("2", NONE)})
    reading = read(OLD())
    with pytest.raises(DataError, match=r"^t/submissions/a: segment 1 is missing in a: 2 of 3 segments"):
        align(reading)
    with pytest.raises(
        DataError, match="'score_as_worst' is not defined for a batch of Spans; use the policy 'drop_for_all'"
    ):
        align(reading, missing="score_as_worst")
    assert align(reading, missing="drop_for_all").units == 2
