"""Names: with parameters (``f_beta(beta=2)``), and those that are imported on first use; messages."""

from qeframe.lazy_names import lazy_names, places

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.calls import Call, parse_call
    from qeframe.core.errors import QeframeError, UnknownNameError, counted, did_you_mean, one_line

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

__getattr__, __dir__ = lazy_names(__name__)
