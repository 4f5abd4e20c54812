"""Error spans: the tables of 2023 and 2024, and those of 2025."""

from pathlib import Path

import pytest

import qeframe
from qeframe.components.parametric import Parametric
from qeframe.errors import DataError
from qeframe.profiles.load import find_profile
from qeframe.tasks.align import align
from qeframe.tasks.task import Dropped
from qeframe_wmt import spans_2023, spans_2025

OLD, NEW = Parametric(spans_2023), Parametric(spans_2025)
HEADER = "123\n456\n1\n"
NAMES = "lp\tmethod\tseg\ttarget\tstarts\tends\ttypes\n"


def line(segment, spans, *, text="abcdefghijklmnop", pair="en-de"):
    return "\t".join([pair, "x", segment, text, *spans.split("|")]) + "\n"


NONE = "-1|-1|no-error"
GOLD = NAMES + line("0", "0|10|major") + line("1", NONE) + line("2", "1 1 4|2 3 9|minor major minor")
ANSWER = HEADER + line("2", "||") + line("0", "5|12|minor") + line("01", "3|3|minor")


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader):
    (reading,) = reader.read(Path("t"), "low")
    return reading


def test_the_tables_of_2023(tree):
    tree({"t/gold.tsv": GOLD, "t/submissions/team.x.tsv": ANSWER})
    reading = read(OLD())
    (side,) = reading.submissions
    assert (reading.name, side.name, side.ids.tolist(), side.lines.tolist()) == (
        "en-de",
        "team.x",
        [2, 0, 1],
        [4, 5, 6],
    )
    assert rows(reading.gold) == [[[0, 10, 1]], [], [[1, 2, 0], [1, 3, 1], [4, 9, 0]]]
    assert rows(side) == [[], [[5, 12, 0]], [[3, 3, 0]]]
    (batch,) = align(reading).batches.values()
    assert batch.text.tolist() == [16, 16, 16]
    assert reading.groups == {"length": ["1-10"] * 3}


def test_the_checked_value_of_2023(tree, registry):
    tree({"t/gold": NAMES + line("0", "0|10|major"), "t/submissions/a": HEADER + line("0", "5|12|minor")})
    rules = find_profile("wmt23_qe_span", registry)
    found = qeframe.evaluate(rules, align(read(OLD())), registry=registry)
    assert found.submissions[0].scores["span_f1(rule=2023)"].value == pytest.approx(5 / 17)


