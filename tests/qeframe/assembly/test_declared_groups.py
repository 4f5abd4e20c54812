"""Documents that a task declares are resampled by rules of one's own, and told of by the rules of a year."""

import numpy as np
import pandas
import pytest

import qeframe

SIZES = np.maximum(1, np.round(60 / np.arange(1, 16) ** 0.9)).astype(int)


def task(seed, *, sizes=SIZES, shared=0.7, groups=("doc",)):
    """Return three equal submissions; a share of the residual variance is that of the document."""
    rng = np.random.default_rng([41, seed])
    document = np.repeat(np.arange(len(sizes)), sizes)
    gold = rng.normal(size=len(sizes))[document] * 0.7 + rng.normal(size=len(document))
    errors = shared * rng.normal(size=(3, len(sizes)))[:, document] + rng.normal(size=(3, len(document)))
    frame = {"id": range(len(document)), "doc": [f"d{number}" for number in document], "gold": gold}
    frame |= {f"s{i}": 0.6 * gold + errors[i] for i in range(3)}
    table = pandas.DataFrame(frame)
    return qeframe.tasks_from_frame(table, unit="id", submissions=["s0", "s1", "s2"], groups=list(groups))


def evaluated(tasks, *settings, profile="qe_sentence"):
    return qeframe.evaluate(profile, tasks, settings=["secondary=[]", "interval=", *settings])


def on_groups(found):
    return [text for text in found.warnings if text.startswith("units of one doc ")]


def test_ten_groups_or_more_are_resampled_by_default():
    found = evaluated(task(1))
    assert found.signature.rules["resample"] == "doc"
    (line,) = on_groups(found)
    assert line == (
        "units of one doc may depend: the 15 groups of en-xx are resampled; --set resample=unit takes single units"
    ).replace("en-xx", next(iter(found.signature.units)))
    asked = evaluated(task(1), "resample=doc")
    assert [pair.p for pair in asked.comparisons] == [pair.p for pair in found.comparisons]
    assert on_groups(asked) == []
    assert evaluated(task(1), "resample=unit").signature.rules["resample"] == "unit"


@pytest.mark.parametrize(
    ("sizes", "groups"), [(np.full(9, 20), ("doc",)), (np.ones(60, dtype=int), ("doc",)), (SIZES, ())]
)
def test_few_groups_or_groups_of_one_unit_or_none_are_not(sizes, groups):
    found = evaluated(task(2, sizes=sizes, groups=groups))
    assert found.signature.rules["resample"] == "unit"


def test_fixed_rules_of_a_year_say_where_units_within_groups_depend():
    depending = [evaluated(task(seed), profile="wmt14_qe_task1_2") for seed in range(4)]
    assert all(found.signature.rules["resample"] == "unit" for found in depending)
    assert any("the variance of a difference is" in text for found in depending for text in on_groups(found))
    independent = [evaluated(task(seed, shared=0.0), profile="wmt14_qe_task1_2") for seed in range(12)]
    assert sum(bool(on_groups(found)) for found in independent) <= 1


@pytest.mark.slow
def test_resampled_documents_make_few_false_claims():
    """200 data sets: by units a third has a false claim; the bound is 2.5 errors above .05."""
    false = dict.fromkeys(("doc", "unit"), 0)
    for seed in range(200):
        for rule in false:
            settings = ["resample=unit"] if rule == "unit" else []
            found = evaluated(task(seed), *settings)
            assert found.signature.rules["resample"] == rule
            false[rule] += any(pair.significant for pair in found.comparisons)
    assert false["doc"] <= 200 * 0.05 + 2.5 * np.sqrt(200 * 0.05 * 0.95)
    assert false["unit"] > 30
