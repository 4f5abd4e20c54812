"""What is said of scores of a class that few units have."""

import pytest

from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.rare_classes import rare_class_warning
from qeframe.kinds.tags.batch import Tags


@pytest.mark.parametrize(
    ("members", "total", "units", "warned"),
    [(2, 100, 49, True), (2, 100, 50, False), (5, 100, 49, False), (4, 100, 10, True)],
)
def test_rare_classes_in_few_units(members, total, units, warned):
    remark = rare_class_warning("tags are BAD", members, total, units)
    assert remark.startswith(f"{members:.1f} % of the tags are BAD, in {units} units") is warned
    assert bool(remark) is warned


def test_tags_and_detections_with_a_rare_class():
    few = [["OK"] * 20] * 9 + [["OK"] * 19 + ["BAD"]]
    assert "tags are BAD" in Tags.from_plain(few, few).gold_warning()
    assert Tags.from_plain(few * 5, few * 5).gold_warning() == ""
    rare = [1] + [0] * 30
    assert "units are positive" in Detections.from_plain(rare, rare).gold_warning()
