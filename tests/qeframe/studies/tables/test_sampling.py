"""The table of sample sizes: ranges, what is not told apart, and metrics that prefer worse data."""

import math

from qeframe.report.layouts.terminal import as_text
from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric
from qeframe.studies.tables.sampling import sampling_table


def least(size, low=None, high=None, difference=1.0):
    return LeastSample(
        difference=difference,
        error=0.1,
        spread=1.0,
        mean_p=(0.1,),
        size=size,
        low=size if low is None else low,
        high=size if high is None else high,
    )


def table(*rows):
    sampled = [SampledMetric(metric=name, least=tuple(cells)) for name, *cells in rows]
    shown = sampling_table(sampled, "t", base=30, gaps=(0.01, 0.2), sizes=(100, 10_000), notes=("a note",))
    return as_text(shown).splitlines()


def test_sizes_by_gap_with_the_least_emphasized():
    lines = table(["mcc", least(5000, 2000), least(100)], ["seqcor", least(math.inf), least(100)])
    assert lines[2].split() == ["metric", "30", "–", "30.01", "%", "30", "–", "30.2", "%"]
    assert lines[4].split() == ["mcc", "2,000", "to", "5,000*", "≤", "100"]
    assert lines[5].split() == ["seqcor", "–", "≤", "100"]
    notes = "\n".join(lines[6:])
    assert "tried: 100, 10,000" in notes
    assert "–: not told apart with 10,000 data sets" in notes
    assert "a to b: the size depends on the simulation error" in notes
    assert "reversed" not in notes
    assert lines[-1] == "a note"


def test_a_metric_that_prefers_worse_data_is_never_the_best():
    lines = table(["worse", least(100, difference=-1.0), least(math.nan)], ["mcc", least(500), least(200)])
    assert lines[4].split() == ["worse", "≤", "100", "(reversed)", "n/a"]
    assert lines[5].split()[1] == "500*"
    assert "reversed: the metric prefers the worse data sets" in "\n".join(lines)
