"""What is said of scores of a class that few units have."""

_RARE = 0.05
"""A class that is rarer than this share is rare."""

_FEW_UNITS = 50
"""Below this number of units tests and intervals of scores of a rare class do not hold their levels."""


def rare_class_warning(what: str, members: int, total: int, units: int) -> str:
    """Return a warning if a class has few members in few units.

    `what`: the members and the class, "tags are BAD".
    `members`, `total`: how many there are in the class, and in all classes.
    `units`: how many units have them.

    Result: empty from 50 units on, and for a class with a share of .05 or more.
    """
    if units >= _FEW_UNITS or members >= _RARE * total:
        return ""
    return (
        f"{100 * members / total:.1f} % of the {what}, in {units} units: below {_FEW_UNITS} units, tests and intervals "
        "of the scores of so rare a class were measured to be undefined, or too short, for up to .23 of data sets"
    )
