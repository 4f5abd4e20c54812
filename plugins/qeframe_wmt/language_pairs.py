"""Language pairs and names of systems, which the files of the metrics tasks write in several ways."""

from __future__ import annotations

import re

__all__ = ["language_code", "pair_code", "plain_system"]

_CODES = {
    "cs": ("czech", "ces", "cze", "cz"),
    "de": ("german", "deu", "ger"),
    "en": ("english", "eng"),
    "es": ("spanish", "spa", "esn"),
    "fi": ("finnish", "fin"),
    "fr": ("french", "fra", "fre"),
    "hi": ("hindi", "hin"),
    "hu": ("hungarian", "hun"),
    "ro": ("romanian", "ron", "rum"),
    "ru": ("russian", "rus"),
    "tr": ("turkish", "tur"),
}
_CODE_OF = {name: code for code, names in _CODES.items() for name in (code, *names)}


def language_code(name: str) -> str:
    """Return the two-letter code of a language of the ranking tasks; any other name in lower case as it is."""
    plain = name.strip().lower()
    return _CODE_OF.get(plain, plain)


def pair_code(pair: str) -> str:
    """Return a language pair with two-letter codes: ``cs-en`` for ``cz-en`` and for ``Czech-English``."""
    return "-".join(map(language_code, pair.split("-")))


def plain_system(name: str, pair: str) -> str:
    """Return a system's name without test set and language pair: ``newstest2014.kit.3112.fr-en`` is ``kit.3112``."""
    found = re.fullmatch(rf"[A-Za-z]+\d{{4}}\.(.+)\.{re.escape(pair)}", name)
    return found[1] if found else name
