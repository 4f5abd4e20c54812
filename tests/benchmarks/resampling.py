"""Rows 1, 2, 12, 19 and 28 of the formulations: bootstrap, randomization, Williams' test of all pairs, ranks."""

from collections.abc import Mapping
from functools import partial

import numpy as np
from rows import Row, Side
from scipy.special import stdtr

import qeframe
from qeframe.core.batch import FloatArray
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.sample import Sample
from qeframe.core.significance import SignificanceTest
from qeframe.core.statistic import additive
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.statistics.correlation import spearman_of_groups, spearman_of_submissions, weighted_deviations
from qeframe.statistics.pair_exchange import ExchangeByWeights
from qeframe.statistics.ranks import TieGroups, tie_groups

LIMIT_SECONDS = 400

Sizes = Mapping[str, int]
RNG = np.random.default_rng(1)


def tags(units: int, submissions: int) -> list[FloatArray]:
    """Draw counts tp, fp, fn, tn of sentences of about 20 words for every submission, (units, 4) each."""
    bad = RNG.binomial(20, 0.18, size=units)
    found = []
    for _ in range(submissions):
        hits = RNG.binomial(bad, 0.5)
        false = RNG.binomial(20 - bad, 0.1)
        found.append(np.stack([hits, false, bad - hits, 20 - bad - false], axis=1).astype(np.float64))
    return found


def f1_mult(sums: FloatArray) -> FloatArray:
    tp, fp, fn, tn = np.moveaxis(sums, -1, 0)
    both = np.maximum(2 * tp + fp + fn, 1e-300) * np.maximum(2 * tn + fp + fn, 1e-300)
    product: FloatArray = 4 * tp * tn / both
    return product


COUNTS: dict[int, FloatArray] = {}


def counts_of(batch: Values) -> FloatArray:
    """Return the counts that belong to a stand-in batch: its first value says which."""
    return COUNTS[int(batch.predicted[0])]


F1_MULT = Metric(
    name="f1_mult_probe",
    summary="",
    kind=Values,
    bind=additive(columns=("tp", "fp", "fn", "tn"), extract=counts_of, score=f1_mult),
)


def bench_of(rows: list[FloatArray]) -> Sample:
    COUNTS.update(enumerate(rows))
    batches = tuple(Values.from_plain(None, np.full(len(one), float(i))) for i, one in enumerate(rows))
    return Sample(metrics=(F1_MULT,), batches=batches, key=(1, 2))


def bootstrap(sizes: Sizes) -> Side:
    rows = tags(sizes["n"], sizes["S"])
    return lambda: Contest.of(bench_of(rows)).resample(sizes["B"])


def looped_bootstrap(sizes: Sizes) -> tuple[Side, float]:
    rows, n = tags(sizes["n"], sizes["S"]), sizes["n"]

    def loop(draws: int = 100) -> None:
        rng = np.random.default_rng(1)
        for _ in range(draws):
            chosen = rng.integers(0, n, n)
            for counts in rows:
                f1_mult(counts[chosen].sum(axis=0))

    return loop, sizes["B"] / 100


def randomization(sizes: Sizes) -> Side:
    rows = tags(sizes["n"], sizes["S"])
    test = qeframe.load().get(SignificanceTest, f"randomization(draws={sizes['B']})")
    return lambda: test.run(Contest.of(bench_of(rows)), "two").p


def looped_randomization(sizes: Sizes) -> tuple[Side, float]:
    a, b = tags(sizes["n"], 2)

    def loop(draws: int = 300) -> None:
        rng = np.random.default_rng(1)
        observed, count = abs(f1_mult(a.sum(axis=0)) - f1_mult(b.sum(axis=0))), 0
        for _ in range(draws):
            mask = rng.integers(0, 2, sizes["n"]).astype(bool)[:, None]
            new_a, new_b = np.where(mask, b, a), np.where(mask, a, b)
            count += abs(f1_mult(new_a.sum(axis=0)) - f1_mult(new_b.sum(axis=0))) >= observed

    return loop, sizes["S"] * (sizes["S"] - 1) / 2 * sizes["B"] / 300


def correlated(sizes: Sizes) -> tuple[FloatArray, tuple[Scores, ...]]:
    gold = RNG.normal(size=sizes["n"])
    noise = (RNG.normal(size=sizes["n"]) for _ in range(sizes["S"]))
    return gold, tuple(Scores.from_plain(gold, gold + each) for each in noise)


def williams(sizes: Sizes) -> Side:
    _, batches = correlated(sizes)
    registry = qeframe.load()
    test, pearson = registry.get(SignificanceTest, "williams"), registry.get(Metric, "pearson")
    contest = Contest.of(Sample(metrics=(pearson,), batches=batches, key=(1,)))
    assert len(contest.oriented) == sizes["S"]
    return lambda: test.run(contest, "one").p


