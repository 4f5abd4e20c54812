"""The pages on gaming: the page that the audit made, and the attack of the how-to."""

import re
import shlex
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.extensions.attack import Attack
from qeframe.gaming.winner import gains_of_submissions
from qeframe.plugin import Judgments, Metric, Preferences, Scores, Spans, Tags, Texts, TokenScores
from qeframe.testing import check_attack

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "audit.md"
LEFT_OUT = {"quality_gain", "ter"}
"""Not on the page: the index of the first cannot be determined on generated gold, the audit of the other takes many
minutes."""


def executed(page, capsys, blocks=1):
    module = ModuleType("page")
    written = re.findall(r"```py(?:thon)?\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(compile("\n".join(written[:blocks]), page.name, "exec"), module.__dict__)
    return module, capsys.readouterr().out


def test_the_attack_of_the_how_to_works_and_keeps_the_laws(capsys):
    module, out = executed(DOCS / "how-to" / "write-an-attack.md", capsys, blocks=2)
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


def test_the_page_has_every_metric_on_tags_spans_scores_texts_and_preferences(registry):
    told = {word.partition("(")[0] for word in command()}
    kinds = (Tags, Spans, Scores, Texts, Preferences)
    assert {metric.name for metric in registry.all(Metric) if issubclass(metric.kind, kinds)} <= told | LEFT_OUT


def test_no_metric_on_the_page_claims_what_it_does_not_keep():
    assert "BROKEN" not in PAGE.read_text(encoding="utf-8")


QUICK = (Tags, TokenScores, Judgments, Preferences)


@pytest.mark.slow
def test_the_page_is_what_its_command_prints(registry):
    """A part of the metrics, since the result of one does not depend on the others; the last digit may differ."""
    text = PAGE.read_text(encoding="utf-8").split("## Claims")[0].replace("\\_", "_")
    told = dict(re.findall(r"^\| [\d-]+ \| ([a-z].*?) \| \**(-?[\d.]+)\** \|", text, flags=re.MULTILINE))
    quick = [word for word in command()[2:] if word in told and registry.get(Metric, word).kind in QUICK]
    assert len(quick) > 30
    for metric in qeframe.audit(quick[::2], claims=False, registry=registry).metrics:
        assert metric.gaming_index == pytest.approx(float(told[metric.metric]), abs=0.011), metric.metric


SEARCH, GAINS = DOCS / "reference" / "audit-search.md", DOCS / "reference" / "audit-submissions.md"


@pytest.mark.slow
@pytest.mark.parametrize("row", ["phrase_f1_mult", "seqcor", "segment_pearson"])
def test_the_finds_of_the_page_can_be_measured_again(registry, row):
    text = SEARCH.read_text(encoding="utf-8").replace("\\_", "_")
    found = re.search(rf"^\| {row} \| ([a-z_]+(?:\(.*?\))?) \| [a-z]+ \| \**([\d.]+)\** \|", text, flags=re.MULTILINE)
    (metric,) = qeframe.audit(row, attacks=[found[1]], claims=False, registry=registry).metrics
    assert metric.attacks[0].index == pytest.approx(float(found[2]), abs=0.011)
    assert metric.attacks[0].index >= {"phrase_f1_mult": 0.55, "seqcor": 0.05, "segment_pearson": 0.25}[row]


@pytest.mark.slow
def test_the_gains_of_the_page_are_those_of_its_data(registry, shared_data):
    """BLEU gains by its own system means, which correlate with quality; the numbers are those of the page."""
    rules = choose_profile("wmt23_metrics_segment", (), registry)
    tasks = read_tasks(rules, shared_data("wmt23-metrics-pairs"), registry)
    metric = "segment_pearson(grouping=item, undefined=zero)"
    gains = gains_of_submissions([metric], tasks, attacks=["add_system_means"], registry=registry).gains
    bleu, comet = (
        next(gain for gain in gains if gain.submission == name and gain.task == "en-de") for name in ("BLEU", "COMET")
    )
    assert bleu.index == pytest.approx(0.131, abs=0.01)
    assert comet.index == pytest.approx(0.024, abs=0.01)
    text = GAINS.read_text(encoding="utf-8").replace("\\_", "_")
    section = text[text.index(f"## {metric} on en-de") :]
    row = next(line for line in section.splitlines() if line.startswith("| BLEU |"))
    assert f"{bleu.gain:.3f}" in row
