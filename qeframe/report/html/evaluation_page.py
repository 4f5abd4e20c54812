"""The page of a run: everything that a reader of a ranking asks, also whether the winner could have gained."""

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from qeframe.api.saved import in_run_order
from qeframe.core.display import plain_values
from qeframe.core.errors import counted
from qeframe.core.result import Evaluation
from qeframe.report.html.facts import PageFacts
from qeframe.report.html.markup import render
from qeframe.report.html.panel_scores import Ranked, Scores
from qeframe.report.html.panels import forest, panels
from qeframe.report.html.words import Word, components_in_words, headings, terms_of_tests, words_for_the_best
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.layouts.table import Table
from qeframe.report.tables.comparisons import comparison_list, entered_tables, place_in_words
from qeframe.report.tables.explanations import explanations, supplement_tables
from qeframe.report.tables.leaderboard import BEST, confidence_in_words, leaderboard
from qeframe.report.tables.left_out import dropped_table, participation_notes
from qeframe.report.tables.parts import parts_table
from qeframe.report.tables.rules import idle_rules, inputs_table, rules_table, versions_table
from qeframe.report.tables.task_columns import gathered_warnings
from qeframe.report.tables.written_names import written_name

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
    first = f"{audit['winner']} is first with {written_name(audit['metric'])} {format_number(audit['score'], decimals)}"
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
    gain, lead = best["gain"], audit["lead"]
    compared = ""
    if lead is not None:
        compared = f", {'more than' if gain > lead else 'less than' if gain < lead else 'as much as'} its lead"
    return f"by transforming its own answers it could have gained {gained} ({way}){compared}"


def audit_scores(audit: Mapping[str, Any]) -> Scores:
    """Return the winner, the second and the best attacks as rows of a forest plot, each with the rank it would take."""
    rows = [Ranked(name=audit["winner"], mark=BEST, value=audit["score"], ranks=(1, 1))]
    if audit["second"]:
        way = 1.0 if audit["higher_is_better"] else -1.0
        rows.append(Ranked(name=audit["second"], value=audit["score"] - way * audit["lead"], ranks=(2, 2)))
    rows += [
        Ranked(name=_name(attack, audit["winner"]), value=attack["score"], ranks=(attack["rank"],) * 2)
        for attack in _shown(audit)
    ]
    high = audit["higher_is_better"]
    ordered = sorted(rows, key=lambda row: -row.value if high else row.value)
    return Scores(name="audit", metric=written_name(audit["metric"]), higher_is_better=high, rows=tuple(ordered))


def _name(attack: Mapping[str, Any], winner: str) -> str:
    return f"{winner} after {attack['attack']}" if attack["manner"] == "cosmetic" else f"no model: {attack['attack']}"


def audit_notes(audit: Mapping[str, Any]) -> list[str]:
    """Return what the shown attacks do, and which are not shown."""
    notes = [
        f"{attack['attack']}: {attack['summary']}{f' ({setting})' if (setting := attack['setting']) else ''}"
        for attack in _shown(audit)
    ]
    more = sum(len(_of(audit, manner)) for manner in ("cosmetic", "blind")) - len(notes)
    notes += [f"not shown: {counted(more, 'attack')} with worse scores"] if more else []
    notes += [f"without a defined score: {', '.join(audit['failed'])}"] if audit["failed"] else []
    return [*notes, "rank: that which the attack would take; an attack on the winner is ranked among the others"]


