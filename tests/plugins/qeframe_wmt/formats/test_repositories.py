"""The repository of the QE task of 2022: two trees, names of teams, tracks."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Dropped
from qeframe_wmt.formats.repositories import find_published, is_published

GOLD, SUBMITTED = "r/test_data-gold_labels/task1_da", "r/official_submissions/task1_da"
FILES = {
    f"{GOLD}/en-cs/test.2022.en-cs.da_score": "1\n",
    f"{GOLD}/en-cs/test.2022.mt_tok": "a\n",
    f"{GOLD}/en-cs/.DS_Store": "x",
    f"{GOLD}/en-ja/test.2022.en-ja.da_score": "1\n",
    f"{GOLD}/README.md": "x",
    f"{SUBMITTED}/.DS_Store": "x",
    f"{SUBMITTED}/en-cs/Team papago  - 3 submission/predictions.txt": "x",
    f"{SUBMITTED}/en-cs/Team papago  - 3 submission/.DS_Store": "x",
    f"{SUBMITTED}/en-cs/IST-Unbabel - 5 submission/predictions.txt": "x",
    f"{SUBMITTED}/en-cs/my own/predictions.txt": "x",
    f"{SUBMITTED}/km-en/IST-Unbabel - 5 submission/predictions.txt": "x",
    f"{SUBMITTED}/multilingual/NKUA  - 1 submission/predictions.txt": "x",
}


def find(track=""):
    return find_published(Path("r"), "task1_da", ".da_score", track=track)


def test_pairs(tree):
    tree(FILES)
    assert is_published(Path("r"))
    assert not is_published(Path(GOLD))
    task = find()
    assert [gold.pair for gold in task.golds] == ["en-cs"]
    assert list(task.submissions["en-cs"]) == ["IST-Unbabel", "papago", "my own"]
    assert task.golds[0].beside("mt_tok") == Path(GOLD, "en-cs/test.2022.mt_tok")
    assert task.golds[0].beside("src_tok") is None
    assert not task.several
    assert sorted(task.dropped, key=lambda note: note.task) == [
        Dropped("en-ja", "gold", 1, "no submissions of task1_da are here"),
        Dropped("km-en", "submission", 1, "no gold of task1_da is here"),
        Dropped("multilingual", "submission", 1, "another track of task1_da"),
    ]


def test_a_track(tree):
    tree(FILES)
    task = find("multilingual")
    assert task.several
    assert [gold.pair for gold in task.golds] == ["en-cs", "en-ja"]
    assert list(task.submissions["en-ja"]) == ["NKUA"]
    assert sorted(task.dropped, key=lambda note: note.task) == [
        Dropped("en-cs", "submission", 3, "not of the track multilingual"),
        Dropped("km-en", "submission", 1, "not of the track multilingual"),
    ]


@pytest.mark.parametrize(
    ("add", "remove", "track", "message"),
    [
        ({}, "r/test_data-gold_labels", "", "r/test_data-gold_labels: there is no such folder; a repository as"),
        ({}, "r/official_submissions", "", "r/official_submissions: there is no such folder; a repository as"),
        (
            {"r/test_data-gold_labels/task1_mqm/x": "x"},
            GOLD,
            "",
            "r/test_data-gold_labels: no folder of the task task1_da is here",
        ),
        ({}, "", "multilingua", f"{SUBMITTED}: no track 'multilingua' is here; did you mean 'multilingual'?"),
        ({}, f"{GOLD}/en-cs/test.2022.en-cs.da_score", "", f"{GOLD}/en-cs: 0 files of gold (*.da_score): none; keep"),
        ({f"{GOLD}/en-cs/b.da_score": "1\n"}, "", "", f"{GOLD}/en-cs: 2 files of gold (*.da_score): b.da_score, test"),
        ({f"{SUBMITTED}/en-mr": "x"}, "", "", f"{SUBMITTED}/en-mr: this is a file, a folder is expected"),
        ({f"{SUBMITTED}/en-cs/notes.txt": "x"}, "", "", f"{SUBMITTED}/en-cs/notes.txt: a file among the folders"),
        (
            {f"{SUBMITTED}/en-cs/papago - 9 submission/predictions.txt": "x"},
            "",
            "",
            f"{SUBMITTED}/en-cs/papago - 9 submission: a second submission of papago, the other is",
        ),
        (
            {f"{SUBMITTED}/en-cs/new - 1 submission/prediction.txt": "x"},
            "",
            "",
            f"{SUBMITTED}/en-cs/new - 1 submission: no predictions.txt is here; did you mean 'prediction.txt'?",
        ),
    ],
)
def test_refusals(tree, add, remove, track, message):
    tree({name: text for name, text in (FILES | add).items() if not (remove and name.startswith(remove))})
    if remove.endswith(".da_score"):
        Path(GOLD, "en-cs").mkdir(exist_ok=True)
    with pytest.raises(DataError) as caught:
        find(track)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
