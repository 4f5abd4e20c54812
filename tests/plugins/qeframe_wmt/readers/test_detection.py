"""Gold of two classes, and explanations by numbers of tokens."""

import pytest

from qeframe.core.errors import DataError
from qeframe.plugin import Detections, Scores, TokenScores
from qeframe_wmt import explained_sentences, explained_words, qe_detection
from tests.written import write_files

GOLD, HEADER = "OK\nBAD\nOK\n", "1000\n20\n1\n"
ROWS = "en-de\tm\t{}\t0.1\nen-de\tm\t{}\t0.7\nen-de\tm\t{}\t-0.2\n"
ANSWERS = HEADER + ROWS.format(0, 1, 2)


@pytest.fixture
def task(tmp_path):
    def written(gold=GOLD, answers=ANSWERS):
        return write_files(tmp_path / "en-de", {"gold.label": gold, "submissions/a.txt": answers})

    return written


def read(folder, **parameters):
    (reading,) = qe_detection(**parameters).read(folder, "low")
    return reading


def test_scores_and_classes_are_read(task):
    reading = read(task())
    assert reading.kind is Detections
    assert reading.gold.values.tolist() == [0, 1, 0]
    assert reading.submissions[0].values.tolist() == [0.1, 0.7, -0.2]
    assert reading.submissions[0].stated == {"disk_footprint": 1000, "parameters": 20, "ensemble_size": 1}
    assert reading.counts == {"positive": 1}


@pytest.mark.parametrize(
    ("parameters", "gold", "answers", "expected"),
    [
        ({"positive": "low"}, GOLD, ANSWERS, ([0, 1, 0], [-0.1, -0.7, 0.2])),
        (
            {"header_lines": 2, "answers": "classes"},
            "NOT\nERR\nGOOD\n",
            "5\n6\nen-de\tm\t0\tNOT\nen-de\tm\t1\tERR\nen-de\tm\t2\tERR\n",
            ([0, 1, 0], [0, 1, 1]),
        ),
        # a number of the gold marks hallucinations
        ({"positive": "low", "gold_positive": -100}, "0.3\n-100\n-1.5\n", ANSWERS, ([0, 1, 0], [-0.1, -0.7, 0.2])),
    ],
)
def test_numbers_and_classes(task, parameters, gold, answers, expected):
    reading = read(task(gold, answers), **parameters)
    assert (reading.gold.values.tolist(), reading.submissions[0].values.tolist()) == expected


def test_ids_join_the_lines(task):
    reading = read(task(answers=HEADER + ROWS.format(2, 0, 1)))
    assert reading.submissions[0].ids.tolist() == [2, 0, 1]


def test_the_published_tree(tmp_path):
    files = {"test_data-gold_labels/task3_ced/en-de/test.2022.en-de.label": GOLD}
    for place in ("constrained/en-de/Team good  - 1 submission", "unconstrained/en-de/fair - 2 submission"):
        files[f"official_submissions/task3_ced/{place}/predictions.txt"] = ANSWERS
    write_files(tmp_path, files)
    reading = read(tmp_path, published="task3_ced", leaderboard="constrained", positive="low")
    assert [each.name for each in reading.submissions] == ["good"]
    (note,) = reading.dropped
    assert (note.task, note.count) == ("unconstrained", 1)
    with pytest.raises(DataError, match="no folder of the task open"):
        read(tmp_path, published="task3_ced", leaderboard="open")


TAGS, WORDS, SENTENCES = "OK BAD\n\nBAD OK OK\n", "0.5 1\n\n-1 2e-1 0\n", "1\n0.5\n-2\n"


def folder_of(tmp_path, gold, answers):
    return write_files(tmp_path / "en-de", {"gold.txt": gold, "submissions/a.txt": answers})


def test_numbers_of_words(tmp_path):
    (reading,) = explained_words().read(folder_of(tmp_path, TAGS, WORDS), "low")
    assert (reading.kind, reading.name) == (TokenScores, "en-de")
    assert [row.tolist() for row in reading.gold.values] == [[0, 1], [], [1, 0, 0]]
    assert [row.tolist() for row in reading.submissions[0].values] == [[0.5, 1], [], [-1, 0.2, 0]]


def test_numbers_of_sentences(tmp_path):
    (reading,) = explained_sentences().read(folder_of(tmp_path, SENTENCES, SENTENCES), "high")
    assert (reading.kind, reading.best) == (Scores, "high")
    assert reading.submissions[0].values.tolist() == [1, 0.5, -2]


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
    return write_files(tmp_path, files)


def test_the_published_tree_of_words(published):
    (reading,) = explained_words(published="task2_explainQE").read(published, "low")
    assert [each.name for each in reading.submissions] == ["good"]
    assert [(note.task, note.what) for note in reading.dropped] == [("en-cs", "submission")]


def test_the_published_tree_of_sentences_joins_both_golds(published):
    readings = explained_sentences(published="task2_explainQE").read(published, "high")
    assert {reading.name for reading in readings} == {"en-de", "en-cs"}
    assert [(note.task, note.what) for reading in readings for note in reading.dropped] == [("ps-en", "gold")]