def test_every_language_pair_is_a_task(tree):
    gold = GOLD + line("0", NONE, pair="zh-en", text="xyz")
    other = HEADER + line("0", "0|1|minor", pair="ZH-EN", text="xyz")
    tree({"t/gold": gold, "t/submissions/a": ANSWER, "t/submissions/b": other})
    readings = OLD().read(Path("t"), "low")
    assert [(r.name, [s.name for s in r.submissions]) for r in readings] == [("en-de", ["a"]), ("zh-en", ["b"])]
    assert [align(r).units for r in readings] == [3, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line("0", "0 1|2|minor minor"), "a:4: 2 starts, 1 ends and 2 types; give as many of each, with a blank"),
        (
            line("0", "0|2|critical"),
            "a:4: a span of type 'critical'; 2023 had minor and major only; set critical=major",
        ),
        (line("0", "0|2|bad"), "a:4: a span of type 'bad'; the types are minor, major, no-error"),
        (
            line("0", "3|2|minor"),
            "a:4: a span from '3' to '2'; characters count from 0, the end is the first one after",
        ),
        (line("0", "-1|-1|minor"), "a:4: a span from '-1' to '-1'; characters count from 0"),
        (line("0", "1 9|2 17|minor major"), "a:4: a span from 9 to 17, the text has 16 characters; mark characters of"),
        (line("0", "300|304|minor"), "a:4: a span from 300 to 304, the text has 16 characters; mark characters of the"),
        (line("0", "1|x|minor"), "a:4: a span from '1' to 'x'; characters count from 0"),
        (line("0", "3|5|no-error"), "a:4: no-error with a span from '3' to '5'; write -1 -1 no-error for a segment"),
        (
            line("0", "1 -1|2 -1|minor no-error"),
            "a:4: no-error among 2 types; write -1 -1 no-error for a segment without",
        ),
        (line("0", NONE, text="abc"), "a:4: another translation of segment 0 than in t/gold:2; mark the translation"),
        (
            line("0", NONE, pair="de-en"),
            "a:4: language pair 'de-en' is not in t/gold, which has en-de; remove the line",
        ),
        (
            line("0", NONE) + "x\n",
            "a:5: 1 column instead of 7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES)",
        ),
        (line("1.0", NONE), "a:4: no "),
    ],
)
def test_broken_tables_of_2023(tree, refusal, text, message):
    tree({"t/gold": GOLD, "t/submissions/a": HEADER + text})
    if text.split("\t")[2] == "1.0":
        message = "a:4: '1.0' is not a whole number from 0; write digits only"
    assert refusal(OLD(), "t").startswith("t/submissions/" + message)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"t/gold": GOLD, "t/submissions/a": ANSWER.removeprefix("123\n")},
            "t/submissions/a:1: looks like 7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES) after 2 header",
        ),
        ({"t/gold": GOLD, "t/submissions/a": "OK BAD"}, "t/submissions/a:1: looks like plain tag lines, not like 7"),
        (
            {"t/gold": GOLD.removeprefix(NAMES), "t/submissions/a": ANSWER},
            "t/gold:1: the header line of the gold is missing; begin the gold with the names of its columns: LP METHOD",
        ),
    ],
)
def test_wrong_layouts(tree, refusal, files, message):
    tree(files)
    assert refusal(OLD(), "t").startswith(message)


def test_what_is_lenient_is_declared(tree):
    answer = HEADER + line("0", "0|4|critical", text="other") + line("1", NONE) + line("2", NONE)
    tree({"t/gold": GOLD, "t/submissions/a": answer})
    reading = read(OLD(critical="major", compare="no"))
    assert rows(reading.submissions[0])[0] == [[0, 4, 2]]
    (batch,) = align(reading).batches.values()
    assert batch.text.tolist() == [16, 16, 16]


def test_spans_beyond_the_text_can_be_cut_and_are_counted(tree):
    answer = HEADER + line("0", "5 7 16 300|12 400 17 304|minor minor major minor") + line("1", "16|16|minor")
    tree({"t/gold": GOLD.replace("2 3 9", "2 3 90"), "t/submissions/a": answer + line("2", NONE)})
    reading = read(OLD(beyond="clip"))
    assert rows(reading.submissions[0]) == [[[5, 12, 0], [7, 16, 0], [16, 16, 1]], [[16, 16, 0]], []]
    assert reading.dropped == (
        Dropped("en-de", "span", 1, "cut at the end of the text in the gold"),
        Dropped("en-de", "span", 1, "beyond the end of the text in a"),
        Dropped("en-de", "span", 2, "cut at the end of the text in a"),
    )


def test_missing_segments_follow_the_policy(tree):
    tree({"t/gold": GOLD, "t/submissions/a": HEADER + line("0", NONE)})
    reading = read(OLD())
    with pytest.raises(DataError, match=r"^t/submissions/a: segment 1 is missing in a \(and 1 more\): 1 of 3 segments"):
        align(reading)
    with pytest.raises(DataError, match="'score_as_worst' is not defined for a batch of Spans; use 'drop_for_all'"):
        align(reading, missing="score_as_worst")
    assert align(reading, missing="drop_for_all").units == 1


def test_a_negative_header():
    with pytest.raises(DataError, match="header_lines = -1 must not be negative; give 3"):
        OLD(header_lines=-1)


# 2025

COLUMNS = [
    *("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment"),
    *("domain_name", "method", "start_indices", "end_indices", "error_types"),
]


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
            ANSWER,
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
    with pytest.raises(DataError, match=r"segment d1/1/s1 is missing in a: .* 'missing' be drop_for_all to go on"):
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
