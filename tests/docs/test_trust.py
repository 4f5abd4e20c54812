"""The page on which measures can be trusted: its tables are what is stored, and so is what it says in words."""

from pathlib import Path

import attrs
import pytest

from qeframe.studies import Verdicts
from tests.docs.studies import loaded_study
from tests.schema import check_schema

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "trust.md"
TEXT = " ".join(PAGE.read_text(encoding="utf-8").partition("<!-- data -->")[0].split())


@pytest.fixture(scope="module")
def study():
    return loaded_study("trust")


@pytest.fixture(scope="module")
def rows(study):
    """Return the rows of the measures by data set and measure."""
    return {
        name: {row.metric: row for row in found.data[0].measures}
        for name, found in study.studies(study.stored()).items()
    }


def test_the_tables_are_what_is_stored(study, tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    (tmp_path / PAGE.name).write_text(page, encoding="utf-8")
    study.write(tmp_path, study.stored())
    assert (tmp_path / PAGE.name).read_text(encoding="utf-8") == page
    assert list(study.studies(study.stored())) == [each.name for each in study.DATA_SETS]


def test_stored_studies_keep_the_schema(study):
    for stored in study.stored().values():
        check_schema(stored["study"], "trust")


def test_other_draws_contradict_no_verdict(study, rows):
    for name, measures in rows.items():
        for row, again in zip(measures.values(), study.stored()[name]["again"], strict=True):
            other = Verdicts(
                **{key: tuple(value) if isinstance(value, list) else value for key, value in again.items()}
            )
            assert attrs.evolve(row.verdicts, draws=0) == attrs.evolve(other, draws=0), (name, row.metric)
    assert "no verdict contradicts the first one" in PAGE.read_text(encoding="utf-8")


def named(rows, word):
    return {name: each for name, each in rows.items() if word in name}


def said(*values):
    """Return numbers as the page writes them: with two decimals."""
    return [f"{value:.2f}".replace("0.", ".", 1) for value in values]


def test_what_separates_most_is_easiest_to_game(rows):
    for word, worst in (("QE sentences", "mae"), ("WMT14", "mae"), ("QE words", "f1_ok")):
        for measures in named(rows, word).values():
            assert all(row.verdicts.separated <= measures[worst].verdicts.separated for row in measures.values())
    sentences = {**named(rows, "QE sentences"), **named(rows, "WMT14")}
    assert len(sentences) == 3
    of_mae = [each["mae"].gamed.index for each in sentences.values()]
    of_ok = [each["f1_ok"].gamed.index for each in named(rows, "QE words").values()]
    assert " to ".join(said(min(of_mae), max(of_mae))) == ".29 to .33"
    assert " to ".join(said(min(of_ok), max(of_ok))) == ".43 to .49"
    ranks = [(each["f1_ok"].gamed.rank, each["f1_ok"].gamed.submissions + 1) for each in named(rows, "words").values()]
    assert sorted(ranks) == [(2, 5), (2, 6)]
    correlations = [each[metric].gamed.index for each in sentences.values() for metric in ("pearson", "spearman")]
    assert said(max(correlations)) == [".03"]
    for number in (".29 to .33", ".43 to .49", "second of six, and second of five", "at most .03"):
        assert number in TEXT


def test_words_without_a_model(rows):
    words = list(named(rows, "QE words").values())
    assert said(*sorted(each["f1_mult"].gamed.index for each in words)) == [".02", ".03"]
    assert all(each["f1_mult"].gamed.index == min(row.gamed.index for row in each.values()) for each in words)
    fewer = [each["mcc"].verdicts.separated - each["f1_mult"].verdicts.separated for each in words]
    assert sorted(fewer) == [0, 1]
    assert said(max(each["mcc"].gamed.index for each in words)) == [".19"]


def test_errors_of_tests(rows):
    measured = [row for each in rows.values() for row in each.values()]
    williams = [row.year_error.value for row in measured if row.year_test.startswith("williams") and row.year_error]
    assert " to ".join(said(min(williams), max(williams))) == ".10 to .20"
    assert said(rows["WMT23 metrics, en-de"]["acc_eq"].year_error.value) == [".50"]
    default = [row.default_error for row in measured]
    assert said(max(share.value for share in default)) == [".07"]
    assert all(share.interval()[0] <= 0.05 for share in default)
    for number in (".10 to .20", "in .50", "more than .07"):
        assert number in TEXT


def test_first_places(rows):
    measured = [row for each in rows.values() for row in each.values()]
    reliable = [row.reliability for row in measured]
    assert f"{min(reliable):.2f} to {max(reliable):.2f}" == "0.75 to 1.00"
    single = [row for row in measured if len(row.verdicts.winners) + len(row.verdicts.possible) == 1]
    known = [row for row in measured if row.needed == row.needed]
    unknown = [row for row in known if row.needed_high == float("inf")]
    assert f"under {len(single)} of {len(measured)} measures" in TEXT
    assert f"Under {len(unknown)} of the {len(known)}" in TEXT


def test_winners(study, rows):
    disagree = {name for name, each in rows.items() if len({row.first for row in each.values()}) > 1}
    assert disagree == {*named(rows, "QE sentences"), *named(rows, "WMT14"), "WMT22 QE words, en-cs"}
    data = {name: found.data[0].rank_correlations() for name, found in study.studies(study.stored()).items()}
    assert said(data["WMT22 QE sentences, MQM, en-de"]["spearman", "mae"]) == [".18"]
    assert said(data["WMT22 QE words, en-cs"]["mcc", "f1_ok"]) == ["-.20"]
    assert len(rows["WMT22 QE sentences, MQM, en-de"]["mae"].scores) == 10
