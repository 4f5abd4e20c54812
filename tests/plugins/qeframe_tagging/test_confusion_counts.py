"""Runs against a loop over tokens; what the token metrics tell beside the score."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import confusion_counts as module
from qeframe_tagging import mcc
from qeframe_tagging.confusion_counts import confusion_details, find_runs, rows_by_chunk, sum_by

SENTENCES = st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=7), max_size=6)


def flat(sentences):
    """Return the tags of both sides, and where each sentence begins and ends."""
    pairs = [pair for sentence in sentences for pair in sentence]
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    return (*(np.array([pair[side] for pair in pairs], dtype=np.int8) for side in (0, 1)), offsets)


def slow(sentences):
    """Return (sentence, gold, predicted, length, opens_gold, opens_predicted) of each run."""
    found = []
    for number, sentence in enumerate(sentences):
        before = (None, None)
        for (gold, predicted), run in itertools.groupby(sentence):
            found.append((number, gold, predicted, len(list(run)), gold != before[0], predicted != before[1]))
            before = (gold, predicted)
    return found


@given(SENTENCES)
def test_runs_are_the_stretches_without_a_change(sentences):
    runs = find_runs(*flat(sentences), classes=3)
    assert (runs.sentences, runs.classes) == (len(sentences), 3)
    columns = (runs.sentence, runs.gold, runs.predicted, runs.length, runs.opens_gold, runs.opens_predicted)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == slow(sentences)


@given(SENTENCES)
def test_runs_count_every_token_in_its_cell(sentences):
    gold, predicted, offsets = flat(sentences)
    runs = find_runs(gold, predicted, offsets, classes=3)
    table = np.zeros((len(sentences), 3, 3))
    for number, sentence in enumerate(sentences):
        for cell in sentence:
            table[(number, *cell)] += 1
    assert np.array_equal(sum_by(runs.cell, runs.length, table.size).reshape(table.shape), table)


def test_sums_of_groups_without_values_are_zero():
    assert sum_by(np.array([2, 0, 2]), np.array([1.5, 2.0, 3.0]), 4).tolist() == [2.0, 0.0, 4.5, 0.0]
    assert sum_by(np.array([], dtype=np.int64), np.array([]), 2).tolist() == [0.0, 0.0]


@given(st.lists(st.lists(st.sampled_from(("OK", "BAD")), max_size=5), min_size=1, max_size=12), st.integers(1, 9))
def test_the_rows_do_not_depend_on_the_chunks(gold, tokens):
    """Rows are computed for some sentences at a time; each sentence is in one chunk, also an empty one."""
    batch = Tags.from_plain(gold, [sentence[::-1] for sentence in gold])

    def rows_of(runs):
        return np.stack(
            [sum_by(runs.sentence, each, runs.sentences) for each in (runs.length, runs.opens_gold)], axis=1
        )

    whole = rows_by_chunk(batch, rows_of, 2)
    usual, module._TOKENS_AT_ONCE = module._TOKENS_AT_ONCE, tokens
    try:
        assert np.array_equal(rows_by_chunk(batch, rows_of, 2), whole)
    finally:
        module._TOKENS_AT_ONCE = usual
    assert whole[:, 0].tolist() == [len(sentence) for sentence in gold]
    assert whole[:, 1].tolist() == [len(list(itertools.groupby(sentence))) for sentence in gold]


def test_counts_precision_and_recall():
    batch = Tags.from_plain([["OK", "BAD", "BAD"], ["OK"]], [["OK", "OK", "BAD"], ["BAD"]])
    told = confusion_details(batch)
    assert told["confusion"] == {"OK": {"OK": 1, "BAD": 1}, "BAD": {"OK": 1, "BAD": 1}}
    assert told["precision"] == {"OK": 0.5, "BAD": 0.5}
    assert told["recall"] == {"OK": 0.5, "BAD": 0.5}
    assert mcc.details is confusion_details


def test_a_class_without_tokens_has_zero_shares():
    told = confusion_details(Tags.from_plain([["OK", "OK"]], [["OK", "OK"]]))
    assert told["precision"]["BAD"] == told["recall"]["BAD"] == 0.0
