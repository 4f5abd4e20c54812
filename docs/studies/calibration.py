"""Measure the error rates of the built-in tests, and write the calibration page from what was measured.

Run as ``python docs/studies/calibration.py [--page] [--only TEST] [--store FILE] [--data FOLDER]``. Every rate is
stored in ``docs/reference/calibration.tsv`` as soon as it is there, and is not measured again. Then the table of
``calibration.md`` beside it is written. ``--page`` writes it from what is stored. ``--only`` measures a single test, in
the file ``--store``. ``--data`` is a folder with the data of shared tasks: rates on their answers need it. ``--cell
KEY=VALUE ...`` measures one row by its keys in the file, prints it, and stores nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
from attrs import frozen
from calibration_rows import GAPS, Question, Row, answer, answers, read_answers
from error_rates import Share
from laws import Law, exchanged_answers

import qeframe
from qeframe.core.registry import Registry
from qeframe.report import Cell, Column, Table, as_markdown

REFERENCE = Path(__file__).parents[1] / "reference"
STORED = REFERENCE / "calibration.tsv"
PAGE = REFERENCE / "calibration.md"

SEED = 71
"""Other than that of any number that the documentation had before."""

SECOND_SEED = 72
"""Families are measured again with it where their rule is new."""

ALL = (20, 50, 100, 200, 1000)
FEWER = (20, 50, 200)
EQUAL_LAWS = ("normal", "t3_residuals", "elliptical_t3", "mqm_like", "discrete_gold")
TAGGERS = ("equal_taggers", "equal_taggers(bad=0.02)")
VALUES = ("independent_values", "independent_values(law=lognormal)")
ANNOTATED_TWICE = "values_in_documents(length=2, share=0.5)"
"""Segments with two annotations that share half of their variance, each annotation a unit."""
RARE = "uneven_taggers(bad=0.008, spread=1.6)"
"""1 to 2 % of BAD words, most of them in few sentences."""
BOTH = ("jackknife_and_exchange", "romano_wolf_and_max_t")
"""The test and the correction that qeframe chooses."""
SPANS = ("span_f1", "mpp_f", "annotation_f1")
GRIDS = (
    "equal_metrics",
    "equal_metrics(segment_effect=1)",
    "equal_metrics(system_effect=1)",
    "equal_metrics(segment_effect=1, system_effect=1)",
)

OTHER_GRIDS = tuple(
    f"equal_metrics({', '.join([f'systems={systems}', *effects])})"
    for systems in (6, 15)
    for effects in ([], ["segment_effect=1"], ["system_effect=1"], ["segment_effect=1", "system_effect=1"])
)
"""As `GRIDS`, which have 10 systems, with fewer and with more."""


def _pairs(
    tests: Sequence[str],
    metrics: Sequence[str],
    laws: Sequence[str],
    units: Sequence[int],
    runs: int = 2000,
    resample: str = "unit",
) -> list[Question]:
    return [
        Question(test=test, metric=metric, law=law, units=size, runs=runs, resample=resample, seed=SEED)
        for test in tests
        for metric in metrics
        for law in laws
        for size in units
    ]


def _families(test: str, metric: str, laws: Sequence[str], units: Sequence[int], runs: int) -> list[Question]:
    pairs = _pairs([test], [metric], laws, units, runs)
    return [attrs.evolve(one, correction=name) for one in pairs for name in ("holm", "romano_wolf")]


def _again(asked: Sequence[Question]) -> list[Question]:
    return [attrs.evolve(one, seed=SECOND_SEED) for one in asked]


def _rank_sets(test: str, metric: str, laws: Sequence[str], units: int, runs: int) -> list[Question]:
    pairs = _pairs([test], [metric], laws, [units], runs)
    return [attrs.evolve(one, correction="romano_wolf", gaps=name) for one in pairs for name in GAPS]


def _defaults() -> list[Question]:
    """Return the cells of the test and correction that qeframe chooses by itself, and of the parts of both."""
    families = [
        attrs.evolve(one, correction=BOTH[1])
        for metric, laws, units in (
            ("pearson", ["gross_errors"], [30, 100]),
            ("pearson", ["normal", "zeros_60", "zeros_90", "heteroscedastic_t3"], [30, 100, 500]),
            ("pearson", ["near_copies", "many_scales"], [30, 100]),
            ("pearson", ["alternating_t6", "alternating_uniform"], [100]),
            ("pearson", ["alternating_skewed"], [30]),
            ("pearson", ["alternating_t3"], [100, 500]),
            ("mcc", [RARE, "uneven_taggers"], [30, 100]),
            ("f1_mult", [RARE, "uneven_taggers"], [30, 100]),
            ("mae", ["gross_errors", "zeros_60", "zeros_90", "heteroscedastic_t3", "multiplied"], [100]),
        )
        for one in _pairs([BOTH[0]], [metric], laws, units, 1000)
    ]
    by_segment = [
        attrs.evolve(one, correction="max_t(standardize=as_needed)")
        for one in [
            *_pairs(["exchange"], ["pairwise_accuracy"], GRIDS[:2], [100], 500),
            *_pairs(["exchange"], ["spa"], GRIDS[:1], [100], 200),
        ]
    ]
    in_documents = {"mean": "values_in_documents(unequal=true)", "pearson": "scores_in_documents(unequal=true)"}
    by_document = [
        attrs.evolve(one, correction=correction)
        for metric, law in in_documents.items()
        for one in _pairs([BOTH[0]], [metric], [law], [400, 1000], 1000, "document")
        for correction in ("", BOTH[1])
    ]
    ranks = [
        attrs.evolve(one, correction=correction, runs=500 if correction else 1000)
        for metric, laws in (("spearman", ["normal", "zeros_60"]), ("kendall_tau_b", ["normal"]))
        for one in _pairs([BOTH[0]], [metric], laws, [30, 100])
        for correction in ("", BOTH[1])
    ]
    laws = ["normal", "gross_errors", "zeros_60", "zeros_90", "heteroscedastic_t3", "near_copies", "many_scales"]
    unlike = ["alternating_t3", "alternating_uniform"]
    return [
        *_pairs([BOTH[0]], ["pearson"], [*laws, *unlike], [30, 100, 500], 1000),
        *_pairs(["exchange"], ["pearson"], [*laws, *unlike], [30, 100, 500], 1000),
        *_pairs(["studentized_exchange"], ["pearson"], ["normal", "gross_errors"], [30, 100], 1000),
        *_pairs(["exchange"], ["pairwise_accuracy", "spa"], GRIDS[:3], [30, 100], 500),
        *_pairs([BOTH[0]], ["mae"], ["zeros_60", "heteroscedastic_t3"], [30, 100], 1000),
        *_pairs([BOTH[0]], ["mcc", "f1_mult"], [RARE], [30, 100], 500),
        *families,
        *by_segment,
        *by_document,
        *_pairs([BOTH[0]], list(in_documents)[:1], [in_documents["mean"]], [1000], 1000),
        *ranks,
        *_pairs(["stated", "valid"], ["wmt23_metrics"], GRIDS[:2], [40], 500),
        *_pairs(["valid"], ["wmt23_metrics"], GRIDS[3:], [40], 500),
        *_pairs(["jackknife"], ["pearson"], ["alternating_t3"], [100, 500], 1000),
        *(
            attrs.evolve(one, correction=correction)
            for one in _pairs(["jackknife"], ["pearson"], ["gross_errors"], [30, 100], 1000)
            for correction in ("", "romano_wolf")
        ),
    ]


def _intervals() -> list[Question]:
    """Return the cells in which intervals of the jackknife are held against those that qeframe chooses."""
    held = [
        ("pearson", "normal", [30]),
        ("pearson", "zeros_60", [30, 100, 500]),
        ("pearson", "zeros_90", [30, 100, 500]),
        ("pearson", "heteroscedastic_t3", [100]),
        ("mae", "zeros_60", [30, 100, 500]),
        *(("mae", law, [100]) for law in ("zeros_90", "heteroscedastic_t3", "multiplied", "gross_errors")),
    ]
    return [
        *(one for metric, law, units in held for one in _pairs(["jackknife"], [metric], [law], units, 1000)),
        *_pairs(["jackknife"], ["mcc", "f1_mult"], [RARE], [100], 500),
        *_pairs([BOTH[0]], ["mae"], ["zeros_60"], [500], 1000),
        *_pairs([BOTH[0]], ["mae"], ["zeros_90", "multiplied", "gross_errors"], [100], 1000),
    ]


def questions() -> list[Question]:
    """Return all cells of the page, those of what qeframe chooses by itself first."""
    return [
        *_defaults(),
        *_intervals(),
        *_pairs(["jackknife"], ["pearson"], EQUAL_LAWS, ALL),
        *_pairs(["jackknife"], ["pearson"], ["scaled", "heteroscedastic", "unequal_residuals", "lognormal_gold"], ALL),
        *_families("jackknife", "pearson", ["normal", "mqm_like"], [50, 100, 200], 2000),
        *_rank_sets("jackknife", "mean", VALUES, 100, 1000),
        *_rank_sets("jackknife", "pearson", ["normal", "mqm_like"], 400, 500),
        *_pairs(["jackknife"], ["mcc", "f1_bad"], TAGGERS, ALL),
        *_pairs(["jackknife"], ["mae", "rmse"], ["normal", "t3_residuals", "mqm_like"], ALL),
        *_pairs(["jackknife"], ["mean"], VALUES, ALL),
        *_pairs(["jackknife"], ["mean"], ["values_in_documents"], [200, 1000]),
        *_pairs(["jackknife"], ["mean"], ["values_in_documents"], [200, 1000], resample="document"),
        *_families("jackknife", "mean", VALUES, [50, 100, 200], 3000),
        *_again(_families("jackknife", "mean", VALUES, [50, 100, 200], 3000)[1::2]),
        *_again(_families("jackknife", "pearson", ["mqm_like"], [50], 2000)[1:]),
        *(
            attrs.evolve(one, correction=f"romano_wolf(studentize={how})")
            for one in _pairs(["jackknife"], ["mean"], VALUES[:1], [50, 100, 200])
            for how in ("spread", "student")
        ),
        *_families("jackknife", "mae", ["mqm_like"], [50, 200], 2000)[1::2],
        *_pairs(["jackknife"], ["spearman"], ["normal", "t3_residuals", "mqm_like", "discrete_gold"], [20, 50, 200]),
        *_pairs(["jackknife"], ["auroc"], ["equal_detectors"], FEWER, 1000),
        *_pairs(["jackknife"], ["preference_accuracy"], ["equal_judges"], FEWER, 1000),
        *_pairs(["jackknife"], SPANS[:2], ["equal_span_detectors"], [50, 200], 500),
        *_pairs(["jackknife"], SPANS[2:], ["equal_span_detectors"], [50, 200], 2000),
        *_pairs(["williams"], ["pearson"], [*EQUAL_LAWS, "lognormal_gold"], [20, 200, 1000], 1000),
        *_pairs(["steiger", "meng", "hittner"], ["pearson"], ["normal", "mqm_like"], [200], 1000),
        *_pairs(["bootstrap_t"], ["pearson"], ["normal", "mqm_like", "t3_residuals"], [50, 200], 400),
        *_pairs(["bootstrap"], ["pearson"], ["normal", "t3_residuals", "mqm_like"], FEWER, 500),
        *_pairs(["randomization"], ["pearson"], ["normal", "mqm_like", "scaled", "heteroscedastic"], FEWER, 500),
        *_pairs(["randomization(standardize=true)"], ["pearson"], ["mqm_like", "scaled"], FEWER, 500),
        *_pairs(["randomization(studentize=true)"], ["pearson"], ["mqm_like", "scaled"], FEWER, 400),
        *_pairs(
            ["wilcoxon", "stouffer_wilcoxon", "t_test", "t_test(paired=true)", "either_t_test"],
            ["mean"],
            VALUES,
            [50, 200],
            1000,
        ),
        *_pairs(["bca_bootstrap", "bca_bootstrap(replicate=official)"], ["mean"], VALUES, [50, 200], 1000),
        *_pairs(["wilcoxon"], ["mean"], [ANNOTATED_TWICE], [200], 1000),
        *_pairs(["sign"], ["preference_accuracy"], ["equal_judges"], FEWER, 1000),
        *_pairs(["two_way_jackknife"], ["segment_pearson"], GRIDS, [50, 200], 500),
        *_pairs(["two_way_jackknife"], ["segment_pearson"], OTHER_GRIDS, [50, 200], 1000),
        *_pairs(["two_way_jackknife"], ["acc_eq(epsilon=0.2)"], [*GRIDS, *OTHER_GRIDS], [50, 200], 1000),
        *_families("williams", "pearson", ["normal", "mqm_like"], [200], 500)[::2],
        *_pairs(["bootstrap"], ["mcc"], TAGGERS, [20, 200], 500),
        *_pairs(["bootstrap", "randomization"], ["mae"], ["normal"], [20, 200], 500),
        *_pairs(["randomization"], ["mcc"], TAGGERS, [20, 200], 500),
        *_pairs(["permutation"], ["segment_pearson"], GRIDS[:1], [50]),
        *_pairs(["permutation"], ["segment_pearson"], GRIDS[1:3], [50], 300),
        *_pairs(["permutation(unit=cell)", "permutation(unit=system)"], ["segment_pearson"], GRIDS[:3], [50], 300),
        *_pairs(["permutation(unit=pair)", "sign"], ["acc_eq(epsilon=0.2)"], GRIDS[:1], [50], 300),
        *_pairs(["bootstrap_t"], ["delta_avg"], ["normal"], [50], 200),
        *_pairs(["permutation"], ["pairwise_accuracy"], GRIDS[:3], [50, 200], 500),
        *_pairs(["permutation(unit=system)"], ["pairwise_accuracy"], GRIDS, [50], 1000),
        *_pairs(["permutation(unit=system)"], [_SPA], GRIDS[:3], [50], 200),
        *_pairs([_OFFICIAL], ["pairwise_accuracy"], [GRIDS[0], GRIDS[2]], [50], 200),
        *_pairs(["permutation"], [_SPA], GRIDS[:1], [50], 200),
        *_pairs(["bootstrap_t"], ["pairwise_accuracy"], GRIDS[:1], [50], 200),
    ]


_SPA = "spa(test=t_test)"
"""The p-values of systems by t-tests: those by permutation take ten times as long, and differ little."""

_OFFICIAL = "permutation(unit=cell, standardize=true)"
"""The test of the metrics tasks."""


GIVEN = {
    "answers of WMT14 task 1.2": ("wmt14_qe_task1_2", "wmt14-qe-task1.2"),
    "answers of WMT22 MQM en-de": ("wmt22_qe_sentence", "wmt22-qe/mqm"),
}
"""Laws from data: the profile, and the folder among those of all data."""


def questions_on_data() -> list[Question]:
    """Return the cells that need data: the answers of real submissions, exchanged at random."""
    return [
        *_pairs(["jackknife", "williams"], ["pearson"], list(GIVEN), [50, 200, 1000], 1000),
        *_pairs(["bootstrap", "randomization"], ["pearson"], list(GIVEN), [200], 500),
    ]


def from_data(data: Path, registry: Registry) -> dict[str, Law]:
    """Return the laws from data."""
    models = {}
    for name, (profile, folder) in GIVEN.items():
        (task,) = qeframe.read_tasks(qeframe.choose_profile(profile, (), registry), data / folder, registry)
        models[name] = exchanged_answers(list(task.batches.values()), name)
    return models


def measured(only: str, store: Path, data: Path | None) -> Iterator[Row]:
    """Yield the answers to all questions, or to those on one test."""
    registry = qeframe.load()
    given = {} if data is None else from_data(data, registry)
    asked = [*questions(), *(questions_on_data() if given else [])]
    yield from answers([one for one in asked if only in {"", one.test}], store, registry, given=given)


@frozen(kw_only=True)
class Promise:
    """A bound on the rates of cells of the page."""

    what: str
    test: str
    metrics: Sequence[str]
    laws: Sequence[str]
    units: int
    bound: float = 0.065
    correction: str = ""
    covered: bool = False
    sets: bool = False
    only: bool = False
    resample: str = "unit"

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return the cells that the promise is about."""
        return [
            row
            for row in rows
            if (row.test, row.correction, row.resample) == (self.test, self.correction, self.resample)
            and row.metric in self.metrics
            and row.law in self.laws
            and (row.units == self.units or (row.units > self.units and not self.only))
            and bool(row.gaps) == self.sets
            and (row.covered is not None or not self.covered)
        ]

    def rate(self, row: Row) -> Share:
        """Return the rate of a cell that is promised."""
        if self.covered and row.covered is not None:
            return row.covered
        return row.rejected

    def worst(self, rows: Sequence[Row]) -> Row:
        """Return the cell that comes nearest to the bound, or exceeds it most."""
        sign = -1 if self.covered else 1
        return max(self.rows(rows), key=lambda row: sign * self.rate(row).value)

    def holds(self, rows: Sequence[Row]) -> bool:
        """Return whether every cell keeps the bound."""
        value = self.rate(self.worst(rows)).value
        return value >= self.bound if self.covered else value <= self.bound


