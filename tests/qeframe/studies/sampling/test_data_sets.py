"""Data sets of stated quality, against a loop that builds each of them tag by tag."""

from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
import pytest

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.resampling.draws import draw_blocks
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.statistic import Statistic
from qeframe.kinds.tags.batch import Tags
from qeframe.studies.sampling.data_sets import Measured, mixed_task

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
    other = Tags.from_plain([["A", "B"]], [["B", "B"]])
    with pytest.raises(DataError, match="BAD is no class"):
        mixed_task([other], [registry.get(Metric, "mcc")], "bad")
