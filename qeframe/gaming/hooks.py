"""The view of an audit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.core.components.loading.hookspecs import hookimpl

if TYPE_CHECKING:
    from qeframe.core.components.result_view import ResultView


@hookimpl
def qeframe_views() -> "Sequence[ResultView]":
    """Return the view of audits; it is imported when a result is shown."""
    from qeframe.gaming.views import VIEW

    return (VIEW,)
