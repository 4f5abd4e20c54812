"""Could the winner have gained without being better? One sentence and one picture from the facts of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from qeframe.core.errors import counted
from qeframe.report.html.panel_scores import Ranked, Scores
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.tables.leaderboard import WINNER

_MOST = 5
"""The attacks of each manner that are shown: the best."""


def audit_sentence(audit: Mapping[str, Any]) -> str:
    """Return in one sentence what the winner could have gained, and how far answers without a model get."""
    decimals = decimals_for([audit["score"], *(attack["score"] for attack in audit["attacks"])])
    said = [_lead(audit, decimals), _gain(audit, decimals)]
    if blind := _of(audit, "blind"):
        rank = f"rank {blind[0]['rank']} of {audit['of'] + 1}"
        said.append(f"the best answers without a model ({blind[0]['attack']}) would have taken {rank}")
    return "; ".join(filter(None, said)) + "."


def _lead(audit: Mapping[str, Any], decimals: int) -> str:
    first = f"{audit['winner']} is first with {audit['metric']} {format_number(audit['score'], decimals)}"
    return (
        f"{first}, {format_number(audit['lead'], decimals)} better than {audit['second']}" if audit["second"] else first
    )


def _gain(audit: Mapping[str, Any], decimals: int) -> str:
    cosmetic = _of(audit, "cosmetic")
    if not cosmetic:
        return ""
    best, gained = cosmetic[0], format_number(cosmetic[0]["gain"], decimals)
    if not float(gained) > 0:
        return f"no known transformation of its own answers would have gained anything ({len(cosmetic)} were tried)"
    way = f"{best['attack']}, {best['setting']}" if best["setting"] else best["attack"]
    compared = "" if audit["lead"] is None else f", {_against(best['gain'], audit['lead'])} its lead"
    return f"by transforming its own answers it could have gained {gained} ({way}){compared}"


def _against(gain: float, lead: float) -> str:
    return "more than" if gain > lead else "less than" if gain < lead else "as much as"


def audit_scores(audit: Mapping[str, Any]) -> Scores:
    """Return the winner, the second and the best attacks as rows of a forest plot, each with the rank it would take."""
    best = [attack for manner in ("cosmetic", "blind") for attack in _of(audit, manner)[:_MOST]]
    rows = [Ranked(name=audit["winner"], mark=WINNER, value=audit["score"], ranks=(1, 1))]
    if audit["second"]:
        way = 1.0 if audit["higher_is_better"] else -1.0
        rows.append(Ranked(name=audit["second"], value=audit["score"] - way * audit["lead"], ranks=(2, 2)))
    rows += [
        Ranked(name=_name(attack, audit["winner"]), value=attack["score"], ranks=(attack["rank"],) * 2)
        for attack in best
    ]
    high = audit["higher_is_better"]
    ordered = sorted(rows, key=lambda row: -row.value if high else row.value)
    return Scores(name="audit", metric=audit["metric"], higher_is_better=high, rows=tuple(ordered))


def _name(attack: Mapping[str, Any], winner: str) -> str:
    return f"{winner} after {attack['attack']}" if attack["manner"] == "cosmetic" else f"no model: {attack['attack']}"


def audit_notes(audit: Mapping[str, Any]) -> list[str]:
    """Return what the shown attacks do, and which are not shown."""
    notes = [
        f"{each['attack']}: {each['summary']}{f' ({setting})' if (setting := each['setting']) else ''}"
        for manner in ("cosmetic", "blind")
        for each in _of(audit, manner)[:_MOST]
    ]
    more = sum(max(0, len(_of(audit, manner)) - _MOST) for manner in ("cosmetic", "blind"))
    notes += [f"not shown: {counted(more, 'attack')} with worse scores"] if more else []
    notes += [f"without a defined score: {', '.join(audit['failed'])}"] if audit["failed"] else []
    return [*notes, "ranks: what each attack would take; an attack on the winner is ranked among the others"]


def _of(audit: Mapping[str, Any], manner: str) -> Sequence[Mapping[str, Any]]:
    return [each for each in audit["attacks"] if each["manner"] == manner]
