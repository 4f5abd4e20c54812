"""Measured error rates: the table of promises is that of the stored rates, and pages and components say the same."""

import math
import re
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from calibration_rows import Question, Row, answer, answers, question_of, read_answers, write_answers
from error_rates import Share
from laws import find_law

from qeframe.core.profile_checks import missing_capability
from qeframe.core.registry import Registry
from qeframe.plugin import Correction, Metric, SignificanceTest
from tests.docs.studies import loaded_study

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "calibration.md"
ROWS = read_answers(DOCS / "reference" / "calibration.tsv")


@pytest.fixture(scope="module")
def study():
    return loaded_study("calibration")


def test_the_table_is_that_of_the_stored_rates(study: ModuleType, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (tmp_path / PAGE.name).write_text(page, encoding="utf-8")
    study.write(tmp_path, ROWS)
    assert (tmp_path / PAGE.name).read_text(encoding="utf-8") == page


def test_every_question_has_its_answer(study: ModuleType) -> None:
    asked = [*study.questions(), *study.questions_on_data()]
    assert len(set(asked)) == len(asked)
    assert {question_of(row) for row in ROWS} == set(asked)


def test_every_test_has_rates(registry: Registry) -> None:
    assert {row.test.split("(")[0] for row in ROWS} - OF_SETS == set(registry.names(SignificanceTest))


OF_SETS = {"stated", "valid"}


def test_targets_are_met(study: ModuleType) -> None:
    assert all(target.rows(ROWS) for target in study.TARGETS)
    far = [
        target.what for target in study.TARGETS for row in target.rows(ROWS) if target.distance(row) > study.MOST_ERRORS
    ]
    assert far == []


def test_all_promises_are_kept(study: ModuleType) -> None:
    assert all(promise.rows(ROWS) for promise in study.PROMISES)
    assert [promise.what for promise in study.PROMISES if not promise.holds(ROWS)] == []
    assert "the promise is not kept" not in PAGE.read_text(encoding="utf-8")


def test_a_broken_promise_is_named(study: ModuleType) -> None:
    worse = [attrs.evolve(row, rejected=Share(0.2, 0.01)) for row in ROWS]
    assert not study.PROMISES[0].holds(worse)
    assert any(cell.strong for row in study.promise_table(worse).rows for cell in row)


# What a component says, the cells that it speaks of, and the range that it states.
EQUAL = {"normal", "t3_residuals", "elliptical_t3", "mqm_like", "discrete_gold"}
UNLIKE = {"unequal_residuals", "alternating_t3", "gross_errors"}
GRID = "equal_metrics"
STATED = [
    ("jackknife", "rate .02 to .06", lambda row: row.law not in UNLIKE and not _by_unit(row), 0.02, 0.06),
    ("jackknife", "up to .07 with gross errors", lambda row: row.law == "gross_errors", 0.0, 0.07),
    ("jackknife", "up to .13 between submissions", lambda row: row.law in UNLIKE - {"gross_errors"}, 0.0, 0.13),
    ("bootstrap_t", "rate .025 to .058", lambda row: row.metric == "pearson", 0.025, 0.058),
    ("bootstrap_t", ".04 for DeltaAvg", lambda row: row.metric == "delta_avg", 0.04, 0.04),
    ("two_way_jackknife", "rate .003 to .06", lambda row: True, 0.003, 0.06),
    ("williams", "rate .04 to .05", lambda row: row.law in {"normal", "discrete_gold"}, 0.04, 0.05),
    ("williams", ".10 to .28 with t3 residuals", lambda row: row.law == "t3_residuals", 0.10, 0.28),
    ("williams", ".19 to .46 with elliptical t3", lambda row: row.law == "elliptical_t3", 0.19, 0.46),
    ("williams", ".42 to .52 on scores with many zeros", lambda row: row.law == "mqm_like", 0.42, 0.52),
    ("bootstrap", "rate .03 to .07", lambda row: row.law == "normal", 0.03, 0.07),
    ("bootstrap", ".05 to .10 with long tails", lambda row: row.law in EQUAL - {"normal"}, 0.05, 0.10),
    ("bootstrap", "up to .13 for 20 units", lambda row: row.units == 20, 0.0, 0.13),
    ("randomization", "rate .03 to .06", lambda row: row.law in EQUAL | {"equal_taggers"}, 0.03, 0.06),
    ("randomization", ".01 to .05 if one submission has another scale", lambda row: row.law == "scaled", 0.01, 0.05),
    ("randomization", "up to .08 if only one", lambda row: row.law == "heteroscedastic", 0.0, 0.08),
    ("randomization(standardize=true)", "rate .03 to .07", lambda row: row.units >= 50, 0.03, 0.07),
    ("randomization(standardize=true)", "up to .15 for 20", lambda row: row.units == 20, 0.0, 0.15),
    ("randomization(studentize=true)", "rate .03 to .07", lambda row: row.units >= 50, 0.03, 0.07),
    ("randomization(studentize=true)", "up to .11 for 20", lambda row: row.units == 20, 0.0, 0.11),
    ("exchange", "rate .03 to .07", lambda row: "alternating" not in row.law and "system" not in row.law, 0.03,
     0.07),
    ("exchange", "up to .16 where", lambda row: "alternating" in row.law, 0.0, 0.16),
    ("exchange", "up to .72 on grids", lambda row: "system" in row.law, 0.0, 0.72),
    ("jackknife_and_exchange", "rate .01 to .05", lambda row: "alternating" not in row.law and not _by_unit(row),
     0.01, 0.05),
    ("jackknife_and_exchange", "up to .13 where", lambda row: "alternating" in row.law, 0.0, 0.13),
    ("studentized_exchange", "rate .02 to .06", lambda row: True, 0.02, 0.06),
    ("permutation", "rate .02 to .05", lambda row: "system" not in row.law, 0.02, 0.05),
    ("permutation", "up to .63", lambda row: "system" in row.law, 0.0, 0.63),
    ("permutation(unit=cell)", "rate .05 to .08", lambda row: row.law == GRID, 0.05, 0.08),
    ("permutation(unit=cell)", "up to .15", lambda row: "segment" in row.law, 0.0, 0.15),
    ("permutation(unit=cell)", "up to .39", lambda row: "system" in row.law, 0.0, 0.39),
    ("permutation(unit=cell, standardize=true)", "rate .05 to .08", lambda row: row.law == GRID, 0.05, 0.08),
    ("permutation(unit=cell, standardize=true)", "up to .39", lambda row: "system" in row.law, 0.0, 0.39),
    ("permutation(unit=system)", "rate .04 to .05", lambda row: "segment" not in row.law, 0.04, 0.05),
    ("permutation(unit=system)", "up to .15", lambda row: "segment" in row.law, 0.0, 0.15),
    ("permutation(unit=pair)", "rate .14 at", lambda row: True, 0.14, 0.14),
    ("sign", "within items the false-positive rate is .14", lambda row: row.law == GRID, 0.14, 0.14),
    ("wilcoxon", "rate .05 to .06", lambda row: "documents" not in row.law, 0.05, 0.06),
    ("wilcoxon", ".11 where two units are annotations", lambda row: "documents" in row.law, 0.11, 0.11),
    ("stouffer_wilcoxon", "rate .05 to .06", lambda row: True, 0.05, 0.06),
    ("t_test", "rate .01 at", lambda row: True, 0.01, 0.01),
    ("t_test(paired=true)", "rate .04 to .06", lambda row: True, 0.04, 0.06),
    ("either_t_test", "rate .04 to .06", lambda row: True, 0.04, 0.06),
    ("bca_bootstrap", "rate .06", lambda row: "lognormal" not in row.law, 0.055, 0.06),
    ("bca_bootstrap", "up to .10", lambda row: True, 0.0, 0.1),
    ("bca_bootstrap(replicate=official)", "rate .06", lambda row: "lognormal" not in row.law, 0.055, 0.06),
]  # fmt: skip


def _by_unit(row: Row) -> bool:
    """Return whether units are resampled that depend on each other."""
    return row.law.startswith("values_in_documents") and row.resample == "unit"


@pytest.mark.parametrize(("name", "words", "speaks_of", "low", "high"), STATED)
def test_what_a_test_says_of_itself_is_what_was_measured(registry, name, words, speaks_of, low, high) -> None:
    assert words in registry.get(SignificanceTest, name).measured
    rates = [row.rejected for row in ROWS if row.test == name and not row.correction and speaks_of(row)]
    assert rates
    assert [rate for rate in rates if not low - _slack(rate) <= rate.value <= high + _slack(rate)] == []


def test_every_test_with_rates_says_something(registry: Registry) -> None:
    assert {row.test for row in ROWS} - {name for name, *_ in STATED} - OF_SETS == {"steiger", "meng", "hittner"}
    assert len({registry.get(SignificanceTest, name).measured for name in ("williams", "steiger", "meng")}) == 1


@pytest.mark.parametrize(
    ("words", "metric", "units", "low", "high"),
    [
        (".04 to .06 of data sets of 100 units or more", "pearson", (100, 200), 0.04, 0.06),
        ("up to .08 of those of 50", "pearson", (50,), 0.0, 0.08),
        (".01 to .06 for means of 50 units or more", "mean", (50, 100, 200), 0.01, 0.06),
        (".01 to .06 for means of 50 units or more", "mae", (50, 200), 0.01, 0.06),
    ],
)
def test_what_romano_wolf_says_of_itself_is_what_was_measured(registry, words, metric, units, low, high) -> None:
    assert words in registry.get(Correction, "romano_wolf").measured
    rates = [
        row.rejected
        for row in ROWS
        if row.correction == "romano_wolf" and not row.gaps and row.metric == metric and row.units in units
        if row.law != "gross_errors"
    ]
    assert rates
    assert [rate for rate in rates if not low - _slack(rate) <= rate.value <= high + _slack(rate)] == []


def test_what_the_default_correction_says_of_itself_is_what_was_measured(registry) -> None:
    words = registry.get(Correction, "romano_wolf_and_max_t").measured
    for law, stated, bound in (("", "up to .05", 0.05), ("skewed", "up to .08", 0.08), ("t3", "up to .21", 0.21)):
        assert stated in words
        rows = [row for row in ROWS if row.correction == "romano_wolf_and_max_t"]
        rates = [row.rejected for row in rows if (row.law == f"alternating_{law}" if law else "_t3" not in row.law)]
        kept = [rate for rate in rates if law or rate.value < 0.07]
        assert kept
        assert [rate for rate in kept if rate.value > bound + _slack(rate)] == []


def test_the_table_of_families_has_the_stored_rates() -> None:
    page = (DOCS / "explanation" / "significance.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\.\d+|) \| (\.\d+) \|", page, flags=re.M)
    stored = {(row.law, row.units, row.correction): row.rejected.value for row in ROWS if row.metric == "pearson"}
    assert len(rows) >= 10
    for law, units, before, now in rows:
        assert f"{stored[law, int(units), 'romano_wolf_and_max_t']:.3f}"[1:] == now
        assert not before or f"{stored[law, int(units), 'romano_wolf']:.3f}"[1:] == before


SIGNIFICANCE = DOCS / "explanation" / "significance.md"
EFFECTS = ("", "(segment_effect=1)", "(system_effect=1)", "(segment_effect=1, system_effect=1)")


def _single(test: str, metric: str, law: str, units: int) -> Row:
    (row,) = (
        row
        for row in ROWS
        if (row.test, row.metric, row.law, row.units, row.correction) == (test, metric, law, units, "")
        if row.resample == "unit"
    )
    return row


def _printed(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}"[1:]


def test_the_table_of_what_is_exchanged_has_the_stored_rates() -> None:
    lines = SIGNIFICANCE.read_text(encoding="utf-8").partition("## Which unit?")[2].splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")][:8]
    for test, metric, *rates, runs, _ in table:
        names = [text.partition("`")[2].partition("`")[0] for text in (test, metric)]
        for effect, rate in zip(EFFECTS, rates, strict=True):
            if rate:
                row = _single(*names, f"equal_metrics{effect}", 50)
                bold = "**" if row.rejected.value > 0.065 else ""
                assert (rate, runs) == (f"{bold}{_printed(row.rejected.value)}{bold}", f"{row.runs:,}")


def _table(begin: str) -> list[list[str]]:
    """Return the rows of the table of the page that begins so; an empty first cell repeats the one above it."""
    lines = SIGNIFICANCE.read_text(encoding="utf-8").partition(begin)[2].partition("\n\n")[0].splitlines()[2:]
    rows: list[list[str]] = []
    for line in lines:
        first, *others = (cell.strip(" `") for cell in line.strip("|").split("|"))
        rows.append([first or rows[-1][0], *others])
    return rows


def test_the_table_of_two_way_jackknife_has_the_stored_rates() -> None:
    rates, errors = [], []
    for metric, systems, *cells in _table("| metric | systems | no effects"):
        for effect, cell in zip(EFFECTS, cells, strict=True):
            sized = effect if systems == "10" else f"(systems={systems}{effect and ', '}{effect[1:] or ')'}"
            rows = [_single("two_way_jackknife", metric, f"equal_metrics{sized}", units) for units in (50, 200)]
            assert cell == ", ".join(_printed(row.rejected.value) for row in rows)
            assert {row.runs for row in rows} == {500 if (metric, systems) == ("segment_pearson", "10") else 1000}
            rates += [row.rejected.value for row in rows]
            errors += [row.rejected.error for row in rows]
    said = SIGNIFICANCE.read_text(encoding="utf-8")
    assert f"In the {len(rates)} cells" in said
    assert f"rejects {_printed(min(rates))} to {_printed(max(rates))} of true" in said
    assert f"standard error at most {_printed(max(errors))}" in said


def test_the_table_of_intervals_has_the_stored_rates() -> None:
    errors = []
    for metric, law, units, *cells in _table("| metric | law | units | `jackknife` | default"):
        for test, cell in zip(("jackknife", "jackknife_and_exchange"), cells, strict=True):
            rows = [_single(test, metric, law, int(size)) for size in units.split(", ")]
            shares = [row.covered for row in rows if row.covered is not None]
            assert cell == ", ".join(_printed(share.value) for share in shares)
            errors += [share.error for share in shares]
            long = (test, metric, law) == ("jackknife", "pearson", "normal")
            assert {row.runs for row in rows} <= {500 if metric in {"mcc", "f1_mult"} else 1000, 2000 if long else 1000}
    said = " ".join(SIGNIFICANCE.read_text(encoding="utf-8").split())
    assert f"standard error {_printed(min(errors))} to {_printed(max(errors))}; 1,000 data sets" in said
    gross = [_single("jackknife_and_exchange", metric, "gross_errors", 100).covered for metric in ("pearson", "mae")]
    low, high = sorted(_printed(share.value, 2) for share in gross if share is not None)
    assert f"gross errors they held {low} to {high}." in said


def test_the_table_of_task_sets_has_the_stored_rates() -> None:
    page = (DOCS / "how-to" / "rank-by-a-task-set.md").read_text(encoding="utf-8").partition("<!-- rates -->")[2]
    table = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(table) == 6
    for what, rule, law, units, runs, rate in table:
        metric = "wmt23_metrics" if what == "all parts" else what.split("`")[1]
        row = _single(rule.split("`")[1], metric, law.strip("`"), int(units))
        assert (runs, rate) == (str(row.runs), _printed(row.rejected.value))


def test_sentences_have_the_stored_rates() -> None:
    """Ranges over sizes of one cell of the tables, as the pages say them."""
    said = " ".join((PAGE.read_text(encoding="utf-8") + SIGNIFICANCE.read_text(encoding="utf-8")).split())
    for words, test, law, low, high in (
        ("The jackknife rejects {0} to {1} under `unequal_residuals`", "jackknife", "unequal_residuals", 20, 1000),
        ("and {0} and {1} under `alternating_t3`", "jackknife", "alternating_t3", 100, 500),
        ("in {0} and {1} of them (`alternating_t3`", "jackknife", "alternating_t3", 100, 500),
        ("`exchange` {0} to {1},", "exchange", "alternating_t3", 30, 500),
        ("rejects {0}, .10 and {1} (30, 100 and 500", "jackknife_and_exchange", "alternating_t3", 30, 500),
    ):
        ends = [_printed(_single(test, "pearson", law, units).rejected.value + 1e-9, 2) for units in (low, high)]
        assert words.format(*ends) in said, words
    held = [row.covered.value for row in ROWS if row.law == "lognormal_gold" and row.covered is not None]
    assert f"{_printed(min(held), 2)} to {_printed(max(held), 2)} of data sets (Pearson" in said
    rates = [row.rejected.value for row in ROWS if (row.test, row.metric) == ("bootstrap_t", "pearson")]
    assert f"{_printed(min(rates))} to {_printed(max(rates) + 1e-9)} (Pearson, 50 and 200 units" in said


def test_promises_name_only_what_was_measured(study: ModuleType) -> None:
    columns = [[cell.text for cell in row] for row in study.promise_table(ROWS).rows]
    for promise, (_, laws, _, sizes, *_) in zip(study.PROMISES, columns, strict=True):
        rows = promise.rows(ROWS)
        assert set(re.split(r", (?![^(]*\))", laws)) == {row.law for row in rows}
        assert sizes.split(", ") == [f"{size:,}" for size in sorted({row.units for row in rows})]


def test_the_larger_p_never_claims_more_than_the_jackknife() -> None:
    rates = {(row.test, row.law, row.units): row.rejected.value for row in ROWS if not row.correction}
    both = [key for key in rates if key[0] == "jackknife_and_exchange" and key[1] == "alternating_t3"]
    assert all(rates[key] <= rates["jackknife", *key[1:]] for key in both if ("jackknife", *key[1:]) in rates)


def test_percentile_intervals_of_correlations() -> None:
    covered = [row.covered for row in ROWS if row.test == "bootstrap" and row.metric == "pearson" and row.covered]
    assert all(0.82 <= share.value <= 0.96 for share in covered)


def _slack(rate: Share) -> float:
    """Return three standard errors of the simulation, and half of the last stated digit."""
    return 3 * rate.error + 0.005


def _remade(registry: Registry, row: Row, runs: int) -> tuple[Share, Share]:
    found = answer(attrs.evolve(question_of(row), runs=runs, seed=row.seed + 1), registry)
    if row.gaps:
        assert found.covered is not None
        assert row.covered is not None
        return found.covered, row.covered
    return found.rejected, row.rejected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "metric", "law", "units"),
    [
        ("bootstrap", "mae", "normal", 20),
        ("exchange", "pearson", "zeros_60", 30),
        ("williams", "pearson", "mqm_like", 20),
        ("wilcoxon", "mean", "values_in_documents(length=2, share=0.5)", 200),
        ("sign", "preference_accuracy", "equal_judges", 20),
        ("permutation(unit=cell, standardize=true)", "pairwise_accuracy", "equal_metrics(system_effect=1)", 50),
    ],
)
def test_the_same_seed_gives_the_stored_rate(registry, test, metric, law, units) -> None:
    row = _single(test, metric, law, units)
    assert answer(question_of(row), registry).rejected == row.rejected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "metric", "law", "units", "correction", "gaps"),
    [
        ("jackknife", "pearson", "mqm_like", 50, "", ""),
        ("jackknife", "mcc", "equal_taggers(bad=0.02)", 20, "", ""),
        ("jackknife", "pearson", "normal", 100, "romano_wolf", ""),
        ("jackknife", "mean", "independent_values", 100, "romano_wolf", "all equal"),
    ],
)
def test_stored_rates_are_found_again(registry, test, metric, law, units, correction, gaps) -> None:
    (row,) = (
        row
        for row in ROWS
        if (row.test, row.metric, row.law, row.units) == (test, metric, law, units)
        and (row.correction, row.gaps) == (correction, gaps)
    )
    found, stored = _remade(registry, row, 300)
    assert abs(found.value - stored.value) <= 4 * math.hypot(_error(stored, 300), stored.error)


