"""Tables of ACES: good and incorrect translations, and scores of both."""

import json

import pytest

from qeframe.cli import main
from qeframe.core.components.reader import ExampleRequest
from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe_wmt.readers.metrics.challenge_pairs import aces

HEADER = ["source", "good-translation", "incorrect-translation", "phenomena", "a-good", "a-bad", "b-bad", "b-good"]
ROWS = [
    ['a "quote', "good", "no", "omission", "2", "1", "0.5", "0.5"],
    ["s", "é", "bad", "addition", "-1", "1e-3", "1", "2"],
]


@pytest.fixture
def write(tmp_path):
    def write(header=HEADER, rows=ROWS, name="aces.tsv"):
        path = tmp_path / name
        path.write_text("".join("\t".join(cells) + "\n" for cells in (header, *rows)), encoding="utf-8")
        return path

    return write


def test_the_good_translation_is_better(write):
    (reading,) = aces().read(write(), "high")
    assert (reading.name, reading.groups) == ("aces", {"phenomenon": ["omission", "addition"]})
    batches = {submission.name: batch for submission, batch in align(reading).batches.items()}
    batch = batches["a"]
    assert batch.gold.tolist() == [1, 1]
    assert batch.decisions[:, 0].tolist() == [1, -1]
    assert batch.scores.tolist() == [[2, 1], [-1, 0.001]]
    assert batches["b"].scores.tolist() == [[0.5, 0.5], [2, 1]]
    assert batch.lengths.tolist() == [[4, 2], [1, 3]]
    assert [batch.section_names[code] for code in batch.section] == ["omission", "addition"]


def test_every_table_of_a_folder_is_a_task(write, tmp_path):
    write()
    rows = [[*row, pair] for row, pair in zip(ROWS, ("en-de", "fr-en"), strict=True)]
    write([*HEADER, "langpair"], rows, "more.tsv")
    first, second = aces().read(tmp_path, "high")
    assert (first.name, second.name) == ("aces", "more")
    assert second.groups["language pair"] == ["en-de", "fr-en"]


def without(name):
    at = HEADER.index(name)
    return ([*HEADER[:at], *HEADER[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in ROWS])


def with_cell(line, name, text):
    rows = [list(row) for row in ROWS]
    rows[line - 2][HEADER.index(name)] = text
    return (HEADER, rows)


BROKEN = {
    "no phenomena": (without("phenomena"), "aces.tsv:1: the column is missing: phenomena; name the columns"),
    "one column of a metric": (without("b-good"), "aces.tsv:1: metric 'b' has no column b-good"),
    "the other column": (without("a-bad"), "aces.tsv:1: metric 'a' has no column a-bad"),
    "no metric": ((HEADER[:4], [row[:4] for row in ROWS]), "aces.tsv:1: no column with scores of a metric"),
    "no score": (with_cell(3, "a-good", ""), "aces.tsv:3: a-good is not a score: '' is not a number"),
    "NaN": (with_cell(2, "b-bad", "nan"), "aces.tsv:2: b-bad is not a score: NaN"),
    "infinite": (with_cell(2, "b-bad", "-inf"), "aces.tsv:2: b-bad is not a score: an infinite value"),
    "no name": (with_cell(3, "phenomena", " "), "aces.tsv:3: no phenomenon; name one on every line"),
    "a column twice": (([*HEADER[:-1], "b-bad"], ROWS), "aces.tsv:1: a column is named twice"),
    "a short line": ((HEADER, [*ROWS, ROWS[0][:3]]), "aces.tsv:4: 3 columns instead of 8 columns by tabs"),
    "a header alone": ((HEADER, []), "no lines after the header"),
    "joined tables": ((HEADER, [*ROWS, HEADER, *ROWS]), "aces.tsv:4: the names of the columns again"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_tables(write, case):
    table, message = BROKEN[case]
    path = write(*table)
    with pytest.raises(DataError) as refused:
        aces().read(path, "high")
    assert message in str(refused.value)


def test_a_folder_without_a_table(tmp_path):
    with pytest.raises(DataError, match=r"no table NAME.tsv is here; give a table of ACES"):
        aces().read(tmp_path, "high")


def test_a_generated_table_has_an_aces_score(tmp_path, capsys):
    aces().write_example(tmp_path, ExampleRequest(units=40, pairs=2))
    main(["run", "aces", str(tmp_path), "--json", "--quiet", "--set", "test="])
    found = json.loads(capsys.readouterr().out)
    scores = {each["name"]: each["scores"]["section_tau(scheme=aces)"] for each in found["submissions"]}
    assert set(scores) == {"BLEU", "chrF", "COMET"}
    assert -29.1 < scores["BLEU"]["low"] < scores["BLEU"]["value"] < scores["COMET"]["value"] <= 29.1
    assert len(scores["BLEU"]["details"]["subsets"]) == 11