_LAWS = (*EQUAL_LAWS, "scaled", "heteroscedastic")
_GOLD = ("normal", "t3_residuals", "mqm_like")
_ONE_LAW = ("normal", "gross_errors", "zeros_60", "zeros_90", "heteroscedastic_t3", "near_copies", "many_scales")
PROMISES = (
    Promise(what="Pearson, submissions of one law", test=BOTH[0], metrics=["pearson"], laws=_ONE_LAW, units=30),
    Promise(
        what="families, Pearson, submissions of one law",
        test=BOTH[0],
        metrics=["pearson"],
        laws=_ONE_LAW,
        units=30,
        correction=BOTH[1],
    ),
    Promise(
        what="families, MCC and F1-mult",
        test=BOTH[0],
        metrics=["mcc", "f1_mult"],
        laws=[RARE, "uneven_taggers"],
        units=30,
        correction=BOTH[1],
    ),
    Promise(
        what="grids, new segments of the same systems",
        test="exchange",
        metrics=["pairwise_accuracy", "spa"],
        laws=GRIDS[:2],
        units=30,
    ),
    Promise(what="Pearson, no gross errors", test="jackknife", metrics=["pearson"], laws=_LAWS, units=50),
    Promise(what="Pearson, real answers", test="jackknife", metrics=["pearson"], laws=tuple(GIVEN), units=50),
    Promise(what="Spearman", test="jackknife", metrics=["spearman"], laws=EQUAL_LAWS, units=50),
    Promise(what="MAE and RMSE", test="jackknife", metrics=["mae", "rmse"], laws=_GOLD, units=50),
    Promise(what="means of one value per unit", test="jackknife", metrics=["mean"], laws=VALUES, units=50),
    Promise(what="MCC and F1-BAD, 18 % BAD", test="jackknife", metrics=["mcc", "f1_bad"], laws=TAGGERS[:1], units=50),
    Promise(what="MCC and F1-BAD, 2 % BAD", test="jackknife", metrics=["mcc", "f1_bad"], laws=TAGGERS[1:], units=50),
    Promise(what="AUROC", test="jackknife", metrics=["auroc"], laws=["equal_detectors"], units=50),
    Promise(
        what="accuracy on pairs of answers",
        test="jackknife",
        metrics=["preference_accuracy"],
        laws=["equal_judges"],
        units=50,
    ),
    Promise(
        what="means, 50 documents, resampled by document",
        test="jackknife",
        metrics=["mean"],
        laws=["values_in_documents"],
        units=1000,
        resample="document",
    ),
    Promise(what="F scores of error spans", test="jackknife", metrics=SPANS, laws=["equal_span_detectors"], units=50),
    Promise(what="Pearson", test="bootstrap_t", metrics=["pearson"], laws=_GOLD, units=50),
    Promise(what="DeltaAvg", test="bootstrap_t", metrics=["delta_avg"], laws=["normal"], units=50),
    Promise(
        what="grids, segment_pearson, 10 systems",
        test="two_way_jackknife",
        metrics=["segment_pearson"],
        laws=GRIDS,
        units=50,
    ),
    Promise(
        what="families, means of one value per unit",
        test="jackknife",
        metrics=["mean"],
        laws=VALUES,
        units=50,
        correction="romano_wolf",
    ),
    Promise(
        what="families, Pearson, no gross errors",
        test="jackknife",
        metrics=["pearson"],
        laws=_GOLD,
        units=100,
        correction="romano_wolf",
    ),
    Promise(
        what="rank sets, means and Pearson",
        test="jackknife",
        metrics=["mean", "pearson"],
        laws=[*VALUES, *_GOLD],
        units=100,
        correction="romano_wolf",
        covered=True,
        sets=True,
        bound=0.925,
    ),
    Promise(
        what="intervals of Pearson",
        test="jackknife",
        metrics=["pearson"],
        laws=["normal", "mqm_like", "elliptical_t3"],
        units=100,
        only=True,
        covered=True,
        bound=0.92,
    ),
    Promise(
        what="intervals of Pearson, t3 residuals",
        test="jackknife",
        metrics=["pearson"],
        laws=["t3_residuals"],
        units=100,
        only=True,
        covered=True,
        bound=0.88,
    ),
)
"""What the page promises of the rules that qeframe chooses by itself."""


