"""What an evaluation is asked for besides scores and comparisons."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

from qeframe.core.errors import DataError
from qeframe.core.profile import Profile
from qeframe.core.supplements import make_supplements
from qeframe.supplements.differences import detectable as detectable_with
from qeframe.supplements.differences import equivalence as equivalence_within
from qeframe.supplements.explanation import explain as explain_scores
from qeframe.supplements.given import SupplementInput
from qeframe.supplements.influence import influence as influence_of_units


def requested(
    profile: Profile,
    *,
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool | float = False,
    influence: int = 0,
) -> dict[str, Any]:
    """Return the fields of an `EvaluationRequest` that keywords of `evaluate` and the profile ask for.

    Raises UnknownNameError, DataError if the profile names what there is not, or a number is out of its range.
    """
    asked: dict[str, Callable[[SupplementInput], Any]] = {}
    if detectable is not False:
        asked["detectable"] = detectable_with(0.8 if detectable is True else float(detectable))
    if influence:
        if not isinstance(influence, Integral):
            raise DataError(f"the number of influential units must be a whole number, not {influence!r}")
        asked["influence"] = influence_of_units(int(influence))
    if functions := make_supplements(profile.supplements):
        asked["supplements"] = lambda given: {name: function(given) for name, function in functions.items()}
    return {
        "explain": explain_scores if explain else None,
        "equivalence": None if equivalence is None else equivalence_within(equivalence),
        "asked": asked,
    }
