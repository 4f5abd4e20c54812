"""The laws of `qeframe.testing` need optional dependencies; commands that use them name the missing extra."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def laws_required() -> Iterator[None]:
    """Import `qeframe.testing` within this context.

    Raises DataError if a dependency of `qeframe.testing` is missing; the remedy names the extra to install.
    """
    from qeframe.core.errors import DataError

    try:
        yield
    except ModuleNotFoundError as error:
        raise DataError(f"the laws need {error.name}", remedy="pip install 'qeframe[test]'") from error
