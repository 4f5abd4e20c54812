"""Heat maps on the page of a run: which results have one, its shades and its legend."""

import math

import pytest

from qeframe.core.evaluation.result import Result
from qeframe.report.html.evaluation_page import evaluation_page
from qeframe.report.html.score_heat_map import shaded_table
from qeframe.report.tables.heat_maps import heat_maps

NAMES = ("addition", "omission", "nonsense", "copy", "names")


@pytest.fixture
def by_task(evaluation_of, scored):
    """Make an evaluation of two submissions from their scores in tasks, and a third without any."""

    def make(first, second, **more):
        submissions = [
            scored(name, rank, {"pearson": Result(value=0.5, tasks={t: Result(value=v) for t, v in values.items()})})
            for rank, (name, values) in enumerate([("a", first), ("b", second), ("c", {})], 1)
        ]
        return evaluation_of(submissions, tasks={name: {"unit": 9} for name in (*NAMES, "unscored")}, **more)

    return make


FIRST = dict(zip(NAMES, (0.0, 0.25, 0.5, 0.75, 1.0), strict=True))
SECOND = dict(zip(NAMES, (0.1, 0.2, 0.3, math.nan, 0.5), strict=True))


def shades(table):
    return ["".join(cell.shade for cell in cells) for _, cells in table.rows]


def test_scores_by_task(by_task):
    (found,) = heat_maps(by_task(FIRST, SECOND))
    assert (found.by, found.metric, found.rows, found.columns) == ("task", "pearson", NAMES, ("a", "b", "c"))
    assert found.without == 1
    table = shaded_table(found)
    assert shades(table) == ["00n", "11n", "21n", "3nn", "42n"]
    assert [cell.text for cell in table.rows[3][1]] == ["0.75", "n/a", "n/a"]
    assert table.legend[0] == ("0", "0.00 to 0.20")
    assert table.legend[-1] == ("4", "0.80 to 1.00")
    assert table.note == "without a score: 1 more task"


def test_where_lower_is_better_low_scores_are_dark(by_task):
    result = by_task(FIRST, SECOND, higher_is_better={"pearson": False}, higher_in_tasks={"pearson": False})
    table = shaded_table(heat_maps(result)[0])
    assert [row[0] for row in shades(table)] == ["4", "3", "2", "1", "0"]
    assert table.legend[0] == ("0", "0.80 to 1.00")


def test_equal_scores_have_one_shade(by_task):
    table = shaded_table(heat_maps(by_task(dict.fromkeys(NAMES, 0.5), {}))[0])
    assert set(shades(table)) == {"2nn"}
    assert table.legend == [("2", "0.500")]


def test_sections_of_the_primary_metric(evaluation_of, scored):
    details = {"sections": FIRST, "subsets": FIRST | {"more": 0.4}, "confusion": {"a": [1, 2]}}
    submissions = [scored(name, 1, {"pearson": Result(value=0.5, details=details)}) for name in "ab"]
    found = heat_maps(evaluation_of(submissions))
    assert [(one.by, len(one.rows)) for one in found] == [("section", 5), ("subset", 6)]
    alone = heat_maps(evaluation_of(submissions[:1]))
    assert alone == []


def test_few_tasks_have_no_heat_map(by_task, over_tasks):
    assert heat_maps(over_tasks) == []
    few = {name: FIRST[name] for name in NAMES[:3]}
    assert heat_maps(by_task(few, few)) == []


def test_the_page_shows_it_once(by_task):
    page = evaluation_page(by_task({**FIRST, "<b>": 0.3}, SECOND))
    assert page.count('<table class="heat sortable">') == 1
    assert "Heat map by task" in page
    assert "&lt;b&gt;" in page
