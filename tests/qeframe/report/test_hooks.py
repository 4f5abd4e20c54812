"""The report brings the views of the results of qeframe."""

from qeframe.core.display import Drawn, Shown
from qeframe.report.hooks import qeframe_views


def test_every_result_has_a_view_and_one_that_is_drawn_has_figures():
    views = qeframe_views()
    assert all(issubclass(view.of, Shown) for view in views)
    assert all((view.figure is not None) == issubclass(view.of, Drawn) for view in views)
    assert all(view.frame is not None for view in views)
