"""Tables by tabs, labels of ranges, and the repositories of shared tasks."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.task import Dropped
from qeframe.data.tables import columns_by_name
from qeframe.data.text_lines import TextFile, parse_ids, split_columns
from qeframe_wmt.formats.repositories import Published, find_published, is_published
from qeframe_wmt.formats.tables import columns_by_tab, fixed_columns, length_labels, sliced_columns, whole_numbers
from tests.examples import FEWER
from tests.plugins.qeframe_wmt.readings import refused

NAMES = ("A", "B", "C")
CELLS = st.text(alphabet="aé 0<", max_size=3)


def file(*lines):
    return TextFile(Path("a"), lines, "")


def outcome(work, *arguments, **options):
    try:
        return [list(column) for column in work(*arguments, **options)]
    except DataError as error:
        return str(error)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4) | st.lists(CELLS, min_size=3, max_size=3), min_size=1))
def test_as_splitting_the_lines_says(rows):
    lines = ["header", *("\t".join(row) for row in rows)]
    expected = outcome(split_columns, file(*lines), NAMES, separator="\t", skip=1)
    assert outcome(columns_by_tab, file(*lines), NAMES, skip=1) == expected


@FEWER
@given(
    st.lists(st.text(alphabet="0123456789", max_size=19) | st.sampled_from(["-1", "1.0", "١", "1 ", "x"]), min_size=1)
)
def test_numbers_as_one_by_one(texts):
    lines = file(*(f"{text}\t\t" for text in texts))
    numbers = columns_by_tab(lines, NAMES)[0]
    expected = outcome(lambda: [parse_ids(texts, lines)])
    assert outcome(lambda: [whole_numbers(numbers, lines)]) == expected


def test_what_a_column_says_of_its_texts():
    _, words, last = columns_by_tab(file("1\té\tx", "2\t\tx", "3\téé\tx"), NAMES)
    assert (len(words), words[1], list(words[1:])) == (3, "", ["", "éé"])
    assert (words.equal_to("é").tolist(), words.equal_to("").tolist()) == ([True, False, False], [False, True, False])
    assert words.spells(["é", "", "éé"])
    assert last.spells(["x", "x", "x"])
    assert not words.spells(["é", "", "ée"])
    assert not words.spells(["é", ""])
    assert list(words.take(words.starts.argsort()[::-1])) == ["éé", "", "é"]


@pytest.mark.parametrize("columns_of", [fixed_columns, sliced_columns])
def test_the_only_text_of_a_column(columns_of):
    table = columns_of(file("1", "2", "3", "1\té\tx", "2\t\tx", "3\téé\tx"), NAMES, header=3)
    assert table.only("C") == "x"
    with pytest.raises(DataError, match=r"^a:5: B '' after 'é'; a file has one B$"):
        table.only("B")
    marked = TextFile(Path("a"), ("1\t\ufeff\tx",), "", marked=True)
    with pytest.raises(DataError, match=r"^a:1: a byte-order mark \(U\+FEFF\) in B"):
        columns_of(marked, NAMES).only("B")


def columns(*lines, separator="\t"):
    return columns_by_name(TextFile(Path("a"), lines, ""), ("A", "B"), separator=separator, remedy="name A and B").cells


def test_columns_in_any_order_with_others():
    assert columns("B\tC\tA", "1\t2 3\t", "4\t5\t6") == {"B": ["1", "4"], "C": ["2 3", "5"], "A": ["", "6"]}
    assert columns("A  B", "1 2", separator=None) == {"A": ["1"], "B": ["2"]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("A\tC", "1\t2"), "a:1: the column is missing: B; name A and B"),
        (("C\tD", "1\t2"), "a:1: the columns are missing: A, B; name A and B"),
        (("A\tB\tA", "1\t2\t3"), "a:1: two columns are named 'A'; give every column a name of its own"),
        (("A\tB", "1"), "a:2: 1 column instead of 2 columns by tabs (A B); repair or remove the line"),
    ],
)
def test_broken_columns(lines, message):
    assert refused(columns, *lines) == message


def test_labels():
    lengths = np.array([0, 1, 10, 11, 20, 21, 30, 31, 99])
    assert length_labels(lengths) == ["0", "1-10", "1-10", "11-20", "11-20", "21-30", "21-30", "31+", "31+"]


LABELS, SUBMITTED = "r/test_data-gold_labels", "r/official_submissions/task1_da"
GOLD = f"{LABELS}/task1_da"
NINTH, NEW = (f"{SUBMITTED}/en-cs/{team} submission" for team in ("papago - 9", "new - 1"))
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
    return find_published(
        Path("r"), Published(task="task1_da", golds={"task1_da": ".da_score"}, track=track), "task1_da"
    )


def test_pairs(tree):
    tree(FILES)
    assert is_published(Path("r"))
    assert not is_published(Path(GOLD))
    task = find()
    assert task.golds == {"en-cs": Path(GOLD, "en-cs/test.2022.en-cs.da_score")}
    assert [(of.name, of.pair) for of in task.submissions] == [
        ("IST-Unbabel", "en-cs"),
        ("papago", "en-cs"),
        ("my own", "en-cs"),
    ]
    assert sorted(task.dropped, key=lambda note: note.task) == [
        Dropped("en-ja", "gold", 1, "no submissions of task1_da are here"),
        Dropped("km-en", "submission", 1, "no gold of task1_da is here"),
        Dropped("multilingual", "submission", 1, "another track of task1_da"),
    ]


def test_a_track(tree):
    tree(FILES)
    task = find("multilingual")
    assert list(task.golds) == ["en-cs", "en-ja"]
    assert [(of.name, of.pair) for of in task.submissions] == [("NKUA", "")]
    assert sorted(task.dropped, key=lambda note: note.task) == [
        Dropped("en-cs", "submission", 3, "not of the track multilingual"),
        Dropped("km-en", "submission", 1, "not of the track multilingual"),
    ]


@pytest.mark.parametrize(
    ("add", "remove", "track", "message"),
    [
        ({}, "r/test_data-gold_labels", "", "r/test_data-gold_labels: there is no such folder; a repository as"),
        ({}, "r/official_submissions", "", "r/official_submissions: there is no such folder; a repository as"),
        ({f"{LABELS}/task1_mqm/x": "x"}, GOLD, "", f"{LABELS}: no folder of the task task1_da is here"),
        ({}, "", "multilingua", f"{SUBMITTED}: no track 'multilingua' is here; did you mean 'multilingual'?"),
        ({}, f"{GOLD}/en-cs/test.2022.en-cs.da_score", "", f"{GOLD}/en-cs: 0 files of gold (*.da_score): none; keep"),
        ({f"{GOLD}/en-cs/b.da_score": "1\n"}, "", "", f"{GOLD}/en-cs: 2 files of gold (*.da_score): b.da_score, test"),
        ({f"{SUBMITTED}/en-mr": "x"}, "", "", f"{SUBMITTED}/en-mr: this is a file, a folder is expected"),
        ({f"{SUBMITTED}/en-cs/notes.txt": "x"}, "", "", f"{SUBMITTED}/en-cs/notes.txt: a file among the folders"),
        ({f"{NINTH}/predictions.txt": "x"}, "", "", f"{NINTH}: a second submission of papago, the other is"),
        ({f"{NEW}/prediction.txt": "x"}, "", "", f"{NEW}: no predictions.txt is here; did you mean 'prediction.txt'?"),
    ],
)
def test_refusals(tree, add, remove, track, message):
    tree({name: text for name, text in (FILES | add).items() if not (remove and name.startswith(remove))})
    if remove.endswith(".da_score"):
        Path(GOLD, "en-cs").mkdir(exist_ok=True)
    assert refused(find, track).startswith(message)
