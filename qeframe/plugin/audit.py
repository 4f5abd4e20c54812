"""The audit: attacks, and laws of data under which all submissions are equally good."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.extensions.attack import Attack
    from qeframe.extensions.null_model import NullModel

__all__ = ["Attack", "NullModel"]

__getattr__, __dir__ = lazy_names(__name__)
