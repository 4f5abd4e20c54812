"""The sentence-level scores of the checked cases, and numbers checked by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.reader import Reader
from qeframe.data.align import align
from qeframe.kinds.scores.batch import Scores

NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "mae": "mae",
    "rmse": "rmse",
    "delta_avg_signed": "delta_avg(ties=input, signed=raw)",
    "delta_avg": "delta_avg(replicate=perl)",
}
"""The words of the golden file, and what they are called here: its DeltaAvg is that of the old scripts, with ties in
input order, raw or absolute. Ours averages over the orders of ties and is positive for a good ranking."""


def cases(golden: list[dict[str, Any]], function: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["function"] == function]
    assert found, f"the file has no case of {function}"
    return found


def number(value: Any) -> float:
    return float(value)


def test_sentence_level(golden: list[dict[str, Any]]) -> None:
    """Every number of every case, to 1e-12."""
    seen = 0
    for case in cases(golden, "sentence_level"):
        gold, predicted = (list(map(number, case["input"][side])) for side in ("gold", "pred"))
        if "raises" in case["expected"]:
            for name in NAMES.values():
                with pytest.raises(ValueError, match=case["expected"]["message"]):
                    qeframe.score(name, gold, predicted)
            seen += 1
            continue
        expected = case["expected"]["value"]
        assert set(expected) == set(NAMES), case["id"]
        for word, value in expected.items():
            found = qeframe.score(NAMES[word], gold, predicted)
            assert found == pytest.approx(number(value), rel=1e-12, abs=1e-12, nan_ok=True), (case["id"], word)
            seen += 1
    assert seen == 3 + 5 * len(NAMES)


def test_without_ties_the_default_is_the_absolute_value_of_the_scripts(golden: list[dict[str, Any]]) -> None:
    """Where a ranking is good and predictions are not tied, the three readings of DeltaAvg differ by sign only."""
    compared = 0
    for case in cases(golden, "sentence_level"):
        predicted = case["input"]["pred"]
        if "raises" in case["expected"] or len(set(predicted)) < len(predicted):
            continue
        found = qeframe.score("delta_avg", case["input"]["gold"], predicted)
        assert found == pytest.approx(case["expected"]["value"]["delta_avg"], abs=1e-12), case["id"]
        compared += 1
    assert compared == 3


def test_ties_are_averaged_by_design(golden: list[dict[str, Any]]) -> None:
    """On a constant prediction of sorted gold the scripts see a good ranking, the default sees none."""
    (case,) = (c for c in golden if c["id"] == "r02_constant_pred")
    assert case["expected"]["value"]["delta_avg"] == pytest.approx(0.15)
    assert qeframe.score("delta_avg", case["input"]["gold"], case["input"]["pred"]) == pytest.approx(0, abs=1e-15)


def test_wmt14_task_1_2(golden: list[dict[str, Any]], shared_data: Callable[[str], Path], registry: Registry) -> None:
    """Five scores of every submission of the real table."""
    (case,) = (c for c in cases(golden, "wmt14_task1.2") if c["id"] == "task12")
    task = read_task(shared_data("wmt14-qe-task1.2"), case["input"]["file"], registry)
    words = {
        "r": "pearson",
        "spearman": "spearman",
        "mae": "mae",
        "rmse": "rmse",
        "delta_avg": "delta_avg(replicate=perl)",
    }
    assert set(task) == set(case["expected"]["value"])
    for name, batch in task.items():
        expected = case["expected"]["value"][name]
        for word, metric in words.items():
            found = qeframe.score(metric, batch, None)
            assert found == pytest.approx(expected[word], rel=1e-10), (name, word)


def read_task(folder: Path, file: str, registry: Registry) -> dict[str, Scores]:
    reading = registry.get(Reader, "graham_table").read(folder / file, "low")[0]
    batches = align(reading).batches
    return {submission.name: batch for submission, batch in batches.items() if isinstance(batch, Scores)}


# --- numbers that stand in the sources, checked by hand -------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "predicted", "expected"),
    [
        ("delta_avg(best=high)", [6, 5, 4, 3, 2, 1], 1.125),
        ("delta_avg(best=high)", [1, 2, 3, 4, 5, 6], -7 / 6),
        ("delta_avg(best=high, signed=raw)", [1, 2, 3, 4, 5, 6], 1.125),
        ("delta_avg(replicate=perl)", [1, 2, 3, 4, 5, 6], 1.125),
        ("delta_avg(replicate=perl)", [6, 5, 4, 3, 2, 1], 7 / 6),
    ],
)
def test_delta_avg_by_hand(metric: str, predicted: list[int], expected: float) -> None:
    """Gold 5 4 4 3 2 1: the perfect ranking has 1.125, the reversed one -1.1667, which the scripts print as 1.1667."""
    assert qeframe.score(metric, [5, 4, 4, 3, 2, 1], predicted) == pytest.approx(expected, abs=1e-12)


def test_delta_avg_of_the_task_description() -> None:
    """1000 units, half at 4 and half at 2, ranked well: the page says .77."""
    gold = np.repeat([4.0, 2.0], 500)
    assert qeframe.score("delta_avg(best=high)", gold, np.arange(1000)[::-1]) == pytest.approx(0.77085, abs=5e-6)


def test_fewer_than_four_units_have_no_quantiles() -> None:
    assert qeframe.score("delta_avg", [1, 2, 3], [1, 2, 3]) == 0.0


@pytest.mark.parametrize(
    ("scale", "mae", "rmse"), [(1, 0.1385, 0.1736), (0.5, 0.1149, 0.1427), (0.3, 0.1127, 0.1397), (0, 0.1188, 0.1467)]
)
def test_shrinking_games_the_errors_but_not_the_correlation(scale: float, mae: float, rmse: float) -> None:
    """The shape of the published example: errors fall until .3 and rise again at 0; the correlation never moves.

    The printed numbers are of a prediction that is not published; one of the same moments is made here.
    """
    rng = np.random.default_rng(8)
    gold = rng.normal(size=4000)
    noise = rng.normal(size=4000)
    gold -= gold.mean()
    noise -= noise.mean()
    noise -= gold * (noise @ gold) / (gold @ gold)
    gold, noise = (side / np.sqrt((side @ side) / len(side)) for side in (gold, noise))
    predicted = 0.306 * gold + np.sqrt(1 - 0.306**2) * noise
    gold, predicted = gold * 0.1467, predicted * _spread(0.1736)
    assert qeframe.score("rmse", gold, scale * predicted) == pytest.approx(rmse, abs=3e-4)
    assert qeframe.score("mae", gold, scale * predicted) / qeframe.score("rmse", gold, scale * predicted) == (
        pytest.approx(mae / rmse, abs=0.015)
    )
    r = qeframe.score("pearson", gold, scale * predicted)
    assert np.isnan(r) if scale == 0 else r == pytest.approx(0.306, abs=1e-12)


def _spread(rmse: float) -> float:
    """Return the deviation of a prediction of correlation .306 with that RMSE on gold of deviation .1467."""
    b, c = -2 * 0.306 * 0.1467, 0.1467**2 - rmse**2
    return float((-b + np.sqrt(b * b - 4 * c)) / 2)


def test_rounded_errors_change_the_figures_on_a_small_scale_only() -> None:
    gold, predicted = [0.0, 0.0], [0.004, 0.006]
    assert qeframe.score("mae(replicate=perl)", gold, predicted) == pytest.approx(0.005)
    assert qeframe.score("rmse(replicate=perl)", gold, predicted) == pytest.approx(np.sqrt(0.01**2 / 2))
    assert qeframe.score("mae(replicate=perl)", [0.0, 0.0], [12.0, 3.0]) == 7.5


def test_ordinal_spearman_is_the_formula_for_data_without_ties() -> None:
    """1 - 6 sum d^2 / (n (n^2 - 1)) with ranks in input order, as the old scripts had it."""
    gold, predicted = [0.1, 0.3, 0.3, 0.2, 0.3], [5.0, 1.0, 2.0, 2.0, 9.0]
    ranks_gold, ranks_predicted = np.array([1, 3, 4, 2, 5]), np.array([4, 1, 2, 3, 5])
    expected = 1 - 6 * ((ranks_gold - ranks_predicted) ** 2).sum() / (5 * 24)
    assert qeframe.score("spearman(ties=ordinal)", gold, predicted) == pytest.approx(expected, abs=1e-15)
