"""The few functions of ``scipy.special`` are its own; whatever else is asked for runs the package in its place."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import qeframe
from qeframe.cli.shared.special_functions import FUNCTIONS

IN_PARTS = """
import sys
import qeframe.__main__
from scipy.special import stdtr
import scipy.special
from scipy import special
few = [getattr(special, name) for name in {functions}]
assert special.stdtr is stdtr and scipy.special is special and not any("f2py" in name for name in sys.modules)
assert not hasattr(special, "no_function_of_this_name")
assert round(float(special.logsumexp([1.0, 2.0])), 6) == 2.313262, "the rest was not run"
assert "logsumexp" in dir(special) and type(special) is type(sys)
assert few == [getattr(special, name) for name in {functions}], "the package hands on other functions"
assert special._ufuncs is sys.modules["scipy.special._ufuncs"]
"""


@pytest.mark.slow
def test_the_functions_are_those_of_the_package_that_is_run_later():
    code = IN_PARTS.format(functions=sorted(FUNCTIONS))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_function_that_is_used_is_known():
    root = Path(qeframe.__file__).parents[1]
    used = set[str]()
    for path in [*root.glob("qeframe/**/*.py"), *root.glob("plugins/**/*.py")]:
        for names in re.findall(r"from scipy\.special import (.+)", path.read_text("utf-8")):
            used |= set(names.split(", "))
    assert used == FUNCTIONS
