"""How an audit shows itself: as tables in a notebook and as text, as a data frame, as a figure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qeframe.core.display import ResultView
from qeframe.core.errors import counted, one_line
from qeframe.gaming.audit import Audit
from qeframe.gaming.audit_folder import audit_figure, audit_parts, counterexamples
from qeframe.gaming.tables.audits import audit_summary
from qeframe.report.layouts.data_frame import Kind, frame_of_records
from qeframe.report.layouts.number_format import format_number
from qeframe.report.views import Tables, check_only, drawn_by, short_or_whole, shown_as

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ATTACKS: Mapping[str, Kind] = {
    **dict.fromkeys(("attack", "kind", "setting", "knowledge"), str),
    **dict.fromkeys(("score", "base", "perfect", "index", "error", "low", "high"), float),
    "golds": int,
    "determined": bool,
    "rank": int,
    "undefined": float,
}


def _audit_line(value: Audit) -> str:
    attacks = len({attacked.attack for metric in value.metrics for attacked in metric.attacks})
    worst = max((m for m in value.metrics if m.gaming_index > 0), key=lambda m: m.gaming_index, default=None)
    most = f", most gamed {worst.metric} ({format_number(worst.gaming_index, 2)})" if worst else ""
    return one_line(f"<Audit of {counted(len(value.metrics), 'metric')}: {counted(attacks, 'attack')}{most}>")


def _tables_of_audit(value: Audit, whole: bool) -> Tables:
    if whole:
        return audit_parts(value, "Gaming audit"), [*value.notes, *counterexamples(value)]
    (table, *_), sentences = short_or_whole(audit_summary(value, "Gaming audit"), False)
    broken = sum(len(metric.counterexamples) for metric in value.metrics)
    notes = [f"{counted(broken, 'counterexample')} to claims: whole() shows them."] if broken else []
    return [table], [*notes, *sentences]


def _audit_frame(value: Audit, library: str | None = None) -> Any:
    records = [
        (metric.metric, searched, *(getattr(attacked, name) for name in _ATTACKS), attacked.counts)
        for metric in value.metrics
        for searched, attacks in ((False, metric.attacks), (True, metric.finds))
        for attacked in attacks
    ]
    return frame_of_records({"metric": str, "searched": bool, **_ATTACKS, "counts": bool}, records, library)


def _draw_audit(value: Audit, kind: str, task: Any) -> "Figure | None":
    check_only("audit", kind, task)
    return audit_figure(value)


AUDIT = ResultView(line=_audit_line, view=shown_as(_tables_of_audit), frame=_audit_frame, figure=drawn_by(_draw_audit))
