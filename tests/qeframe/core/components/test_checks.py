"""What an aggregation returns: the values that pass; tests/mistakes has those that do not."""

import sys
import warnings
from threading import Thread

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import DataError, PluginError
from qeframe.core.component import (
    RETURNED,
    Origin,
    StatisticError,
    WrongReturnError,
    at_work,
    check_returned,
    full_name,
    with_origin,
)
from qeframe.core.metric import Metric, segment_scores
from qeframe.core.metric_calls import (
    bind,
    check_scores,
    details,
    exchange_along,
    scores_of_groups,
    stack,
    statistics_at_work,
    unit_scores,
    values,
    vectors,
)
from qeframe.core.ranking import aggregate, rank
from qeframe.core.sample import Sample
from qeframe.core.significance import adjust
from qeframe.plugin import Additive, Aggregation, Correction, Grid, Ranking, RankingInput, RankingRule, Scores


def test_the_aggregate_of_every_draw_passes(registry):
    scores = np.arange(12.0).reshape(2, 3, 2)
    mean = registry.get(Aggregation, "macro")
    assert aggregate(mean, scores, np.ones(2), True).tolist() == scores.mean(axis=-1).tolist()
    scores[0] = 0
    assert scores[0].tolist() == [[0, 0]] * 3


BATCH = Scores.from_plain([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])


def test_what_an_honest_metric_returns_passes(registry):
    pearson, mae = registry.get(Metric, "pearson"), registry.get(Metric, "mae")
    assert bind(pearson, BATCH).units == 3
    assert all(len(side) == 3 for side in vectors(pearson, BATCH))
    assert values(mae, BATCH, "per_unit").tolist() == [0.0, 1.0, 1.0]
    assert unit_scores(mae, bind(mae, BATCH)).tolist() == segment_scores(mae, BATCH).tolist()
    groups = ["a", "b", "a"]
    assert scores_of_groups(mae, bind(mae, BATCH), groups).tolist() == [
        mae.bind(BATCH.take(np.array([g == name for g in groups])))(np.ones(groups.count(name)))
        for name in dict.fromkeys(groups)
    ]
    assert details(attrs.evolve(mae, details=None), BATCH) == {}


def test_a_metric_that_draws_is_found_when_it_is_bound_again(registry):
    drawn = np.random.default_rng(0)
    random = qeframe.metric_from(lambda gold, predicted: drawn.random(), name="lots")
    known = attrs.evolve(registry.get(Metric, "mae"), bind=random.bind, origin=None)
    for metric in (random, known):
        sample = Sample(metrics=(metric,), batches=(BATCH, BATCH), key=())
        with pytest.raises(PluginError, match=r"\(given\): score returned .* for the same submission, expected equal"):
            sample.check_repeated()


def test_repeated_and_undefined_scores_pass(registry):
    constant = Scores.from_plain([1.0, 1.0], [1.0, 1.0])
    for metric in (known := registry.get(Metric, "pearson"), attrs.evolve(known, origin=None)):
        for batch in (BATCH, constant):
            Sample(metrics=(metric,), batches=(batch, batch), key=()).check_repeated()


def of_two_classes(gold, predicted):
    if len(set(gold)) < 2:
        raise ValueError("only one class")
    return float(np.mean(gold == predicted))


@pytest.mark.parametrize("gold", [[1.0, 0.0] * 4, [1.0, *[0.0] * 7], [1.0, 0.0]])
def test_a_metric_that_half_of_the_units_do_not_suffice_for_passes(gold):
    batch = Scores.from_plain(gold, np.round(np.linspace(0, 1, len(gold))))
    Sample(metrics=(qeframe.metric_from(of_two_classes, name="own"),), batches=(batch, batch), key=()).check_repeated()


