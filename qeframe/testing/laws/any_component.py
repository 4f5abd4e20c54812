"""The laws of every class of components: inputs are left alone, and equal inputs give equal outputs."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import attrs
import numpy as np
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from qeframe.core.batch import Batch
from qeframe.core.ragged import Ragged
from qeframe.testing.laws.law import Law

_DEEP = 12
"""How many levels of values an image has."""


def image(value: Any, depth: int = _DEEP) -> Any:
    """Return a value as tuples, strings and bytes, to be compared later: equal images are equal bits."""
    if hasattr(value, "tocsr"):
        value = value.toarray()
    if isinstance(value, np.ndarray):
        content = image(value.tolist(), depth - 1) if value.dtype.hasobject else value.tobytes()
        return (str(value.dtype), value.shape, content)
    if depth == 0:
        return ()
    if isinstance(value, Mapping):
        return tuple((str(key), image(part, depth - 1)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(image(part, depth - 1) for part in value)
    if attrs.has(type(value)):
        names = [field.name for field in attrs.fields(type(value)) if field.name != "_extracted"]
        return tuple((name, image(getattr(value, name, None), depth - 1)) for name in names)
    return repr(value) if isinstance(value, (int, float, complex, str, bytes, np.generic)) or value is None else ()


def fresh(value: Any) -> Any:
    """Return an example with arrays of its own, and with batches that have computed nothing yet."""
    if isinstance(value, tuple):
        return tuple(fresh(part) for part in value)
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, Ragged):
        return Ragged(value.values.copy(), value.offsets.copy())
    if isinstance(value, Batch):
        fields = [field for field in attrs.fields(type(value)) if field.init]
        return attrs.evolve(value, **{str(field.alias): fresh(getattr(value, field.name)) for field in fields})
    return value


def is_refused_write(error: BaseException) -> bool:
    """Return whether an error is numpy's refusal to write into an array that is read-only."""
    return isinstance(error, ValueError) and "read-only" in str(error)


def _left_alone(run: Callable[..., Any], component: Any, kind: Any, *example: Any) -> None:
    given = fresh(example)
    before = image(given)
    try:
        run(component, kind, *given)
    except ValueError as error:
        if not is_refused_write(error):
            raise
        raise AssertionError("it writes into an array that it was given") from error
    changed = next(_changes(given, before, image(given)), "")
    assert not changed, f"it changes {changed}"
    parts = [*given, *(item for part in given if isinstance(part, tuple) for item in part)]
    for batch in [part for part in parts if isinstance(part, Batch)]:
        shared = _changed_share(batch)
        assert not shared, f"it changes {shared}, which other components share"


def _changes(parts: tuple[Any, ...], before: Any, after: Any) -> Iterator[str]:
    """Yield what differs between the images of the parts of an example."""
    for part, earlier, other in zip(parts, before, after, strict=True):
        if earlier == other:
            continue
        if isinstance(part, tuple):
            yield from _changes(part, earlier, other)
        elif isinstance(part, Batch):
            yield from (
                f"'{name}' of the batch" for (name, was), (_, now) in zip(earlier, other, strict=True) if was != now
            )
        else:
            yield "an array that it was given"


def _changed_share(batch: Batch) -> str:
    """Return which of the values that a batch has computed for all components is not what it was computed as."""
    for extract, rows in batch._extracted.items():
        again, once_more = (image(extract(fresh(batch))) for _ in range(2))
        if again == once_more != image(rows):  # random rows are the business of another law
            return "the rows that the batch keeps"
    fields = {field.name for field in attrs.fields(type(batch))}
    computed = [
        name for name in getattr(type(batch), "__slots__", ()) if name not in fields and not name.startswith("_")
    ]
    for name in computed:
        if image(getattr(batch, name)) != image(getattr(fresh(batch), name)):
            return f"'{name}' of the batch"
    return ""


