"""The kinds of batch that come with qeframe."""

from __future__ import annotations

from qeframe.core.hookspecs import hookimpl
from qeframe.lazy_names import places

_KINDS = {
    "scores.values": ["Values = KIND"],
    "scores.kind": ["Scores = KIND"],
    "detections.kind": ["Detections = KIND"],
    "post_edits.kind": ["PostEdits = KIND"],
    "tags.kind": ["Tags = KIND"],
    "token_scores.kind": ["TokenScores = KIND"],
    "judgments.kind": ["Judgments = KIND"],
    "grid.kind": ["Grid = KIND"],
    "spans.kind": ["Spans = KIND"],
    "texts.kind": ["Texts = KIND"],
    "preferences.kind": ["Preferences = KIND"],
}


@hookimpl
def qeframe_kinds() -> list[str]:
    """Return where the kinds of batch that come with qeframe are: one is imported when its batches are used."""
    return places("qeframe.kinds", _KINDS)
