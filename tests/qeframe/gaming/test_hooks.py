"""The audit brings its view."""

from qeframe.core.display import find_view
from qeframe.gaming.audit import Audit
from qeframe.gaming.hooks import qeframe_views


def test_an_audit_has_its_view():
    (view,) = qeframe_views()
    assert view is find_view(Audit)
