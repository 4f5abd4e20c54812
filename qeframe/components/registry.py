"""The registry: all components found, immutable, with the plugin and the distribution that each came from.

Entry points are loaded one at a time in sorted order, so that every failure names the distribution and the remedy.
A name that is taken stays taken: replacing a component silently would be a way to cheat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, TypeVar, cast

from attrs import field, frozen

from qeframe.components.calls import Call, parse_call
from qeframe.components.component import Component
from qeframe.components.hookspecs import COMPONENT_HOOKS
from qeframe.components.parametric import Parametric
from qeframe.errors import DataError, UnknownNameError

__all__ = ["Origin", "Plugin", "Registry"]

C = TypeVar("C", bound=Component)
_WORDS: Mapping[type[Component], str] = {
    made: hook.removeprefix("qeframe_").replace("_", " ").removesuffix("s").replace("policie", "policy")
    for hook, made in COMPONENT_HOOKS.items()
}


@frozen
class Origin:
    """Where a component came from."""

    plugin: str
    distribution: str
    version: str

    def __str__(self) -> str:
        return f"plugin '{self.plugin}' of distribution '{f'{self.distribution} {self.version}'.strip()}'"


@frozen
class Plugin:
    """A loaded plugin: its origin and the object that its entry point names."""

    origin: Origin
    module: object = field(repr=False)


@frozen
class Entry:
    """A component or a family, and its origin."""

    component: Component | Parametric[Any]
    origin: Origin


def _frozen_tables(tables: Mapping[type[Component], Mapping[str, Entry]]) -> Mapping[Any, Mapping[str, Entry]]:
    return MappingProxyType({kind: MappingProxyType(dict(sorted(table.items()))) for kind, table in tables.items()})


def _frozen_profiles(profiles: Mapping[str, tuple[Traversable, Origin]]) -> Mapping[str, tuple[Traversable, Origin]]:
    return MappingProxyType(dict(profiles))


@frozen(eq=False)
class Registry:
    """All components, found by class and name."""

    plugins: tuple[Plugin, ...]
    tables: Mapping[type[Component], Mapping[str, Entry]] = field(converter=_frozen_tables, repr=False)
    profiles: Mapping[str, tuple[Traversable, Origin]] = field(converter=_frozen_profiles, repr=False)
    blocked: tuple[str, ...] = ()

    def names(self, kind: type[Component]) -> list[str]:
        """Return the names of all components of a class, families without parameters."""
        return list(self.tables.get(kind, {}))

    def get(self, kind: type[C], asked: str | C | Call) -> C:
        """Return the component of that name, or the component itself.

        Parameters
        ----------
        kind : type
            `Metric`, `SignificanceTest` ...
        asked : str, Call or component
            A name, with parameters if need be: ``"f_beta(beta=2)"``.

        Raises
        ------
        UnknownNameError, DataError
            For an unknown name or parameter, or a parameter that is not what it must be.
        """
        if isinstance(asked, kind):
            return asked
        if not isinstance(asked, (str, Call)):
            raise DataError(f"a {_WORDS[kind]} is asked for by name or given itself, not as {type(asked).__name__}")
        call = parse_call(asked) if isinstance(asked, str) else asked
        found = self.entry(kind, call.name).component
        if isinstance(found, Parametric):
            return cast("C", found(**self._parameters(found, call)))
        if call.parameters:
            raise DataError(f"{_WORDS[kind]} '{call.name}' has no parameters")
        return cast("C", found)

    def entry(self, kind: type[Component], name: str) -> Entry:
        """Return what is registered under a bare name."""
        table = self.tables.get(kind, {})
        if name not in table:
            remedy = f"'qeframe plugins' lists every {_WORDS[kind]}" if table else "there are none"
            raise self.unknown(_WORDS[kind], name, table, remedy)
        return table[name]

    def unknown(self, word: str, name: str, known: Iterable[str], remedy: str) -> UnknownNameError:
        """Return the error of a name that nothing answers to; a plugin that is blocked may have it."""
        if self.blocked:
            remedy += f" (blocked: {', '.join(self.blocked)})"
        return UnknownNameError(word, name, known, remedy=remedy)

    def _parameters(self, family: Parametric[Any], call: Call) -> dict[str, Any]:
        """Return the parameters of a call; a name stands for a component where the family takes one."""
        taken = family.component_parameters
        given = dict(call.parameters)
        for key in given.keys() & taken.keys():
            given[key] = self.get(taken[key], given[key])
        return given

    def all(self, kind: type[C]) -> list[C]:
        """Return every component of a class, families with their default parameters."""
        found = (entry.component for entry in self.tables.get(kind, {}).values())
        return [cast("C", c() if isinstance(c, Parametric) else c) for c in found]