def test_a_metric_of_the_whole_batch_is_refused_unless_it_says_why():
    def above_median(batch):
        above = batch.predicted > np.median(batch.predicted)
        return Additive(rows=np.stack([above, above + 1.0], axis=1), score=lambda sums: sums[..., 0] / sums[..., 1])

    batch = Scores.from_plain([0.0, 1.0, 2.0, 5.0], [0.0, 2.0, 1.0, 9.0])
    metric = attrs.evolve(qeframe.metric_from(of_two_classes, name="own"), bind=above_median)
    with pytest.raises(PluginError, match=r"with units of weight 0 and .* without for half of the units"):
        Sample(metrics=(metric,), batches=(batch,), key=()).check_repeated()
    excused = attrs.evolve(metric, left_out={"absence": "a threshold of the whole task"})
    Sample(metrics=(excused,), batches=(batch,), key=()).check_repeated()


@pytest.mark.parametrize("scores", [[0.0, 1.0], [np.nan], [1 + 1e-12, -1e-12], []])
def test_scores_within_bounds_up_to_rounding_pass(registry, scores):
    bounded = attrs.evolve(registry.get(Metric, "mae"), bounds=(0, 1))
    assert check_scores(bounded, np.array(scores)).tolist() == pytest.approx(scores, nan_ok=True)


@pytest.mark.parametrize("score", [1.001, -0.001, np.inf])
def test_scores_out_of_bounds_are_refused(registry, score):
    bounded = attrs.evolve(registry.get(Metric, "mae"), bounds=(0, 1))
    with pytest.raises(PluginError, match=r"metric 'mae' of plugin .* returned .*, expected a number from 0 to 1, or"):
        check_scores(bounded, np.array([0.5, score]))


def test_the_metric_of_a_statistic_that_fails_is_found_by_its_position(registry):
    metrics = [registry.get(Metric, name) for name in ("pearson", "mae")]
    said = pytest.raises(PluginError, match=r"^metric 'mae' .* failed in score: KeyError: 1; ")
    with said, statistics_at_work(metrics, 3):
        raise StatisticError(4, KeyError(1)) from KeyError(1)


GIVEN = RankingInput(oriented=np.array([2.0, 1.0]), better=np.zeros((2, 2), dtype=np.bool_))


def _rule(**returned):
    return RankingRule(name="own", summary="", rank=lambda given: Ranking(**returned))


class Clumsy:
    units, unit = 3, "unit"

    def __call__(self, weights):
        return np.zeros(weights.shape[:-1])

    @staticmethod
    def jointly(statistics):
        raise KeyError(len(statistics))

    def along(self, axis, *, standardize):
        raise KeyError(axis)


def test_a_joint_function_and_an_axis_that_fail_are_those_of_the_metric(registry):
    mae = registry.get(Metric, "mae")
    with pytest.raises(PluginError, match=r"metric 'mae' .*failed in score: KeyError: 2"):
        stack([mae], [Clumsy(), Clumsy()])
    with pytest.raises(PluginError, match=r"metric 'mae' .*failed in exchange: KeyError: 'cell'"):
        exchange_along(mae, Clumsy(), "cell", False)


@pytest.mark.parametrize("ranges", [(np.array([1, 2]),), np.array([1, 2]), 3, ()], ids=str)
def test_ranges_are_two_arrays(ranges):
    ranks = np.array([1, 2])
    with pytest.raises(PluginError, match=r"ranges returned .*, expected two arrays, of first and of last ranks"):
        rank(_rule(rank=ranks, cluster=ranks, ranges=ranges), GIVEN)
    assert rank(_rule(rank=ranks, cluster=ranks, ranges=(ranks, ranks)), GIVEN).ranges == (ranks, ranks)


def test_ranks_pass():
    ranks = np.array([1, 2])
    made = rank(_rule(rank=ranks, cluster=np.array([1, 0])), GIVEN)
    ranks[:] = 0  # the rule writes into its array again
    assert made.rank.tolist() == [1, 2]


