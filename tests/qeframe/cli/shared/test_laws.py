"""The laws need optional dependencies."""

import pytest

from qeframe.cli.shared.laws import laws_required
from qeframe.core.errors import DataError


def test_a_missing_dependency_is_named_with_the_remedy():
    with pytest.raises(DataError, match=r"the laws need hypothesis; pip install 'qeframe\[test\]'"), laws_required():
        raise ModuleNotFoundError("No module named 'hypothesis'", name="hypothesis")


def test_other_errors_pass():
    with pytest.raises(ValueError, match="other"), laws_required():
        raise ValueError("other")
