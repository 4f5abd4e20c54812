"""Public names are found whatever was imported before."""

import subprocess
import sys
import textwrap
from importlib.metadata import entry_points

import qeframe


def test_no_public_name_turns_into_a_module():
    """A submodule of the name of a lazily imported name would take its place once it has been imported."""
    code = """
        import pkgutil, sys
        from importlib import import_module
        from types import ModuleType

        roots = [import_module(name) for name in sys.argv[1:]]
        names = [found.name for root in roots for found in pkgutil.walk_packages(root.__path__, root.__name__ + ".")]
        modules = [*roots, *(import_module(name) for name in names if not name.endswith("__main__"))]
        public = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
        assert len(public) > 500
        assert not [(module, name) for module, name in public if isinstance(getattr(module, name), ModuleType)]
    """
    plugins = sorted({entry.value for entry in entry_points(group="qeframe.v2")} - {""})
    packages = sorted({name.partition(".")[0] for name in plugins})
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code), "qeframe", *packages], check=True)


def test_what_is_listed_is_public():
    assert {name for name in dir(qeframe) if not name.startswith("__")} == set(qeframe.__all__)
    assert qeframe.__version__
    assert "__version__" in dir(qeframe)
