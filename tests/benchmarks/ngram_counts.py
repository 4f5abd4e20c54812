"""Row 26 of the formulations: counts of n-grams of 6 submissions, against sacrebleu, whose caches are empty."""

from collections.abc import Callable, Mapping

import numpy as np
from rows import Row, Side

from qeframe.core.metric import Metric
from qeframe.kinds.texts.batch import Texts
from qeframe.plugin.texts import sacrebleu_metric
from qeframe_texts.bleu_metrics import bleu
from qeframe_texts.chrf_metric import chrf
from qeframe_texts.sacrebleu_counts import counts_of_sacrebleu

LIMIT_SECONDS = 400

SIZES = {"S": 6, "n": 3003}


def batch(sizes: Mapping[str, int]) -> Texts:
    """Return references of about 25 Zipf words, and candidates of which a third of the words are replaced."""
    rng = np.random.default_rng(1)
    letters = np.array([*"etaoinshrdlucmfwypvbgkqjxz"])
    words = np.array(
        ["".join(letters[np.minimum(rng.geometric(0.12, size), 26) - 1]) for size in rng.integers(1, 10, 5000)]
    )
    shares = np.cumsum(1 / np.arange(1, 5001))

    def draw(count: int) -> np.ndarray:
        return words[np.searchsorted(shares, rng.random(count) * shares[-1])]

    def sentence(chosen: np.ndarray) -> str:
        return f"{' '.join(chosen[:10])}, {' '.join(chosen[10:])}."

    references = [draw(max(12, int(size))) for size in rng.normal(25, 9, sizes["n"])]
    gold, predicted = [], []
    for reference in references:
        for _ in range(sizes["S"]):
            replaced = rng.random(len(reference)) < 1 / 3
            gold.append(sentence(reference))
            predicted.append(sentence(np.where(replaced, draw(len(reference)), reference)))
    return Texts.from_plain(gold, predicted)


def ours(metric: Metric) -> Callable[[Mapping[str, int]], Side]:
    """Count all submissions at once."""

    def side(sizes: Mapping[str, int]) -> Side:
        texts = batch(sizes)
        return lambda: metric.bind.extract(texts)

    return side


def peer(metric: Metric) -> Callable[[Mapping[str, int]], tuple[Side, float]]:
    """Count by sacrebleu, one segment after the other."""
    extract = metric.bind.extract

    def loop(sizes: Mapping[str, int]) -> tuple[Side, float]:
        texts = batch(sizes)
        wanted = counts_of_sacrebleu(sacrebleu_metric(extract.metric, extract.options), texts)
        assert np.array_equal(extract(texts), wanted)
        return lambda: counts_of_sacrebleu(sacrebleu_metric(extract.metric, extract.options), texts), 1.0

    return loop


ROWS = [
    Row(number, f"counts of {what}", SIZES, ours(metric), peer(metric), target)
    for number, what, metric, target in (
        ("26a", "chrF", chrf(), 10.0),
        ("26b", "chrF++", chrf(word_order=2), 8.0),
        ("26c", "BLEU with 13a", bleu(), 5.0),
    )
]
