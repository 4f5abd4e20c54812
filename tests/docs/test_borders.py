"""The rates of false borders, of power and of warnings on the pages are what is stored."""

import json

import numpy as np
import pytest

from qeframe.extensions.null_model import NullModel
from tests.docs.studies import loaded_study


@pytest.mark.parametrize("name", ["borders", "power_and_warnings"])
def test_the_table_is_what_is_stored(name, tmp_path):
    study = loaded_study(name)
    page = study.PAGE.read_text(encoding="utf-8")
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    study.write(json.loads(study.STORED.read_text(encoding="utf-8"))["rows"], tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page


def test_a_false_border_separates_equal_submissions(registry):
    study = loaded_study("borders")
    assert study.is_split([1, 1, 1, 2, 2, 2, 2, 2, 2, 2], groups=1)
    assert not study.is_split([1] * 5 + [2] * 5, groups=2)
    assert study.is_split([1] * 4 + [2] * 6, groups=2)
    task = study.drawn(registry.get(NullModel, "normal"), 2, 400, 0)
    gold = next(iter(task.batches.values())).gold
    r = [np.corrcoef(gold, batch.predicted)[0, 1] for batch in task.batches.values()]
    assert min(r[:5]) > max(r[5:])


def test_levels_of_submissions_differ_in_quality_and_not_in_law(registry):
    study = loaded_study("power_and_warnings")
    task = study.drawn(registry.get(NullModel, "normal"), 2000, 0)
    gold = next(iter(task.batches.values())).gold
    r = [np.corrcoef(gold, batch.predicted)[0, 1] for batch in task.batches.values()]
    assert min(r[:2]) > max(r[2:4]) > max(r[4:6]) > max(r[6:])
    assert [study.level(f"s{nth}") for nth in (0, 1, 2, 7)] == [0, 0, 1, 3]
