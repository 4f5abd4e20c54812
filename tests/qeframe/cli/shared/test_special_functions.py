"""The few functions of ``scipy.special`` are its own; whatever else is asked for runs the package in its place."""

import re
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import qeframe
from qeframe.cli.shared.special_functions import FUNCTIONS, _Loader, _Package

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


def test_a_package_that_cannot_be_run_says_so_each_time():
    class Whole:
        is_broken = True

        def exec_module(self, module):
            if self.is_broken:
                raise ImportError("no such library")
            module.logsumexp = 1

    package = _Package("scipy.special")
    loader = _Loader(Whole())
    package.__spec__ = ModuleSpec("scipy.special", loader)
    loader.exec_module(package)
    for _ in range(2):
        with pytest.raises(ImportError, match="no such library"):
            _ = package.logsumexp
    loader.whole.is_broken = False
    assert package.logsumexp == 1
    assert package.__spec__.loader is loader.whole


def test_every_function_that_is_used_is_known():
    root = Path(qeframe.__file__).parents[1]
    used = set[str]()
    for path in [*root.glob("qeframe/**/*.py"), *root.glob("plugins/**/*.py")]:
        for names in re.findall(r"from scipy\.special import (.+)", path.read_text("utf-8")):
            used |= set(names.split(", "))
    assert used == FUNCTIONS
