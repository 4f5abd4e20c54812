"""Batches of texts: what can be given, what is refused; tokens."""

import pickle
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.kinds.texts import batch as texts_module
from qeframe.kinds.texts.batch import Texts, tokenize
from qeframe.kinds.texts.kind import KIND
from qeframe.kinds.texts.tokenizers import sacrebleu_metric, tokenized
from tests.outcome import failure


def references(batch):
    return [row.tolist() for row in batch.gold]


@pytest.mark.parametrize(
    ("gold", "predicted", "wanted"),
    [
        (["a b", "c"], ["x", "y"], [["a b"], ["c"]]),
        ([["a b", "b"], ["c"]], ["x", "y"], [["a b", "b"], ["c"]]),
        ([["a b", "b"], "c"], ["x", "y"], [["a b", "b"], ["c"]]),
        ([["a", "b"], ["c"]], ["x", "y"], [["a", "b"], ["c"]]),
        ([["a", "b"], ["c"]], [["x"], ["y"]], [["a b"], ["c"]]),
        ([["a", "b"], []], [["x"], []], [["a b"], [""]]),
        ([["a b", "b"], ["c"]], [["x"], ["y"]], [["a b", "b"], ["c"]]),
        ([[["a", "b"], ["b"]], [["c"]]], [["x"], ["y"]], [["a b", "b"], ["c"]]),
        ([[["a", "b"], "b a"], [[]]], ["x", "y"], [["a b", "b a"], [""]]),
        (np.array(["a b", "c"]), ("x", "y"), [["a b"], ["c"]]),
        ([("a", "b"), np.array(["c"])], [("x",), np.array(["y"])], [["a b"], ["c"]]),
        (["", ""], ["x", "y"], [[""], [""]]),
    ],
)
def test_what_can_be_given(gold, predicted, wanted):
    batch = Texts.from_plain(gold, predicted)
    assert references(batch) == wanted
    assert [text.split() for text in batch.predicted] == [list(p) if not isinstance(p, str) else [p] for p in predicted]
    assert (len(batch), batch.unit, batch.ids.tolist()) == (2, "segment", [0, 1])


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (["a"], ["a", "b"], "number of segments differs: 1 gold and 2 predicted ones"),
        (None, ["a"], "gold texts are missing; give a list of segments, each a string or a list of tokens"),
        ("a b", ["a"], "gold texts are one text; give a list of"),
        (["a"], b"a", "predicted texts are one text; give a list of"),
        (["a"], 3, "predicted texts are not a list; give a list of"),
        (["a"], [None], "segment 0 of predicted is NoneType, not text; give a string or a list of tokens; an empty"),
        (["a", "b"], ["a", 0.5], "segment 1 of predicted is float, not text"),
        (["a"], [b"a"], "segment 0 of predicted is bytes, not text"),
        (["a"], [["a b"]], "'a b' in segment 0 of predicted is not one token; give the segment as a string"),
        (["a"], [["a", ""]], "'' in segment 0 of predicted is not one token"),
        (["a"], [[3]], "int instead of a token in segment 0 of predicted"),
        (["a"], [[None]], "NoneType instead of a token in segment 0 of predicted"),
        (["a"], [[["a"]]], "list instead of a token in segment 0 of predicted"),
        ([[]], ["a"], "segment 0 of gold has no reference; an empty reference is ''"),
        (["a", []], ["a", "b"], "segment 1 of gold has no reference"),
        ([None], ["a"], "segment 0 of gold is NoneType, not text; an empty reference is ''"),
        ([3], ["a"], "segment 0 of gold is int, not text"),
        (["a", ["b", None]], ["a", "b"], "a reference of segment 1 of gold is NoneType, not text"),
        ([["a", ["b c"]]], ["a"], "'b c' in a reference of segment 0 of gold is not one token"),
    ],
)
def test_what_is_refused(gold, predicted, message):
    assert failure(DataError, Texts.from_plain, gold, predicted).startswith(message)


texts = st.lists(st.text("ab \t\u00a0\u3000", max_size=9), max_size=12)


@settings(max_examples=30)
@given(candidates=texts, data=st.data())
def test_tokens_are_those_between_white_space(candidates, data):
    gold = [data.draw(st.lists(st.text("abc ", max_size=6), min_size=1, max_size=3)) for _ in candidates]
    tokens = Texts.from_plain(gold, candidates).tokens
    known = [reference for of in gold for reference in of]
    words = list(dict.fromkeys(word for text in (*candidates, *known) for word in text.split()))
    assert tokens.vocabulary == len(words)
    assert [[words[i] for i in row] for row in tokens.candidates] == [text.split() for text in candidates]
    assert [[words[i] for i in row] for row in tokens.references] == [text.split() for text in known]
    assert tokens.segment.tolist() == [i for i, of in enumerate(gold) for _ in of]


