"""MQM ratings, also side by side, and scalar ratings."""

import json
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_wmt.readers.metrics.ratings.mqm_and_sqm import (
    USUAL_WEIGHTS,
    mqm_ratings,
    parse_weights,
    points_of,
    sqm_ratings,
)

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
    assert points_of(parse_weights(USUAL_WEIGHTS), severity, category) == points


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


RATED = ['A\t{"errors": []}', "A\tNone", 'B\t{"errors": []}', "B\tNone"]


def test_equal_lines_where_the_rule_says_so(tree):
    tree({"t": "\n".join([HEADER, *ERRORS, ERRORS[0]])})
    assert scores(mqm_ratings(repeated="add"), "t")[0]["A"][0] == -10
    bare = ["\t".join([line.split("\t")[i] for i in (0, 1, 3, 4, 7, 8)]) for line in (HEADER, *ERRORS, ERRORS[0])]
    tree({"u": "\n".join(bare)})
    assert scores(mqm_ratings(), "u")[0]["A"][0] == -10  # nothing says that the two errors are at one place


def test_equal_ratings_of_a_few_lines(tree):
    tree({"u": "\n".join(RATED)})
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


def test_a_table_with_other_names_of_columns_and_an_empty_severity_for_no_error(tree, refusal):
    lines = [HEADER, *ERRORS, row("B", "2", "r1", "", "no-error")]
    tree({"usual": "\n".join(lines) + "\n"})
    names = {"seg_id": "segment", "severity": "sev"}
    other = [line.replace("no-error", "") for line in lines]
    other[0] = HEADER.replace("seg_id", "segment").replace("severity", "sev")
    tree({"other": "\n".join(other) + "\n"})
    reader = mqm_ratings(columns=names, no_error=("",))
    assert scores(reader, "other") == scores(mqm_ratings(), "usual")
    assert refusal(mqm_ratings(columns=names), "other").startswith("other:5: the severity is empty; write no-error")


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


OFFICIAL = json.loads((Path(__file__).parent / "side_by_side_2023.json").read_text(encoding="utf-8"))
HEADER_SIDE = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"


@pytest.fixture(params=["", ".tar.gz"])
def published(request, shared_data):
    (path,) = shared_data("mqm-side-by-side-2023").rglob(f"sxs_*.tsv{request.param}")
    return path


def test_the_official_scores_come_out(published):
    (task,) = mqm_ratings().read(published, "high")
    (assessments,) = task.assessments
    scores = {
        system: dict(zip(task.gold.names.values(), column, strict=True))
        for system, column in zip(assessments.systems, task.gold.values.T.tolist(), strict=True)
    }
    means = {system: sum(of_system.values()) / len(of_system) for system, of_system in scores.items()}
    assert means == pytest.approx(OFFICIAL["means"], rel=1e-14)
    assert scores.keys() == OFFICIAL["segments"].keys()
    for system, expected in OFFICIAL["segments"].items():
        assert scores[system] == pytest.approx(expected, rel=1e-14)
        assert str(scores[system]) == str({name: expected[name] for name in scores[system]})  # -0.0 too
    assert [(each.count, each.reason) for each in task.dropped] == [
        (18, "severity 'HOTW-test' has no weight: 0 points")
    ]


def rated(segment, number, severity):
    return f"A\td\t{segment}\t{number}\tr\ts\tt\tStyle\t{severity}\t{{}}"


@pytest.mark.parametrize("comment", ["", "\t# Documentation: a link"])
def test_numbers_of_the_whole_file_are_places(tree, comment):
    tree({"t": "\n".join([HEADER_SIDE + comment, rated(2, 4, "Minor"), rated(1, 2, "Major")]) + "\n"})
    (task,) = mqm_ratings().read(Path("t"), "high")
    assert list(task.gold.names.values()) == ["1", "d/1", "3", "d/2"]
    assert task.gold.values[:, 0] == pytest.approx([np.nan, -5, np.nan, -1], nan_ok=True)


FIELDS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "score")
HEADER_SQM = "\t".join(FIELDS)


def rating(system, segment, rater, score, doc="d"):
    return f"{system}\t{doc}\t1\t{segment}\t{rater}\ts\tt\t{score}"


ROWS = [rating("B", 3, "r1", 6), rating("B", 3, "r2", 5), rating("A", 1, "r1", "0"), rating("B", 1, "r1", 2.5)]


@pytest.mark.parametrize("header", [True, False])
def test_the_mean_over_raters(tree, header):
    tree({"t": "\n".join([HEADER_SQM, *ROWS] if header else ROWS) + "\n"})
    found, _ = scores(sqm_ratings(fields=() if header else FIELDS), "t")
    assert list(found) == ["B", "A"]
    assert found["B"] == pytest.approx([2.5, np.nan, 5.5], nan_ok=True)
    assert found["A"] == pytest.approx([0, np.nan, np.nan], nan_ok=True)


def test_the_test_set_may_be_longer_and_scores_be_added(tree):
    tree({"t": "\n".join([HEADER_SQM, *ROWS]), "u": "\n".join([HEADER_SQM, *ROWS, rating("A", 1, "r1", 3)])})
    assert len(scores(sqm_ratings(segments=5), "t")[0]["A"]) == 5
    assert scores(sqm_ratings(repeated="add"), "u")[0]["A"][0] == 3


@pytest.mark.parametrize(
    "other", [rating("A", 1, "r1", 3, doc="e"), rating("A", "x", "r1", 3), rating("A", 0, "r1", 3)]
)
def test_segments_without_numbers_of_their_own_are_in_the_order_of_the_table(tree, refusal, other):
    tree({"t": "\n".join([HEADER_SQM, *ROWS, other])})
    (task,) = sqm_ratings().read(Path("t"), "high")
    assert list(task.gold.names.values())[:2] == ["d/3", "d/1"]
    assert list(task.gold.names) == [1, 2, 3]
    assert "have no numbers of their own" in refusal(sqm_ratings(segments=5), "t")


@pytest.mark.parametrize("wrong", [{"fields": ("system",)}, {"fields": (*FIELDS, "doc")}, {"segments": -1}])
def test_wrong_parameters(wrong):
    with pytest.raises(DataError):
        sqm_ratings(**wrong)
