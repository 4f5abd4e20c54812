"""The kind of batch of word-level tasks: what it is made from, how it is cut and exchanged."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.data.align import align
from qeframe.data.text_lines import TextFile
from qeframe.kinds.plain_files import plain_reading
from qeframe.kinds.tags import batch as tags_module
from qeframe.kinds.tags.batch import BINARY, SPELLINGS, SentenceTags, Tags
from qeframe.kinds.tags.kind import KIND, bad_runs
from qeframe.kinds.tags.lines import tags_by_line
from qeframe.plugin import DataError, Ragged
from tests.outcome import failure
from tests.qeframe.kinds.plain_sides import read_plain


def test_names_spellings_and_numbers_mean_the_same():
    gold = [["OK", "ok", "GOOD", "good", 0, np.int8(0)], [], ["BAD", "bad", 1, np.str_("BAD")]]
    batch = Tags.from_plain(gold, gold)
    assert batch.classes == BINARY
    assert [row.tolist() for row in batch.gold] == [[0] * 6, [], [1] * 4]
    assert batch.gold.values.dtype == np.int8
    assert batch.unit == "sentence"
    assert batch.ids.tolist() == [0, 1, 2]
    assert set(SPELLINGS.values()) == set(BINARY)


def test_arrays_and_tuples_are_welcome():
    batch = Tags.from_plain((np.array(["OK", "BAD"]), ("BAD",)), [np.array([0, 1]), (1,)])
    assert batch.predicted.values.tolist() == batch.gold.values.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "sentence", [["OK\nOK", ""], ["OK\nBAD"], [""], ["OKBAD"], ["O", "K"], ["KO"], ["OK "], ["BAD", ""], ["\0"], [None]]
)
def test_what_only_looks_like_tags_in_a_row(sentence):
    assert "unknown tag" in failure(DataError, Tags.from_plain, [["OK"] * len(sentence)], [sentence])


@pytest.mark.parametrize("rows_at_once", [1, 2, 3, 2**14])
def test_rows_are_read_in_portions(monkeypatch, rows_at_once):
    monkeypatch.setattr(tags_module, "_ROWS_AT_ONCE", rows_at_once)
    sentences = [[], ["OK", "BAD"], [], [], ("BAD",), ["OK", "OK", "BAD"], []]
    batch = Tags.from_plain(sentences, [[str(tag).lower() for tag in row] for row in sentences])
    assert batch.gold.values.tolist() == batch.predicted.values.tolist() == [0, 1, 1, 0, 0, 1]
    assert batch.gold.lengths.tolist() == [0, 2, 0, 0, 1, 3, 0]


def test_classes_are_taken_from_the_gold_or_declared():
    batch = Tags.from_plain([["none", "Fluency"], ["Accuracy"]], [["Accuracy", "none"], ["Fluency"]])
    assert batch.classes == ("Accuracy", "Fluency", "none")
    assert batch.predicted.values.tolist() == [0, 2, 1]
    batch = Tags.from_plain([["K", 1]], [["S", "D"]], classes=["K", "S", "D"])
    assert (batch.gold.values.tolist(), batch.predicted.values.tolist()) == ([0, 1], [1, 2])
    with pytest.raises(DataError, match="unknown tag 'X' at position 0 of sentence 0 of gold"):
        Tags.from_plain([["X"]], [["OK"]], classes=BINARY)


@pytest.mark.parametrize("misspelled", ["BAAD", "Ok", "OK ", "Fluency"])
def test_other_names_beside_ok_or_bad_are_taken_for_misspelled_tags(misspelled):
    gold = [["OK", "BAD"], ["OK", misspelled]]
    with pytest.raises(
        DataError, match=f"unknown tag '{misspelled}' at position 1 of sentence 1 of gold; the tags are OK"
    ):
        Tags.from_plain(gold, [["OK", "BAD"], ["OK", "OK"]])
    declared = Tags.from_plain(gold, [["OK", "BAD"], ["OK", "OK"]], classes=["OK", "BAD", misspelled])
    assert declared.gold.values.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (None, [["OK"]], "gold tags are missing; give a list of sentences"),
        ([["OK"]], "OK", "predicted tags are text"),
        ([["OK"]], ["OK"], "a sentence of predicted is text"),
        (np.array(["OK", "BAD"]), [["OK"], ["BAD"]], "a sentence of gold is text, not a list of tags; give a list of"),
        ([b"OK"], [["OK", "OK"]], "a sentence of gold is text"),
        ([1, 0], [1, 0], "gold tags are not lists of tags"),
        ([["OK"]], [["OK"], []], "number of sentences differs: 1 gold and 2 predicted ones"),
        ([["OK"], []], [["OK"], ["OK"]], "length mismatch in sentence 1: 0 gold tags and 1 predicted"),
        ([["OK"], ["OK"]], [[], []], r"length mismatch in sentence 0: 1 gold tag and 0 predicted \(and 1 more\)"),
        (
            [["OK"], ["BAD", "OK"]],
            [["OK"], ["OK", "B"]],
            "unknown tag 'B' at position 1 of sentence 1 of predicted; the tags are OK, BAD",
        ),
        ([["OK", 2]], [["OK", "OK"]], "unknown tag 2 at position 1 of sentence 0 of gold"),
        ([["A", 2]], [["A", "A"]], "gold tags are neither names nor 0 and 1"),
        ([["OK"]], [[["OK"]]], r"unknown tag \['OK'\] at position 0 of sentence 0 of predicted"),
        ([[["OK"]]], [["OK"]], "classes must be 2 to 127 different names"),
        ([["BADD"]], [["OK"]], "classes must be 2 to 127 different names, not: BADD"),
    ],
)
def test_what_is_no_batch(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        Tags.from_plain(gold, predicted)


@pytest.mark.parametrize("classes", [["OK"], ["OK", "OK"], [str(i) for i in range(128)]])
def test_impossible_classes(classes):
    assert "2 to 127 different names" in failure(DataError, Tags.from_plain, [], [], classes=classes)


@st.composite
def pairs(draw):
    lengths = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    side = [st.lists(st.integers(0, 1), min_size=n, max_size=n) for n in lengths]
    gold, one, two = ([draw(each) for each in side] for _ in range(3))
    return Tags.from_plain(gold, one), Tags.from_plain(gold, two)


@settings(max_examples=45)
@given(pair=pairs(), seed=st.integers(0, 99))
def test_sentences_are_exchanged_and_taken_whole(pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    mask = rng.random(len(a)) < 0.5
    swapped, given_away = a.swap_answers(b, mask)
    for row, exchanged in enumerate(mask):
        assert swapped.predicted[row].tolist() == (b if exchanged else a).predicted[row].tolist()
        assert given_away.predicted[row].tolist() == (a if exchanged else b).predicted[row].tolist()
    some = rng.integers(0, len(a), size=4)
    assert [row.tolist() for row in a.take(some).predicted] == [a.predicted[i].tolist() for i in some]
    assert a.take(mask).ids.tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize("classes", [BINARY, ("OK", "Fluency", "Accuracy")])
def test_worst_answers_are_all_wrong(classes):
    gold = SentenceTags(np.array([0, 1, 1, len(classes) - 1], dtype=np.int8), np.array([0, 3, 3, 4]), classes)
    worst = Tags.worst_answers(gold, gold)
    assert worst.classes == classes
    assert (worst.values != gold.values).all()
    assert worst.values.max() < len(classes)
    assert worst.offsets.tolist() == gold.offsets.tolist()


def test_pair_names_the_sentence_and_the_classes():
    ids = np.array([7, 8])
    gold = SentenceTags(np.array([0, 1, 1], dtype=np.int8), np.array([0, 1, 3]))
    plain = Ragged(np.array([0, 1, 0], dtype=np.int8), np.array([0, 1, 3]))
    assert Tags.pair(ids=ids, gold=gold, predicted=plain).classes == BINARY
    assert gold.take(np.array([1])).classes == BINARY
    with pytest.raises(DataError, match="length mismatch in sentence 8: 2 gold tags and 0 predicted"):
        Tags.pair(ids=ids, gold=gold, predicted=Ragged(np.zeros(1, dtype=np.int8), np.array([0, 1, 1])))
    with pytest.raises(DataError, match="the gold has the classes OK, BAD, the submission OK, GAP"):
        Tags.pair(ids=ids, gold=gold, predicted=SentenceTags(gold.values, gold.offsets, ("OK", "GAP")))


BATCH = Tags.from_plain([[0, 1], [1]], [[1, 1], [0]])


def test_plain_rearranged_and_corrected_tags():
    assert KIND.plain(BATCH) == {"gold": ["OK BAD", "BAD"], "predicted": ["BAD BAD", "OK"]}
    assert KIND.sides(BATCH) == ([["OK", "BAD"], ["BAD"]], [["BAD", "BAD"], ["OK"]])
    answers = np.array([each.values for each in KIND.rearrangements(BATCH, BATCH.predicted)])
    assert (answers.mean(axis=0) == BATCH.predicted.values.mean()).all()
    assert [each.values.tolist() for each in KIND.corrections(BATCH, 0)] == [[0, 1, 0]]
    assert KIND.without_answer(BATCH, 0).values.tolist() == [1, 0, 0]


def test_runs_have_the_rate_and_the_length():
    bad = bad_runs(np.random.default_rng(1), 200_000, rate=0.18, run=2.2)
    assert bad.mean() == pytest.approx(0.18, abs=0.01)
    assert bad.sum() / (bad[1:] & ~bad[:-1]).sum() == pytest.approx(2.2, abs=0.1)


WORDS = st.one_of(st.sampled_from(sorted(SPELLINGS)), st.text(alphabet="OKBADGokbadg", min_size=1, max_size=5))
LINES = st.lists(
    st.lists(st.tuples(WORDS, st.sampled_from([" ", "\t", "  "])), max_size=5), min_size=1, max_size=4
).map(lambda rows: tuple("".join(word + blank for word, blank in row) for row in rows))


def file(*lines: str) -> TextFile:
    return TextFile(Path("a.tags"), lines, "")


def rows(*lines: str) -> list[list[int]]:
    _, values = tags_by_line(file(*lines))
    return [row.tolist() for row in values]


def test_every_spelling_and_empty_sentences() -> None:
    assert rows("OK BAD", "", "  GOOD\tbad ok  good ", "\t") == [[0, 1], [], [0, 1, 0, 0], []]
    ids, values = tags_by_line(file("OK", "BAD"))
    assert (ids.tolist(), values.values.dtype) == ([0, 1], np.int8)


@given(LINES)
def test_as_a_dictionary_says(lines: tuple[str, ...]) -> None:
    words = [re.split(r"[ \t]+", line.strip(" \t")) if line.strip(" \t") else [] for line in lines]
    unknown = [(number, word) for number, row in enumerate(words, 1) for word in row if word not in SPELLINGS]
    if unknown:
        number, word = unknown[0]
        with pytest.raises(DataError, match=rf"^a\.tags:{number}: unknown tag '{re.escape(word)}', "):
            tags_by_line(file(*lines))
    else:
        assert rows(*lines) == [[int(SPELLINGS[word] == "BAD") for word in row] for row in words]


def test_zeros_and_ones_are_tags() -> None:
    assert rows("", "0 1", "", "1\t0 1") == [[], [0, 1], [], [1, 0, 1]]
    for line in ("01", "0OK", "1.0"):
        with pytest.raises(DataError, match=rf"^a\.tags:1: unknown tag '{line}'"):
            tags_by_line(file(line))


@pytest.mark.parametrize(
    ("lines", "at"), [(("0 1", "1 OK"), "2: unknown tag 'OK'"), (("OK", "bad 1"), "2: unknown tag '1'")]
)
def test_a_file_has_words_or_numbers(lines: tuple[str, ...], at: str) -> None:
    with pytest.raises(DataError, match=rf"^a\.tags:{at}, word 2 of the line"):
        tags_by_line(file(*lines))


KNOWN = "a line has the tags of one sentence, OK, ok, GOOD, good, BAD, bad, 0, 1"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("OK OKAY", f"unknown tag 'OKAY', word 2 of the line; {KNOWN}"),
        ("OKOK", f"unknown tag 'OKOK', word 1 of the line; {KNOWN}"),
        ("OK\u00a0OK", f"unknown tag 'OK\\xa0OK', word 1 of the line; {KNOWN}"),
        ("OK\x0bOK", f"unknown tag 'OK\\x0bOK', word 1 of the line; {KNOWN}"),
        (
            "OK 0.5",
            f"unknown tag '0.5', word 2 of the line; {KNOWN}; numbers such as probabilities of BAD are for "
            "token_auroc, token_average_precision and token_recall_at_k, and the reader tag_lines makes tags of them: "
            "--set threshold=.5",
        ),
        ("gut" * 20, f"unknown tag '{('gut' * 20)[:40]}...', word 1 of the line; {KNOWN}"),
        (
            "OK\tÉ",
            f"unknown tag 'É', word 2 of the line; {KNOWN}; "
            "the formats of shared tasks are read by the readers of profiles",
        ),
    ],
)
def test_unknown_tags(line: str, message: str) -> None:
    assert failure(DataError, tags_by_line, file("OK", line, "more")) == f"a.tags:2: {message}"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def write_bytes(name: str, content: bytes) -> str:
        Path(name).write_bytes(content)
        return name

    return write_bytes


def test_windows_line_ends_and_no_final_one(write: Any) -> None:
    side = read_plain(Tags, write("a.tags", b"\xef\xbb\xbfOK BAD\r\n\r\nBAD"), name="a")
    assert [row.tolist() for row in side.values] == [[0, 1], [], [1]]
    assert side.lines is not None
    assert side.lines.tolist() == [1, 2, 3]


def test_a_reading_of_plain_files(write: Any) -> None:
    reading = plain_reading(Tags, write("gold.tags", b"OK BAD\nBAD\n"), [write("a.tags", b"OK OK\nBAD\n")])
    (batch,) = align(reading).batches.values()
    assert isinstance(batch, Tags)
    assert batch.predicted.values.tolist() == [0, 0, 1]
