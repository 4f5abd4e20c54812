import pytest

from qeframe.core.errors import DataError
from qeframe.plugin import Scores, TokenScores
from qeframe_wmt import explained_sentences, explained_words

TAGS, WORDS, SENTENCES = "OK BAD\n\nBAD OK OK\n", "0.5 1\n\n-1 2e-1 0\n", "1\n0.5\n-2\n"


def folder_of(tmp_path, gold, answers):
    folder = tmp_path / "en-de"
    (folder / "submissions").mkdir(parents=True)
    (folder / "gold.txt").write_text(gold, encoding="utf-8")
    (folder / "submissions" / "a.txt").write_text(answers, encoding="utf-8")
    return folder


def test_numbers_of_words(tmp_path):
    (reading,) = explained_words().read(folder_of(tmp_path, TAGS, WORDS), "low")
    assert (reading.kind, reading.name) == (TokenScores, "en-de")
    assert [row.tolist() for row in reading.gold.values] == [[0, 1], [], [1, 0, 0]]
    assert [row.tolist() for row in reading.submissions[0].values] == [[0.5, 1], [], [-1, 0.2, 0]]


def test_numbers_of_sentences(tmp_path):
    (reading,) = explained_sentences().read(folder_of(tmp_path, SENTENCES, SENTENCES), "high")
    assert (reading.kind, reading.best) == (Scores, "high")
    assert reading.submissions[0].values.tolist() == [1, 0.5, -2]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("0.5\n\n-1 2 0\n", "a.txt:1: 1 number in sentence 1, 2 expected"),
        ("0.5 1\n-1 2 0\n", "a.txt: 2 lines of numbers, 3 expected"),
        ("0.5 x\n\n-1 2 0\n", "a.txt:1: 'x' is not a number"),
    ],
)
def test_broken_files_are_refused_with_their_line(tmp_path, answers, message):
    with pytest.raises(DataError, match=message):
        explained_words().read(folder_of(tmp_path, TAGS, answers), "low")


@pytest.fixture
def published(tmp_path):
    files = {
        "test_data-gold_labels/task1_word-level/en-de/test.2022.en-de.tags": TAGS,
        "test_data-gold_labels/task1_mqm/en-de/test.2022.en-de.mqm_z_score": SENTENCES,
        "test_data-gold_labels/task1_da/en-cs/test.2022.en-cs.da_score": SENTENCES,
        "test_data-gold_labels/task1_da/ps-en/test.2022.ps-en.da_score": SENTENCES,
    }
    for pair in ("en-de", "en-cs"):
        folder = f"official_submissions/task2_explainQE/{pair}/Team good  - 1 submission"
        files |= {f"{folder}/target.submission": WORDS, f"{folder}/sentence.submission": SENTENCES}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_published_tree_of_words(published):
    (reading,) = explained_words(published="task2_explainQE").read(published, "low")
    assert [each.name for each in reading.submissions] == ["good"]
    assert [(note.task, note.what) for note in reading.dropped] == [("en-cs", "submission")]


def test_the_published_tree_of_sentences_joins_both_golds(published):
    readings = explained_sentences(published="task2_explainQE").read(published, "high")
    assert {reading.name for reading in readings} == {"en-de", "en-cs"}
    assert [(note.task, note.what) for reading in readings for note in reading.dropped] == [("ps-en", "gold")]
