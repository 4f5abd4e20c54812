"""Names: with parameters (``f_beta(beta=2)``), and those that are imported on first use; messages."""

from qeframe.core.calls import Call, parse_call
from qeframe.core.errors import QeframeError, UnknownNameError, counted, did_you_mean, one_line
from qeframe.lazy_names import lazy_names, places

__all__ = [
    "Call",
    "QeframeError",
    "UnknownNameError",
    "counted",
    "did_you_mean",
    "lazy_names",
    "one_line",
    "parse_call",
    "places",
]