def looped_williams(sizes: Sizes) -> tuple[Side, float]:
    n = sizes["n"]
    gold, batches = correlated({**sizes, "S": 301})

    def loop() -> None:
        for other in batches[1:]:
            a, b = batches[0].predicted, other.predicted
            r_a, r_b, r = np.corrcoef(gold, a)[0, 1], np.corrcoef(gold, b)[0, 1], np.corrcoef(a, b)[0, 1]
            k = 1 - r_a**2 - r_b**2 - r**2 + 2 * r_a * r_b * r
            spread = 2 * k * (n - 1) / (n - 3) + (r_a + r_b) ** 2 / 4 * (1 - r) ** 3
            float(stdtr(n - 3, -(r_a - r_b) * np.sqrt((n - 1) * (1 + r) / spread)))

    return loop, sizes["S"] * (sizes["S"] - 1) / 2 / 300


def bound_of_bootstrap(sizes: Sizes) -> Side:
    """Draw and count the units, and multiply the counts with the rows of all submissions."""
    n, draws, columns = sizes["n"], sizes["B"], 4 * sizes["S"]
    rows = RNG.normal(size=(n, columns)).astype(np.float32)

    def least() -> None:
        drawn = np.random.Generator(np.random.SFC64(1)).integers(n, size=(draws, n))
        drawn += np.arange(draws)[:, None] * n
        np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float32) @ rows

    return least


def bound_of_randomization(sizes: Sizes) -> Side:
    """Draw the masks, multiply them with the rows of all submissions, and subtract the scores of all pairs once."""
    n, draws, submissions = sizes["n"], sizes["B"], sizes["S"]
    rows = RNG.normal(size=(n, 4 * submissions)).astype(np.float32)
    first, second = np.triu_indices(submissions, 1)
    scores = RNG.normal(size=(submissions, draws))

    def least() -> None:
        masks = np.random.Generator(np.random.SFC64(1)).bytes(draws * n // 8)
        np.unpackbits(np.frombuffer(masks, np.uint8)).reshape(draws, n).astype(np.float32) @ rows
        np.count_nonzero(scores[first] - scores[second] > 0, axis=1)

    return least


def bound_of_williams(sizes: Sizes) -> Side:
    """Multiply all vectors with each other, and take the tail of Student's law for each pair."""
    vectors = RNG.normal(size=(sizes["S"], sizes["n"]))
    t = RNG.normal(size=sizes["S"] * (sizes["S"] - 1) // 2)
    return lambda: (vectors @ vectors.T, stdtr(sizes["n"] - 3, t))


LARGE = {"n": 2000, "S": 20, "B": 1000}


def ranked(sizes: Sizes, decimals: int) -> tuple[list[TieGroups], FloatArray]:
    """Return the tie groups of a gold and of submissions, and the weights of a block of draws."""
    gold, batches = correlated(sizes)
    sides = [gold, *(batch.predicted for batch in batches)]
    groups = [tie_groups(np.round(side, decimals)) for side in sides]
    n = sizes["n"]
    return groups, RNG.multinomial(n, np.full(n, 1 / n), size=sizes["B"]).T.astype(np.float64)


def spearman(sizes: Sizes, decimals: int = 15) -> Side:
    (gold, *predicted), weights = ranked(sizes, decimals)
    return lambda: spearman_of_submissions(gold, predicted, weights)


def general_spearman(sizes: Sizes, decimals: int = 15) -> tuple[Side, float]:
    (gold, *predicted), weights = ranked(sizes, decimals)

    def general() -> None:
        total = weights.sum(axis=0)
        of_gold = weighted_deviations(gold, weights, total)
        for groups in predicted:
            spearman_of_groups(groups, weights, total, *of_gold)

    return general, 1


def exchanged_tau(sizes: Sizes, *, by_forms: bool = True) -> Side:
    _, batches = correlated(sizes)
    tau_b = qeframe.load().get(Metric, "kendall_tau_b")
    exchange = tau_b.exchange if by_forms else ExchangeByWeights(tau_b.bind)
    masks = RNG.integers(0, 2, (sizes["B"], sizes["n"])).astype(np.uint8)
    pairs = np.triu_indices(sizes["S"], 1)
    return lambda: exchange(batches)(masks, *pairs)


def exchanged_by_weights(sizes: Sizes) -> tuple[Side, float]:
    return exchanged_tau(sizes, by_forms=False), 1


RANKS = {"n": 5000, "S": 16, "B": 96}

ROWS = (
    Row("28", "Spearman under weights, no ties", RANKS, spearman, general_spearman, 2),
    Row(
        "28", "the same, one decimal", RANKS, partial(spearman, decimals=1), partial(general_spearman, decimals=1), 1.3
    ),
    Row("19", "exchange of tau-b, all pairs", {"n": 1000, "S": 10, "B": 128}, exchanged_tau, exchanged_by_weights, 5),
    Row("1", "bootstrap of F1-mult", LARGE, bootstrap, looped_bootstrap, 40, bound=bound_of_bootstrap),
    Row(
        "2",
        "randomization of F1-mult, all pairs",
        LARGE,
        randomization,
        looped_randomization,
        500,
        bound=bound_of_randomization,
    ),
    Row("2", "the same", {**LARGE, "B": 10_000}, randomization, looped_randomization, 500),
    Row(
        "12",
        "Williams' test, all pairs",
        {"n": 2000, "S": 1000},
        williams,
        looped_williams,
        bound=bound_of_williams,
        share=0.5,
    ),
)
