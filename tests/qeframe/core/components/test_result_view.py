"""A view shows itself."""

from qeframe.core.components.result_view import View


def test_a_view_shows_itself():
    view = View("<b>A</b>", "A")
    assert (repr(view), str(view), view._repr_html_()) == ("A", "A", "<b>A</b>")
