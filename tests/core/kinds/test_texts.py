from qeframe.batches.texts import Texts
from qeframe.kinds.texts import KIND

BATCH = Texts.from_plain(["a b c", "d e"], ["a b", "e"])


def test_padding_appends_words_of_no_reference():
    for answers in KIND.padded(BATCH, 0):
        assert answers[0].startswith("a b ")
        assert not set(answers[0].split()[2:]) & {"a", "b", "c", "d", "e"}
        assert answers[1] == "e"


def test_no_answer_is_an_answer_to_one_segment_only():
    answers = KIND.without_answer(BATCH, 1)
    assert answers[0] == "a b"
    assert answers[1] != "e"


def test_a_perfect_answer_is_a_reference():
    assert KIND.audit.perfect(BATCH).predicted.tolist() == ["a b c", "d e"]
