"""The page on claims tells every claim, every metric, and what it claims."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.components.metric import CLAIMS, Metric

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "claims.md"
WITH_PARAMETERS = [
    "gtm_f(exponent=2)", "gtm_f(exponent=2, matching=exact)", "kendall(ties=wmt12)", "kendall(ties=wmt13)",
    "kendall(ties=darr)", "kendall(ties=hties)", "kendall(ties=acc23)", "phrase_f1_bad(reading=softconf)",
    "segment_pearson(grouping=item, undefined=zero)", "segment_spearman(grouping=item, undefined=zero)",
    "tau_b(grouping=item, undefined=zero)", "tau_c(grouping=item, undefined=zero)",
]  # fmt: skip


def table() -> str:
    """Return the table as the registry has it: print it to write the page anew."""
    registry = qeframe.load()
    built_in = [n for n in registry.names(Metric) if registry.entry(Metric, n).origin.distribution == "qeframe"]
    lines = ["| metric | " + " | ".join(f"`{claim}`" for claim in CLAIMS) + " |", "|---" * (len(CLAIMS) + 1) + "|"]
    for metric in sorted((registry.get(Metric, name) for name in [*built_in, *WITH_PARAMETERS]), key=str):
        told = " | ".join("yes" if claim in metric.claims else "" for claim in CLAIMS)
        lines.append(f"| `{metric}` | {told} |")
    return "\n".join(lines)


def test_the_table_of_claims_is_that_of_the_registry():
    page = PAGE.read_text(encoding="utf-8")
    assert page.split("<!-- table: claims -->\n")[1].split("\n<!-- end -->")[0] == table()


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_is_explained(claim):
    assert f"\n| `{claim}` | " in PAGE.read_text(encoding="utf-8")
