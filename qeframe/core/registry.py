"""The registry: all components by class and name, immutable, with the plugin and the distribution of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, TypeVar, cast

from attrs import field, frozen

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import REGISTERED, BatchKind
from qeframe.core.calls import Call, Parametric, parse_call
from qeframe.core.component import Component, at_work, class_word, with_origin
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.origin import Origin

C = TypeVar("C", bound=Component)


@frozen
class Plugin:
    """A loaded plugin: its origin and the object that its entry point names."""

    origin: Origin
    module: object = field(repr=False)


@frozen
class Entry:
    """A component or a kind of batch, which may be imported on first use, and its origin."""

    find: Callable[[], Any] = field(repr=False)
    origin: Origin

    @cached_property
    def component(self) -> Any:
        """The component, which says where it comes from; one with parameters says so when made."""
        component = self.find()
        return with_origin(component, self.origin) if isinstance(component, Component) else component


def _frozen_tables(tables: Mapping[type[Component], Mapping[str, Entry]]) -> Mapping[Any, Mapping[str, Entry]]:
    return MappingProxyType({kind: MappingProxyType(dict(sorted(table.items()))) for kind, table in tables.items()})


def _frozen(table: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(table))


@frozen(eq=False, repr=False)
class Registry:
    """All components, found by class and name.

    Parameters
    ----------
    plugins : tuple of Plugin
        The plugins that were loaded.
    tables : mapping of type to mapping of str to Entry
        For each class of components, what is registered under each name, sorted by name.
    profiles : mapping of str to (Traversable, Origin)
        The file of every profile, and where it comes from.
    hooks : mapping of str to type
        The hooks that return components, and the class of these components.
    kinds : mapping of str to Entry
        The kind of each class of batches, by the name of the class, and where it comes from.
    blocked : tuple of str
        Names of plugins that were not loaded because the user blocked them.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> registry = qeframe.load()
    >>> registry.get(Metric, "f_beta(beta=2)").name
    'f_beta(beta=2)'
    >>> "pearson" in registry.names(Metric)
    True
    """

    plugins: tuple[Plugin, ...]
    tables: Mapping[type[Component], Mapping[str, Entry]] = field(converter=_frozen_tables, repr=False)
    profiles: Mapping[str, tuple[Traversable, Origin]] = field(converter=_frozen, repr=False)
    hooks: Mapping[str, type[Component]] = field(converter=_frozen, repr=False)
    kinds: Mapping[str, Entry] = field(converter=_frozen, repr=False)
    blocked: tuple[str, ...] = ()
    _made: dict[tuple[type[Component], str], Component] = field(factory=dict, init=False, repr=False)

    def __repr__(self) -> str:
        components = sum(map(len, self.tables.values()))
        return f"<Registry of {len(self.plugins)} plugins: {components} components, {len(self.profiles)} profiles>"

    def names(self, kind: type[Component]) -> list[str]:
        """Return the names of all components of a class, without parameters."""
        return list(self.tables.get(kind, {}))

    def get(self, kind: type[C], asked: str | C | Call) -> C:
        """Return the component of that name, or the component itself.

        Parameters
        ----------
        kind : type
            `Metric`, `SignificanceTest` ...
        asked : str, Call or component
            A name, with parameters if needed: ``"f_beta(beta=2)"``.

        Raises
        ------
        UnknownNameError, DataError
            For an unknown name or parameter, or a parameter that has a wrong value.
        """
        if isinstance(asked, kind):
            return asked
        if isinstance(asked, str) and (kind, asked) in self._made:
            return cast("C", self._made[kind, asked])
        if not isinstance(asked, (str, Call)):
            what = f"a {class_word(kind)} is given by name or as a component, not as {type(asked).__name__}"
            raise DataError(what)
        call = parse_call(asked) if isinstance(asked, str) else asked
        entry = self.entry(kind, call.name)
        component = entry.component
        if isinstance(component, Parametric):
            with_parameters = _made(kind, entry, **self._parameters(component, call))
            if with_parameters.name == asked:  # a call may hold components that are not registered
                self._made[kind, with_parameters.name] = with_parameters
            return with_parameters
        if call.parameters:
            raise DataError(f"{class_word(kind)} '{call.name}' has no parameters")
        return cast("C", component)

    def entry(self, kind: type[Component], name: str) -> Entry:
        """Return what is registered under a name without parameters.

        Raises
        ------
        UnknownNameError
            If nothing is.
        """
        table = self.tables.get(kind, {})
        if name in table:
            return table[name]
        remedy = f"'qeframe plugins' lists every {class_word(kind)}" if table else "there are none"
        raise self.unknown(class_word(kind), name, table, remedy)

    def find_kind(self, batch: type[Batch]) -> BatchKind | None:
        """Return the kind of a class of batches or of its nearest ancestor; None if there is none."""
        for ancestor in batch.__mro__:  # of all kinds, only those of the name are imported
            entry, given = self.kinds.get(ancestor.__name__), REGISTERED.get(ancestor.__name__, ())
            for kind in (*([] if entry is None else [entry.component]), *(find() for find in given)):
                if kind.batch is ancestor:
                    return cast("BatchKind", kind)
        return None

    def kind_of(self, batch: type[Batch]) -> BatchKind:
        """Return the kind of a class of batches or of its nearest ancestor.

        Raises
        ------
        DataError
            If no plugin brings one.
        """
        kind = self.find_kind(batch)
        if kind is None:
            remedy = "bring one by the hook qeframe_kinds"
            raise DataError(f"no plugin brings the kind of batches of {batch.__name__}", remedy=remedy)
        return kind

    def unknown(self, word: str, name: str, known: Iterable[str], remedy: str) -> UnknownNameError:
        """Return the error for an unknown name. It lists the blocked plugins, since one of them may bring the name."""
        if self.blocked:
            remedy += f" (blocked: {', '.join(self.blocked)})"
        return UnknownNameError(word, name, known, remedy=remedy)

    def _parameters(self, parametric: Parametric[Any], call: Call) -> dict[str, Any]:
        """Return the parameters of a call, with components in place of their names."""
        given = dict(call.parameters)
        for key, kind in parametric.component_parameters.items():
            if key in given:
                given[key] = self.get(kind, given[key])
        return given

    def all(self, kind: type[C]) -> list[C]:
        """Return every component of a class, those with parameters with their defaults."""
        return [
            _made(kind, entry) if isinstance(entry.component, Parametric) else entry.component
            for entry in self.tables.get(kind, {}).values()
        ]


def _made(kind: type[C], entry: Entry, **parameters: Any) -> C:
    """Return the component that a function of parameters makes; raise a `PluginError` if it makes something else."""
    parametric = cast("Parametric[Any]", entry.component)
    with at_work(f"{class_word(kind)} '{parametric.name}' of {entry.origin}", "its function of parameters"):
        component = parametric(**parameters)
    return with_origin(cast("C", component), entry.origin)
