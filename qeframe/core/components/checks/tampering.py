"""What code of third parties must leave alone: gold, answers, and the functions of Python, numpy and qeframe.

Python cannot keep a plugin from changing them. What is compared here, before and after the code runs, is cheap, and is
compared only where there are plugins of third parties.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import attrs
import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.components.component import PROJECT, Origin
from qeframe.core.errors import PluginError

_WATCHED = ("builtins", "math", "numpy", PROJECT)
"""Modules whose functions give the numbers; those within them are watched too."""
_FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc, type, type(np.sum), classmethod, staticmethod, property)


@contextmanager
def untouched(batches: Mapping[str, Batch], origins: Iterable[Origin]) -> Iterator[None]:
    """Refuse the result of code that changes what is evaluated.

    `batches`: what is evaluated, by what messages call it. `origins`: the plugins that are at work. Without one of
    third parties nothing is compared. Raises PluginError naming what changed, and the plugins of third parties.
    """
    if not (others := _others(origins)):
        yield
        return
    before = _contents(batches)
    yield
    after = _contents(batches)
    for name in before:
        if before[name] != after[name]:
            raise PluginError(f"{name} changed while it was evaluated, so there is no result; {_suspects(others)}")


@contextmanager
def nothing_replaced(*origins: Origin) -> Iterator[None]:
    """Refuse code of third parties that replaces a function of Python, numpy or qeframe; the function is put back.

    Raises PluginError naming the function, and the plugins of third parties.
    """
    if not (others := _others(origins)):
        yield
        return
    before = _names()
    try:
        yield
    finally:
        replaced = _replaced(before)
        for owner, name in replaced:
            setattr(owner, name, before[owner][name])
    if replaced:
        owner, name = replaced[0]
        raise PluginError(
            f"{owner.__name__}.{name} was replaced, so that no number can be trusted; {_suspects(others)}"
        )


def _others(origins: Iterable[Origin]) -> list[Origin]:
    """Return the origins of third parties."""
    return [origin for origin in origins if origin.distribution != PROJECT]


def _suspects(origins: Sequence[Origin]) -> str:
    who = " or ".join(map(str, origins))
    return f"by {who}: repair it, or start with QEFRAME_BLOCK={','.join(origin.plugin for origin in origins)}"


def _names() -> dict[Any, dict[str, Any]]:
    """Return what the names of the watched modules, and of the classes of qeframe, mean now."""
    modules = [
        module
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType) and name.partition(".")[0] in _WATCHED
    ]
    owners: list[Any] = [
        *modules,
        *(known_class for module in modules for known_class in _classes(module, len(vars(module)))),
    ]
    return {owner: dict(vars(owner)) for owner in owners}


@cache
def _classes(module: ModuleType, _names: int) -> tuple[type, ...]:
    """Return the classes that a module of qeframe defines; it is looked at again when it has more names."""
    if module.__name__.partition(".")[0] != PROJECT:
        return ()
    return tuple(
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    )


def _replaced(before: Mapping[Any, Mapping[str, Any]]) -> list[tuple[Any, str]]:
    """Return the owners and names of functions that are not what they were. Identity is compared before types: fast."""
    return [
        (owner, name)
        for owner, names in before.items()
        for now in (vars(owner),)
        for name, value in names.items()
        if now.get(name) is not value and isinstance(value, _FUNCTIONS)
    ]


def _contents(batches: Mapping[str, Batch]) -> dict[str, Any]:
    """Return a digest of every field of batches, by what messages call it; equal arrays are read once."""
    known: dict[int, Any] = {}
    digests: dict[str, Any] = {}
    for name, batch in batches.items():
        for field in attrs.fields(type(batch)):
            if field.init:
                words = {"predicted": "the answers", "gold": "the gold"}.get(field.name, f"'{field.name}'")
                digests[f"{words} of {name}"] = _digest(getattr(batch, field.name), known)
    return digests


def _digest(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, np.ndarray) and value.dtype != object:
        if id(value) not in known:
            known[id(value)] = value.shape, blake2b(np.ascontiguousarray(value).tobytes()).digest()
        return known[id(value)]
    if isinstance(value, np.ndarray):
        return _digest(value.ravel().tolist(), known)
    if isinstance(value, (list, tuple)):
        return tuple(_digest(item, known) for item in value)
    if isinstance(value, Mapping):
        return tuple((key, _digest(item, known)) for key, item in value.items())
    if hasattr(type(value), "__attrs_attrs__"):
        return tuple(_digest(getattr(value, field.name), known) for field in attrs.fields(type(value)) if field.init)
    return repr(value)
