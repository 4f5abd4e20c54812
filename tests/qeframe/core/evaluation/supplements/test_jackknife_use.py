"""Where the jackknife gives no standard error."""

from qeframe.core.evaluation.supplements.jackknife_use import no_error
from qeframe.core.resampling.standard_errors.jackknife import FEWEST_UNITS
from tests.qeframe.core.evaluation.supplements.made_comparables import made_task, scoreboard


def test_few_units_and_scores_that_are_not_smooth(registry):
    assert no_error(scoreboard(registry, "mae", [made_task()]).comparables[0]) == ""
    few = scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS - 1)]).comparables[0]
    assert no_error(few) == "6 units: a jackknife error needs at least 7"
    assert no_error(scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS)]).comparables[0]) == ""
    rough = scoreboard(registry, "delta_avg", [made_task()], test="").comparables[0]
    assert no_error(rough).startswith("the score is not smooth in the weights of units")
