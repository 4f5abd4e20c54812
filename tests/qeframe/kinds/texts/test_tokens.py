"""Tokens as numbers of one vocabulary, against a loop over texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.texts import tokens as tokens_module
from qeframe.kinds.texts.tokens import tokenize

TEXTS = st.lists(st.text("ab \t\n", max_size=6), max_size=6)


@given(TEXTS, TEXTS)
def test_equal_tokens_have_equal_numbers(candidates, references):
    segment = np.zeros(len(references), dtype=np.int64)
    tokens = tokenize(candidates, references, segment)
    numbers: dict[str, int] = {}
    expected = [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in candidates + references]
    assert [row.tolist() for row in (*tokens.candidates, *tokens.references)] == expected
    assert tokens.vocabulary == len(numbers)
    assert np.array_equal(tokens.segment, segment)


@pytest.mark.parametrize("at_once", [1, 2, 128])
def test_the_size_of_blocks_changes_nothing(at_once, monkeypatch):
    monkeypatch.setattr(tokens_module, "_TEXTS_AT_ONCE", at_once)
    tokens = tokenize(["a b", "", "b"], ["c a", "b"], np.array([0, 2]))
    assert [row.tolist() for row in tokens.candidates] == [[0, 1], [], [1]]
    assert [row.tolist() for row in tokens.references] == [[2, 0], [1]]
