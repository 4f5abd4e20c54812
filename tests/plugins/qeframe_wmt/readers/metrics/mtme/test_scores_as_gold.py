"""The scores of a metric in the place of human scores, for a pseudo-gold."""

from pathlib import Path

import pytest

from qeframe.core.components.loading.loader import load
from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError
from qeframe_wmt.readers.metrics.mtme.score_files import scores_as_gold


@pytest.fixture
def gold(tmp_path) -> Path:
    path = tmp_path / "en-de.mqm.seg.score"
    path.write_text("A\t-1\nA\tNone\nrefA\tNone\nrefA\tNone\nB\t-2\nB\t-3\n")
    return path


def answers(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "M-refA.seg.score"
    path.write_text(text)
    return path


def test_systems_of_the_gold_in_its_order_and_none_where_it_has_none(tmp_path, gold):
    given = answers(tmp_path, "synthetic\t9\nsynthetic\t9\nB\t.5\nB\tNone\nA\t1\nA\t2\n")
    made = scores_as_gold(gold, given).decode()
    assert made == "A\t1.0\nA\tNone\nrefA\tNone\nrefA\tNone\nB\t0.5\nB\tNone\n"


def test_another_number_of_segments(tmp_path, gold):
    with pytest.raises(DataError, match=r"1 line of a system, 2 in en-de\.mqm\.seg\.score; give a score for every"):
        scores_as_gold(gold, answers(tmp_path, "A\t1\nB\t2\n"))


def test_readers_say_where_submissions_are():
    registry = load()
    folders = {
        name: registry.get(Reader, name).submission.folder
        for name in ("mtme", "rankings", "decided_pairs", "wmt20_darr", "wmt20_systems", "qe_sentence", "wmt26_spans")
    }
    assert folders == {
        "mtme": "metric-scores",
        "rankings": "scores",
        "decided_pairs": "scores",
        "wmt20_darr": "scores",
        "wmt20_systems": "scores",
        "qe_sentence": "",
        "wmt26_spans": "",
    }
