"""The scores of one scorer, a metric or humans, at the level and in the domain that are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from qeframe_wmt.readers.metrics.mtme.cells import ScoreTables
from qeframe_wmt.readers.metrics.mtme.choices import Choices
from qeframe_wmt.readers.metrics.mtme.domains import SegmentLabels, mean_in_domain, of_domain
from qeframe_wmt.readers.metrics.mtme.score_files import ParsedFiles
from qeframe_wmt.readers.metrics.system_columns import SystemColumns


def read_scores(
    name: str, files: Mapping[str, Path], choices: Choices, labels: SegmentLabels | None, parsed: ParsedFiles
) -> ScoreTables | str:
    """Return the scores of a metric or of humans, or what is lacking.

    Parameters
    ----------
    files : mapping of str to Path
        The scorer's files by level: "seg", "sys", "domain".
    labels : SegmentLabels or None
        The domains of the segments.
    """
    if choices.of_segments and "seg" not in files:
        return "no segment scores"
    segments = parsed.systems(files["seg"]) if choices.of_segments else None
    if choices.level == "seg":
        return ScoreTables(name=name, segments=segments)
    if not choices.domain:
        if "sys" not in files:
            return "no system scores"
        return ScoreTables(name=name, segments=segments, systems=parsed.systems(files["sys"]))
    systems, averaged = _in_domain(files, choices.domain, labels, parsed)
    if systems is None:
        return f"no scores of the domain '{choices.domain}'"
    return ScoreTables(name=name, segments=segments, systems=systems, averaged=averaged)


def _in_domain(
    files: Mapping[str, Path], domain: str, labels: SegmentLabels | None, parsed: ParsedFiles
) -> tuple[SystemColumns | None, bool]:
    """Return the scores of systems in a domain, and whether they are means of segments."""
    if "domain" in files:
        return of_domain(parsed.domains(files["domain"]), domain), False
    if "seg" in files and labels is not None:
        return mean_in_domain(parsed.systems(files["seg"]), labels, domain), True
    return None, False
