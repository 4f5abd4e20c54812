"""Studies bring the view of a study of measures."""

from qeframe.core.display import find_view
from qeframe.studies import Trust
from qeframe.studies.hooks import qeframe_views


def test_a_study_of_measures_has_its_view():
    (view,) = qeframe_views()
    assert view is find_view(Trust)
