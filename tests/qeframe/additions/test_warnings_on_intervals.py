"""What intervals do not promise is said beside them: no interval, and scores that few units carry."""

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import ResultWarning
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.report import leaderboard


def task_of(gold, answers, name="t") -> Task:
    batches = {Submission(who): Scores.from_plain(gold, of) for who, of in answers.items()}
    return Task(name=name, batches=batches)


def with_outlier() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=60)
    answers = {"plain": gold + rng.normal(size=60), "pulled": gold + rng.normal(size=60)}
    answers["pulled"][7] = 50.0
    return gold, answers


def test_scores_without_an_interval_are_told_with_the_reason(registry):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=30)
    answers = {"exact": gold, "near": gold + 0.1 * rng.normal(size=30)}
    task = Task(name="t", batches={Submission(name): Scores.from_plain(gold, of) for name, of in answers.items()})
    found = qeframe.evaluate("qe_sentence", [task], registry=registry)
    assert "no interval of pearson, spearman for exact: the score is perfect, whole or when one unit is left out" in (
        found.warnings
    )
    assert "no interval of mae, rmse for exact: the score is 0, whole or when one unit is left out" in found.warnings
    exact = next(each for each in found.submissions if each.name == "exact")
    assert exact.scores["mae"].details["no_interval"].startswith("the score is 0")


def test_a_score_that_few_units_carry_is_marked_wherever_it_is_shown(registry):
    gold, answers = with_outlier()
    found = qeframe.evaluate("qe_sentence", [task_of(gold, answers)], registry=registry)
    few = {scored.name: scored.scores["pearson"].details.get("few_units") for scored in found.submissions}
    assert few["plain"] is None
    assert few["pulled"]["units"] == 2
    assert few["pulled"]["share"] > 0.9
    table = leaderboard(found)
    interval = next(i for i, column in enumerate(table.columns) if "interval" in column.title)
    assert [row[interval].text.endswith("°") for row in table.rows] == [False, True]
    assert [note for note in table.notes if note.startswith("° few units carry the score: at most three of them")]
    several = qeframe.evaluate(
        "qe_sentence", [task_of(gold, answers, "en-de"), task_of(gold, answers, "en-cs")], registry=registry
    )
    cells = [cell.text for row in leaderboard(several).rows for cell in row]
    assert len([text for text in cells if "±" in text and text.endswith("°")]) == 2


def test_compared_scores_that_few_units_carry_are_told():
    gold, answers = with_outlier()
    with pytest.warns(ResultWarning, match="few units carry pearson of pulled"):
        found = qeframe.compare("pearson", gold, answers)
    (told,) = [warning for warning in found.warnings if "carry" in warning]
    assert told.startswith("few units carry pearson of pulled (2 units with 0.9")
    assert told.endswith("of its jackknife variance): look at them, another sample may have none like them")
