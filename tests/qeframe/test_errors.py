"""The documented module of errors has all of them."""

import qeframe.core.errors
from qeframe import errors


def test_errors_are_found_in_their_documented_module():
    assert errors.__all__ == qeframe.core.errors.__all__
    assert all(getattr(errors, name) is getattr(qeframe.core.errors, name) for name in errors.__all__)
