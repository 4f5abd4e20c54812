"""A profile as a file that reads back as the same profile: all rules of a result, with settings and what it extends."""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from qeframe.core.profiles.schema import DEFAULT, OVERALL, Profile
from qeframe.core.profiles.written import RESOLVED


def profile_to_toml(profile: Profile, version: str, chosen: Mapping[str, Any] | None = None) -> str:
    """Return a file with all rules of a profile; those that have qeframe's default are comments.

    Parameters
    ----------
    profile : Profile
    version : str
        The version of qeframe, whose defaults these are.
    chosen : mapping, optional
        The rules of the result, which say what "default" was.
    """
    defaults = Profile(reader="", primary="").rules
    lines = [
        f"# The rules of a result, written by qeframe {version}. They extend nothing, and no setting is needed:",
        "# qeframe run THIS_FILE PATH",
        "# A line that begins with '#' and a key is a default of this version.",
        "",
    ]
    for key, value in profile.rules.items():
        idle = value == defaults.get(key) or (key == "primary" and value == OVERALL)
        what = f"  # {(chosen or {}).get(key)}" if value == DEFAULT and key in (chosen or {}) else ""
        lines.append(f"{'# ' if idle else ''}{_key(key)} = {_value(value)}{what}")
    provenance = {**{key: profile.certainty(key) for key in profile.rules}, **profile.provenance}
    facts = {
        "name": profile.name,
        "changed": dict(profile.changed),
        "adjusted": sorted(profile.adjusted),
        "own": sorted(profile.own),
        "stated": sorted(profile.stated),
    }
    lines += ["", "[provenance]", *(f"{_key(key)} = {_value(attrs.asdict(fact))}" for key, fact in provenance.items())]
    lines += ["", f"[{RESOLVED}]", *(f"{key} = {_value(value)}" for key, value in facts.items())]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """Return a value as TOML in one line."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case int() | float():
            return repr(value)
        case Mapping():
            stated = {key: each for key, each in value.items() if each is not None}
            return f"{{{', '.join(f'{_key(key)} = {_value(each)}' for key, each in stated.items())}}}"
    return f"[{', '.join(map(_value, value))}]"
