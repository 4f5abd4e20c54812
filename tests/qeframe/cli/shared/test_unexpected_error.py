"""The message for an unexpected error."""

import pytest

from qeframe.cli.shared.unexpected_error import failure_line


def failure_in(module: str) -> Exception:
    """Return an error that a function of a module raised."""
    names = {"__name__": module}
    exec("def fail():\n    raise RuntimeError\n", names)
    with pytest.raises(RuntimeError) as caught:
        names["fail"]()
    return caught.value


def test_the_distribution_is_named_where_it_is_known():
    assert failure_line(failure_in("qeframe_scoring.delta_average")) == (
        "RuntimeError, raised in module 'qeframe_scoring.delta_average' of distribution 'qeframe'; "
        "QEFRAME_TRACEBACK=1 shows the traceback"
    )
    assert "module 'hypothesis.core' of distribution 'hypothesis'" in failure_line(failure_in("hypothesis.core"))


@pytest.mark.parametrize("module", ["scipy.stats", "numpy.linalg", "json.decoder", "__main__"])
def test_libraries_are_not_blamed(module, monkeypatch):
    monkeypatch.setattr("qeframe.cli.shared.unexpected_error.packages_distributions", dict)  # which takes a second
    assert f"'{module}'" not in failure_line(failure_in(module))
