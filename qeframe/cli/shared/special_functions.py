"""``scipy.special`` in parts: the few functions that tests and intervals need, without the rest of the package.

The functions are in one compiled module. The package around it also prepares itself for the arrays of other libraries,
and imports much of numpy for that: more than a small run takes for everything else. A program that asks for nothing
but these functions is therefore given them alone. Whatever else is asked for runs the package as it is, in its place.
"""

import importlib
import sys
import threading
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__all__ = ["FUNCTIONS", "import_in_parts"]

_PACKAGE = "scipy.special"
FUNCTIONS = frozenset({"bdtr", "chdtri", "gammaincinv", "ndtr", "ndtri", "stdtr", "stdtrit"})
"""The functions of the compiled module that the package hands on unchanged, and that qeframe uses."""


def import_in_parts() -> None:
    """Let a later ``import scipy.special`` run the package only when more than `FUNCTIONS` is asked for."""
    if _PACKAGE not in sys.modules and not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]  # what importlib asks for is there
        return spec


class _Loader:
    """A loader that leaves the running of the package to the first question for something else."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(_lock=threading.RLock(), _is_running=False)
        module.__class__ = _Package

    def __getattr__(self, name: str) -> Any:  # what else a loader can do, such as to read files of the package
        return getattr(self.whole, name)


class _Package(ModuleType):
    """The package: its functions alone until something else is asked for, then the whole, in the same module."""

    _lock: threading.RLock
    _is_running: bool

    def __getattr__(self, name: str) -> Any:  # only of names that are not there yet
        if name in FUNCTIONS and not self._is_running:
            try:
                return self.__dict__.setdefault(name, getattr(importlib.import_module(f"{_PACKAGE}._ufuncs"), name))
            except (ImportError, AttributeError):
                pass  # another version of scipy: the package itself knows where its functions are
        with self._lock:  # another thread waits until the package has run
            if self._is_running:
                raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")
            if type(self) is _Package:
                self._run()
        return getattr(self, name)

    def __dir__(self) -> list[str]:
        self.__getattr__("__all__")
        return sorted(self.__dict__)

    def _run(self) -> None:
        """Run the package in this module, which is an ordinary one afterwards."""
        spec: Any = self.__spec__
        in_parts = spec.loader
        spec.loader = self.__loader__ = in_parts.whole
        self._is_running = True
        try:
            spec.loader.exec_module(self)
            self.__class__ = ModuleType  # type: ignore[assignment]  # a plain module again
        except BaseException:
            spec.loader = self.__loader__ = in_parts  # the next question runs it anew
            raise
        finally:
            self._is_running = False
