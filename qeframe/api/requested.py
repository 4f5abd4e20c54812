"""The supplements that an evaluation is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

from qeframe.core.calls import Call
from qeframe.core.errors import DataError
from qeframe.core.registry import Registry
from qeframe.core.supplement import Supplement


def equivalence_by(delta: float, registry: Registry) -> Supplement:
    """Return the supplement that tests pairs for equivalence."""
    return registry.get(Supplement, Call("equivalence", {"delta": float(delta)}))


def requested(
    registry: Registry,
    supplements: Sequence[str | Supplement] = (),
    *,
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool | float = False,
    influence: int = 0,
) -> tuple[Supplement, ...]:
    """Return the supplements that are asked for by the keywords of `evaluate`, and by name.

    Raises UnknownNameError, DataError if there is no such supplement, a parameter is out of its range, or one is asked
    for twice.
    """
    asked = [registry.get(Supplement, "explain")] if explain else []
    asked += [] if equivalence is None else [equivalence_by(equivalence, registry)]
    if detectable is not False:
        power = {} if detectable is True else {"power": float(detectable)}
        asked.append(registry.get(Supplement, Call("detectable", power)))
    if influence:
        units = int(influence) if isinstance(influence, Integral) else influence
        asked.append(registry.get(Supplement, Call("influence", {"units": units})))
    names = (supplements,) if isinstance(supplements, (str, Supplement)) else supplements
    asked += [registry.get(Supplement, name) for name in names]
    keys = [supplement.key for supplement in asked]
    for key in keys:
        if keys.count(key) > 1:
            raise DataError(f"supplement '{key}' is asked for twice", remedy="ask for it once")
    return tuple(asked)
