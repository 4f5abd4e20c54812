"""The pages on gaming: the page that the audit made, and the attack of the how-to."""

import re
import shlex
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import qeframe
from qeframe.batches.scores import Scores
from qeframe.batches.spans import Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts
from qeframe.cli.app import app
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.testing import check_attack

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "audit.md"
SLOW = {"ter"}
"""Not on the page: its audit takes many minutes."""


def python_block(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)[0]


def executed(page, capsys):
    module = ModuleType("page")
    exec(compile(python_block(page), page.name, "exec"), module.__dict__)
    return module, capsys.readouterr().out


def test_the_attack_of_the_how_to_works_and_keeps_the_laws(capsys):
    module, out = executed(DOCS / "how-to" / "write-an-attack.md", capsys)
    assert out == "0.0\n"
    check_attack(module.constant_highest, tries=20)
    registry = qeframe.load(extra={"page": module})
    assert registry.get(Attack, "constant_highest") == module.constant_highest
    assert len(module.constant_highest.answer(Scores.from_plain([1, 2], [1, 2]), np.random.default_rng(0))) == 2


def test_the_audit_of_the_explanation(capsys):
    _, out = executed(DOCS / "explanation" / "gaming.md", capsys)
    assert out == "{'f1_bad': 0.15, 'mcc': 0.0}\n"


def command():
    found = re.search(r"^<!-- made by: (qeframe audit .*) -->$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert found, "the page does not say which command made it"
    return shlex.split(found[1])


def test_the_page_has_every_metric_on_tags_spans_scores_and_texts(registry):
    told = {word.partition("(")[0] for word in command()}
    kinds = (Tags, Spans, Scores, Texts)
    assert {metric.name for metric in registry.all(Metric) if issubclass(metric.kind, kinds)} <= told | SLOW


def test_no_metric_on_the_page_claims_what_it_does_not_keep():
    assert "BROKEN" not in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_is_what_its_command_prints(tmp_path, capsys):
    """Numbers may differ in the last digit from machine to machine."""
    app.main(args=[*command()[1:], "--out", str(tmp_path)], standalone_mode=False)
    capsys.readouterr()
    pages = [path.read_text(encoding="utf-8").split("## Claims")[0] for path in (tmp_path / "audit.md", PAGE)]
    rows = [re.findall(r"^\| ([a-z].*?) \| \**(-?[\d.]+|n/a)\** \|", page, flags=re.MULTILINE) for page in pages]
    made, told = (dict(each) for each in rows)
    assert made.keys() == told.keys()
    for metric, index in told.items():
        assert float(made[metric]) == pytest.approx(float(index), abs=0.011), metric
