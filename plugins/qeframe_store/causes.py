"""The causes of changes: what two signatures do not have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from attrs import frozen

from qeframe.plugin.results import Signature, plain_values


@frozen(kw_only=True)
class Cause:
    """A rule, a version or a file that is not the same.

    Parameters
    ----------
    kind : {"rule", "data", "software", "seed"}
    name : str
        The key of a rule, the path of a file, or the name of a library, a plugin or a program.
    old, new : str
        As text; empty where one side lacks it.
    """

    kind: Literal["rule", "data", "software", "seed"]
    name: str
    old: str
    new: str


def find_causes(old: Signature, new: Signature) -> Iterable[Cause]:
    """Yield everything in two signatures that is not the same."""
    yield from _changed("rule", old.rules, new.rules)
    yield from _changed("data", *({i.path: i.sha256 for i in s.inputs} for s in (old, new)))
    yield from _changed("data", *({f"units of {t}": n for t, n in s.units.items()} for s in (old, new)))
    software = (
        {"qeframe": s.qeframe, **s.versions, **s.plugins, "blocked plugins": ", ".join(s.blocked)} for s in (old, new)
    )
    yield from _changed("software", *software)
    yield from _changed("seed", {"seed": old.seed}, {"seed": new.seed})


def _changed(
    kind: Literal["rule", "data", "software", "seed"], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterable[Cause]:
    for name in sorted({*old, *new}):
        texts = [_text(side[name]) if name in side else "" for side in (old, new)]
        if texts[0] != texts[1]:
            yield Cause(kind=kind, name=name, old=texts[0], new=texts[1])


def _text(value: Any) -> str:
    """Return a value of a rule as text; one from JSON and one from Python give the same."""
    plain = plain_values(value)
    if isinstance(plain, dict):
        return ", ".join(f"{key}={_text(plain[key])}" for key in sorted(plain))
    if isinstance(plain, list):
        return ", ".join(map(_text, plain))
    return "" if plain is None else str(plain)
