"""Evaluations in chunks, against the same data in memory."""

import gzip
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.resampling.parallel import Runner
from qeframe.plugin.resampling import StatisticStack, seed_key
from qeframe.streaming import first_pass, second_pass
from qeframe.streaming import stream as module
from qeframe.streaming.chunk_counts import chunk_rng, chunk_totals, multinomial_counts
from qeframe.streaming.stream import duration_in_words, memory_in_words, stream

METRICS = ["pearson", "mae", "rmse", "mean"]


def in_chunks_of(units):
    """Return a context in which chunks have so many units."""
    patch = pytest.MonkeyPatch()
    for each in (module, first_pass, second_pass):
        patch.setattr(each, "UNITS_IN_CHUNK", units)
    return patch


def streamed(units, *arguments, **options):
    patch = in_chunks_of(units)
    try:
        return stream(*arguments, **options)
    finally:
        patch.undo()


def numbers(seed, units, submissions=2, offset=0.0):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units) + offset
    return gold, {f"s{i}": gold + rng.normal(0, 1 + i, size=units) for i in range(submissions)}


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(2, 60), st.integers(1, 70), st.sampled_from([0.0, 1e6, -3e9]))
def test_scores_are_those_in_memory_for_any_size_of_chunks(seed, units, chunk, offset):
    gold, submissions = numbers(seed, units, offset=offset)
    found = streamed(chunk, METRICS, gold, submissions, test="", interval="")
    for submission in found.submissions:
        for metric in METRICS:
            expected = qeframe.score(metric, gold, submissions[submission.name])
            value = submission.scores[metric].value
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 1), min_size=2, max_size=40), st.integers(1, 45), st.data())
def test_scores_of_detections_are_those_in_memory(gold, chunk, data):
    answers = data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=len(gold), max_size=len(gold)))
    metrics = ["detection_mcc", "detection_f1", "detection_f1(of=negative)", "pearson"]
    found = streamed(chunk, metrics, np.array(gold), {"s": np.array(answers)}, test="", interval="")
    for metric in metrics:
        batch = qeframe.load().get(Metric, "detection_mcc").kind.from_plain(gold, answers)
        expected = qeframe.score(metric, batch, None)
        name = qeframe.load().get(Metric, metric).name
        assert found.submissions[0].scores[name].value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@settings(max_examples=20)
@given(st.lists(st.lists(st.sampled_from(["OK", "BAD"]), max_size=5), min_size=1, max_size=30), st.integers(1, 35))
def test_scores_of_tags_are_those_in_memory(tmp_path_factory, gold, chunk):
    folder = tmp_path_factory.mktemp("tags")
    answers = [[tag if (i + len(row)) % 3 else "BAD" for i, tag in enumerate(row)] for row in gold]
    for name, side in (("gold.txt", gold), ("s.txt", answers)):
        (folder / name).write_text("".join(" ".join(row) + "\n" for row in [["OK"], *side, ["BAD"]]))
    found = streamed(chunk, ["mcc", "f1_mult"], folder / "gold.txt", [folder / "s.txt"], test="", interval="")
    sides = [[["OK"], *side, ["BAD"]] for side in (gold, answers)]
    for metric in ("mcc", "f1_mult"):
        assert found.submissions[0].scores[metric].value == pytest.approx(
            qeframe.score(metric, *sides), rel=1e-12, abs=1e-12, nan_ok=True
        )


def weights_of(seed, draws, units, chunk):
    """Return the weights of all draws, (draws, n), from the documented scheme, chunk by chunk."""
    key = seed_key(np.random.default_rng(seed))
    parts = []
    for nth, of_chunk in enumerate(chunk_totals(key, draws, units, size=chunk)):
        size = min(chunk, units - nth * chunk)
        blocks = [
            multinomial_counts(chunk_rng(key, nth, first), of_chunk[first : first + 64], size)
            for first in range(0, draws, 64)
        ]
        parts.append(np.concatenate(blocks))
    return np.concatenate(parts, axis=1).astype(float)


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(2, 200), st.integers(1, 250), st.sampled_from([0.0, 1e6]))
def test_intervals_and_p_are_those_of_the_same_weights_in_memory(seed, units, chunk, offset):
    gold, submissions = numbers(seed, units, offset=offset)
    found = streamed(chunk, ["pearson", "rmse"], gold, submissions, test="bootstrap(draws=100)", seed=seed)
    registry = qeframe.load()
    weights = weights_of(seed, 100, units, chunk)
    for metric in (registry.get(Metric, "pearson"), registry.get(Metric, "rmse")):
        bound = [metric.bind(metric.kind.from_plain(gold, answers)) for answers in submissions.values()]
        draws = StatisticStack(bound)(weights)
        by_name = {submission.name: submission.scores[metric.name] for submission in found.submissions}
        for name, of_submission in zip(submissions, draws.T, strict=True):
            low, high = (
                np.nanquantile(of_submission, [0.025, 0.975]) if np.isfinite(of_submission).any() else [np.nan] * 2
            )
            assert by_name[name].low == pytest.approx(low, rel=1e-9, abs=1e-12, nan_ok=True)
            assert by_name[name].high == pytest.approx(high, rel=1e-9, abs=1e-12, nan_ok=True)


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(2, 120), st.integers(1, 130))
def test_poisson_draws_are_those_in_memory(seed, units, chunk):
    gold, submissions = numbers(seed, units, submissions=3)
    test = "bootstrap(draws=60, scheme=poisson)"
    found = streamed(chunk, "pearson", gold, submissions, test=test, correction="holm", seed=seed)
    expected = qeframe.compare("pearson", gold, submissions, test=test, correction="holm", seed=seed)
    for ours, theirs in zip(found.comparisons, expected, strict=True):
        assert (ours.a, ours.b) == (theirs.a, theirs.b)
        assert ours.p == pytest.approx(theirs.p, nan_ok=True)
        assert ours.difference == pytest.approx(theirs.difference, abs=1e-12)


