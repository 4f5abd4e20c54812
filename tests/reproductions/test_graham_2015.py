"""Graham (2015), to the printed digit: WMT14 task 1.2, the one task of the paper whose predictions are public."""

import json

import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.reader import Reader

NAMES = [
    "DCU-rtm-svr",
    "FBK-UPV-UEDIN-wp",
    "DCU-rtm-tree",
    "DFKI-svr",
    "USHEFF",
    "SHEFF-lite-sparse",
    "FBK-UPV-UEDIN-nowp",
    "Multilizer",
    "DFKI-svr-xdata",
    "baseline",
    "SHEFF-lite",
]
TABLE_5_R = [".550", ".540", ".518", ".501", ".432", ".428", ".414", ".409", ".349", ".283", ".052"]
TABLE_5_MAE = [".134", ".129", ".140", ".143", ".136", ".150", ".144", ".150", ".161", ".152", ".182"]
TABLE_3_RMSE = [".167", ".167", ".175", ".177", ".178", ".184", ".181", ".209", ".195", ".195", ".234"]
TABLE_2_MAE = [".127", ".125", ".129", ".132", ".133", ".141", ".137", ".135", ".146", ".149", ".168"]
TABLE_3_RESCALED = dict(
    zip(
        [
            "FBK-UPV-UEDIN-wp",
            "DCU-rtm-svr",
            "DCU-rtm-tree",
            "DFKI-svr",
            "USHEFF",
            "FBK-UPV-UEDIN-nowp",
            "SHEFF-lite-sparse",
            "baseline",
            "DFKI-svr-xdata",
            "Multilizer",
            "SHEFF-lite",
        ],
        [".166", ".165", ".169", ".171", ".178", ".180", ".179", ".194", ".187", ".181", ".216"],
        strict=True,
    )
)


@pytest.fixture(scope="module")
def batches(shared_data, registry):
    rules = choose_profile("wmt14_qe_task1_2", (), registry)
    (task,) = read_tasks(rules, shared_data("wmt14-qe-task1.2") / "task-1.2.csv", registry)
    return {submission.name: batch for submission, batch in task.batches.items()}


def printed(value):
    return f"{value:.3f}".removeprefix("0")


def rescaled(values, *, mean, deviation):
    return mean + (values - values.mean()) / values.std() * deviation


@pytest.mark.parametrize(
    ("metric", "table"), [("pearson", TABLE_5_R), ("mae", TABLE_5_MAE), ("rmse", TABLE_3_RMSE)], ids=str
)
def test_scores_of_the_tables(batches, metric, table):
    found = {name: printed(qeframe.score(metric, batch, None)) for name, batch in batches.items()}
    assert found == dict(zip(NAMES, table, strict=True))


@pytest.mark.parametrize(
    ("metric", "table"),
    [("mae", dict(zip(NAMES, TABLE_2_MAE, strict=True))), ("rmse", TABLE_3_RESCALED)],
    ids=["table 2", "table 3"],
)
def test_shrinking_to_half_the_deviation_of_the_gold_wins(batches, metric, table):
    found = {}
    for name, batch in batches.items():
        shrunk = rescaled(batch.predicted, mean=batch.gold.mean(), deviation=batch.gold.std() / 2)
        found[name] = printed(qeframe.score(metric, batch.gold, shrunk))
    assert found == table


def test_figure_2(batches):
    batch = batches["Multilizer"]
    own = batch.predicted
    shrunk = rescaled(own, mean=own.mean(), deviation=own.std() / 2)
    assert f"{qeframe.score('mae', batch, None):.4f}" == "0.1504"
    assert f"{qeframe.score('mae', batch.gold, shrunk):.4f}" == "0.1416"
    assert qeframe.score("pearson", batch.gold, shrunk) == pytest.approx(qeframe.score("pearson", batch, None))


def test_55_williams_p_values(batches, golden):
    (case,) = [case for case in golden if case["id"] == "task12_williams"]
    compared = qeframe.compare("pearson", None, batches, test="williams", sided="one", correction="none")
    found = {f"{c.a} > {c.b}": c.p for c in compared}
    assert len(found) == 55
    assert found == pytest.approx(case["expected"]["value"], rel=1e-9, abs=1e-15)


def test_winners_are_four_and_every_number_is_in_the_json(batches, shared_data, registry):
    rules = choose_profile("wmt14_qe_task1_2", (), registry)
    tasks = read_tasks(rules, shared_data("wmt14-qe-task1.2") / "task-1.2.csv", registry)
    result = json.loads(qeframe.evaluate(rules, tasks, seed=7).to_json())
    assert [s["name"] for s in result["submissions"]] == NAMES
    assert [s["name"] for s in result["submissions"] if s["winner"]] == NAMES[:4]
    assert [printed(s["scores"]["pearson"]["value"]) for s in result["submissions"]] == TABLE_5_R
    best, second = result["submissions"][:2]
    assert best["scores"]["pearson"]["low"] < best["scores"]["pearson"]["value"] < best["scores"]["pearson"]["high"]
    assert second["kind"] == "real"
    assert result["submissions"][9]["kind"] == "baseline"
    assert len(result["comparisons"]) == 55


def test_delta_average_differs_from_the_script_only_where_predictions_tie(batches, golden):
    (case,) = [case for case in golden if case["id"] == "task12"]
    for name, batch in batches.items():
        script = case["expected"]["value"][name]["delta_avg"]
        assert qeframe.score("delta_avg(ties=input)", batch, None) == pytest.approx(script, abs=1e-12)
        if len(np.unique(batch.predicted)) == len(batch):
            assert qeframe.score("delta_avg", batch, None) == pytest.approx(script, abs=1e-12)


def test_the_reader_is_the_one_of_the_profile(registry):
    assert registry.get(Reader, choose_profile("wmt14_qe_task1_2", (), registry).reader).name == "graham_table"
