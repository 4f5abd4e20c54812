"""The kinds of batch that come with qeframe."""

from __future__ import annotations

from qeframe.components.batch_kind import BatchKind
from qeframe.components.loading.hookspecs import hookimpl
from qeframe.kinds import grid, judgments, preferences, scores, spans, tags, texts, values
from qeframe.kinds.binary import detections, token_scores


@hookimpl
def qeframe_kinds() -> list[BatchKind]:
    """Return the kinds of batch that come with qeframe."""
    modules = (values, scores, detections, tags, token_scores, judgments, grid, spans, texts, preferences)
    return [module.KIND for module in modules]
