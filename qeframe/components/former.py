"""Former spellings: names of the release before, which are read once more with a warning.

A component declares its own former spellings (`Component.formerly`, `Parametric`), a kind of batch those of its unit.
"""

from __future__ import annotations

import warnings

__all__ = ["FormerSpellingWarning", "warn_former"]


class FormerSpellingWarning(FutureWarning):
    """The warning that a name was written in its former spelling."""


def warn_former(what: str, former: str, present: str) -> None:
    """Warn that a former spelling was used.

    Parameters
    ----------
    what : str
        What the name is of: "significance test", "parameter of permutation".
    former, present : str
        The spelling that was used, and the one to use.
    """
    message = f"{what} '{former}' is now spelled '{present}'; write the new spelling: the next release refuses the old"
    warnings.warn(message, FormerSpellingWarning, stacklevel=2)
