"""The columns that a caller names: what they must be, and units that have several rows."""

import numpy as np
import pandas
import pytest

from qeframe.api.frames.tasks import Names, check_once, tasks_from_frame
from qeframe.core.errors import DataError

ROWS = [(s, x, p, float(s), s + 0.5) for s in (1, 2) for x in "XY" for p in ("de", "fr")]
FRAME = pandas.DataFrame(ROWS, columns=["seg", "system", "lp", "gold", "m"])


def names(**given):
    empty = dict.fromkeys(("unit", "task", "system", "submission", "score"), "")
    return Names(**{**empty, "gold": "gold", "groups": (), "submissions": ("m",), **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"unit": "seg"},
            "the data frame: unit 1 has 4 rows; name the column of systems in system=, that of language pairs in "
            "task=, or one in unit= that tells all rows apart",
        ),
        (
            {"unit": "seg", "task": "lp"},
            "the data frame: unit 1 has 2 rows; name the column of systems in system=, or one in unit= that tells all "
            "rows apart",
        ),
        (
            {"unit": ["seg", "system"]},
            "'unit' is ['seg', 'system'], which is not the name of a column; name one column, and that of systems in "
            "system=",
        ),
        ({"gold": None}, "'gold' is None, which is not the name of a column; name one column"),
        ({"unit": "seg", "system": 3}, "'system' is 3, which is not the name of a column; name one column"),
    ],
)
def test_units_with_several_rows_and_what_names_no_column(given, said):
    with pytest.raises(DataError) as caught:
        tasks_from_frame(FRAME, submissions=["m"], **given)
    assert str(caught.value) == said


def test_the_remedy_works():
    tasks = tasks_from_frame(FRAME, submissions=["m"], unit="seg", system="system", task="lp")
    assert [(task.name, task.units) for task in tasks] == [("de", 2), ("fr", 2)]


def test_a_submission_of_a_long_frame_has_a_unit_once():
    long = FRAME.assign(name="bleu")
    with pytest.raises(DataError, match=r"unit 1 has 4 rows of submission 'bleu'; name the column of systems"):
        tasks_from_frame(long, unit="seg", submission="name", score="m")


def test_units_that_occur_once_pass():
    check_once(names(), ["a", "b", "c"], np.array([2, 0]))
    check_once(names(), [], np.array([], dtype=int))
    assert names(unit="u", system="s", groups=("g",)).identifying == ("u", "s", "g")
