"""Scores of the General Text Matcher that others published."""

from pathlib import Path

import numpy as np

from qeframe.plugin import DataError, Texts, segment_scores
from qeframe.plugin.data import PublishedColumn, PublishedTable
from qeframe.plugin.readers import TextFile, parse_numbers, read_text_lines

_LINES = 2000
_EXPONENTS = (1, 2, 3)


def _equal_segments(folder: Path) -> dict[tuple[str, str], float]:
    """Count the segments of which the score is the published one.

    The files were made from lower-cased texts, with candidate and reference exchanged.
    """
    from qeframe_gtm.measures import gtm_f

    texts = [_first(read_text_lines(folder / f"{name}.tok", texts=True)) for name in ("candidate", "reference")]
    batch = Texts.from_plain(*texts)
    equal = {}
    for exponent in _EXPONENTS:
        file = read_text_lines(folder / f"gtm-e{exponent}.scores")
        published = parse_numbers(_first(file), file)
        scores = segment_scores(gtm_f(exponent=exponent, lowercase=True), batch)
        equal[f"exponent {exponent}", "equal to 1e-9"] = float((np.abs(scores - published) <= 1e-9).sum())
    return equal


def _first(file: TextFile) -> list[str]:
    if len(file.lines) < _LINES:
        raise DataError(f"has {len(file.lines)} lines, not {_LINES}", path=file.path, remedy="fetch it again")
    return list(file.lines[:_LINES])


gtm_wmt16 = PublishedTable(
    name="gtm_wmt16",
    summary="Number of segments, of the first 2,000, with the published score of the General Text Matcher",
    source="Ma et al. (2017), the scores beside the texts of Blend",
    data="gtm_wmt16",
    paths=(".", "gtm-wmt16"),
    columns=(PublishedColumn(title="equal to 1e-9"),),
    rows={f"exponent {exponent}": (f"{_LINES:,}",) for exponent in _EXPONENTS},
    compute=_equal_segments,
)
"""The scores that are published beside the texts of WMT15 and WMT16."""