def test_shares_are_shares():
    wrong = _rule(rank=np.array([1, 2]), cluster=np.ones(2), shares=np.full((2, 2), 1.5))
    with pytest.raises(
        PluginError, match=r"^ranking rule 'own' \(given\): shares returned .*, expected shares of draws"
    ):
        rank(wrong, GIVEN)


def test_adjusted_p_pass_and_p_stays_as_it_was(registry):
    p = np.array([0.01, 0.2])
    assert adjust(registry.get(Correction, "holm"), p).tolist() == [0.02, 0.2]
    p[0] = 0.5
    assert p.tolist() == [0.5, 0.2]


def test_p_may_exceed_1_by_rounding_only():
    def times(factor):
        return Correction(name="times", summary="", adjust=lambda p: p * factor)

    assert adjust(times(1 + 1e-12), np.ones(1))[0] == pytest.approx(1)
    with pytest.raises(PluginError, match=r"^correction 'times' \(given\): adjust returned 1.01, expected p-values"):
        adjust(times(1.01), np.ones(1))


GIVEN_OF_WORK = Correction(name="halve", summary="", adjust=lambda p: p / 2)


def test_a_component_is_named_with_its_class_and_origin(registry):
    assert full_name(GIVEN_OF_WORK) == "correction 'halve' (given)"
    brought = with_origin(GIVEN_OF_WORK, Origin("own", "their-dist", "1.2"))
    assert full_name(brought) == "correction 'halve' of plugin 'own' of distribution 'their-dist 1.2'"
    assert brought == GIVEN_OF_WORK
    assert GIVEN_OF_WORK.origin is None


@pytest.mark.parametrize(
    "error", [DataError("no word"), MemoryError(), KeyboardInterrupt()], ids=["own", "memory", "interrupt"]
)
def test_errors_of_qeframe_a_lack_of_memory_and_an_interrupt_pass(error):
    with pytest.raises(type(error)) as caught, at_work(GIVEN_OF_WORK, "adjust"):
        raise error
    assert caught.value is error


def test_other_errors_become_one_line_with_their_cause():
    said = pytest.raises(PluginError, match=r"^correction 'halve' \(given\) failed in adjust: KeyError: 'x'; ")
    with said as caught, at_work(GIVEN_OF_WORK, "adjust"):
        raise KeyError("x")
    assert isinstance(caught.value.__cause__, KeyError)


def test_what_is_printed_goes_to_standard_error_line_by_line(capsys):
    with at_work(GIVEN_OF_WORK, "adjust"):
        sys.stdout.write("one\ntwo\x1b")
    sys.stdout.write("own\n")
    printed = capsys.readouterr()
    who = "qeframe: correction 'halve' (given) printed: "
    assert (printed.out, printed.err) == ("own\n", f"{who}one\n{who}two\\x1b\n")


def test_warnings_of_numpy_are_errors_and_the_filters_are_restored():
    before = list(warnings.filters)
    said = pytest.raises(PluginError, match=r"lets numpy warn in adjust \(RuntimeWarning: divide by zero")
    with said, at_work(GIVEN_OF_WORK, "adjust"):
        np.ones(1) / np.zeros(1)
    assert warnings.filters == before


def test_another_thread_leaves_standard_output_alone():
    seen = []

    def work():
        with at_work(GIVEN_OF_WORK, "adjust"):
            seen.append(sys.stdout)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [sys.stdout]