@frozen(kw_only=True)
class Target:
    """What an implementation of a rule was asked to reach: a range of the rates of cells of the page."""

    what: str
    rule: str
    metrics: Sequence[str]
    laws: Sequence[str]
    units: Sequence[int]
    low: float = 0.0
    high: float = 1.0
    correction: str = ""
    covered: bool = False

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return the cells that the target is about."""
        return [
            row
            for row in rows
            if (row.test, row.correction, row.gaps) == (self.rule, self.correction, "")
            and row.metric in self.metrics
            and row.law in self.laws
            and row.units in self.units
        ]

    def rate(self, row: Row) -> Share:
        """Return the rate of a cell that the target is about."""
        return row.covered if self.covered and row.covered is not None else row.rejected

    def distance(self, row: Row) -> float:
        """Return how far a cell is outside the range, in errors of its simulation; 0 if it is inside."""
        rate = self.rate(row)
        return max(self.low - rate.value, rate.value - self.high, 0.0) / max(rate.error, 1e-9)


MOST_ERRORS = 2.5
"""So many errors of the simulation outside its range a cell still meets a target."""


def _family(
    what: str, laws: Sequence[str], units: Sequence[int], high: float, low: float = 0.0, *metrics: str
) -> Target:
    return Target(
        what=f"families, {what}",
        rule=BOTH[0],
        correction=BOTH[1],
        metrics=metrics or ["pearson"],
        laws=laws,
        units=units,
        low=low,
        high=high,
    )


def _held(what: str, metric: str, law: str, units: Sequence[int], low: float, high: float) -> Target:
    return Target(
        what=f"intervals, {what}",
        rule=BOTH[0],
        metrics=[metric],
        laws=[law],
        units=units,
        low=low,
        high=high,
        covered=True,
    )


TARGETS = (
    _family("gross errors", ["gross_errors"], [30, 100], 0.045),
    _family("one law", ["normal", "zeros_60", "zeros_90", "heteroscedastic_t3"], [30, 100, 500], 0.06),
    _family("MCC and F1-mult, rare BAD", [RARE], [30, 100], 0.05, 0.0, "mcc", "f1_mult"),
    _family("residuals alternate: t6, uniform", ["alternating_t6", "alternating_uniform"], [100], 0.06),
    _family("residuals alternate: skewed", ["alternating_skewed"], [30], 0.10),
    _family("residuals alternate: t3 (not held)", ["alternating_t3"], [100, 500], 0.25, 0.13),
    Target(
        what="exchange alone, a pair",
        rule="exchange",
        metrics=["pearson"],
        laws=_ONE_LAW,
        units=[30, 100, 500],
        low=0.02,
        high=0.075,
    ),
    Target(
        what="grids by segment, a pair",
        rule="exchange",
        metrics=["pairwise_accuracy", "spa"],
        laws=GRIDS[:2],
        units=[30, 100],
        low=0.02,
        high=0.06,
    ),
    Target(
        what="grids by segment, families",
        rule="exchange",
        correction="max_t(standardize=as_needed)",
        metrics=["pairwise_accuracy", "spa"],
        laws=GRIDS[:2],
        units=[100],
        low=0.02,
        high=0.07,
    ),
    _held("MAE", "mae", "zeros_60", [30, 100], 0.93, 0.97),
    _held("F1-mult, rare BAD", "f1_mult", RARE, [100], 0.95, 0.99),
    _held("MCC, rare BAD", "mcc", RARE, [100], 0.94, 0.985),
    _held("Pearson", "pearson", "zeros_90", [100], 0.935, 0.975),
    _held("Pearson", "pearson", "normal", [30], 0.945, 0.975),
)
"""Set before the rules were written, from simulations with other programs."""


def promise_table(rows: Sequence[Row]) -> Table:
    """Return the promises, each with the rate that comes nearest to its bound."""
    kept = [(promise, promise.rate(promise.worst(rows))) for promise in PROMISES if promise.rows(rows)]
    return Table.from_columns(
        "What is promised",
        [
            (Column("of", "left", key=True), [Cell(promise.what) for promise, _ in kept]),
            (Column("on data of", "left"), [Cell(_measured_on(promise, rows)) for promise, _ in kept]),
            (Column("rule", "left"), [Cell(promise.correction or promise.test) for promise, _ in kept]),
            (Column("units"), [Cell(_sizes(promise.rows(rows))) for promise, _ in kept]),
            (Column("promised"), [Cell(_bound(promise)) for promise, _ in kept]),
            (Column("worst"), [Cell(f"{worst.value:.3f}", not promise.holds(rows)) for promise, worst in kept]),
        ],
        strong_means="" if all(promise.holds(rows) for promise, _ in kept) else "the promise is not kept",
    )


def _measured_on(promise: Promise, rows: Sequence[Row]) -> str:
    measured = {row.law for row in promise.rows(rows)}
    return ", ".join(law for law in promise.laws if law in measured)


def _sizes(rows: Sequence[Row]) -> str:
    return ", ".join(f"{size:,}" for size in sorted({row.units for row in rows}))


def _bound(promise: Promise) -> str:
    return f"{'at least' if promise.covered else 'at most'} {promise.bound:g}"


def write(folder: Path, rows: Sequence[Row]) -> None:
    """Write the table of the page in a folder between its marks."""
    begin, end = "<!-- promises -->\n", "<!-- end -->\n"
    page = (folder / PAGE.name).read_text(encoding="utf-8")
    before, rest = page.split(begin)
    table = f"#{as_markdown(promise_table(rows)).rstrip()}"
    (folder / PAGE.name).write_text(f"{before}{begin}\n{table}\n\n{end}{rest.split(end)[1]}", encoding="utf-8")


def cell(words: Sequence[str]) -> Question:
    """Return a question from words ``KEY=VALUE``."""
    given = dict(word.split("=", 1) for word in words)
    return Question(**{key: int(value) if value.isdecimal() else value for key, value in given.items()})


def main() -> None:
    """Measure what is not stored, and write the page."""
    parser = argparse.ArgumentParser(description="Measure error rates, and write the calibration page.")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--store", type=Path, default=STORED)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--cell", nargs="+", metavar="KEY=VALUE")
    given = parser.parse_args()
    if given.cell:
        sys.stdout.write(f"{answer(cell(given.cell), qeframe.load())}\n")
        return
    for row in () if given.page else measured(given.only, given.store, given.data):
        sys.stderr.write(f"{row.test} {row.metric} {row.law} {row.units} {row.correction} {row.gaps}\n")
    if given.store == STORED:
        write(REFERENCE, read_answers(STORED))


if __name__ == "__main__":
    main()
