"""The input of one metric."""

import pytest

from qeframe.cli.shared.metric_input import read_metric_input
from qeframe.core.errors import DataError, UnknownNameError


@pytest.fixture
def files(tmp_path):
    sides = {"gold": "1 1\n2 2\n3 3\n", "mine": "3 3\n1 2\n2 5\n", "short": "1 1\n2 2\n"}
    for name, text in sides.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return [tmp_path / f"{name}.txt" for name in sides]


def test_units_are_joined_by_id(files):
    gold, mine, _ = files
    metric, batches, groups = read_metric_input("mae", gold, [mine], "high", "error", [])
    assert (metric.name, list(batches), dict(groups)) == ("mae", ["mine"], {})
    assert batches["mine"].gold.tolist() == [1, 2, 3]
    assert batches["mine"].predicted.tolist() == [2, 5, 3]


def test_units_that_are_dropped_are_reported(files, capsys):
    gold, _, short = files
    with pytest.raises(DataError):
        read_metric_input("mae", gold, [short], "high", "error", [])
    _, batches, _ = read_metric_input("mae", gold, [short], "high", "drop_for_all", [])
    assert len(batches["short"]) == 2
    assert capsys.readouterr().err.startswith("qeframe: warning: 1 ")


def test_an_unknown_metric(files):
    with pytest.raises(UnknownNameError, match="unknown metric 'mea'; did you mean"):
        read_metric_input("mea", files[0], [files[1]], "high", "error", [])
