import time
from functools import partial

import attrs
import numpy as np
import pytest

from qeframe.core.resampling.draws import DrawBlock, draw_blocks
from qeframe.core.resampling.exchange import differences_of_block
from qeframe.core.resampling.parallel import Runner
from qeframe.execution import estimates
from qeframe.execution.estimates import Estimate, Probe, Step, estimate, expected_seconds, peak_memory

ITEMS = list(draw_blocks((1, 2), 1000, 1))
EACH, ONCE = 0.001, 0.01


class Clock:
    """A clock that work moves forward."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def rows(self, block: DrawBlock) -> np.ndarray:
        self.now += ONCE + EACH * block.draws
        return np.zeros((block.draws, 3))

    def counts(self, block: DrawBlock) -> np.ndarray:
        self.now += EACH * block.draws
        return np.zeros(3)

    def columns(self, texts: list) -> np.ndarray:
        self.now += len(texts)
        return np.arange(2 * len(texts)).reshape(2, -1)


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(estimates, "_now", made)
    monkeypatch.setattr(estimates, "_used", made)
    return made


def test_draws_are_timed_and_the_others_are_placeholders(clock):
    def evaluate(*, runner):
        clock.now += 5
        assert np.concatenate(runner.map(clock.rows, ITEMS)).shape == (1000, 3)
        assert {part.shape for part in runner.map(clock.counts, ITEMS)} == {(3,)}

    found = estimate(evaluate, Probe())
    assert found.rest == pytest.approx(5)
    rows, counts = found.steps
    assert (rows.what, rows.draws, rows.blocks) == ("draws", 1000, len(ITEMS))
    assert rows.seconds == pytest.approx(len(ITEMS) * ONCE + 1000 * EACH, rel=0.05)
    assert counts.seconds == pytest.approx(1000 * EACH, rel=0.05)
    assert found.complete
    assert found.seconds() == pytest.approx(5 + rows.seconds + counts.seconds)
    assert found.of("draws").draws == 2000
    assert found.of("exchanges") == Step("exchanges", 0, 0, 0)


def test_a_slow_block_is_not_computed_as_a_whole(clock):
    done: list[int] = []

    def slow(block: DrawBlock) -> np.ndarray:
        done.append(block.draws)
        clock.now += 10 * block.draws
        return np.zeros((block.draws, 1))

    [step] = estimate(lambda *, runner: runner.map(slow, ITEMS), Probe()).steps
    assert sum(done) <= 17
    assert step.seconds == pytest.approx(10_000)


def test_blocks_of_one_draw(clock):
    items = [DrawBlock((1,), number, number, 1) for number in range(50)]
    [step] = estimate(lambda *, runner: runner.map(clock.rows, items), Probe()).steps
    assert (step.draws, step.blocks) == (50, 50)
    assert step.seconds == pytest.approx(50 * (ONCE + EACH))


def test_exchanges_are_told_from_draws():
    work = partial(differences_of_block, lambda masks, a, b: np.zeros((len(masks), len(a))), (np.r_[0], np.r_[1]), 1.0)
    blocks = [DrawBlock((1,), 0, 0, 20)]
    [step] = estimate(
        lambda *, runner: runner.map(partial(work, lambda b: np.zeros((b.draws, 4))), blocks), Probe()
    ).steps
    assert step.what == "exchanges"


def test_metrics_of_texts_are_timed_by_their_first_block(clock):
    items = [list(range(40)), list(range(40)), list(range(20))]
    parts = []
    [step] = estimate(lambda *, runner: parts.extend(runner.map(clock.columns, items)), Probe()).steps
    assert [part.shape for part in parts] == [(2, 40), (2, 40), (2, 20)]
    assert (step.what, step.draws, step.blocks, step.seconds) == ("scores", 0, 3, pytest.approx(100))


def test_work_without_a_known_shape_is_done(clock):
    def evaluate(*, runner):
        assert runner.map(abs, [-1, -2]) == [1, 2]
        assert runner.map(lambda block: block.draws, ITEMS) == [item.draws for item in ITEMS]
        assert runner.map(abs, []) == []

    assert estimate(evaluate, Probe()).steps == ()


def test_a_probe_ends_when_it_takes_too_long(clock):
    def evaluate(*, runner):
        for _ in range(100):
            clock.now += 1
            runner.map(clock.rows, ITEMS)

    assert not estimate(evaluate, Probe(10.0)).complete
    assert 10 <= clock.now < 13


def test_workers_and_shards_divide_blocks_only():
    found = Estimate((Step("draws", 100, 4, 8.0), Step("draws", 10, 1, 1.0)), rest=3.0, memory=1.0)
    assert found.seconds() == 12
    assert found.seconds(2) == 8
    assert found.seconds(2, shards=100) == 6


def test_the_guess_grows_with_numbers_and_draws():
    @attrs.frozen
    class Fake:
        gold: np.ndarray

    small, large = Fake(np.zeros(10)), Fake(np.zeros(1000))
    assert expected_seconds([], [large]) == pytest.approx(100 * expected_seconds([], [small]))
    rules = ["test=a(draws=5000)", "interval=b(draws=10)"]
    assert expected_seconds(rules, [small]) == pytest.approx(5 * expected_seconds([], [small]))


def test_memory_and_time_are_those_of_the_process():
    assert peak_memory() > 10
    begun = estimates._now()
    time.sleep(0.01)
    assert estimates._now() > begun


def test_a_runner_of_a_probe_is_a_runner():
    assert Runner(blocks=Probe()).map(abs, [-3]) == [3]