def _same_twice(run: Callable[..., Any], component: Any, kind: Any, *example: Any) -> None:
    once, again = (run(component, kind, *fresh(example)) for _ in range(2))
    assert image(once) == image(again), f"the same input gives {_first_difference(once, again)}"
    shared = any(share_memory(first, second) for first in arrays_of(once) for second in arrays_of(again))
    assert not shared, OVERWRITES


OVERWRITES = (
    "two calls return the same memory, so that the second overwrites what the first returned: return new arrays"
)


def arrays_of(value: Any) -> Iterator[NDArray[Any]]:
    """Yield the arrays within what a component returns."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        yield from (array for part in value.values() for array in arrays_of(part))
    elif isinstance(value, (list, tuple)):
        yield from (array for part in value for array in arrays_of(part))
    elif attrs.has(type(value)) and not isinstance(value, Batch):
        yield from (
            array for field in attrs.fields(type(value)) for array in arrays_of(getattr(value, field.name, None))
        )


def share_memory(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Return whether two arrays share memory that can be written; constants of a module that are read-only cannot."""
    owner = first
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return bool(first.size and owner.flags.writeable and np.may_share_memory(first, second))


def _first_difference(once: Any, again: Any) -> str:
    if isinstance(once, tuple) and isinstance(again, tuple) and len(once) == len(again):
        pairs = zip(once, again, strict=True)
        return next((_first_difference(*pair) for pair in pairs if image(pair[0]) != image(pair[1])), "")
    shown = (returned.tolist() if isinstance(returned, np.ndarray) else returned for returned in (once, again))
    return " and then ".join(map(str, shown))


def array_fault(returned: Any, shape: tuple[int, ...], *, kinds: str = "f", what: str = "it returns") -> str:
    """Return what is wrong with a returned value that should be an array; empty if nothing is.

    `kinds`: the kinds of dtype that are allowed: "f" for floats, "i" and "u" for whole numbers.
    """
    expected = f"{'float64' if 'f' in kinds else 'int64'} of shape {shape}"
    if not isinstance(returned, (np.ndarray, np.generic, *((float,) if kinds == "f" else ()))):
        return f"{what} {type(returned).__name__} instead of {expected}"
    array = np.asarray(returned)
    is_right = array.dtype == np.float64 if kinds == "f" else array.dtype.kind in kinds
    if is_right and array.shape == shape:
        return ""
    return f"{what} {array.dtype} of shape {array.shape} instead of {expected}"


def _well_shaped(fault: Callable[..., str], run: Callable[..., Any], component: Any, kind: Any, *example: Any) -> None:
    try:
        returned = run(component, kind, *fresh(example))
    except ValueError as error:  # a write into the input is told by the law of inputs
        if not is_refused_write(error):
            raise
        return
    wrong = fault(component, returned, *example)
    if wrong:
        raise AssertionError(wrong)


def basic_laws(
    run: Callable[..., Any], examples: Callable[[Any, Any], SearchStrategy[tuple[Any, ...]]]
) -> tuple[Law[Any], Law[Any]]:
    """Return the laws "input" and "determinism" for a class of components.

    `run`: from the component, the kind and the parts of an example to all that the component computes from them.
    `examples`: as in `Law`.
    """
    return (
        Law(
            name="input",
            states="arrays that a component is given, and values that a batch keeps for all, are left as they were",
            examples=examples,
            holds=partial(_left_alone, run),
            first=True,
        ),
        Law(
            name="determinism",
            states="equal inputs and equal seeds give equal outputs",
            examples=examples,
            holds=partial(_same_twice, run),
            first=True,
        ),
    )


def shape_law(
    run: Callable[..., Any],
    examples: Callable[[Any, Any], SearchStrategy[tuple[Any, ...]]],
    fault: Callable[..., str],
    states: str,
) -> Law[Any]:
    """Return the law "shape" for a class of components.

    `run`, `examples`: as in `basic_laws`.
    `fault`: from the component, what it returned and the parts of the example to what is wrong; empty if nothing is.
    `states`: as in `Law`.
    """
    return Law(name="shape", states=states, examples=examples, holds=partial(_well_shaped, fault, run), first=True)
