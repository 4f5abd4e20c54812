"""Scores of sentences from the repository of 2022."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import qe_sentence

READER = Parametric(qe_sentence)
HEAD = "100\n20\n-\n"


def rows(pair, *scores):
    return "".join(f"{pair}\tmodel\t{i}\t{score}\n" for i, score in enumerate(scores))


def gold(task, pair):
    ending = {"task1_da": "da_score", "task1_mqm": "mqm_z_score"}[task]
    return f"r/test_data-gold_labels/{task}/{pair}/test.2022.{pair}.{ending}"


def sent(folder, team):
    return f"r/official_submissions/{folder}/{team}/predictions.txt"


A = sent("task1_da/en-cs", "Team A  - 2 submission")
BOTH = sent("task1_da/multilingual", "B - 1 submission")
FILES = {
    gold("task1_da", "en-cs"): "1\n2\n3\n",
    gold("task1_da", "en-ja"): "3\n2\n1\n",
    gold("task1_mqm", "en-de"): "1\n2\n4\n",
    gold("task1_mqm", "en-de").replace("mqm_z_score", "mqm_score.mqm"): "9\n9\n9\n",
    A: HEAD + rows("en-cs", 1, 2, 4),
    sent("task1_mqm/en-de", "A - 1 submission"): HEAD + rows("en-de", 1, 2, 4),
    BOTH: HEAD + rows("en-ja", 1, 2, 3) + rows("en-cs", 4, 5, 6) + rows("xx-yy", 1),
    sent("task1_da/multilingual", "C - 1 submission"): HEAD + rows("en-ja", 1, 2, 3),
}


def read(published=("task1_da",), **parameters):
    return READER(published=published, **parameters).read(Path("r"), "high")


def test_pairs(tree):
    tree(FILES)
    first, second = read(("task1_da", "task1_mqm"))
    assert (first.name, second.name) == ("en-cs", "en-de")
    assert second.gold.values.tolist() == [1, 2, 4]
    (answer,) = first.submissions
    assert (answer.name, answer.values.tolist(), answer.ids.tolist()) == ("A", [1, 2, 4], [0, 1, 2])
    assert answer.stated == {"disk_footprint": 100, "parameters": 20}
    assert align(first).stated == {"A": {"disk_footprint": 100, "parameters": 20}}
    assert {note.task: note.what for note in second.dropped} == {"en-ja": "gold", "multilingual": "submission"}


def test_a_track(tree):
    tree(FILES)
    first, second = read(track="multilingual")
    assert [(each.name, each.values.tolist()) for each in first.submissions] == [("B", [4, 5, 6])]
    assert [(each.name, each.line(0)) for each in first.submissions] == [("B", 7)]
    assert [each.name for each in second.submissions] == ["B", "C"]
    assert second.dropped == (
        Dropped("en-cs", "submission", 1, "not of the track multilingual"),
        Dropped("xx-yy", "answer", 1, "of B: no gold of this language pair is here"),
    )


def test_the_mean_needs_all_pairs(tree):
    tree(FILES)
    settings = ("test=", "interval=", "primary=pearson", "secondary=[]")
    found = qeframe.evaluate("wmt22_qe_sentence_da_multilingual", "r", settings=settings)
    assert [each.name for each in found.submissions] == ["B", "C"]
    assert found.submissions[0].scores["pearson"].value == pytest.approx(0)
    assert str(found.submissions[1].scores["pearson"].value) == "nan"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (A, HEAD + rows("en-cs", 1) + rows("en-ja", 1), f"{A}:5: LP 'en-ja' in a folder named en-cs; move the file"),
        (A, "1\n2\n" + rows("en-cs", 1), f"{A}:3: 2 header lines of one column instead of 3"),
        (A, HEAD + rows("en-cs", 1).replace("model", "other") + rows("en-cs", 1), f"{A}:5: METHOD 'model' after"),
        (A, HEAD + rows("en-cs", "x"), f"{A}:4: 'x' is not a number"),
        (A, "", f"{A}: the file is empty"),
        (gold("task1_da", "en-cs"), "1\nx\n", f"{gold('task1_da', 'en-cs')}:2: 'x' is not a number"),
    ],
)
def test_broken_files(tree, refusal, name, text, message):
    tree({**FILES, name: text})
    assert refusal(READER(published=("task1_da",)), "r").startswith(message)


def test_lines_within_a_pair(tree):
    for text, message in (
        (HEAD + rows("en-cs", 1, 2), "segment 2 is missing in A"),
        (HEAD + rows("en-cs", 1, 2, 3, 4), "segment 3 of A is not in the gold"),
        (HEAD + rows("en-cs", 1, 2, 3) + rows("en-cs", 1), "segment 0 of A occurs twice"),
    ):
        tree({**FILES, A: text})
        (reading,) = read()
        with pytest.raises(DataError, match=message):
            align(reading)


def test_parameters():
    for parameters, message in (
        ({"published": ("task1_dA",)}, "'task1_dA' is no task with scores; did you mean 'task1_da'"),
        ({"track": "multilingual"}, "track 'multilingual' needs one task"),
    ):
        with pytest.raises(DataError, match=message):
            READER(**parameters)


def test_nothing_that_can_be_scored(tree, refusal):
    tree({name: text for name, text in FILES.items() if "multilingual" in name or "gold" in name})
    Path("r/official_submissions/task1_da/en-cs").mkdir()
    message = "r: no language pair of task1_da has gold and submissions; give the repository as published"
    assert refusal(READER(published=("task1_da",)), "r").startswith(message)
