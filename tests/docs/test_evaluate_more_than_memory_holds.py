"""The page on units that do not fit into memory."""

import re
from pathlib import Path
from random import Random

import pytest

from qeframe.kinds.registered import kind_of
from qeframe.plugin import CapabilityError, Metric
from qeframe.streaming.additive_rows import check_additive

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "evaluate-more-than-memory-holds.md"


def test_the_python_of_the_page_runs(run_python):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert run_python(code) == "[(1, 'a', 0.713), (2, 'b', 0.448)]\n"


@pytest.mark.parametrize("part", ["additive", "others"])
def test_the_metrics_of_the_page_are_additive_or_not(registry, part):
    text = PAGE.read_text(encoding="utf-8")
    both = text[text.index("*Additive metrics*") : text.index("Tests and intervals may")].split("Ranks need")
    known = registry.names(Metric)
    names = [name for name in re.findall(r"`(\w+)`", both[part == "others"]) if name in known]
    assert len(names) >= 4
    for name in names:
        metric = registry.get(Metric, name)
        batch = kind_of(metric.kind).fixed_submissions(Random(1), 24)[0]
        if part == "additive":
            check_additive(metric, batch)
        else:
            with pytest.raises(CapabilityError):
                check_additive(metric, batch)
