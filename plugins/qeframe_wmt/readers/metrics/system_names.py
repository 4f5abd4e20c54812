"""Names of systems, which the files of the metrics tasks write with or without test set and language pair."""

from __future__ import annotations

import re


def plain_system(name: str, pair: str) -> str:
    """Return the name of a system without test set and language pair.

    ``newstest2014.kit.3112.fr-en`` is ``kit.3112``; a name of another form is returned as it is.
    """
    parts = re.fullmatch(rf"[A-Za-z]+\d{{4}}\.(.+)\.{re.escape(pair)}", name)
    return parts[1] if parts else name
