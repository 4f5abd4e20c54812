"""MQM errors as scores: weights, layouts, and the scores of WMT23 en-de."""

import json
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_wmt.readers.metrics.ratings.mqm_and_sqm import USUAL_WEIGHTS, mqm_ratings, parse_weights

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
NO_POINTS = [
    f"{how}/{what}=0" for how in ("minor", "major") for what in ("source issue", "accuracy/creative reinterpretation")
]


def row(system, segment, rater, category, severity):
    return "\t".join([system, "d", "1", segment, rater, "s", "t", category, severity])


def scores(reader, path):
    (task,) = reader.read(Path(path), "high")
    (assessments,) = task.assessments
    columns = task.gold.values.T.tolist()
    return dict(zip(assessments.systems, columns, strict=True)), {each.reason: each.count for each in task.dropped}


@pytest.mark.parametrize(
    ("severity", "category", "points"),
    [
        ("Major", "Accuracy/Mistranslation", 5),
        ("MINOR", "Fluency/Punctuation", 0.1),
        ("minor", "fluency/grammar", 1),
        ("major", "Non-translation!", 25),
        ("minor", "non-translation!", 1),
        ("neutral", "", 0),
        ("No-error", "no-error", 0),
        ("critical", "x", None),
    ],
)
def test_the_most_specific_weight_counts(severity, category, points):
    assert parse_weights(USUAL_WEIGHTS).of(severity, category) == points


@pytest.mark.parametrize("wrong", ["major", "=5", "major=x", "major=-1", "major=nan", "major=1_0"])
def test_wrong_weights(wrong):
    with pytest.raises(DataError, match="is no weight of an error"):
        parse_weights([wrong])
    with pytest.raises(DataError, match="given twice"):
        parse_weights(["major=1", "Major=2"])


ERRORS = [
    row("A", "1", "r1", "Style", "Major"),
    row("A", "2", "r1", "Style", "Minor"),
    row("B", "1", "r1", "x", "Minor"),
]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [HEADER, *ERRORS, HEADER, *ERRORS],
            "t:5: the names of the columns again, as on line 1: two tables were joined",
        ),
        ([HEADER, *ERRORS, *ERRORS], "t:5: lines 5 to 7 repeat lines 2 to 4; keep them once"),
        ([HEADER, *ERRORS * 3], "t:5: lines 5 to 10 repeat lines 2 to 4; keep them once"),
        ([HEADER, *ERRORS, ERRORS[0]], "t:5: the same error of one rater again, as on line 2; remove it, or set"),
    ],
    ids=["two tables", "twice", "three times", "a line twice"],
)
def test_tables_that_were_joined(tree, refusal, lines, message):
    tree({"t": "\n".join(lines)})
    assert refusal(mqm_ratings(), "t").startswith(message)


def test_equal_lines_where_the_rule_says_so(tree):
    tree({"t": "\n".join([HEADER, *ERRORS, ERRORS[0]])})
    assert scores(mqm_ratings(repeated="add"), "t")[0]["A"][0] == -10
    bare = ["\t".join([line.split("\t")[i] for i in (0, 1, 3, 4, 7, 8)]) for line in (HEADER, *ERRORS, ERRORS[0])]
    tree({"u": "\n".join(bare)})
    assert scores(mqm_ratings(), "u")[0]["A"][0] == -10  # nothing says that the two errors are at one place


def test_ratings_that_were_joined(tree, refusal):
    lines = ['A\t{"errors": []}', "A\tNone", 'B\t{"errors": []}', "B\tNone"]
    tree({"t": "\n".join(lines * 2), "u": "\n".join(lines)})
    assert refusal(mqm_ratings(layout="rating"), "t").startswith(
        "t:5: lines 5 to 8 repeat lines 1 to 4; keep them once"
    )
    assert len(mqm_ratings(layout="rating").read(Path("u"), "high")) == 1


def test_a_table(tree):
    rows = [
        row("A", "1", "r1", "Accuracy/Omission", "Major"),
        row("A", "1", "r1", "Fluency/Punctuation", "Minor"),
        row("A", "1", "r2", "No-error", "no-error"),
        row("B", "1", "r1", "Style", "critical"),
        row("A", "2", "r1", "Style", "minor"),
    ]
    tree({"en-de.tsv": "\n".join([HEADER, *rows]) + "\n"})
    found, counted = scores(mqm_ratings(), "en-de.tsv")
    assert found == {"A": [pytest.approx(-2.55), -1.0], "B": [0.0, pytest.approx(np.nan, nan_ok=True)]}
    assert counted == {"severity 'critical' has no weight: 0 points": 1}


def test_json_lines_and_ratings_agree_with_the_table(tree):
    errors = [{"start": 0, "end": 1, "category": "Style", "severity": "major", "score": 3, "is_source_error": False}]
    names = {"document_id": "d", "system_id": "A", "rater_id": "r"}
    lines = [{**names, "segment_id": 0, "errors": errors}, {**names, "segment_id": 1, "errors": None}]
    tree({"a.jsonl": "".join(json.dumps(each) + "\n" for each in lines)})
    tree({"b.seg.rating": f"A\t{json.dumps({'errors': errors})}\nA\tNone\n"})
    for layout, path in (("lines", "a.jsonl"), ("rating", "b.seg.rating")):
        for points, lost in (("weights", 5), ("stated", 3)):
            found, counted = scores(mqm_ratings(layout=layout, points=points), path)
            assert found == {"A": [-lost, pytest.approx(np.nan, nan_ok=True)]}
            assert counted == {"without a rating": 1}


@pytest.mark.parametrize(
    ("layout", "text", "message"),
    [
        ("table", "system\tdoc\n", "the columns are missing: seg_id, rater, category, severity"),
        ("table", f"{HEADER}\n{row('A', '1', 'r', 'x', '')}\n", "f:2: the severity is empty"),
        ("table", f"{HEADER}\n{row('', '1', 'r', 'x', 'minor')}\n", "f:2: system is ''"),
        ("rating", "A\t{}\n", "f:1: the key 'errors' is missing"),
        ("rating", "A\tnone\n", "f:1: this is not JSON"),
        ("rating", "A\n", "f:1: 1 columns by tabs"),
        ("rating", "A\tNone\nA\tNone\nB\tNone\n", "1 lines of B, but 2 of A"),
        ("rating", "A\tNone\n", "no translation has a rating"),
        ("lines", '{"segment_id": 1}\n', "f:1: the key 'document_id' is missing"),
    ],
)
def test_broken_files(tree, refusal, layout, text, message):
    tree({"f": text})
    assert message in refusal(mqm_ratings(layout=layout), "f")


@pytest.mark.parametrize("parameters", [{"points": "stated"}, {"weights": (*USUAL_WEIGHTS, *NO_POINTS)}])
def test_the_scores_of_wmt23_come_out(shared_data, parameters):
    folder = shared_data("wmt23-metrics-pairs") / "human-scores"
    found, _ = scores(mqm_ratings(layout="rating", **parameters), folder / "en-de.mqm.merged.seg.rating")
    published: dict[str, list[float]] = {}
    for line in (folder / "en-de.mqm.seg.score").read_text().splitlines():
        system, score = line.split("\t")
        published.setdefault(system, []).append(np.nan if score == "None" else float(score))
    assert len(published) == 13
    for system, values in published.items():
        assert np.array(found[system]) == pytest.approx(np.array(values), abs=1e-9, nan_ok=True)
