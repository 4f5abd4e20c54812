"""The scales on which differences of scores are compared and intervals of scores are symmetric."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

WorkingScale = Literal["identity", "arctanh"]
"""identity: the score itself. arctanh: Fisher's z, on which the error of a correlation depends little on its size."""

IntervalScale = WorkingScale | Literal["logit", "log"]
"""As `WorkingScale`; logit: for shares, in (0, 1). log: for positive errors, negated as they are when oriented."""

RANGE_OF_SCALE: Mapping[IntervalScale, tuple[float, float]] = {
    "identity": (-math.inf, math.inf),
    "arctanh": (-1.0, 1.0),
    "logit": (0.0, 1.0),
    "log": (-math.inf, 0.0),
}
"""By scale, the oriented scores that it has values for; those at an end are infinite."""
