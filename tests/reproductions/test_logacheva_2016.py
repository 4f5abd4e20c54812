"""The table of docs/how-to/reproduce-logacheva-2016.md."""

import re
from pathlib import Path

import pytest

from qeframe.components import Attack
from qeframe.distinguish import distinguish
from qeframe.place import choose_rules, read_tasks

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "reproduce-logacheva-2016.md"


def test_the_table_of_the_page(shared_data, registry):
    lines = re.findall(r"^\| ([a-z0-9_]+) \| (\d.+) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    table = {name: [float(cell) for cell in cells.split(" | ")] for name, cells in lines}
    assert len(table) == 7
    rules = choose_rules("wmt22_qe_word", (), registry)
    tasks = read_tasks(rules, shared_data("wmt22-qe") / "word" / "en-de", registry)
    for row in distinguish(rules, tasks, registry.all(Attack), registry, metrics=list(table)):
        d = row.distinction
        found = [*row.beaten.values(), row.total, d.d, d.d_top, d.d_bottom, row.groups]
        assert found == pytest.approx(table[row.metric], abs=0.005), row.metric
