"""The lock: every component is recorded, and each changed number is named with the smallest input that shows it."""

import json
from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import hookimpl
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric, TiePolicy
from qeframe.core.significance import Pairwise, SignificanceTest
from qeframe.core.statistic import additive
from qeframe.kinds.registered import kind_of, registered_kinds
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.spans.batch import Spans
from qeframe.testing.fixed_values import Fixed, fixed_values, same_value
from qeframe.testing.laws.probes import SIZES, fixed_submissions, off_grid_contests, off_grid_submissions
from qeframe.testing.snapshot import changes, lock, read_lock, write_lock
from qeframe_agreement.kendall_tau.concordance import Concordance

RECORDED = read_lock(Path(__file__).parents[1] / "components.json")
"""The numbers of all components of the project."""


class Plugin:
    """A plugin with a metric and a tie policy."""

    def __init__(self, limit=0.5, tie=0.0):
        self.limit, self.tie = limit, tie

    @hookimpl
    def qeframe_metrics(self):
        def rows(batch):
            far = np.abs(batch.predicted - batch.gold) > self.limit
            return np.stack([np.ones(len(batch)), far], axis=1)

        bind = additive(columns=("units", "far"), extract=rows, score=lambda sums: sums[..., 1] / sums[..., 0])
        return [Metric(name="far", summary="", kind=Scores, bind=bind)]

    @hookimpl
    def qeframe_tie_policies(self):
        return [TiePolicy(name="mine", summary="", table=((1, self.tie, -1), (None, None, None), (-1, self.tie, 1)))]


def registry(**options):
    return qeframe.load(extra={"theirs": Plugin(**options)})


@pytest.fixture
def recorded(tmp_path):
    write_lock(lock(registry(), plugins=["theirs"]), tmp_path / "numbers.json")
    return read_lock(tmp_path / "numbers.json")


def test_what_is_recorded(recorded):
    assert set(recorded) == {"metric far", "tie policy mine"}
    assert recorded["metric far"].version == "(given)"
    names = ["scores one unit again", "scores perfect", "scores constant", "scores off the grid", "declared"]
    assert list(recorded["metric far"].values) == [*(f"scores-{size}" for size in SIZES), *names]
    assert recorded["tie policy mine"].values["<="] == "0"


def test_nothing_has_changed(recorded):
    assert changes(recorded, registry(), plugins=["theirs"]) == []


def test_a_changed_number_is_named_with_the_smallest_input(recorded):
    (change,) = changes(recorded, registry(limit=1.5), plugins=["theirs"])
    assert (change.component, change.kind, change.broken) == ("metric far", "changed", True)
    size = int(change.what.split()[1].removeprefix("scores-"))
    batches = {name: submissions[0] for name, submissions in fixed_submissions(Scores).items()}
    assert change.input == kind_of(Scores).plain(batches[f"scores-{size}"])
    far = np.abs(batches[f"scores-{size}"].predicted - batches[f"scores-{size}"].gold)
    assert change.what == (
        f"on scores-{size} {np.mean(far > 0.5):.9g} became {np.mean(far > 1.5):.9g} (recorded of (given))"
    )
    for smaller in (s for s in SIZES if s < size):
        error = np.abs(batches[f"scores-{smaller}"].predicted - batches[f"scores-{smaller}"].gold)
        assert np.mean(error > 0.5) == np.mean(error > 1.5)


@pytest.mark.parametrize("limit", [0.5 * 1.01, 0.5 / 1.01, np.nextafter(0.5, 0)])
def test_a_limit_that_changes_a_little_is_noticed(recorded, limit):
    """One per cent, and > for >=."""
    (change,) = changes(recorded, registry(limit=limit), plugins=["theirs"])
    assert change.component == "metric far"


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_the_large_inputs_have_one_gold_and_different_answers(kind):
    ((name, batches),) = off_grid_submissions(kind.batch).items()
    assert name == f"{kind.batch.__name__.lower()} off the grid"
    first, *others = map(kind.plain, batches)
    assert all(repr(other.get("gold")) == repr(first.get("gold")) for other in others)
    assert all(repr(other["predicted"]) != repr(first["predicted"]) for other in others)


def test_the_large_spans_have_empty_ones_and_more_than_twelve_that_compete():
    (batches,) = off_grid_submissions(Spans).values()
    for side in (batches[0].gold, *(batch.predicted for batch in batches)):
        assert (side.values[:, 0] == side.values[:, 1]).any()
        crowd = side.values[side.row_of_value == 85]
        assert len(crowd) > 12
        assert (crowd[1:, 0] < crowd[:-1, 1]).all()


