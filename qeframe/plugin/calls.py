"""Names with parameters, former spellings, and messages: ``f_beta(beta=2)``."""

from qeframe.core.components.calls import Call, format_call, parse_call, parse_value
from qeframe.core.errors import (
    FormerSpellingWarning,
    QeframeError,
    UnknownNameError,
    counted,
    did_you_mean,
    one_line,
    warn_former,
)

__all__ = [
    "Call",
    "FormerSpellingWarning",
    "QeframeError",
    "UnknownNameError",
    "counted",
    "did_you_mean",
    "format_call",
    "one_line",
    "parse_call",
    "parse_value",
    "warn_former",
]
