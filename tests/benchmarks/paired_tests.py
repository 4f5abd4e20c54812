"""Row 27 of the formulations: the paired tests of sacrebleu on its draws, against sacrebleu, counts given."""

from collections.abc import Callable, Mapping

import numpy as np
from ngram_counts import batch
from rows import Row, Side

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.sample import Sample
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.texts.batch import Texts
from qeframe.plugin.texts import sacrebleu_metric

LIMIT_SECONDS = 600
SIZES = {"S": 6, "n": 3003}


def submissions(sizes: Mapping[str, int]) -> list[Texts]:
    """Return a batch of texts for each submission, on the same references."""
    together = batch(sizes)
    return [together.take(np.arange(nth, sizes["S"] * sizes["n"], sizes["S"])) for nth in range(sizes["S"])]


def ours(metric: str, test: str) -> Callable[[Mapping[str, int]], Side]:
    """Test all pairs."""

    def side(sizes: Mapping[str, int]) -> Side:
        registry = qeframe.load()
        batches = tuple(
            Texts(ids=np.arange(sizes["n"]), gold=each.gold, predicted=each.predicted) for each in submissions(sizes)
        )
        scored = Sample(metrics=(registry.get(Metric, metric),), batches=batches, key=(1,))
        rule = registry.get(SignificanceTest, test)
        return lambda: rule.run(Contest.of(scored), "two").p

    return side


def peer(metric: str, test: str, draws: int) -> Callable[[Mapping[str, int]], tuple[Side, float]]:
    """Test the first submission against one other, as sacrebleu does from counts, with a part of the draws."""

    def loop(sizes: Mapping[str, int]) -> tuple[Side, float]:
        extract = qeframe.load().get(Metric, metric).bind.extract
        scorer = sacrebleu_metric(extract.metric, extract.options)
        rng = np.random.default_rng(12345)
        counts_of = [extract(each) for each in submissions(sizes)[:2]]
        single = [counts.astype(np.float32) for counts in counts_of]
        first, second = (counts.astype(np.int64).tolist() for counts in counts_of)  # as sacrebleu keeps them
        some = 50 if test == "bs" else 500

        def bootstrap() -> None:
            for chosen in rng.choice(sizes["n"], size=(some, sizes["n"])):
                for counts in single:
                    scorer._compute_score_from_stats(counts[chosen].sum(0))

        def exchange() -> None:
            masks = rng.integers(2, size=(some, sizes["n"]), dtype=bool)
            for one, other in ((masks, ~masks), (~masks, masks)):
                for sums in (one @ first + other @ second)[:, None]:
                    scorer._aggregate_and_compute(sums)

        return (bootstrap if test == "bs" else exchange), draws / some * (sizes["S"] - 1)

    return loop


ROWS = [
    Row(
        "27",
        f"{rule} of sacrebleu, {metric}, {draws:,} draws; all pairs, the peer 5 of 15",
        SIZES,
        ours(metric, f"{rule}(draws={draws}, replicate=sacrebleu)"),
        peer(metric, test, draws),
        target,
    )
    for rule, test, draws, target in (("bootstrap", "bs", 1000, 40.0), ("randomization", "ar", 10_000, 50.0))
    for metric in ("bleu", "chrf")
]
