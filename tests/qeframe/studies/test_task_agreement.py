"""Agreement with judges on a task: scales and numbers of references, and what a task must have."""

import attrs
import numpy as np
import pytest

from qeframe.plugin import DataError, Metric, Scores, Texts, additive
from qeframe.plugin.readers import Assessments, Reading, TextFiles, UnitValues
from qeframe.studies.judge_agreement import correlate_task, correlate_with_judges

REFERENCES = ("a b c\nx y\np\n", "a b c d e\nx\np q r\n")
SYSTEMS = {"A": "a b\nx y z\np\n", "B": "b\nx\nq q q\n", "C": "a b c d\ny\nr r\n"}


def closeness(batch):
    """Count a segment, and minus the smallest distance of its number of words to a reference."""
    rows = []
    for nth, candidate in enumerate(batch.predicted):
        references = batch.gold.values[batch.gold.offsets[nth] : batch.gold.offsets[nth + 1]]
        rows.append((1.0, -min(abs(len(candidate.split()) - len(each.split())) for each in references)))
    return np.array(rows)


def mean(sums):
    return np.divide(sums[..., 1], sums[..., 0], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 0] > 0)


METRIC = Metric(name="close", summary="", kind=Texts, bind=additive(columns=("n", "c"), extract=closeness, score=mean))


def assessments(scale, seed, judges=("ann", "ben", "ann", "ben", "cid")):
    values = np.random.default_rng(seed).integers(1, 6, (5, 3)).astype(float)
    return Assessments(
        scale=scale, systems=("A", "B", "C"), segments=np.array([1, 1, 2, 3, 3]), judges=judges, values=values
    )


@pytest.fixture
def reading(tmp_path):
    for name, text in {"ref1": REFERENCES[0], "ref2": REFERENCES[1], **SYSTEMS}.items():
        (tmp_path / name).write_text(text)
    texts = TextFiles(
        pair="cs-en",
        systems={name: tmp_path / name for name in SYSTEMS},
        references=(tmp_path / "ref1", tmp_path / "ref2"),
        segments=np.array([1, 2, 3]),
        root=tmp_path,
    )
    gold = UnitValues(name="gold", ids=np.array([1, 2, 3]), values=np.zeros(3))
    return Reading(
        name="cs-en", kind=Scores, gold=gold, submissions=(), texts=texts,
        assessments=(assessments("rank", 0), assessments("fluency", 1)),
    )  # fmt: skip


def test_every_scale_and_number_of_references_has_a_curve(reading):
    curves = correlate_task(reading, [METRIC], [1, 4], references=[2, 1, 2], draws=30)
    assert [(curve.scale, curve.name, curve.references) for curve in curves] == [
        ("rank", "close", 2),
        ("rank", "close", 1),
        ("rank", "between judges", 0),
        ("fluency", "close", 2),
        ("fluency", "close", 1),
        ("fluency", "between judges", 0),
    ]


def test_curves_are_those_of_the_texts_of_the_files(reading):
    lines = [text.splitlines() for text in REFERENCES]
    candidates = {
        name: attrs.evolve(Texts.from_plain(list(zip(*lines, strict=True)), text.splitlines()), ids=np.arange(1, 4))
        for name, text in SYSTEMS.items()
    }
    by_hand = correlate_with_judges(reading.assessments[0], candidates, [METRIC], [3], draws=50, seed=5)
    found = correlate_task(reading, [METRIC], [3], draws=50, seed=5)
    assert [curve.references for curve in found[:2]] == [2, 0]
    for one, other in zip(found, by_hand, strict=False):
        np.testing.assert_array_equal(one.values, other.values)


def test_segments_are_numbered_from_the_first_of_the_texts(reading):
    shifted = tuple(attrs.evolve(each, segments=each.segments + 10) for each in reading.assessments)
    texts = attrs.evolve(reading.texts, first=11, segments=reading.texts.segments + 10)
    plain = correlate_task(reading, [METRIC], [2], draws=20)
    moved = correlate_task(attrs.evolve(reading, texts=texts, assessments=shifted), [METRIC], [2], draws=20)
    for one, other in zip(plain, moved, strict=True):
        np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize(
    ("change", "references", "message"),
    [
        ({"texts": None}, (), "task 'cs-en' has no texts; give the texts beside the judgments"),
        ({"assessments": ()}, (), "task 'cs-en' has no scores of single judges; choose another reader"),
        ({}, (1, 3), "3 references were asked for, task 'cs-en' has 2; ask for at least one"),
        ({}, (0,), "0 references were asked for, task 'cs-en' has 2; ask for at least one"),
    ],
)
def test_tasks_that_cannot_be_correlated(reading, change, references, message):
    with pytest.raises(DataError, match=message):
        correlate_task(attrs.evolve(reading, **change), [METRIC], [1], references=references, draws=2)
