"""The view of a study of measures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.core.components.loading.hookspecs import hookimpl

if TYPE_CHECKING:
    from qeframe.core.components.result_view import ResultView


@hookimpl
def qeframe_views() -> "Sequence[ResultView]":
    """Return the view of studies of measures; it is imported when one is shown."""
    from qeframe.studies.views import VIEW

    return (VIEW,)