@pytest.mark.parametrize(
    ("component", "other"),
    [
        ("recall_at_precision", "recall_at_precision(precision=0.85)"),
        ("ece", "ece(bins=12)"),
        ("kendall", "kendall(epsilon=0.1)"),
        ("acc_eq", "acc_eq(epsilon=0)"),
        ("acc_eq", "acc_eq(calibrate=once)"),
        ("acc_eq", "acc_eq(calibrate=always)"),
        ("seqcor", "seqcor(matching=exact)"),
        ("phrase_f1_bad", "phrase_f1_bad(reading=clipped)"),
    ],
)
def test_another_threshold_or_choice_has_other_numbers(component, other):
    everything = qeframe.load()
    values = [
        {f.name: f.value for f in fixed_values(Metric, everything.get(Metric, n)) if f.name != "declared"}
        for n in (component, other)
    ]
    assert values[0] != values[1]


def test_every_choice_and_another_of_each_number_is_recorded():
    """A choice also with the other numbers, since a number may count with that choice alone."""
    present = [change.component for change in changes({}, qeframe.load(), plugins=["qeframe_detection"])]
    names = {name.partition("(")[2] for name in present if "detection_f1" in name}
    choices = {f"at={word}" for word in ("gold_rate", "cross_fitted", "best")} | {
        "of=negative",
        "of=product",
        "strict=true",
    }
    numbers = {"threshold=0.8", "folds=3"}
    given = {frozenset(name.rstrip(")").split(", ")) for name in names if name}
    assert given == {frozenset({one}) for one in choices | numbers} | {frozenset({one, *numbers}) for one in choices}


def test_a_number_that_counts_with_a_choice_alone_is_noticed():
    """Largest matchings are searched where the exponent is above 1, which is no default."""
    with_default, greedy, exact = (
        {f.name: f.value for f in fixed_values(Metric, qeframe.load().get(Metric, f"gtm_f({given})"))}
        for given in ("matching=exact", "exponent=1.3", "matching=exact, exponent=1.3")
    )
    assert with_default == {f.name: f.value for f in fixed_values(Metric, qeframe.load().get(Metric, "gtm_f"))}
    assert greedy["texts off the grid"] != exact["texts off the grid"]
    assert "metric gtm_f(exponent=1.3, matching=exact, budget=10001)" in RECORDED


def test_what_is_declared_is_recorded(recorded):
    assert recorded["metric far"].values["declared"] == (
        "bounds=(-inf, inf); higher_is_better=True; working_scale=identity; smooth=False; degenerate=nan; claims=[]"
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"run": lambda contest, sided: Pairwise(p=np.full(len(contest.pairs[0]), 0.21))},
        {"remarks": lambda contest, sided: ["few units"] if sum(contest.sizes) <= 50 else []},
        {"on_differences": lambda contest, level: (*np.full((2, len(contest.pairs[0])), 0.1), "")},
        {"on_significant": lambda contest, pairs: {0: "less certain"}},
        {"on_intervals": lambda contest: [{"few_units": {"share": 0.91}} for _ in contest.oriented]},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_a_test_says_and_its_intervals_are_recorded(changed):
    first = SignificanceTest(
        name="mine",
        summary="",
        needs="bind",
        run=lambda contest, sided: Pairwise(p=np.full(len(contest.pairs[0]), 0.2)),
        remarks=lambda contest, sided: ["few units"] if sum(contest.sizes) < 50 else [],
        on_differences=lambda contest, level: (*np.zeros((2, len(contest.pairs[0]))), ""),
        on_significant=lambda contest, pairs: {},
        on_intervals=lambda contest: [{"few_units": {"share": 0.9}} for _ in contest.oriented],
    )
    before, after = (
        {f.name: f.value for f in fixed_values(SignificanceTest, test)}
        for test in (first, attrs.evolve(first, **changed))
    )
    differ = {name for name in before if before[name] != after[name]}
    words = {"run": "-sided", "on_differences": "intervals of "}
    assert differ
    assert all(words.get(next(iter(changed)), "said of ") in name for name in differ)


def test_tests_are_recorded_on_contests_of_every_kind():
    probe = kind_of(Scores).probe
    contests = dict(off_grid_contests(probe, smooth=False))
    assert [sum(contest.sizes) for contest in contests.values()] == [40, 40, 7, 20, 50, 100, 60, 30, 65]
    assert {contest.working_scale for contest in contests.values()} == {"identity", "arctanh"}
    assert not contests["scores not smooth"].smooth
    assert np.isnan(contests["scores degenerate"].oriented).tolist() == [False, True, True, *[False] * 4]
    (_, values), *_ = (
        each for each in off_grid_contests(kind_of(Values).probe, smooth=True) if "degenerate" in each[0]
    )
    assert np.diff(values.jackknife()[:, 1:3]).ravel().tolist() == [2.0] * 30, "a difference without an error"
    assert len(contests["scores of two tasks"].by_task()) == 2
    assert set(contests) - set(dict(off_grid_contests(probe, smooth=True))) == {"scores not smooth"}


