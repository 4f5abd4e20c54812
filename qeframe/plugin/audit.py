"""The audit: attacks."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.attack import Attack

__all__ = ["Attack"]

__getattr__, __dir__ = lazy_names(__name__)
