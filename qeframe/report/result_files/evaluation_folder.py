"""The folder of an evaluation: its page, its tables, ``evaluation.json``, and figures if they are asked for.

The page and the tables can be made again from the other files of the folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import attrs

from qeframe.api.saved import EVALUATION_FILE, read_evaluation
from qeframe.core.errors import DataError
from qeframe.core.profile import DEFAULT, OVERALL, RESOLVED, Profile
from qeframe.core.result import Evaluation
from qeframe.core.runner import Runner
from qeframe.core.task import Task
from qeframe.report.figures.evaluation_figures import MOST_TASKS, figure_makers, figure_tasks
from qeframe.report.figures.style import Format, available, images, styled
from qeframe.report.folders.manifest import MANIFEST, has_manifest, listed_names
from qeframe.report.folders.result_folder import ResultFolder
from qeframe.report.html.evaluation_page import as_stored, page_of_stored
from qeframe.report.html.facts import FACTS, PageFacts, page_facts
from qeframe.report.layouts.latex import as_latex, latex_notes
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.table import Table
from qeframe.report.layouts.tsv import as_tsv
from qeframe.report.result_files.files import NO_FIGURES, Made, Report
from qeframe.report.tables.comparisons import comparison_list
from qeframe.report.tables.explanations import ON_REQUEST
from qeframe.report.tables.leaderboard import leaderboard
from qeframe.report.tables.parts import part_records, parts_table
from qeframe.report.tables.records import comparison_records, score_records

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
            stated = {key: item for key, item in value.items() if item is not None}
            return f"{{{', '.join(f'{_key(key)} = {_value(item)}' for key, item in stated.items())}}}"
    return f"[{', '.join(map(_value, value))}]"


RULES = "rules.toml"
"""The name of the profile file with the rules of a result."""

Tables = Table | Sequence[Table]

PAGE = "report.html"
"""The name of the page in the folder of a result."""


def write_report(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    out: str | os.PathLike[str],
    *,
    figures: Literal["none", "svg", "png"] = "none",
    others: Mapping[str, bytes] | None = None,
    profile: Profile | None = None,
    command: str = "",
    audit: Mapping[str, Any] | None = None,
    runner: Runner | None = None,
) -> Report:
    """Write ``report.html``, ``evaluation.json``, the tables and, if asked for, figures into a folder.

    A missing folder is created. An earlier result is replaced as a whole, after all files of the new one are written. A
    folder with files that no run wrote, or that were changed since, is refused. What was computed and its tables are
    written first, then the page, then the figures: if drawing is interrupted, the folder has what came before.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for what the page and the figures show of their units; empty leaves that out.
    out : path
    figures : {"none", "svg", "png"}
        The format of the files of figures. The page has pictures of its own in any case. Of more than eight tasks, only
        the figure over all tasks is drawn.
    others : mapping of str to bytes, optional
        More files of the result, by name.
    profile : Profile, optional
        The profile, for the sources of the rules on the page.
    command : str
        The command that makes the result again, for the page.
    audit : mapping, optional
        What the winner could have gained, for the page: what `qeframe.gaming.winner.winner_audit` returns.
    runner : Runner, optional
        Is told how many figures are drawn.

    Returns
    -------
    Report

    Raises
    ------
    DataError
        If the folder cannot be written, if another run writes it, or if it holds files that no run wrote.
    OutputError
        If a file could not be made; the other files are written.
    """
    report = Made({EVALUATION_FILE: evaluation.to_json().encode("utf-8", "backslashreplace"), **(others or {})})
    facts = PageFacts(command=command)

    def add_facts() -> str:
        nonlocal facts
        facts = page_facts(tasks, profile=profile, command=command, audit=audit)
        return facts.to_json()

    report.add(FACTS, add_facts)
    if profile is not None:
        report.add(RULES, lambda: profile_to_toml(profile, evaluation.signature.qeframe, evaluation.signature.rules))
    notes = []
    with ExitStack() as stack:
        folder = out if isinstance(out, ResultFolder) else stack.enter_context(ResultFolder.take(out))
        try:
            stored = as_stored(evaluation, facts)
        except Exception as error:
            report.failed["the tables and the page"] = error
        else:
            add_tables(report, stored[0])
        folder.replace(report.files)  # before anything is drawn
        if "the tables and the page" not in report.failed:
            report.add(PAGE, lambda: page_of_stored(*stored))
            folder.replace(report.files)
        if figures != "none" and not available():
            notes.append(NO_FIGURES)
        elif figures != "none":
            drawn = Made({}, report.failed)
            _draw(drawn, evaluation, tasks, figures, runner or Runner())
            if (single := len(figure_tasks(evaluation, tasks))) > MOST_TASKS:
                notes.append(f"no figures of the {single} single tasks: they are drawn of at most {MOST_TASKS}")
            if PAGE in report.files:
                report.add(PAGE, lambda: page_of_stored(*stored, figures=sorted(drawn.files)))
            report.files |= drawn.files
            folder.replace(report.files)
    report.check(out, f"once that is mended, 'qeframe report {out}' makes the page and the tables, a run the rest")
    first = [name for name in (PAGE, EVALUATION_FILE) if name in report.files]
    names = [*first, *(name for name in report.files if name not in first and name not in (others or {}))]
    return Report(tuple(Path(out) / name for name in names), tuple(notes))


def add_tables(files: Made, evaluation: Evaluation) -> None:
    """Make the files of tables of an evaluation, as `as_stored` returned it."""
    layouts = {".md": as_markdown, ".tex": as_latex, "_notes.tex": latex_notes}
    records: dict[str, Callable[[Evaluation], Table]] = {"scores": score_records, "comparisons": comparison_records}
    tables: dict[str, Callable[[Evaluation], Tables]] = {"leaderboard": leaderboard}
    if evaluation.parts:
        tables["parts"] = lambda evaluation: parts_table(evaluation) or []
        records["parts"] = part_records
    if any(pair.equivalence for pair in evaluation.comparisons):
        tables["comparisons"] = comparison_list
    tables |= ON_REQUEST
    for name, table_of in tables.items():
        for ending, layout in layouts.items():
            files.add(f"{name}{ending}", partial(_laid_out, layout, table_of, evaluation))
    for name, record_of in records.items():
        files.add(f"{name}.tsv", partial(_laid_out, as_tsv, record_of, evaluation))


def _laid_out(
    layout: Callable[[Table], str], make: Callable[[Evaluation], Tables], evaluation: Evaluation
) -> str | None:
    """Return tables one after another; None if there are none."""
    tables = make(evaluation)
    texts = map(layout, [tables] if isinstance(tables, Table) else tables)
    return "\n".join(filter(None, texts)) or None


def _draw(files: Made, evaluation: Evaluation, tasks: Sequence[Task], form: Format, runner: Runner) -> None:
    with styled():
        makers = list(figure_makers(evaluation, tasks))
        for done, (stem, draw) in enumerate(makers, start=1):
            files.add(f"{stem}.{form}", partial(_image, draw, form))
            runner.on_progress(done, len(makers))


def _image(draw: Callable[[], Figure | None], form: Format) -> bytes | None:
    figure = draw()
    return None if figure is None else images(figure, [form])[form]


_IN_SIGNATURE = ("name", "primary", "test", "correction", "ranking", "resample")
"""Rules that the signature on the page names."""
_REMEDY = "give a folder that 'qeframe run --out' wrote"


def remade_page(folder: Path) -> bytes:
    """Return the page of the result in a folder, from its ``evaluation.json`` and ``report.json`` alone.

    Without ``report.json`` the page has no distributions, disagreements, sources of rules and command.

    `folder`: a folder that a run has written, or a copy of its files. Raises DataError if the folder has no
    ``evaluation.json``, or a file in it cannot be used.
    """
    return page_of_stored(*_stored(folder), figures=_figures(folder)).encode("utf-8", "backslashreplace")


def table_for_paper(folder: Path) -> Table:
    """Return the table of the result in a folder: the parts of a task set, otherwise the leaderboard.

    Raises DataError as for `remade_page`.
    """
    evaluation, _ = _stored(folder)
    return parts_table(evaluation) or leaderboard(evaluation)


def rewrite_page(folder: Path) -> None:
    """Put the page and the tables of a result into its folder, beside the other files of the result.

    Raises DataError as for `remade_page`, and if the folder has no manifest, cannot be written or holds files that no
    run wrote. Raises OutputError if the page or a table could not be made; the others are written.
    """
    stored, figures = _stored(folder), _figures(folder)
    if not has_manifest(folder):
        what = f"has no {MANIFEST}, the list of the files of a result: none of them is known to be as the run wrote it"
        remedy = f"write the page elsewhere by --html FILE, or copy {MANIFEST} with the other files"
        raise DataError(what, path=folder, remedy=remedy)
    with ResultFolder.take(folder) as taken:
        report = Made(taken.files())
        add_tables(report, stored[0])
        report.add(PAGE, lambda: page_of_stored(*stored, figures=figures))
        taken.replace(report.files)
    report.check(folder, f"once that is mended, 'qeframe report {folder}' makes it")


def _figures(folder: Path) -> list[str]:
    return sorted(name for name in listed_names(folder) if "/" not in name and Path(name).suffix in {".svg", ".png"})


def _stored(folder: Path) -> tuple[Evaluation, PageFacts]:
    if not folder.is_dir():
        raise DataError("is not a folder", path=folder, remedy=_REMEDY)
    evaluation = read_evaluation(folder)
    missing = next((key for key in _IN_SIGNATURE if key not in evaluation.signature.rules), None)
    if missing:
        what = f"not an evaluation: signature.rules: '{missing}' is missing"
        raise DataError(what, path=folder / EVALUATION_FILE, remedy=_REMEDY)
    return as_stored(evaluation, _facts(folder / FACTS))


def _facts(path: Path) -> PageFacts:
    if not path.exists():
        return PageFacts()
    if not path.is_file():
        raise DataError("is not a regular file", path=path, remedy=_REMEDY)
    try:
        return PageFacts.from_json(path.read_text(encoding="utf-8"), path=path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise DataError(f"cannot be read: {reason}", path=path, remedy=_REMEDY) from error
