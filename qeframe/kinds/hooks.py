"""The kinds of batch that come with qeframe."""

from __future__ import annotations

from qeframe.core.components.batch_kind import BatchKind
from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.kinds.detections import kind as detections
from qeframe.kinds.grid import kind as grid
from qeframe.kinds.judgments import kind as judgments
from qeframe.kinds.post_edits import kind as post_edits
from qeframe.kinds.preferences import kind as preferences
from qeframe.kinds.scores import kind as scores
from qeframe.kinds.scores import values
from qeframe.kinds.spans import kind as spans
from qeframe.kinds.tags import kind as tags
from qeframe.kinds.texts import kind as texts
from qeframe.kinds.token_scores import kind as token_scores


@hookimpl
def qeframe_kinds() -> list[BatchKind]:
    """Return the kinds of batch that come with qeframe."""
    numbers = (values, scores, detections, post_edits)
    modules = (*numbers, tags, token_scores, judgments, grid, spans, texts, preferences)
    return [module.KIND for module in modules]
