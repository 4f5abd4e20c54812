"""Names that match nothing in what was read: a mistake where the user set them, else a count."""

import attrs
import pytest

from qeframe.api.absent_names import with_names_in_readings, with_names_of_submissions
from qeframe.api.overrides import change_profile
from qeframe.core.errors import DataError
from qeframe.core.profiles.load import find_profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores


def task(name):
    return Task(name=name, batches={Submission("A"): Scores.from_plain([1, 2], [2, 1])})


def test_baselines_of_the_profile_that_no_task_has_are_counted_in_the_last(registry):
    profile = attrs.evolve(find_profile("qe_sentence", registry), baselines=("A", "B", "C", "B"))
    first, last = with_names_of_submissions(profile, [task("x"), task("y")])
    assert first.dropped == ()
    (note,) = last.dropped
    assert (note.what, note.count) == ("baseline name", 2)
    assert note.reason == "listed by the profile but of no submission: B, C"
    assert with_names_of_submissions(profile, []) == []


def test_baselines_that_the_user_set_are_a_mistake(registry):
    profile = change_profile(find_profile("qe_sentence", registry), ["baselines=[A,B]"], registry)
    with pytest.raises(DataError, match="'B' is the name of no submission"):
        with_names_of_submissions(profile, [task("x")])
    named = change_profile(profile, ["baselines=[A]"], registry)
    assert with_names_of_submissions(named, [task("x")])[0].dropped == ()


def test_nothing_read_has_nothing_absent(registry):
    assert with_names_in_readings(find_profile("qe_sentence", registry), []) == []
