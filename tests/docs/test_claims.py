"""The page on claims tells every claim, every metric, and what it claims."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.metric import CLAIMS, Metric

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
WITH_PARAMETERS = [
    "gtm_f(exponent=2)", "gtm_f(exponent=2, matching=exact)", "kendall(ties=wmt12)", "kendall(ties=wmt13)",
    "kendall(ties=darr)", "kendall(ties=hties)", "kendall(ties=acc23)", "phrase_f1_bad(reading=softconf)",
    "segment_pearson(grouping=item, undefined=zero)", "segment_spearman(grouping=item, undefined=zero)",
    "tau_b(grouping=item, undefined=zero)", "tau_c(grouping=item, undefined=zero)",
]  # fmt: skip


def table() -> str:
    """Return the table as the registry has it: print it to write the file anew."""
    registry = qeframe.load()
    built_in = [n for n in registry.names(Metric) if registry.entry(Metric, n).origin.distribution == "qeframe"]
    metrics = sorted((registry.get(Metric, name) for name in [*built_in, *WITH_PARAMETERS]), key=str)
    told = [[str(metric), *("yes" if claim in metric.claims else "no" for claim in CLAIMS)] for metric in metrics]
    return "".join("\t".join(line) + "\n" for line in [["metric", *CLAIMS], *told])


def test_the_table_of_claims_is_that_of_the_registry():
    assert (REFERENCE / "claims.tsv").read_text(encoding="utf-8") == table()


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_is_explained(claim):
    assert f"\n| `{claim}` | " in (REFERENCE / "claims.md").read_text(encoding="utf-8")