def test_tokens_of_more_texts_than_are_split_at_once():
    candidates = [f"a{i % 7} b{i}" for i in range(2500)]
    tokens = tokenize(candidates, ["a0"] * 2500, np.arange(2500))
    assert tokens.vocabulary == 2507
    assert len(tokens.candidates.values) == 5000
    assert set(tokens.references.values) == {tokens.candidates[7][0]}


def test_tokens_are_numbered_once_and_sent_along():
    batch = Texts.from_plain(["a b"], ["b"])
    assert batch.tokens is batch.tokens
    assert pickle.loads(pickle.dumps(batch)).tokens.vocabulary == 2


def test_parts_and_exchanges():
    one = Texts.from_plain([["a", "b"], ["c"], ["d", "e", "f"]], ["x", "y", "z"])
    other = Texts.from_plain([["a", "b"], ["c"], ["d", "e", "f"]], ["1", "2", "3"])
    part = one.take(np.array([2, 0]))
    assert (references(part), part.predicted.tolist()) == ([["d", "e", "f"], ["a", "b"]], ["z", "x"])
    assert part.tokens.segment.tolist() == [0, 0, 0, 1, 1]
    assert one.take(np.array([False, True, False])).predicted.tolist() == ["y"]
    swapped = one.swap_answers(other, np.array([True, False, True]))
    assert [batch.predicted.tolist() for batch in swapped] == [["1", "y", "3"], ["x", "2", "z"]]
    assert references(swapped[0]) == references(one)


def test_texts_can_be_rewritten():
    batch = Texts.from_plain([["A B", "b"]], ["B a"]).rewritten(str.lower)
    assert (references(batch), batch.predicted.tolist()) == ([["a b", "b"]], ["b a"])


@pytest.mark.parametrize(
    ("gold", "remark"),
    [(["a", "b"], ""), (["a", " "], "segments without a word in any reference: 1"), ([["", "a"], ["", ""]], "1")],
)
def test_remark(gold, remark):
    said = Texts.from_plain(gold, ["x", "y"]).gold_warning()
    assert said.endswith(remark)
    assert bool(said) == bool(remark)


BATCH = Texts.from_plain(["a b c", "d e"], ["a b", "e"])


def test_padding_appends_words_of_no_reference():
    for answers in KIND.padded(BATCH, 0):
        assert answers[0].startswith("a b ")
        assert not set(answers[0].split()[2:]) & {"a", "b", "c", "d", "e"}
        assert answers[1] == "e"


def test_missing_perfect_and_replaced_answers():
    answers = KIND.without_answer(BATCH, 1)
    assert answers[0] == "a b"
    assert answers[1] != "e"
    assert KIND.audit.perfect(BATCH).predicted.tolist() == ["a b c", "d e"]
    gold = KIND.anonymous(BATCH, lambda words: np.zeros(words, dtype=np.int64)).gold.values.tolist()
    assert gold == ["a a a", "a a"]


def test_without_order_words_are_in_as_many_texts_and_texts_keep_their_lengths():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefgh"), size=size)) for size in rng.integers(1, 7, size=40)]
    gold = KIND.anonymous(Texts.from_plain(texts, texts), rng.permutation).gold.values.tolist()
    rows, before = ([text.split() for text in side] for side in (gold, texts))
    assert sum(own != other for own, other in zip(rows, before, strict=True)) > 30
    assert [len(row) for row in rows] == [len(row) for row in before]
    for word in "abcdefgh":
        assert sum(word in row for row in rows) == sum(word in row for row in before)
        assert sum(row.count(word) for row in rows) == sum(row.count(word) for row in before)


def batch():
    return Texts.from_plain([["It's here.", "Here it is!"]], ["IT'S  here."])


def test_nothing_to_do_returns_the_batch_itself_and_lower_case_alone_keeps_blanks():
    texts = batch()
    assert tokenized(texts, "none", lowercase=False) is texts
    texts = tokenized(batch(), "none", lowercase=True)
    assert texts.predicted.tolist() == ["it's  here."]
    assert texts.gold.values.tolist() == ["it's here.", "here it is!"]


def test_the_tokenizer_is_that_of_sacrebleu():
    tokenizer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    texts = tokenized(batch(), "13a", lowercase=False)
    assert texts.predicted.tolist() == [tokenizer("IT'S  here.")]
    assert texts.gold.values.tolist() == [tokenizer("It's here."), tokenizer("Here it is!")]
    assert texts.predicted[0] == "IT'S here ."


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(DataError, match=r"BLEU is computed by sacrebleu, which cannot be imported; run: pip install"):
        sacrebleu_metric("BLEU", ())


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
    monkeypatch.setattr(texts_module, "_TEXTS_AT_ONCE", at_once)
    tokens = tokenize(["a b", "", "b"], ["c a", "b"], np.array([0, 2]))
    assert [row.tolist() for row in tokens.candidates] == [[0, 1], [], [1]]
    assert [row.tolist() for row in tokens.references] == [[2, 0], [1]]
