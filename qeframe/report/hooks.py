"""The views of the results of qeframe."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.core.components.loading.hookspecs import hookimpl

if TYPE_CHECKING:
    from qeframe.core.components.result_view import ResultView


@hookimpl
def qeframe_views() -> "Sequence[ResultView]":
    """Return the views of evaluations, comparisons, audits and tables; they are imported when one is shown."""
    from qeframe.report.views import VIEWS

    return VIEWS