# The table of what functions return.
@pytest.mark.parametrize("function", RETURNED)
def test_each_function_of_the_table_returns_numbers_of_its_shape_and_range(function):
    expected = RETURNED[function]
    least = max(expected.low, 0.0)
    good = np.full(3, least)
    assert check_returned(function, good, (3,), most=3).tolist() == good.tolist()
    name = function.partition(",")[0]
    for wrong in (np.zeros(2), "abc", None, [0.0] * 3, np.ma.array(good)):
        with pytest.raises(WrongReturnError, match=rf"^{name} returned .*, expected .*{expected.meaning}"):
            check_returned(function, wrong, (3,), most=3)
    outside = [np.inf, *([expected.low - 1] if np.isfinite(expected.low) else []), *([4.0, 0.5] * expected.whole)]
    for number in outside:
        numbers = np.array([least, number, least])
        if expected.within:
            with pytest.raises(WrongReturnError, match=rf"^{name} returned .*, expected {expected.within.format(3)}$"):
                check_returned(function, numbers, (3,), most=3)
        else:
            assert check_returned(function, numbers, (3,))[1] == number


def test_a_metric_that_draws_in_bind_alone_is_found():
    drawn = np.random.default_rng(0)

    def bind_by_chance(batch):
        factor = drawn.random()
        return qeframe.metric_from(lambda gold, predicted: factor, name="lots").bind(batch)

    metric = attrs.evolve(qeframe.metric_from(lambda gold, predicted: 1.0, name="lots"), bind=bind_by_chance)
    with pytest.raises(PluginError, match="for the same submission, expected equal"):
        Sample(metrics=(metric,), batches=(BATCH,), key=()).check_repeated()


def test_what_is_returned_is_copied():
    p = np.array([0.5, 1.0])
    checked = check_returned("adjust", p, (2,))
    p[:] = 0
    assert checked.tolist() == [0.5, 1.0]


def pearson_of_sums(batch):
    """Return the correlation from raw sums, in which rounding decides whether a constant has one."""
    x, y = batch.gold, batch.predicted
    rows = np.stack([np.ones(len(batch)), x, y, x * x, y * y, x * y], axis=1)

    def score(sums):
        n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
        spread = np.maximum(n * xx - x * x, 0) * np.maximum(n * yy - y * y, 0)
        return np.divide(n * xy - x * y, np.sqrt(spread), out=np.full(n.shape, np.nan), where=spread > 0)

    return Additive(rows=rows, score=score, unit=batch.unit)


@pytest.mark.filterwarnings("ignore::qeframe.core.errors.ResultWarning")
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
@pytest.mark.parametrize("constant", [0.1, 0.7, 3.3])
def test_rounding_in_blocks_of_draws_is_no_mistake(test, constant):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=200) + 5
    answers = {"a": gold + rng.normal(size=200), "b": gold + 2 * rng.normal(size=200), "c": np.full(200, constant)}
    found = qeframe.compare(
        Metric(name="mine", summary="", kind=Scores, bind=pearson_of_sums), gold, answers, test=test, correction="holm"
    )
    assert {(pair.a, pair.b) for pair in found if not np.isnan(pair.p)} >= {("a", "b")}


def test_a_constant_may_be_shared_and_what_is_kept_by_the_gold_may_not():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=(8, 4))
    answers = {name: gold + rng.normal(size=gold.shape) for name in "ab"}
    one, kept = np.ones((1, 1)), {}
    one.flags.writeable = False

    def shared(batch):
        return Additive(rows=np.broadcast_to(one, (len(batch), 1)), score=mean_of_ones, unit=batch.unit)

    def by_gold(batch):
        errors = np.abs(batch.predicted - batch.gold).mean(axis=1)
        return kept.setdefault(batch.gold.tobytes(), Additive(rows=errors, score=mean_of_ones, unit=batch.unit))

    rules = {"test": "bootstrap(draws=99)", "correction": "holm"}
    metric = Metric(name="mine", summary="", kind=Grid, bind=shared)
    assert [pair.difference for pair in qeframe.compare(metric, gold, answers, **rules)] == [0.0]
    with pytest.raises(PluginError, match="bind returned for one submission what it had returned for another"):
        qeframe.compare(attrs.evolve(metric, bind=by_gold), gold, answers, **rules)


def mean_of_ones(sums):
    return sums[..., 0] / 8
