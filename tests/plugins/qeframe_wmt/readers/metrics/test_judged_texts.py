"""Texts with scores of single judges."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe.studies import correlate_task
from qeframe_wmt import assessed_texts

HEADER = "SCALE\tSEGMENT\tSYSTEM\tJUDGE\tSCORE\n"
ROWS = (
    "adequacy\t2\tA\tann\t5\nadequacy\t2\tB\tann\t1\nadequacy\t1\tB\tben\t3\n"
    "fluency\t1\tA\tann\t2\nadequacy\t2\tA\tben\t1\n"
)
FOLDER = {
    "e/systems/A.txt": "a b\nc d\n",
    "e/systems/B": "a x\nd c\n",
    "e/systems/C": "\nx\n",
    "e/references/1": "a b\nc d\n",
    "e/references/2": "b a\nd d\n",
    "e/assessments.tsv": HEADER + ROWS,
}


def read():
    return assessed_texts.read(Path("e"), "high")


def test_scales_and_looks(tree):
    tree(FOLDER)
    (reading,) = read()
    adequacy, fluency = reading.assessments
    assert (adequacy.scale, adequacy.systems, adequacy.judges) == ("adequacy", ("A", "B"), ("ann", "ben", "ben"))
    assert adequacy.segments.tolist() == [2, 1, 2]
    np.testing.assert_array_equal(adequacy.values, [[5, 1], [np.nan, 3], [1, np.nan]])
    assert (fluency.scale, fluency.systems, fluency.segments.tolist()) == ("fluency", ("A",), [1])
    assert reading.name == "e"
    assert reading.dropped == (Dropped("e", "system", 1, "was not judged"),)
    assert reading.counts == {"systems": 2, "segments": 2, "judges": 2}


def test_gold_is_a_grid_of_mean_z_scores(tree):
    tree(FOLDER)
    (reading,) = read()
    assert reading.gold.ids.tolist() == [1, 2]
    np.testing.assert_allclose(reading.gold.values, [[np.nan, 1], [0, -1]])
    assert align(reading).batches == {}


def test_metrics_are_computed_from_the_texts(tree, registry):
    from qeframe.api.computed import add_computed_metrics
    from qeframe.core.metric import Metric

    tree(FOLDER)
    (batch,) = align(add_computed_metrics(read()[0], [registry.get(Metric, "gtm_f")])).batches.values()
    np.testing.assert_allclose(batch.predicted, [[1, 0.5], [1, 1]])


def test_curves_of_every_number_of_references(tree, registry):
    from qeframe.core.metric import Metric

    tree({**FOLDER, "e/assessments.tsv": HEADER + "".join(line + "\n" for line in ROWS.splitlines() if line[0] == "a")})
    curves = correlate_task(read()[0], [registry.get(Metric, "gtm_f")], [1, 3], references=[1, 2], draws=20)
    assert [(curve.label, curve.scale) for curve in curves] == [
        ("gtm_f", "adequacy"), ("gtm_f, 2 references", "adequacy"), ("between judges", "adequacy"),
    ]  # fmt: skip


def test_a_folder_that_is_missing_or_empty(tree):
    tree({name: text for name, text in FOLDER.items() if "references" not in name})
    with pytest.raises(DataError, match=r"^e/references: there is no such folder"):
        read()
    Path("e/references").mkdir()
    with pytest.raises(DataError, match=r"^e/references: the folder is empty"):
        read()


def test_a_judged_segment_without_a_text(tree, registry):
    from qeframe.core.metric import Metric

    tree({**FOLDER, "e/assessments.tsv": HEADER + "a\t3\tA\tann\t1\na\t3\tB\tann\t2\n"})
    with pytest.raises(DataError, match="segment 3 was judged, but the texts of e are segments 1 to 2"):
        correlate_task(read()[0], [registry.get(Metric, "gtm_f")], [1])
