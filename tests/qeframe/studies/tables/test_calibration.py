"""The table of measured error rates."""

import attrs

from qeframe.core.components.loading.registry import Registry
from qeframe.report import (
    as_text,
)
from qeframe.studies import (
    calibration_page,
    calibration_table,
)
from qeframe.studies.calibration import CalibrationRow
from qeframe.studies.simulation import Share
from qeframe.studies.tables.calibration import page_tables

ROW = CalibrationRow(
    test="jackknife",
    metric="mae",
    null="normal",
    units=50,
    submissions=2,
    runs=2000,
    correction="",
    alpha=0.05,
    sided="two",
    rejected=Share(0.048, 0.005, 2000),
    undefined=0.0,
    covered=Share(0.951, 0.005, 2000),
)


def test_rates_with_their_errors() -> None:
    often = attrs.evolve(ROW, null="mqm_like", rejected=Share(0.33, 0.01, 1800), undefined=0.1, covered=None)
    table = calibration_table([ROW, often], "jackknife on mae")
    text = as_text(table)
    assert "0.048 (0.039 to 0.058)" in text
    assert "0.951 (0.941 to 0.960)" in text
    assert "undefined" in text
    assert "share of 2,000 data sets with a true null hypothesis" in text
    assert [cell.strong for row in table.rows for cell in row if "(" in cell.text] == [False, False, True]


def test_a_rate_of_none_of_the_data_sets_has_an_interval() -> None:
    never = attrs.evolve(ROW, rejected=Share(0.0, 0.0, 2000), covered=Share(1.0, 0.0, 2000))
    text = as_text(calibration_table([never], "jackknife"))
    assert "0.000 (0.000 to 0.002)" in text
    assert "1.000 (0.998 to 1.000)" in text
    assert "Wilson" in text


def test_family() -> None:
    family = attrs.evolve(ROW, correction="holm", submissions=10, covered=None)
    text = as_text(calibration_table([family], "jackknife"))
    assert "any false claim among 10 equal submissions, correction holm" in text
    assert "covered" not in text


def test_no_rows() -> None:
    assert calibration_table([], "empty").rows == ()


def test_a_page_has_a_column_for_each_number_of_units() -> None:
    often = attrs.evolve(ROW, null="mqm_like", units=200, rejected=Share(0.33, 0.01, 1800), undefined=0.1, covered=None)
    rejected, covered = page_tables([ROW, often])
    assert [column.title for column in rejected.columns] == ["metric", "null model", "n = 50", "n = 200"]
    assert [[cell.text for cell in row] for row in rejected.rows] == [
        ["mae", "normal", "0.048 (0.039 to 0.058)", ""],
        ["mae", "mqm_like", "", "0.330 (0.309 to 0.352), undefined 0.100"],
    ]
    assert [cell.strong for row in rejected.rows for cell in row] == [False] * 7 + [True]
    assert [[cell.text for cell in row] for row in covered.rows] == [["mae", "normal", "0.951 (0.941 to 0.960)"]]
    assert "2,000 data sets for each cell, seed 0" in rejected.notes[0]


def test_families_and_rank_sets_have_tables_of_their_own() -> None:
    family = attrs.evolve(ROW, correction="holm", submissions=10, covered=None)
    sets = attrs.evolve(family, correction="romano_wolf", gaps="gaps of 1", covered=Share(0.9, 0.01, 900))
    by_family, by_sets = page_tables([family, sets])
    assert [cell.text for cell in by_family.rows[0]] == ["mae", "normal", "holm", "0.048 (0.039 to 0.058)"]
    assert [cell.text for cell in by_sets.rows[0]] == [
        "mae",
        "normal",
        "romano_wolf",
        "gaps of 1",
        "0.900 (0.879 to 0.918)",
    ]
    assert by_sets.rows[0][-1].strong


def test_what_was_resampled_is_stated_if_it_is_not_the_unit() -> None:
    (table, _) = page_tables([ROW, attrs.evolve(ROW, resample="document")])
    assert [[cell.text for cell in row][2] for row in table.rows] == ["unit", "document"]


def test_a_section_for_each_test(registry: Registry) -> None:
    page = calibration_page([ROW, attrs.evolve(ROW, test="williams")], registry)
    assert [line for line in page.splitlines() if line.startswith("## ")] == ["## `jackknife`", "## `williams`"]
    assert page.count("### Equal submissions that are declared different") == 2
