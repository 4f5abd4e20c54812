"""Side-by-side MQM ratings as published: the scores of the official program, from the table and from its archive."""

import json
from pathlib import Path

import numpy as np
import pytest

from qeframe_wmt.readers.metrics.ratings.mqm_and_sqm import mqm_ratings

OFFICIAL = json.loads((Path(__file__).parent / "side_by_side_2023.json").read_text(encoding="utf-8"))
HEADER = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"


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
    tree({"t": "\n".join([HEADER + comment, rated(2, 4, "Minor"), rated(1, 2, "Major")]) + "\n"})
    (task,) = mqm_ratings().read(Path("t"), "high")
    assert list(task.gold.names.values()) == ["1", "d/1", "3", "d/2"]
    assert task.gold.values[:, 0] == pytest.approx([np.nan, -5, np.nan, -1], nan_ok=True)


def test_a_comment_over_a_column_is_a_name(tree, refusal):
    tree({"t": f"{HEADER}\t# c\n{rated(1, 1, 'Minor')}\n{rated(1, 1, 'Major')}\tx\n"})
    assert refusal(mqm_ratings(), "t").startswith("t:3: 11 columns instead of 10 columns by tabs")
