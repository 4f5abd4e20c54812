"""The tables of --explain, from details that are made by hand."""

import pytest

from qeframe.evaluation.result import Result
from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.explanations import explanations


@pytest.fixture
def explained(evaluation_of, scored):
    """Return the tables of two submissions with the given details, as text by title."""

    def make(first, second):
        results = (Result(value=value, details=each) for value, each in ((0.5, first), (0.25, second)))
        submissions = [
            scored(name, n, {"pearson": r}) for n, (name, r) in enumerate(zip("ab", results, strict=True), 1)
        ]
        return {table.title: as_text(table) for table in explanations(evaluation_of(submissions))}

    return make


def rows(text):
    return [line.split() for line in text.splitlines()]


def test_no_details_no_tables(explained):
    assert explained({}, {}) == {}


def test_groups_are_sorted_by_their_leading_number(explained):
    scores = {"slices": {"length": {"11-20": 0.25, "1-10": 0.5, "news": 0.75}}}
    tables = explained(scores, {"slices": {"length": {"1-10": 0.125}}})
    found = rows(tables["pearson by length"])
    assert found[2] == ["submission", "news", "1-10", "11-20"]
    assert found[4][0] == "a"
    assert [float(value) for value in found[4][1:]] == [0.75, 0.5, 0.25]
    assert found[5] == ["b", "n/a", "0.125", "n/a"]


def test_counts_are_flat_and_in_parts_that_fit(explained):
    counts = {"pairs": 3, "nested": {"inner": 2.5}, "text": "left out"}
    tables = explained(counts, {"pairs": 12})
    found = rows(tables["pearson: counts"])
    assert found[2] == ["submission", "pairs", "nested", "inner"]
    assert found[4][:2] == ["a", "3"]
    assert found[5] == ["b", "12"]
    many = {f"count number {n:02}": n for n in range(12)}
    widths = [len(line) for text in explained(many, many).values() for line in text.splitlines()]
    assert max(widths) <= 120


def test_confusions_of_two_classes_are_all_shown(explained):
    cells = {"OK": {"OK": 7, "BAD": 2}, "BAD": {"BAD": 4}}
    found = rows(explained({"confusion": cells}, {})["pearson: confusion"])
    assert found[4] == ["a", "7", "2", "4"]


def test_of_many_classes_the_most_frequent_errors_are_shown(explained):
    names = [f"class_{n}" for n in range(6)]
    cells = {gold: {tag: 10 * i + j for j, tag in enumerate(names)} for i, gold in enumerate(names)}
    text = explained({"confusion": cells}, {})["pearson: confusion"]
    assert "class_5 > class_4" in text
    assert "class_5 > class_5" not in text
    assert "most frequent of 30 confusions; evaluation.json has all" in text


def test_units_that_lower_the_score_most(explained):
    first = [{"id": 7, "gain": 0.125}, {"id": 3, "name": "doc:3", "gain": 0.0625}]
    tables = explained({"worst_units": first}, {"worst_units": first[:1]})
    text = tables["pearson: units that lower the score most"]
    assert "7 (0.1250)" in text
    assert "doc:3 (0.0625)" in text
    assert text.count("7 (0.1250)") == 2


def test_what_was_not_computed_is_named_with_the_reason(explained):
    tables = explained({"not_computed": {"worst_units": "1000 units"}}, {})
    text = tables["pearson: left out"]
    assert text.count("not computed") == 2
    assert "worst units" in text
    assert "1000 units" in text


def test_each_task_has_its_own_tables(evaluation_of, scored):
    tasks = {"en-de": Result(value=0.5, details={"pairs": 3}), "zh-en": Result(value=0.25, details={"pairs": 9})}
    evaluation = evaluation_of([scored("a", 1, {"pearson": Result(value=0.375, tasks=tasks)})])
    assert [table.title for table in explanations(evaluation)] == ["pearson, en-de: counts", "pearson, zh-en: counts"]
