"""Names with parameters, former spellings, and messages: ``f_beta(beta=2)``."""

from qeframe.core.components.calls import Call, format_call, parse_call, parse_value
from qeframe.core.errors import FormerSpellingWarning, QeframeError, counted, did_you_mean, warn_former

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
