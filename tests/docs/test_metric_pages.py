"""Each metric has a page with its formula, a worked example, and what the audit found."""

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from qeframe.plugin import Metric, Parametric

DOCS = Path(__file__).parents[2] / "docs"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
NOT_AUDITED = {"judged_pearson", "mean", "quality_gain", "segment_pearson_absolute", "ter"}


@pytest.fixture(scope="module")
def pages(extensions, registry):
    return extensions("metric_pages").metric_pages(registry)


@pytest.fixture(scope="module")
def metrics(registry):
    entries = {name: registry.entry(Metric, name).component for name in registry.names(Metric)}
    return {name: made() if isinstance(made, Parametric) else made for name, made in entries.items()}


def test_every_metric_has_a_formula_with_its_symbols(metrics):
    without = [name for name, metric in metrics.items() if not (metric.formula and metric.symbols)]
    assert not without


def test_every_formula_becomes_mathml(extensions, metrics):
    for name, metric in metrics.items():
        block = extensions("formulas").formula_block(metric.formula, metric.symbols)
        assert "\n\n" not in block, f"{name}: an empty line would end the block of HTML"
        root = ElementTree.fromstring(block)  # it is well-formed
        drawn = "".join(text for each in root.iter() for text in (each.text or "", each.tail or ""))
        assert not re.search(r"[\\$&{}`]", drawn), f"{name}: what LaTeX cannot say is left as it is: {drawn}"
        formulas = [math for math in root.iter(f"{MATHML}math") if math.get("display") == "block"]
        assert len(formulas) == len(re.split(r"\n|\\qquad", metric.formula))
        assert all(formula.get("alttext") for formula in formulas)


def test_every_letter_of_a_formula_is_explained(metrics):
    """Letters of the Latin alphabet with what they stand for; indices and bound letters too."""
    unexplained = []
    for name, metric in metrics.items():
        without_commands = re.sub(r"\\text\{[^}]*\}|\\[a-zA-Z]+", " ", metric.formula)
        told = " ".join(re.findall(r"\$([^$]+)\$", metric.symbols))
        for letter in set(re.findall(r"[A-Zxyunmw]", without_commands)) - {"P", "R", "F"}:
            unexplained += [] if letter in told else [(name, letter)]
    assert not unexplained


def test_variants_have_formulas_too(registry):
    for call in ("kendall(ties=acc23)", "detection_f1(of=negative)", "f_beta(beta=2)"):
        assert registry.get(Metric, call).formula
    assert r"\text{TN}" in registry.get(Metric, "detection_f1(of=negative)").formula


def test_a_metric_without_a_formula_has_a_page(extensions):
    assert extensions("formulas").formula_block("", "") == ""


def test_text_between_marks_becomes_html(extensions):
    told = extensions("formulas").inline("a < b, `c < d`, $x$")
    assert told.startswith('a &lt; b, <code class="docutils literal notranslate">c &lt; d</code>, <math alttext="x" ')


def test_every_page_has_its_parts(pages, metrics):
    for name, metric in metrics.items():
        page = pages[f"metrics/{name}.md"]
        assert page.startswith(f"(metrics-{name.replace('_', '-')})=\n# `{name}`\n")
        headings = re.findall(r"^## (.*)$", page, flags=re.M)
        assert [h for h in headings if h != "Definition"] == [
            "Formula", "Worked example", "Facts", "Can it be gamed?", "Papers and tasks",
        ]  # fmt: skip
        assert metric.source.split(";")[0].split("_")[0] in page.replace("\\", "")
        assert f"(#metrics-{name.replace('_', '-')})" in pages["metrics.md"]


def test_the_audit_of_each_metric_is_on_its_page(pages):
    told = "* `recall`: **can be gamed**, gaming index **1.00** (95 % interval 1.000 to 1.000), best attack `all_bad`"
    assert f"{told} (blind)." in pages["metrics/recall.md"]
    assert re.search(r"\* `pearson`: no attack gains much, gaming index 0\.0\d \(", pages["metrics/pearson.md"])
    assert "* `kendall(ties=wmt13)`: **can be gamed**" in pages["metrics/kendall.md"]
    assert "* `kendall(ties=wmt14)`: no attack" in pages["metrics/kendall.md"]
    for name in NOT_AUDITED:
        assert "The [audit](../../audit.md) does not hold this metric." in pages[f"metrics/{name}.md"]


@pytest.mark.parametrize(
    ("name", "gained"),
    [
        ("f1_bad", "0.15 by `all_bad`, at most 0.17 (blind)"),
        ("mcc", "nothing (blind)"),
        ("spa", "0.02 by `all_equal`, at most 0.05 (blind); 0.10 by `add_own_means`, at most 0.13 (cosmetic)"),
        ("kendall", "nothing (blind); nothing, at most 0.05 (cosmetic)"),
    ],
)
def test_what_can_be_gained_is_on_each_page_and_in_the_table_of_all(pages, name, gained):
    assert f"\n\nCan be gained: {gained}.\n\n" in pages[f"metrics/{name}.md"]
    (line,) = [line for line in pages["metrics.md"].splitlines() if line.startswith(f"| [`{name}`]")]
    assert line.endswith(f" | {gained} |")
    assert "\n\nNo attack has a gaming index on it.\n\n" in pages["metrics/quality_gain.md"]


