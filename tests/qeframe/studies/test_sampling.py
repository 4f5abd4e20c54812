"""Data sets of stated quality, against a loop that builds each of them tag by tag."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from qeframe import Registry, Runner, studies
from qeframe.core.draws import draw_blocks
from qeframe.plugin import CapabilityError, DataError, FloatArray, Metric, Scores, Statistic, Tags
from qeframe.studies.sampling.data_sets import Measured, mixed_task
from qeframe.studies.sampling.least_samples import _effects, _moments, mean_p_of_t_test, sample_metrics, threshold_pairs

NAMES = ("f1_bad", "f1_mult", "f1_weighted", "phrase_f1_bad", "seqcor", "mcc")
KEY = (3, 1)


def task(sentences: int = 9, submissions: int = 3, seed: int = 0) -> list[Tags]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 8, sentences)
    gold = [(rng.random(size) < 0.3).astype(int).tolist() for size in lengths]
    wrong = [[[int(t != (rng.random() < 0.4)) for t in row] for row in gold] for _ in range(submissions)]
    return [Tags.from_plain(gold, side) for side in wrong]


def rows(tags: Tags, side: str) -> list[list[int]]:
    ragged = getattr(tags, side)
    return [part.tolist() for part in np.split(ragged.values, ragged.offsets[1:-1])]


def share(gold: list[list[int]], tagged: list[list[int]], measured: Measured) -> float:
    pairs = [(g, p) for line, other in zip(gold, tagged, strict=True) for g, p in zip(line, other, strict=True)]
    return 100 * sum(p == 1 if measured == "bad" else g != p for g, p in pairs) / len(pairs)


def slow(
    batches: list[Tags], metrics: list[Metric], thresholds: list[float], draws: int, measured: Measured
) -> FloatArray:
    """Build and score every data set by itself, from the random order of its draw."""
    gold, answers, found = rows(batches[0], "gold"), [rows(batch, "predicted") for batch in batches], []
    for block in draw_blocks(KEY, draws, len(gold)):
        rng = block.rng()
        order = rng.permuted(np.broadcast_to(np.arange(len(gold)), (block.draws, len(gold))), axis=1)
        tagger = rng.integers(len(batches), size=order.shape)
        for one, who in zip(order.tolist(), tagger.tolist(), strict=True):
            of_draw = []
            for threshold in thresholds:
                tagged = [list(line) for line in gold]
                for sentence, submission in zip(one, who, strict=True):
                    if share(gold, tagged, measured) >= threshold - 1e-9:
                        break
                    tagged[sentence] = answers[submission][sentence]
                built = Tags.from_plain(gold, tagged)
                of_draw.append([float(metric.bind(built)(np.ones(len(gold)))) for metric in metrics])
            found.append(of_draw)
    return np.array(found)


@pytest.mark.parametrize(("measured", "thresholds"), [("wrong", [5.0, 5.1, 12.0]), ("bad", [25.0, 27.0])])
def test_scores_are_those_of_data_sets_built_one_by_one(
    registry: Registry, measured: Measured, thresholds: list[float]
) -> None:
    metrics = [registry.get(Metric, name) for name in NAMES]
    batches = task()
    found = mixed_task(batches, metrics, measured).draw(thresholds, 12, KEY, Runner())
    assert found == pytest.approx(slow(batches, metrics, thresholds, 12, measured), abs=1e-12)


def test_any_number_of_workers_draws_the_same(registry: Registry) -> None:
    mixed = mixed_task(task(sentences=40), [registry.get(Metric, name) for name in NAMES])
    alone = mixed.draw([8.0, 9.0], 900, KEY, Runner())
    with ThreadPoolExecutor(3) as executor:
        assert np.array_equal(alone, mixed.draw([8.0, 9.0], 900, KEY, Runner(executor)))
    assert alone.shape == (900, 2, len(NAMES))


def test_progress_is_shown_and_an_interruption_passes(registry: Registry) -> None:
    mixed = mixed_task(task(), [registry.get(Metric, "mcc")])
    seen: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mixed.draw([5.0], 1000, KEY, Runner(on_progress=watch))
    assert seen == [(1, 4), (2, 4)]


def test_thresholds_that_no_data_set_has_are_refused(registry: Registry) -> None:
    metric = registry.get(Metric, "mcc")
    with pytest.raises(DataError, match=r"do not reach 99 % even with .* on average; ask for a lower --base"):
        mixed_task(task(), [metric]).draw([5.0, 99.0], 20, KEY, Runner())
    with pytest.raises(DataError, match=r"the gold alone is above 2 %: .* ask for a higher --base"):
        mixed_task(task(), [metric], "bad").draw([2.0], 20, KEY, Runner())


def test_what_cannot_be_mixed_is_refused(registry: Registry) -> None:
    class Fixed:
        units, unit = 9, "sentence"

        def __call__(self, weights: FloatArray) -> FloatArray:
            return weights[..., 0]

    def bind(batch: Tags) -> Statistic:
        return Fixed()

    with pytest.raises(CapabilityError, match="'mcc' is not a score of sums"):
        mixed_task(task(), [attrs.evolve(registry.get(Metric, "mcc"), bind=bind)])
    with pytest.raises(DataError, match="without words"):
        mixed_task([Tags.from_plain([[]], [[]])], [registry.get(Metric, "mcc")])
    with pytest.raises(DataError, match="a batch of Scores does not say which words are marked as errors"):
        mixed_task([Scores.from_plain([0.0, 1.0], [0.0, 1.0])], [registry.get(Metric, "mcc")], "bad")


NAMES_OF_LEAST_SAMPLES = ("f1_bad", "f1_mult", "mcc", "seqcor")
SIZES = (4, 8, 16, 32, 64)


def task_of_least_samples(sentences: int = 60, submissions: int = 3) -> list[Tags]:
    rng = np.random.default_rng(8)
    lengths = rng.integers(4, 12, sentences)
    gold = [(rng.random(size) < 0.3).astype(int).tolist() for size in lengths]
    return [
        Tags.from_plain(gold, [[int(t != (rng.random() < 0.3)) for t in row] for row in gold])
        for _ in range(submissions)
    ]


def literal_p(scores: Any, size: int, repetitions: int) -> tuple[float, float]:
    """Average p of tests between independent samples: the body of the loop. Also its standard error."""
    better, worse = (scores[at][: repetitions * size].reshape(repetitions, size) for at in (0, 1))
    p = stats.ttest_ind(better, worse, axis=1).pvalue
    return float(p.mean()), float(p.std() / np.sqrt(repetitions))


def test_equal_to_the_literal_loop(registry: Registry) -> None:
    """The samples of the loop are drawn independently for both thresholds. The loop ends at p <= alpha."""
    metrics, batches = [registry.get(Metric, name) for name in NAMES_OF_LEAST_SAMPLES], task_of_least_samples()
    gaps, repetitions = (1.0, 3.0), 60
    found = sample_metrics(batches, metrics, base=12, gaps=gaps, sizes=SIZES, draws=2500, alpha=0.025)
    mixed = mixed_task(batches, metrics)
    base, *others = (
        mixed.draw([threshold], repetitions * SIZES[-1], (9, nth), Runner())[:, 0]
        for nth, threshold in enumerate((12.0, 13.0, 15.0))
    )
    for nth, row in enumerate(found):
        for least, other in zip(row.least, others, strict=True):
            averages = [literal_p((base[:, nth], other[:, nth]), size, repetitions) for size in SIZES]
            for ours, (mean, error) in zip(least.mean_p, averages, strict=True):
                assert ours == pytest.approx(mean, abs=4 * error + 0.01)
            ends = [size for size, (mean, error) in zip(SIZES, averages, strict=True) if mean <= 0.025 + 4 * error]
            late = [size for size, (mean, error) in zip(SIZES, averages, strict=True) if mean <= 0.025 - 4 * error]
            assert (ends or [np.inf])[0] <= least.size <= (late or [np.inf])[0]
            assert least.low <= least.size <= least.high


def test_gaps_in_any_order_and_a_metric_that_prefers_worse_data(registry: Registry) -> None:
    mcc = registry.get(Metric, "mcc")
    turned = attrs.evolve(mcc, name="turned", higher_is_better=False)
    up, down = (
        sample_metrics(task_of_least_samples(), [mcc, turned], base=12, gaps=gaps, sizes=SIZES, draws=500)
        for gaps in ((1.0, 3.0), (3.0, 1.0))
    )
    assert up[0].least == down[0].least[::-1]
    assert [least.reversed for least in up[0].least] == [False, False]
    assert [least.reversed for least in up[1].least] == [True, True]
    assert [least.size for least in up[1].least] == [least.size for least in up[0].least]


def test_two_draws_have_the_deviation_of_a_sample_and_no_effect_is_below_0() -> None:
    difference, error, spread = _moments(np.array([[1.0, 3.0]]), np.array([[0.0, 0.0]]))
    assert (difference.tolist(), error.tolist(), spread.tolist()) == ([2.0], [1.0], [pytest.approx(np.sqrt(2))])
    assert _effects(np.array([0.1]), np.array([1.0]), np.array([1.0]))[:, 0].tolist() == pytest.approx([0.1, 2.06, 0.0])


def test_all_pairs_of_thresholds(registry: Registry) -> None:
    mcc = registry.get(Metric, "mcc")
    assert threshold_pairs(12, (3.0, 1.0), every=True) == [(12, 13.0), (12, 15.0), (13.0, 15.0)]
    assert len(threshold_pairs(30, (0.01, 0.05, 0.1, 0.2), every=True)) == 10
    every, base = (
        sample_metrics(task_of_least_samples(), [mcc], base=12, gaps=(1.0, 3.0), every=every, sizes=SIZES, draws=500)[0]
        for every in (True, False)
    )
    assert every.least[:2] == base.least
    assert every.least[2].difference == pytest.approx(every.least[1].difference - every.least[0].difference)


def test_a_constant_metric_never_tells_apart(registry: Registry) -> None:
    """All words BAD: the F1 of OK is 0 on both sides of every threshold, and p is 1/2 on average."""
    gold = [[1, 1, 1]] * 30
    batches = [Tags.from_plain(gold, [[0, 1, 1]] * 30)]
    (row,) = sample_metrics(batches, [registry.get(Metric, "f1_ok")], base=5, gaps=(2.0,), sizes=SIZES, draws=50)
    assert (row.least[0].size, row.least[0].low, row.least[0].high) == (np.inf,) * 3
    assert row.least[0].spread == 0
    sure = sample_metrics(batches, [registry.get(Metric, "f1_bad")], base=5, gaps=(12.0,), sizes=SIZES, draws=50)
    assert (sure[0].least[0].spread, sure[0].least[0].size) == (0, 4)


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ({"gaps": ()}, "gaps must be positive"),
        ({"base": 0.0}, "between 0 and 100"),
        ({"sizes": (1, 2)}, "at least 2, in ascending order"),
        ({"sizes": (4, 4)}, "ascending order"),
        ({"draws": 1}, "at least 2 data sets"),
    ],
)
def test_wrong_rules_are_refused(registry: Registry, rules: dict[str, Any], what: str) -> None:
    with pytest.raises(DataError, match=what):
        sample_metrics(task_of_least_samples(), [registry.get(Metric, "mcc")], **rules)


def test_it_is_imported_with_the_other_studies() -> None:
    assert studies.sample_metrics is sample_metrics


@pytest.mark.parametrize(("effect", "size"), [(0.0, 5), (0.2, 10), (0.8, 10), (0.1, 200), (0.6, 3)])
def test_mean_of_p_of_drawn_samples(effect: float, size: int) -> None:
    """Two samples of unequal variance: sqrt(1 + .25) is the deviation of the difference."""
    rng, runs = np.random.default_rng(1), 4000
    a = rng.normal(effect * np.sqrt(2), 1, size=(runs, size))
    b = rng.normal(0, 1, size=(runs, size))
    p = stats.ttest_ind(a, b, axis=1).pvalue
    assert mean_p_of_t_test(effect, size) == pytest.approx(p.mean(), abs=4 * p.std() / np.sqrt(runs))


@pytest.mark.parametrize(("effect", "size"), [(0.05, 20), (0.5, 4), (0.3, 12)])
def test_integral_of_the_noncentral_t(effect: float, size: int) -> None:
    freedom, shift = 2 * size - 2, effect * np.sqrt(size)

    def density(u: float) -> float:
        inside = stats.nct.cdf(u, freedom, shift) - stats.nct.cdf(-u, freedom, shift)
        return float(2 * stats.t.pdf(u, freedom) * inside)

    assert mean_p_of_t_test(effect, size) == pytest.approx(integrate.quad(density, 0, 40, limit=200)[0], abs=5e-5)


@given(st.floats(0, 5), st.integers(2, 10_000))
@settings(max_examples=8)
def test_mean_p_falls_with_the_effect_and_the_size(effect: float, size: int) -> None:
    p = mean_p_of_t_test([effect, effect + 0.1, -effect], size)
    assert p[2] == p[0]
    assert -1e-12 <= p[1] <= p[0] <= 0.5 + 1e-4
    assert mean_p_of_t_test(effect, size + 50) <= p[0] + 1e-4


def test_no_effect_an_infinite_one_and_an_undefined_one() -> None:
    p = mean_p_of_t_test([0.0, np.inf, np.nan], 100)
    assert p[0] == pytest.approx(0.5, abs=1e-4)
    assert p[1] == 0
    assert np.isnan(p[2])