def _error(rate: Share, runs: int) -> float:
    return math.sqrt(rate.value * (1 - rate.value) / runs)


def test_the_laws_exist(registry: Registry, study: ModuleType) -> None:
    single = [row for row in ROWS if row.test not in OF_SETS]
    for name, metric in {(row.law, row.metric) for row in single if row.law not in study.GIVEN}:
        assert issubclass(find_law(name).kind, registry.get(Metric, metric).kind)


@pytest.mark.parametrize(
    ("test", "laws", "low", "high"),
    [("permutation(unit=system)", {0, 1, 2, 3}, 0.01, 0.08), ("exchange", {0, 1}, 0.04, 0.06)],
)
def test_a_refusal_of_scores_in_steps_says_what_was_measured(registry, study, test, laws, low, high) -> None:
    why = missing_capability(registry.get(Metric, "spa"), registry.get(SignificanceTest, "two_way_jackknife"))
    assert f"{low:.2f} to {high:.2f}".replace("0.", ".") in why.partition(test)[2]
    given = {study.GRIDS[number] for number in laws}
    rows = [row for row in ROWS if row.test == test and row.metric.partition("(")[0] in {"spa", "pairwise_accuracy"}]
    rates = [row.rejected.value for row in rows if not row.correction and row.law in given]
    assert (round(min(rates), 2), round(max(rates), 2)) == (low, high)


