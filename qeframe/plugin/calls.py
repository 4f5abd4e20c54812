"""Names with parameters, former spellings, and messages: ``f_beta(beta=2)``."""

from qeframe.components.calls import Call, format_call, parse_call, parse_value
from qeframe.errors import FormerSpellingWarning, QeframeError, counted, did_you_mean, warn_former

__all__ = [
    "Call",
    "FormerSpellingWarning",
    "QeframeError",
    "counted",
    "did_you_mean",
    "format_call",
    "parse_call",
    "parse_value",
    "warn_former",
]
