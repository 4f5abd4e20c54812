"""The exchanges of a task set: the sum over parts, held against a literal loop that swaps the scores themselves."""

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.assembly.compare import compare_entries
from qeframe.assembly.parts import bind_parts
from qeframe.core import swaps
from qeframe.core.draws import exchange_blocks, exchange_masks
from qeframe.core.runner import Runner
from qeframe.plugin import CapabilityError, Metric
from tests.qeframe.assembly.made_sets import resolved, task

CELLS = """
[[parts]]
metric = ["segment_pearson", "system_pearson", "pairwise_accuracy"]
"""


def literal_null(board, registry, draws):
    """Swap the standardized scores of every draw cell by cell, score both submissions again, add up the parts."""
    first, second = board.contests[0].pairs
    null = np.zeros((draws, len(first)))
    for part in board.entries:
        metric = registry.get(Metric, part.contest.metric.name)
        (moved,) = part.contest.along("cell", standardize=True).terms
        exchange = swaps.exchange_of(moved)
        blocks, _, _ = exchange_blocks(swaps.key_of(moved), draws, exchange.cells, enumerable=False)
        masks = np.concatenate([exchange_masks(block, exchange.cells) for block in blocks]).astype(bool)
        low, high = metric.bounds
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            one, other = (_standardized(part.contest.terms[0].sample.batches[i]) for i in (a, b))
            for draw, mask in enumerate(masks):
                swapped = one.swap_answers(other, mask.reshape(one.gold.shape))
                scores = [qeframe.score(metric, batch, None, registry=registry) for batch in swapped]
                null[draw, pair] += part.weight * (scores[0] - scores[1]) / (high - low)
    return null


def _standardized(batch):
    scores = batch.predicted
    return attrs.evolve(batch, predicted=(scores - scores.mean()) / scores.std())


def collected(resolved_profile, board):
    """Test every part, as an evaluation does, and return the sum."""
    overall = attrs.evolve(board.contests[0])
    compare_entries(resolved_profile, board, overall, None)
    return overall


@settings(max_examples=2)
@given(seed=st.integers(0, 1000))
def test_the_null_of_the_overall_score_is_that_of_a_literal_loop(registry, seed):
    rules = resolved(registry, CELLS, test='"permutation(draws=20, unit=cell, standardize=true)"')
    tasks = [task("en-de", seed, 4, 4), task("he-en", seed + 1, 5, 4)]
    board = bind_parts(rules, tasks, 3, Runner())
    overall = collected(rules, board)
    assert overall.kept_exchanges[0][1] == 20, "collected while the parts were tested"
    drawn = overall.exchanged_differences(20, overall.pairs)
    assert drawn == pytest.approx(literal_null(board, registry, 20), abs=1e-12, nan_ok=True)


def test_parts_that_swap_the_same_cells_share_their_draws(registry):
    rules = resolved(registry, CELLS)
    parts = bind_parts(rules, [task("en-de")], 0, Runner()).entries
    moved = [part.contest.along("cell", standardize=True).terms[0] for part in parts]
    assert len({swaps.key_of(each) for each in moved}) == 1
    assert swaps.key_of(parts[0].contest.along("segment").terms[0]) != swaps.key_of(moved[0])
    apart = bind_parts(resolved(registry, CELLS, exchanges='"official"'), [task("en-de")], 0, Runner()).entries
    moved = [part.contest.along("cell", standardize=True).terms[0] for part in apart]
    assert len({swaps.key_of(each) for each in moved}) == len(moved)


def test_tests_with_different_numbers_of_draws(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\n[[parts]]\nmetric = "segment_pearson"\ntest = "permutation(draws=7)"'
    rules = resolved(registry, parts)
    board = bind_parts(rules, [task("en-de")], 0, Runner())
    overall = collected(rules, board)
    assert sorted(draws for _, draws in overall.kept_exchanges) == [7, 200]
    drawn = overall.exchanged_differences(200, overall.pairs)
    anew = attrs.evolve(board.contests[0])
    np.testing.assert_array_equal(drawn, anew.exchanged_differences(200, anew.pairs))
    assert (overall.exchanged_differences(7, overall.pairs) == drawn[:7]).all(), "the first of more draws"


def test_a_part_that_is_not_exchanged(registry):
    rules = resolved(registry, '[[parts]]\nmetric = "acc_eq"\ntest = "sign"', sided='"two"')
    overall = collected(rules, bind_parts(rules, [task("en-de")], 0, Runner()))
    with pytest.raises(CapabilityError, match="the test of en-de acc_eq has none; set test=jackknife"):
        overall.exchanged_differences(200, overall.pairs)


def test_a_statistic_of_an_exchange_is_added_to_the_differences_of_other_parts(registry):
    """The closed form of spa: both what is observed and what is drawn are sums of the parts, by loops."""
    text = '[[parts]]\nmetric = ["spa", "acc_eq"]\n[[parts]]\nmetric = "segment_pearson"\nweight = 2'
    rules = resolved(registry, text, test='"exchange(draws=60)"', sided='"two"')
    board = bind_parts(rules, [task("en-de"), task("he-en", 4, 9, 5)], 0, Runner())
    overall = collected(rules, board)
    first, second = overall.pairs
    observed, drawn = np.zeros(len(first)), np.zeros((60, len(first)))
    for part in board.entries:
        moved = part.contest.along("", standardize="as_needed")
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            own = np.array([a]), np.array([b])
            observed[pair] += part.factor * moved.unexchanged(own)[0]
            drawn[:, pair] += part.factor * moved.exchanged_differences(60, own)[:, 0]
    assert overall.unexchanged(overall.pairs) == pytest.approx(observed, rel=1e-12)
    of_scores = overall.oriented[first] - overall.oriented[second]
    assert not np.allclose(observed, of_scores)
    assert overall.exchanged_differences(60, overall.pairs) == pytest.approx(drawn, rel=1e-12, abs=1e-14)
    expected = [(1 + (abs(drawn[:, n]) >= abs(observed[n]) - 1e-12).sum()) / 61 for n in range(len(first))]
    assert rules.test.run(overall, "two").p.tolist() == pytest.approx(expected, rel=1e-12)


def test_parts_without_an_own_statistic_are_compared_with_their_scores(registry):
    rules = resolved(registry, test='"exchange(draws=200)"', sided='"two"')
    overall = collected(rules, bind_parts(rules, [task("en-de")], 0, Runner()))
    first, second = overall.pairs
    assert (overall.unexchanged(overall.pairs) == overall.oriented[first] - overall.oriented[second]).all()
