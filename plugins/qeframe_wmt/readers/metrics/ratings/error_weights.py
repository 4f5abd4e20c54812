"""The points of MQM errors, by severity, category and sub-category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qeframe.plugin import DataError

USUAL_WEIGHTS = ("major=5", "minor=1", "neutral=0", "major/non-translation!=25", "minor/fluency/punctuation=0.1")
"""The weights of the WMT metrics tasks."""

_NO_ERROR = "no-error"
_REMEDY = "write severity=NUMBER, severity/category=NUMBER or severity/category/sub-category=NUMBER"


class ErrorWeights:
    """Points by the most specific name that has some: severity/category/sub-category, severity/category, severity."""

    def __init__(self, points: Mapping[str, float]) -> None:
        self.points = dict(points)

    def of(self, severity: str, category: str) -> float | None:
        """Return the points of an error, without regard to case; None if there are none for its severity."""
        name = f"{severity}/{category}".lower().strip("/")
        while name not in self.points and "/" in name:
            name = name.rpartition("/")[0]
        return 0.0 if name == _NO_ERROR else self.points.get(name)


def parse_weights(weights: Sequence[str]) -> ErrorWeights:
    """Read weights as texts NAME=NUMBER.

    Raises
    ------
    DataError
        For a text of another form, or a name that occurs twice.
    """
    points: dict[str, float] = {}
    for weight in weights:
        name, equals, number = weight.rpartition("=")
        name = name.strip().lower()
        try:
            value = float(number) if equals and number.isascii() and "_" not in number else float("nan")
        except ValueError:
            value = float("nan")
        if not name or not 0 <= value <= 1e6:
            raise DataError(f"'{weight}' is no weight of an error", remedy=_REMEDY)
        if name in points:
            raise DataError(f"the weight of '{name}' is given twice", remedy="keep one")
        points[name] = value
    return ErrorWeights(points)