def shown(pages, name):
    (score,) = re.findall(r"^The score is \*\*(.*)\*\*\.$", pages[f"metrics/{name}.md"], flags=re.M)
    return float(score.replace("−", "-"))


def pearson(x, y):
    x, y = np.array(x, float) - np.mean(x), np.array(y, float) - np.mean(y)
    return (x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum())


Y = (0.0, 0.1, 0.3, 0.2, 0.5, 0.9)
X = (0.1, 0.0, 0.2, 0.4, 0.4, 0.7)
C, D, T_X, T_Y, P = 12, 2, 1, 0, 15
"""Pairs of these units: in order, in reverse order, tied by x, tied by y, all; counted by hand."""


def delta_avg():
    """The formula, written with the negated gold values from the lowest prediction on; 0.4 is tied."""
    best, mean = [-0.1, 0.0, -0.3, -0.35, -0.35, -0.9], -sum(Y) / 6
    of_two = sum(best[:3]) / 3 - mean
    of_three = ((sum(best[:2]) / 2 - mean) + (sum(best[:4]) / 4 - mean)) / 2
    return (of_two + of_three) / 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mae", sum(abs(x - y) for x, y in zip(X, Y, strict=True)) / 6),
        ("rmse", math.sqrt(sum((x - y) ** 2 for x, y in zip(X, Y, strict=True)) / 6)),
        ("pearson", pearson(X, Y)),
        ("spearman", pearson([2, 1, 3, 4.5, 4.5, 6], [1, 2, 4, 3, 5, 6])),
        ("kendall_tau_b", (C - D) / math.sqrt((P - T_X) * (P - T_Y))),
        ("kendall_tau_c", 2 * 5 * (C - D) / (6**2 * 4)),
        ("delta_avg", delta_avg()),
        ("mean", 78),
        ("brier", sum((p - y) ** 2 for p, y in zip(
            (0.95, 0.85, 0.7, 0.6, 0.45, 0.35, 0.35, 0.25, 0.15, 0.05), (1, 0, 1, 0, 0, 1, 0, 0, 0, 0), strict=True
        )) / 10),
        # positive units at ranks 1, 3, and tied at 6 and 7; seven negative units
        ("auroc", (7 + 6 + 3.5) / 21),
        ("average_precision", (1 + 2 / 3 + 3 / 7) / 3),
        ("detection_mcc", (2 * 5 - 2 * 1) / math.sqrt(4 * 3 * 7 * 6)),
        ("detection_f1", 4 / 7),
        ("f1_bad", 2 * 2 / (2 * 2 + 2 + 1)),
        ("f1_ok", 2 * 7 / (2 * 7 + 1 + 2)),
        ("f1_mult", (4 / 7) * (14 / 17)),
        ("mcc", (2 * 7 - 2 * 1) / math.sqrt(4 * 3 * 9 * 8)),
        ("phrase_f1_bad", 2 * 1.5 / (2 + 2)),
        # credit: "in" has both marks of one severity, "red" of different ones
        ("span_f1", 2 * (2 + 3 / 2) / (2 + 3 + 3 + 6 + 7)),
        ("mpp_precision", (2 / 6 + 3 / 7) / 2),
        ("mpp_recall", 2 / 3),
        ("preference_accuracy", (1 + 0.5 + 0.5 + 1 + 1 + 0) / 6),
        ("kendall", ((2 + 2) - 1) / 6),
        ("pairwise_accuracy", 1.0),
        ("wer", 100 * (1 + 3 + 2) / (6 + 7 + 5)),
        ("bleu", 100 * math.exp(1 - 18 / 17) * (15 / 17 * 7 / 14 * 3 / 11 * 1 / 8) ** 0.25),
        ("gtm_f", 2 * 15 / (17 + 18)),
    ],
)  # fmt: skip
def test_the_worked_example_is_what_the_formula_gives_by_hand(pages, name, expected):
    assert shown(pages, name) == pytest.approx(expected, rel=6e-4)


def test_units_have_their_own_values_where_the_score_is_their_mean(pages):
    assert "| unit | gold y | submission x | `mae` of each |" in pages["metrics/mae.md"]
    assert "| 6 | 0.9 | 0.7 | 0.2 |" in pages["metrics/mae.md"]
    assert "of each |" not in pages["metrics/pearson.md"]


def test_details_are_on_the_page(pages):
    assert "| called positive | " not in pages["metrics/detection_mcc.md"]
    assert "| true positives | 2 |" in pages["metrics/detection_mcc.md"]
    assert "| precision | 0.381 |" in pages["metrics/mpp_f.md"]


def test_every_kind_that_a_metric_scores_has_an_example(extensions, metrics):
    assert {metric.kind for metric in metrics.values()} == set(extensions("worked_examples").EXAMPLES)