def test_scores_with_each_unit_left_out_are_recorded():
    """As a statistic computes them by itself."""
    tau = qeframe.load().get(Metric, "tau_b")

    class Other(Concordance):
        def jackknife(self):
            return super().jackknife() + 0.01

    def bind(batch):
        statistic = tau.bind(batch)
        return attrs.evolve(statistic, groups=tuple(Other(g.variant, g.x, g.y) for g in statistic.groups))

    name = "grid off the grid"
    values = [
        {f.name: f.value for f in fixed_values(Metric, metric)}[name] for metric in (tau, attrs.evolve(tau, bind=bind))
    ]
    assert values[0] != values[1]


def test_an_input_that_is_gone_is_a_change(recorded):
    policy = recorded["tie policy mine"]
    more = attrs.evolve(policy, values={**policy.values, "another setting": "0.5"})
    (change,) = changes({**recorded, "tie policy mine": more}, registry(), plugins=["theirs"])
    assert change.what == "on another setting 0.5 became nothing (recorded of (given))"


def test_a_changed_table_is_named_with_its_cell(recorded):
    (change,) = changes(recorded, registry(tie=-1.0), plugins=["theirs"])
    assert change.what == "on <= 0 became -1 (recorded of (given))"
    assert change.input == {"human": "<", "metric": "="}


def test_what_is_new_and_what_is_gone(recorded):
    there = changes({"metric near": recorded["metric far"]}, registry(), plugins=["theirs"])
    assert [(c.component, c.kind, c.broken) for c in there] == [
        ("metric far", "new", False),
        ("metric near", "gone", True),
        ("tie policy mine", "new", False),
    ]


def test_borrowed_numbers_are_compared_with_the_same_version_only():
    pytest.importorskip("sacrebleu")
    borrowing = {name.partition("(")[0] for name, one in RECORDED.items() if one.borrows}
    assert borrowing == {
        "metric bleu",
        "metric chrf",
        "metric sentence_bleu",
        "metric ter",
    }  # ter with options of sacrebleu's
    older = attrs.evolve(RECORDED["metric bleu"], borrows={"sacrebleu": "1.0"}, values={})
    change = changes({"metric bleu": older}, qeframe.load(), plugins=["qeframe_texts"])[0]
    assert (change.component, change.kind, change.broken) == ("metric bleu", "not compared", False)
    assert change.what.startswith("recorded with sacrebleu 1.0, here is sacrebleu ")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("0.333333333", "0.333333334", True),
        ("0.333333333", "0.33333335", False),
        ("nan 1", "nan 1", True),
        ("nan", "0", False),
        ("0", "1e-13", True),
        ("1 2", "1", False),
        ("1", "1 2", False),
        ("#abc", "#abd", False),
        ("DataError", "0.5", False),
    ],
)
def test_when_values_are_the_same(before, after, same):
    assert same_value(before, after) is same


@pytest.mark.parametrize(
    ("value", "written"), [(1 / 3, "0.333333333"), (-1e-17, "0"), (np.nan, "nan"), ([1, 2.5], "1 2.5"), (np.inf, "inf")]
)
def test_how_values_are_written(value, written):
    assert Fixed(name="", compute=lambda: value, plain={}).value == written


def test_what_is_no_number_is_a_digest_that_rounding_leaves_alone():
    def of(value):
        return Fixed(name="", compute=lambda: value, plain={}).value

    assert of([["a"], [0.1 + 0.2]]) == of([["a"], [0.3]]) != of([["b"], [0.3]])


def test_the_inputs_are_the_same_on_every_machine():
    """The first numbers, written down: from another generator every number would be recorded anew."""
    scores = fixed_submissions(Scores)["scores-3"]
    assert scores[0].gold.tolist() == [-0.375, 1.875, 0.125]
    assert [len(submissions[0]) for submissions in fixed_submissions(Scores).values()] == [2, *SIZES[1:]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no lock file: it is not JSON; 'qeframe lock FILE' writes one"),
        ("[]", "is no lock file of format 1"),
        ('{"format": 2, "components": {}}', "is no lock file of format 1"),
        ('{"format": 1}', "its components are not as written"),
        ('{"format": 1, "components": {"metric far": {"digits": 3}}}', "its components are not as written"),
    ],
)
def test_a_file_that_is_no_lock_file(tmp_path, text, message):
    (tmp_path / "file.json").write_text(text)
    with pytest.raises(DataError, match=message):
        read_lock(tmp_path / "file.json")


def test_one_component_a_line(tmp_path, recorded):
    write_lock(recorded, tmp_path / "file.json")
    lines = (tmp_path / "file.json").read_text().splitlines()
    assert [line.split('"')[1] for line in lines[1:-1]] == ["metric far", "tie policy mine"]
    assert json.loads("\n".join(lines))["format"] == 1