def _shown(audit: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [attack for manner in ("cosmetic", "blind") for attack in _of(audit, manner)[:_MOST]]


def _of(audit: Mapping[str, Any], manner: str) -> Sequence[Mapping[str, Any]]:
    return [attack for attack in audit["attacks"] if attack["manner"] == manner]


def evaluation_page(evaluation: Evaluation, facts: PageFacts | None = None, *, figures: Sequence[str] = ()) -> str:
    """Return the page of an evaluation as HTML.

    The page is one file without a reference to another, but for links to the files of figures. It has no date: equal
    evaluations give equal pages.

    `facts`: what is not in the evaluation: the command, the sources of the rules, and facts of single units.
    `figures`: the names of the files of figures that lie beside the page.
    """
    return page_of_stored(*as_stored(evaluation, facts or PageFacts()), figures=figures)


def page_of_stored(evaluation: Evaluation, known: PageFacts, *, figures: Sequence[str] = ()) -> str:
    """Return the page of an evaluation and facts that `as_stored` has returned."""
    scores, units = panels(evaluation, known)
    parts, idle = parts_table(attrs.evolve(evaluation, warnings=())), idle_rules(evaluation)
    left_out, words = dropped_table(evaluation), headings(evaluation)
    return render(
        "evaluation.html.jinja",
        title=evaluation.title or evaluation.profile,
        profile=evaluation.profile,
        summary=_summary(evaluation),
        best=words_for_the_best(evaluation),
        words=words,
        terms=terms_of_tests(evaluation),
        confidence=confidence_in_words(evaluation),
        warnings=gathered_warnings(evaluation.warnings, evaluation.tasks),
        board=_board(evaluation, words),
        parts=parts,
        panels=scores,
        units=units,
        index=_index(scores) if len(scores) > 1 else [],
        audit=_audit(known.audit),
        entered=[
            {"name": place.name, "words": place_in_words(place), "tables": entered_tables(place, evaluation)}
            for place in evaluation.entered
        ],
        explanations=_asked_for(evaluation),
        rules=attrs.evolve(
            rules_table(evaluation, known.rules, without=idle), notes=tuple(components_in_words(evaluation))
        ),
        idle=rules_table(evaluation, known.rules, only=idle),
        dropped=left_out if left_out.rows else None,
        versions=versions_table(evaluation),
        inputs=inputs_table(evaluation) if evaluation.signature.inputs else None,
        signature=evaluation.signature.text,
        seed=evaluation.signature.seed,
        again=_again(evaluation, known.command),
        has_rules=bool(known.rules),
        version=evaluation.signature.qeframe,
        figures=figures,
    )


def _again(evaluation: Evaluation, command: str) -> list[str]:
    """Return the lines that install qeframe and make a result again; a command of one line does not say the first."""
    signature = evaluation.signature
    last = command or f'# made in Python: qeframe.evaluate("{evaluation.profile}", ..., seed={signature.seed})'
    install = f"python3 -m pip install ./qeframe  # the sources of version {signature.qeframe}"
    return last.split("\n") if "\n" in command else [install, last]


def as_stored(evaluation: Evaluation, facts: PageFacts) -> tuple[Evaluation, PageFacts]:
    """Return what the files of a result hold, so that what is made again from the files is the same, bit by bit."""
    stored = in_run_order(_sort_keys(evaluation), list(evaluation.tasks))
    return stored, PageFacts(**_sort_keys(plain_values(facts)))


def _summary(evaluation: Evaluation) -> str:
    kinds = {
        "baseline": "baseline",
        "unofficial": "unofficial one",
        "entered": "entered one",
        "human": "human score",
        "attack": "attack",
    }
    real = [s for s in evaluation.submissions if s.kind == "real"]
    words = [counted(len(real), "submission")]
    for kind, word in kinds.items():
        if number := sum(s.kind == kind for s in evaluation.submissions):
            words.append(counted(number, word))
    tasks = evaluation.parts or evaluation.tasks
    words += [counted(len(tasks), "part" if evaluation.parts else "task")] if len(tasks) > 1 else []
    return ", ".join([*words, *_units(evaluation)])


def _units(evaluation: Evaluation) -> Iterator[str]:
    """Yield how many units all tasks have together, and how many were left out.

    The parts of a task set read the same units of a language pair, which count once; a reading of one unit has scores
    of systems alone. Where the numbers differ, the largest one is told as a limit. What readings left out for several
    reasons is not told: it is not known which of them each reading left out.
    """
    sizes: dict[str, dict[str, set[int]]] = {}
    for name, text in evaluation.signature.units.items():
        number, _, unit = text.partition(" x ")
        task = name.partition(" (")[0] if evaluation.parts else name
        sizes.setdefault(unit, {}).setdefault(task, set()).add(int(number))
    for unit, of_tasks in sizes.items():
        numbers = [of_task - {1} or of_task for of_task in of_tasks.values()]
        limit = "up to " if any(len(of_task) > 1 for of_task in numbers) else ""
        yield limit + counted(sum(map(max, numbers)), unit)
    for what in ("unit", "segment"):
        left_out = [note for note in evaluation.dropped if note.what == what]
        each_once = not evaluation.parts or len({note.task for note in left_out}) == len(left_out)
        if left_out and each_once:
            yield f"{counted(sum(note.count for note in left_out), what)} left out"


def _asked_for(evaluation: Evaluation) -> list[Table]:
    """Return the tables of what a run was asked for beside the ranking: explanations, supplements, equivalences."""
    pairs = [comparison_list(evaluation)] if any(pair.equivalence for pair in evaluation.comparisons) else []
    return [*explanations(evaluation), *supplement_tables(evaluation), *pairs]


def _board(evaluation: Evaluation, words: Mapping[str, Word]) -> Table:
    """Return the leaderboard without what the page says in sections of its own; notes begin with the words shown."""
    board = leaderboard(attrs.evolve(evaluation, warnings=(), dropped=(), entered=()))
    elsewhere = {*participation_notes(evaluation), evaluation.signature.text}
    notes = [_in_words(note, words) for note in board.notes if note not in elsewhere]
    return attrs.evolve(board, title="Leaderboard", notes=tuple(notes))


def _in_words(note: str, words: Mapping[str, Word]) -> str:
    title, colon, meaning = note.partition(": ")
    shown = words[title].shown if title in words else title
    return note if shown == title else f"{shown} ({title}){colon}{meaning}"


def _audit(audited: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the sentence, the picture and the notes of the audit of the winner; None if it was not asked for."""
    if not audited:
        return None
    return {
        "sentence": audit_sentence(audited),
        "forest": forest(audit_scores(audited)),
        "metric": written_name(audited["metric"]),
        "better": "higher" if audited["higher_is_better"] else "lower",
        "notes": audit_notes(audited),
    }


def _index(scores: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **{key: panel[key] for key in ("title", "metric", "note", "best")},
            "significant": f"{panel['matrix']['significant']:,} of {panel['matrix']['tested']:,}"
            if panel["matrix"]
            else "",
        }
        for panel in scores
    ]


def _sort_keys(value: Any) -> Any:
    """Return frozen values as they are after JSON: mappings in the order of their keys, infinite numbers as NaN.

    What is so already is returned as it is.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else math.nan
    if type(value) in (str, int, bool, type(None)):
        return value
    if isinstance(value, Mapping):
        ordered = {key: _sort_keys(value[key]) for key in sorted(value, key=str)}
        same = list(ordered) == list(value) and all(ordered[key] is value[key] for key in ordered)
        return value if same else ordered
    if isinstance(value, (list, tuple)):
        items = [_sort_keys(item) for item in value]
        return value if all(map(operator.is_, items, value)) else type(value)(items)
    fields = {a.name: getattr(value, a.name) for a in getattr(value, "__attrs_attrs__", ())}
    changed = {name: new for name, old in fields.items() if (new := _sort_keys(old)) is not old}
    return attrs.evolve(value, **changed) if changed else value
