"""Which supplements of an evaluation were asked for."""

from __future__ import annotations

from attrs import frozen

from qeframe.core.errors import DataError
from qeframe.core.evaluation.supplements.detectable import POWER

__all__ = ["NOTHING", "Requests", "requests_of"]


@frozen(kw_only=True)
class Requests:
    """What was asked for beyond scores and comparisons.

    Parameters
    ----------
    equivalence : float, optional
        The smallest difference that matters; None tests no equivalence.
    power : float, optional
        The chance with which detectable differences are to be found; None computes none.
    influence : int
        How many influential units are listed; 0 lists none.
    """

    equivalence: float | None = None
    power: float | None = None
    influence: int = 0


NOTHING = Requests()


def requests_of(*, equivalence: float | None, detectable: bool | float, influence: int) -> Requests:
    """Return what was asked for.

    Parameters
    ----------
    equivalence : float, optional
    detectable : bool or float
        True asks for a chance of .8; a number is the chance.
    influence : int

    Raises
    ------
    DataError
        If a number is out of its range.
    """
    power = None if detectable is False else POWER if detectable is True else float(detectable)
    if power is not None and not 0 < power < 1:
        raise DataError(f"the power must lie between 0 and 1, not {power}", remedy="0.8 is common")
    if equivalence is not None and not equivalence > 0:
        remedy = "give the smallest difference that matters"
        raise DataError(f"the difference of equivalence must be positive, not {equivalence}", remedy=remedy)
    if influence < 0:
        raise DataError(f"the number of influential units must not be negative, it is {influence}")
    return Requests(equivalence=equivalence, power=power, influence=influence)
