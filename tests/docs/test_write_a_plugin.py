"""The module of the page on plugins works, and its components keep their laws."""

import re
from pathlib import Path
from types import ModuleType

import pytest

import qeframe
from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.core.components.loading.hookspecs import OTHER_HOOKS
from qeframe.core.components.metric import Metric
from qeframe.testing import check_aggregation, check_correction, check_ranking_rule, check_tie_policy

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-plugin.md"
TABLE = "id,gold,good,poor\n1,0.1,0.2,0.9\n2,0.4,0.5,0.3\n3,0.8,0.7,0.5\n4,0.9,0.9,0.1\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write the blocks of the page into a package with a profile, and import it."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    folder = tmp_path / "from_the_page"
    folder.mkdir()
    (folder / "__init__.py").write_text("\n".join(block for block in blocks if "parametrize_with_checks" not in block))
    rules = 'title = "Mine"\nlevel = "sentence"\ngold = "any"\nbest = "high"\nsource = "mine"\nreader = "one_table"\n'
    rules += (
        'primary = "my_metric(within=0.2)"\ntest = "my_test(draws=99)"\ncorrection = "sidak"\nacross = "worst_task"\n'
    )
    (folder / "my_profile.toml").write_text(rules + 'ranking = "best_score"\ninterval = "bootstrap(draws=99)"\n')
    monkeypatch.syspath_prepend(tmp_path)
    import importlib

    return importlib.import_module("from_the_page")


def test_all_components_of_the_page_work_together(module: ModuleType, tmp_path):
    registry = qeframe.load(extra={"page": module})
    (tmp_path / "table.csv").write_text(TABLE)
    evaluation = qeframe.evaluate("my_profile", tmp_path / "table.csv", registry=registry)
    assert {s.name: s.rank for s in evaluation.submissions} == {"good": 1, "poor": 2}
    assert [(pair.a, pair.test) for pair in evaluation.comparisons] == [("good", "my_test(draws=99)")]
    assert registry.get(Metric, "kendall(ties=half)").name == "kendall(ties=half)"
    check_tie_policy(module.half)
    check_aggregation(module.worst_task, tries=20)
    check_correction(module.sidak, tries=20)
    check_ranking_rule(module.best_score, tries=20)


def test_every_hook_and_every_kind_is_on_the_page(registry):
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{hook}` |" in page for hook in [*registry.hooks, *OTHER_HOOKS])
    assert all(f"`{kind}`" in page for kind in KINDS)