def test_intervals_agree_with_those_in_memory_up_to_the_noise_of_draws():
    gold, submissions = numbers(1, 1200)
    found = streamed(500, "pearson", gold, submissions, test="bootstrap(draws=1500)")
    metric = qeframe.load().get(Metric, "pearson")
    for submission in found.submissions:
        bound = metric.bind(metric.kind.from_plain(gold, submissions[submission.name]))
        weights = np.random.default_rng(5).multinomial(1200, np.full(1200, 1 / 1200), size=1500).astype(float)
        low, high = np.quantile(bound(weights), [0.025, 0.975])
        result = submission.scores["pearson"]
        assert abs(result.low - low) < 0.12 * (high - low)
        assert abs(result.high - high) < 0.12 * (high - low)


def test_the_result_does_not_depend_on_the_number_of_workers():
    gold, submissions = numbers(2, 700)
    alone = streamed(200, METRICS, gold, submissions, test="bootstrap(draws=150)").to_json()
    with ThreadPoolExecutor(3) as executor:
        runner = Runner(executor)
        assert streamed(200, METRICS, gold, submissions, test="bootstrap(draws=150)", runner=runner).to_json() == alone


def test_files_of_lines_gzip_parquet_and_arrays_give_one_result(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    gold, submissions = numbers(3, 900)
    columns = {"gold": gold, **submissions}
    for name, values in columns.items():
        text = "".join(f"{float(v)!r}\n" for v in values).encode()
        (tmp_path / f"{name}.txt").write_bytes(text)
        with gzip.open(tmp_path / f"{name}.gz", "wb") as stream_:
            stream_.write(text)
    parquet.write_table(pa.table(columns), tmp_path / "all.parquet", row_group_size=250)
    given_ = {
        "arrays": (gold, submissions),
        "lines": (tmp_path / "gold.txt", [tmp_path / f"{name}.txt" for name in submissions]),
        "gzip": (tmp_path / "gold.gz", [tmp_path / f"{name}.gz" for name in submissions]),
        "parquet": (f"{tmp_path}/all.parquet::gold", [f"{tmp_path}/all.parquet::{name}" for name in submissions]),
    }
    found = {way: streamed(128, METRICS, *sides, test="bootstrap(draws=70)") for way, sides in given_.items()}
    assert all(one.submissions == found["arrays"].submissions for one in found.values())
    assert all(one.comparisons == found["arrays"].comparisons for one in found.values())
    assert [len(one.signature.inputs) for one in found.values()] == [0, 3, 3, 1]
    assert found["gzip"].signature.units == {"gold": "900 x segment"}


def test_ranks_rank_sets_and_clusters(registry):
    gold, submissions = numbers(4, 2000, submissions=3)
    found = streamed(500, "mae", gold, submissions)
    assert [submission.name for submission in found.submissions] == ["s0", "s1", "s2"]
    assert [submission.rank for submission in found.submissions] == [1, 2, 3]
    assert [submission.rank_set for submission in found.submissions] == [(1, 1), (2, 2), (3, 3)]
    assert found.submissions[0].winner
    assert all(0 <= s.scores["mae"].low < s.scores["mae"].value < s.scores["mae"].high for s in found.submissions)
    assert all(comparison.difference < 0 for comparison in found.comparisons)  # low is good


def test_degenerate_corpora():
    one = streamed(5, "mae", np.array([1.0]), {"a": np.array([2.0]), "b": np.array([3.0])})
    assert one.submissions[0].scores["mae"].value == 1
    assert np.isnan(one.submissions[0].scores["mae"].low)
    assert np.isnan(one.comparisons[0].p)
    assert any("fewer than two units" in warning for warning in one.warnings)
    alone = streamed(5, "pearson", np.arange(12.0), {"a": np.arange(12.0)})
    assert alone.comparisons == ()
    assert alone.submissions[0].scores["pearson"].value == 1
    constant = streamed(3, "pearson", np.arange(7.0), {"a": np.full(7, 0.1), "b": np.arange(7.0)})
    assert np.isnan(constant.submissions[1].scores["pearson"].value)
    assert any("undefined" in warning for warning in constant.warnings)
    flat = streamed(3, "mae", np.full(7, 0.1), {"a": np.arange(7.0)}, test="", interval="")
    assert flat.warnings == ("gold: the gold is constant: correlations with it are undefined",)
    equal = streamed(3, "mae", np.arange(7.0), {"a": np.ones(7), "b": np.ones(7)})
    assert equal.comparisons[0].p == 1


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("spearman", {}, "'spearman' .* is not a function of sums over units: about 50 units and 2 submissions cannot"),
        ("kendall_tau_b", {}, "is not a function of sums over units"),
        ("delta_avg", {}, "need about 1 MiB of memory for them"),
        (
            "pearson",
            {"test": "jackknife"},
            "the jackknife cannot be computed in chunks; .* 'bootstrap.draws=1000.' can",
        ),
        ("pearson", {"test": "williams"}, "vectors of gold and predictions cannot be computed in chunks"),
        ("pearson", {"test": "randomization"}, "exchanges of units cannot be computed in chunks"),
        ("pearson", {"interval": "bootstrap(interval=bca)"}, "the jackknife cannot be computed in chunks"),
        ("pearson", {"interval": "randomization"}, "randomization"),
        ("mae", {"correction": "romano_wolf"}, "cannot be computed in chunks"),
    ],
)
def test_what_cannot_stream_is_refused_before_any_pass(metric, options, message):
    gold, submissions = numbers(5, 50)
    with pytest.raises(qeframe.QeframeError, match=message):
        stream(metric, gold, submissions, **options)