# The file of the rates.
PAIR = Question(test="jackknife", metric="mean", law="independent_values", units=20, runs=3, seed=4)


def test_a_cell_is_given_by_words(study: ModuleType) -> None:
    words = ["test=jackknife", "metric=mean", "law=independent_values", "units=20", "runs=3", "seed=4"]
    assert study.cell(words) == PAIR
    assert study.cell([*words[:2], "law=equal_metrics(systems=6)", *words[3:]]).law == "equal_metrics(systems=6)"


def test_answers_are_stored_and_not_measured_again(registry, tmp_path, monkeypatch) -> None:
    store = tmp_path / "rates.tsv"
    family = attrs.evolve(PAIR, correction="romano_wolf(draws=50)")
    asked = [PAIR, attrs.evolve(PAIR, units=21), family, attrs.evolve(family, gaps="gaps of 1")]
    first = list(answers(asked, store, registry))
    assert [row.submissions for row in first] == [2, 2, 10, 10]
    assert [row.covered is None for row in first] == [False, False, True, False]
    monkeypatch.setattr("calibration_rows.answer", None)
    assert repr(list(answers(asked, store, registry))) == repr(first)
    assert {question_of(row) for row in read_answers(store)} == set(asked)


def test_the_file_of_the_rates_is_as_it_is_written(tmp_path: Path) -> None:
    write_answers(tmp_path / "rates.tsv", ROWS)
    assert (tmp_path / "rates.tsv").read_bytes() == (DOCS / "reference" / "calibration.tsv").read_bytes()
