"""Error spans: the tables of 2025."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import spans_2025

NEW = Parametric(spans_2025)
COLUMNS = [
    *("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment"),
    *("domain_name", "method", "start_indices", "end_indices", "error_types"),
]


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader):
    (reading,) = reader.read(Path("t"), "low")
    return reading


def table(*rows_of, drop=()):
    kept = [i for i, name in enumerate(COLUMNS) if name not in drop]
    lines = [COLUMNS, *(row.split("|") for row in rows_of)]
    return "\n".join("\t".join(cells[i] for i in kept) for cells in lines) + "\n"


G = (
    "d1|1|en|de|official|s1|abcdef|news|gold|0 3|2 5|major critical",
    "d1|2|en|de|official|s1|gh ij|news|gold|||no-error",
    "d1|1|en|cs|official|s2|klm|chat|gold|missing 1|missing 2|minor minor",
    "d1|1|en|cs|extra|s2|klm|chat|gold|0|1|odd",
)
A = (
    "d1|1|en|cs|official|s2|klm|chat|m|-1|-1|no-error",
    "d1|2|en|de|official|s1|gh ij|news|m|0 1|1 2|undecided minor",
    "d1|1|en|de|official|s1|abcdef|news|m|0|2|minor",
)


def test_the_tables_of_2025(tree):
    tree({"t/gold.tsv": table(*G), "t/submissions/a.tsv": table(*A)})
    german, czech = NEW().read(Path("t"), "low")
    assert (german.name, rows(german.gold), rows(german.submissions[0])) == (
        "en-de",
        [[[0, 2, 1], [3, 5, 2]], []],
        [[[1, 2, 0]], [[0, 2, 0]]],
    )
    assert german.groups == {
        "length": ["1-10", "1-10"],
        "document": ["d1", "d1"],
        "system": ["s1", "s1"],
        "domain": ["news", "news"],
    }
    assert german.dropped == (Dropped("en-de", "span", 1, "'undecided' in a"),)
    assert czech.dropped == (
        Dropped("en-cs", "line", 1, "not in the set official, in the gold"),
        Dropped("en-cs", "span", 1, "'missing' in the gold"),
    )
    (batch,) = align(german).batches.values()
    assert ([row.tolist() for row in batch.predicted], batch.text.tolist()) == ([[[0, 2, 0]], [[1, 2, 0]]], [6, 5])


def test_a_whole_evaluation_of_2025(tree, registry):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A), "t/submissions/b": table(*G[:3])})
    tasks = [align(reading) for reading in NEW().read(Path("t"), "low")]
    found = qeframe.evaluate("wmt25_qe_span", tasks, registry=registry)
    best = found.submissions[0]
    assert (best.name, best.scores["span_f1"].value, list(best.scores["span_f1"].tasks)) == ("b", 1, ["en-de", "en-cs"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (table(*A, drop=("error_types",)), "a:1: the column is missing: error_types; the first line names the columns"),
        (table(*A, drop=("set_id", "doc_id")), "a:1: the columns are missing: doc_id, set_id; the first line names"),
        (table(*A).replace("method", "doc_id"), "a:1: a column is named twice; the first line names the columns"),
        (table(*A).replace("official", "dev"), "a:2: no line is in the set official, they are in dev; set set_id in"),
        (table(*A).replace("gh ij", "gh i"), "a:3: another translation of segment d1/2/s1 than in t/gold:3; mark"),
        (table(*A).replace("0 1\t1 2", "0 1\t1 7"), "a:3: a span from 1 to 7, the text has 5 characters; mark"),
        (table(*A).replace("-1\t-1\t", "1\t"), "a:2: 11 columns instead of 12 columns by tabs (doc_id segment_id"),
        (
            table(*A).replace("\tminor\n", "\tugly\n"),
            "a:4: a span of type 'ugly'; the types are minor, major, critical",
        ),
        (
            "123\n456\n1\nen-de\tx\t0\tabc\t-1\t-1\tno-error\n",
            "a:1: looks like 7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES) after 3 header lines, not",
        ),
    ],
)
def test_broken_tables_of_2025(tree, refusal, text, message):
    tree({"t/gold": table(*G), "t/submissions/a": text})
    assert refusal(NEW(), "t").startswith("t/submissions/" + message)


def test_spans_beyond_the_text_can_be_cut_in_2025_too(tree):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A).replace("0 1\t1 2", "0 1\t1 7")})
    german, _ = NEW(beyond="clip").read(Path("t"), "low")
    assert rows(german.submissions[0])[0] == [[1, 5, 0]]
    assert german.dropped[-1] == Dropped("en-de", "span", 1, "cut at the end of the text in a")


def test_segments_of_2025_are_called_by_document_segment_and_system(tree):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A[:2])})
    german, _ = NEW().read(Path("t"), "low")
    with pytest.raises(DataError, match=r"segment d1/1/s1 is missing in a: .* set missing=drop_for_all to go on"):
        align(german)


def test_a_language_pair_without_submissions(tree, refusal):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A[1:])})
    message = (
        "t/gold:4: no submission has a segment of en-cs; give a submission segments of en-cs, or take en-cs out of"
    )
    assert refusal(NEW(), "t").startswith(message)


def test_all_sets(tree):
    gold = [row.replace("odd", "minor") for row in G]
    tree({"t/gold": table(*gold), "t/submissions/a": table(*gold)})
    assert [len(reading.gold.ids) for reading in NEW(set_id="").read(Path("t"), "low")] == [2, 2]