def test_wrong_arguments():
    gold, submissions = numbers(5, 50)
    for arguments, options, message in [
        (([], gold, submissions), {}, "no metric is given"),
        (("mae", gold, {}), {}, "there is no submission"),
        (("mae", gold, "a.txt"), {}, "submissions are a single path"),
        (("mae", gold, submissions), {"seed": -1}, "seed must not be negative"),
        (("mae", gold, submissions), {"alpha": 2}, "alpha"),
        ((["mae", "mcc"], gold, submissions), {}, "score different kinds of batches"),
        (("mcc", gold, submissions), {}, "does not hold one number a unit"),
        (("bleu", "gold.txt", ["a.txt"]), {}, "cannot be read in chunks"),
    ]:
        with pytest.raises(qeframe.QeframeError, match=message):
            stream(*arguments, **options)


def test_progress_and_the_estimate(monkeypatch):
    monkeypatch.setattr(module, "_TOLD_FROM", 0.0)
    gold, submissions = numbers(6, 1000)
    told, done = [], []
    runner = Runner(None, lambda *both: done.append(both), told.append)
    streamed(100, "mae", gold, submissions, test="bootstrap(draws=64)", runner=runner)
    assert len(told) == 1
    assert told[0].startswith("about 1,000 units and 2 submissions, 64 draws: about ")
    assert len(done) == 20  # ten chunks, twice
    assert done[-1][0] == done[-1][1] == done[0][1]
    assert [count for count, _ in done] == sorted({count for count, _ in done})


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_units(tmp_path):
    peaks = []
    for units in (200_000, 2_000_000):
        for name in ("gold", "a", "b"):
            rng = np.random.default_rng(len(name) + ord(name[0]))
            text = "".join(f"{value:.3f}\n" for value in rng.normal(size=100_000)).encode()
            with gzip.open(tmp_path / f"{name}.gz", "wb", compresslevel=1) as file:
                for _ in range(units // 100_000):
                    file.write(text)
        script = (
            "import resource, sys\n"
            "from qeframe.streaming.stream import stream\n"
            "stream(['pearson', 'mae'], sys.argv[1], sys.argv[2:], test='bootstrap(draws=64)')\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        paths = [str(tmp_path / f"{name}.gz") for name in ("gold", "a", "b")]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        ran = subprocess.run(
            [sys.executable, "-c", script, *paths], capture_output=True, text=True, env=environment, check=True
        )
        peaks.append(int(ran.stdout))
    assert peaks[1] < 1.15 * peaks[0] + 8192  # of units ten times as many: 72 MB of numbers


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0, "1 s"), (1.4, "1 s"), (89.0, "89 s"), (90.0, "2 min"), (3000.0, "50 min"), (9000.0, "2.5 h")],
)
def test_durations(seconds, words):
    assert duration_in_words(seconds) == words


def test_memory():
    assert memory_in_words(1, 2) == "1 MiB"
    assert memory_in_words(1_000_000, 3) == "458 MiB"
    assert memory_in_words(10_000_000, 11) == "16.4 GiB"
