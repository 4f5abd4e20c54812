"""How a study of measures shows itself: as tables in a notebook and as text, as a data frame, as a figure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qeframe.api.frames.records import Kind, frame_of_records
from qeframe.core.components.result_view import ResultView
from qeframe.core.errors import counted, one_line
from qeframe.report.views import Tables, check_only, drawn_by, shown_as
from qeframe.studies.figures import trust_figure
from qeframe.studies.measures.values import Trust, TrustedData, TrustRow
from qeframe.studies.simulation import Share
from qeframe.studies.tables.trust import agreement_table, trust_table, trust_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS: Mapping[str, Kind] = {
    **dict.fromkeys(("data", "profile", "metric", "first"), str),
    "score": float,
    **dict.fromkeys(("winners", "possible_winners"), str),
    **dict.fromkeys(("separated", "undecided", "pairs", "draws"), int),
    **dict.fromkeys(("reliability", "needed", "needed_high"), float),
    "year_test": str,
    **dict.fromkeys(("year_error", "year_error_low", "year_error_high"), float),
    "default_test": str,
    **dict.fromkeys(("default_error", "default_error_low", "default_error_high"), float),
    **dict.fromkeys(("gaming_index", "gaming_low", "gaming_high"), float),
    "attacks": str,
    "rank_of_worthless": int,
}


def _line(study: Trust) -> str:
    measures = sum(len(data.measures) for data in study.data)
    return one_line(f"<Trust in {counted(measures, 'measure')} on {', '.join(data.name for data in study.data)}>")


def _tables(study: Trust, whole: bool) -> Tables:
    if whole:
        return trust_tables(study), []
    tables = [trust_table(study, data) for data in study.data]
    agreement = [
        sentence for data in study.data if len(data.measures) > 1 for sentence in agreement_table(data).notes[1:]
    ]
    return tables, agreement


def _record(data: TrustedData, row: TrustRow) -> tuple[Any, ...]:
    verdicts, gamed = row.verdicts, row.gamed
    return (
        *(data.name, data.profile, row.metric, ", ".join(row.first), row.score),
        *(", ".join(verdicts.winners), ", ".join(verdicts.possible)),
        *(verdicts.separated, verdicts.undecided, verdicts.pairs, verdicts.draws),
        *(row.reliability, row.needed, row.needed_high),
        *(row.year_test, *_rate(row.year_error), verdicts.test, *_rate(row.default_error)),
        *((None,) * 5 if gamed is None else (gamed.index, gamed.low, gamed.high, ", ".join(gamed.attacks), gamed.rank)),
    )


def _rate(share: Share | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if share is None else (share.value, *share.interval())


def _frame(study: Trust, library: str | None = None) -> Any:
    records = [_record(data, row) for data in study.data for row in data.measures]
    return frame_of_records(_COLUMNS, records, library)


def _draw(study: Trust, kind: str, task: Any) -> "Figure | None":
    check_only("study of measures", kind, task)
    return trust_figure(study)


VIEW = ResultView(of=Trust, line=_line, view=shown_as(_tables), frame=_frame, figure=drawn_by(_draw))
