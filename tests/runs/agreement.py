"""All outputs of one run: which files there are, and the same numbers wherever they stand."""

import ast
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unicodedata import category

from tests.runs.shown_tables import FORMS, Rows, shows

__all__ = ["FILES", "FILES_WITH_OPTIONS", "contents", "disagreements"]

FILES = {
    *(".qeframe.json", "comparisons.tsv", "evaluation.json", "leaderboard.md", "leaderboard.tex", "report.html"),
    "leaderboard_notes.tex",
    *("report.json", "rules.toml", "scores.tsv"),
}
FILES_OF_PARTS = {"parts.md", "parts.tex", "parts.tsv", "parts_notes.tex"}
FILES_WITH_OPTIONS = {
    f"file {name}{ending}" for name in ("comparisons", "influence") for ending in (".md", ".tex", "_notes.tex")
}
"""What ``--equivalence`` and ``--influence`` add."""
_ARROWS = (" ↑", " ↓")
_ESCAPE = re.compile(r"\\(?:[\\tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")

_SHOWN = {"drawn ranks": "likely ranks", "range": "range of ranks", "detectable": "detectable gap"}
"""What the page calls columns, by their technical names."""


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder, with hidden ones."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def disagreements(terminal: str, folder: Path, parts: bool) -> list[str]:
    """Return what is wrong with the outputs of a run: too many files or too few, or other numbers than in the JSON.

    An empty `terminal` is not compared: names with wide or combining characters cannot be cut from its columns.
    """
    files = contents(folder)
    evaluation = json.loads(files["evaluation.json"])
    of_supplements = {
        f"{name}{ending}" for name in evaluation.get("supplements", ()) for ending in (".md", ".tex", "_notes.tex")
    }
    promised = FILES | of_supplements | (FILES_OF_PARTS if parts else set())
    wrong = [
        f"file {name} is {'not promised' if name in files else 'missing'}" for name in sorted(promised ^ set(files))
    ]
    texts = {
        "terminal": terminal,
        "markdown": files["leaderboard.md"].decode(),
        "page": _technical(files["report.html"].decode()),
    }
    tables = {form: FORMS[form](text)[0] for form, text in texts.items() if text}
    for form, table in tables.items():
        wrong += [f"{form}: {each}" for each in _wrong_in_leaderboard(table, evaluation)]
        if table != tables["markdown"]:
            wrong.append(f"{form}: not the table of markdown: {_first_difference(table, tables['markdown'])}")
    wrong += [
        f"page: lacks the note '{note}'" for note in _notes(texts["markdown"]) if note not in _words(texts["page"])
    ]
    wrong += [f"no tie table with the row {row}" for row in _tie_rows(evaluation) if row not in texts["markdown"]]
    wrong += _wrong_in_scores(files["scores.tsv"].decode(), evaluation)
    wrong += _wrong_in_comparisons(files["comparisons.tsv"].decode(), evaluation)
    for table in FORMS["terminal"](terminal)[1:] if parts else ():
        of_parts = FORMS["markdown"](files["parts.md"].decode())[0]
        wrong += [f"parts: {_first_difference(table, of_parts)}"] if table != of_parts else []
    return wrong


def _technical(page: str) -> str:
    """Return a page with the technical names of the columns, which tables for programs and papers have."""
    for technical, shown in _SHOWN.items():
        page = re.sub(rf'<abbr title="{technical}: [^"]*">{shown}</abbr>', technical, page)
        page = page.replace(f"{shown} ({technical}): ", f"{technical}: ")
    return re.sub(r'<th[^>]*><abbr title="([^":]+)(?:: [^"]*)?">[^<]*(?:<wbr>[^<]*)* ([↑↓])</abbr>', r"<th>\1 \2", page)


def _tie_rows(evaluation: Mapping[str, Any]) -> list[str]:
    """Return the rows of the tie table of the primary metric, as the notes print them; x is an excluded cell."""
    scores = [submission["scores"].get(evaluation["primary"], {}) for submission in evaluation["submissions"][:1]]
    parts = [part for score in scores for part in (score, *score.get("tasks", {}).values())]
    tables = [part["details"]["table"] for part in parts if "table" in part.get("details", {})]
    return [
        " ".join("x" if not isinstance(cell, (int, float)) else f"{cell:g}" for cell in row)
        for table in tables
        for row in table
    ]


def _notes(markdown: str) -> list[str]:
    """Return the notes below a table, as plain text, but for those that the page has in tables of their own."""
    notes = [_letters(line[2:]) for line in markdown.splitlines() if line.startswith("- ") and "**" not in line]
    return [note for note in notes if not note.startswith(_IN_OTHER_WORDS) and not _TOOK_PART.search(note)]


_IN_OTHER_WORDS = ("warning:", "dropped", "•winnerunder")
_TOOK_PART = re.compile(r":(nosubmissionin|leftout)")
"""In the note on a team that is not in every task; the page has a row for it in the table of what was left out."""


def _words(page: str) -> str:
    """Return the text of a page."""
    return _letters(html.unescape(re.sub(r"<[^>]+>", "", page)))


def _letters(text: str) -> str:
    """Return a text without marks of Markdown, blanks and capitals."""
    return re.sub(r"[\\`\s]", "", text).lower()


def _first_difference(one: Rows, other: Rows) -> str:
    rows = [f"{a} for {b}" for a, b in zip(one, other, strict=False) if a != b]
    return rows[0] if rows else f"{len(one)} rows for {len(other)}"


def _wrong_in_leaderboard(table: Rows, evaluation: Mapping[str, Any]) -> list[str]:
    """Return the cells that do not show what the JSON has, and the submissions and columns that are lacking."""
    header, *rows = table
    name_at = header.index("submission")
    by_name = {_seen(submission["name"]): submission for submission in evaluation["submissions"]}
    wrong = [f"no row of {name}" for name in by_name if name not in {_seen(row[name_at]) for row in rows}]
    wrong += [f"no column of {each}" for each in evaluation["metrics"] if each not in map(_metric_of, header)]
    for row in rows:
        if (submission := by_name.get(_seen(row[name_at]))) is not None:
            wrong += [
                f"{row[name_at]}, {column}: {cell} for {value}"
                for column, cell in zip(header, row, strict=True)
                for value in _values(column, submission, evaluation)
                if not shows(cell, value)
            ]
    return wrong


def _seen(name: str) -> str:
    """Return the letters, digits and symbols of a name: tables mark, escape and wrap the rest of it."""
    visible = re.sub(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})", "", name)
    return "".join(c for c in visible if c.isalnum() or category(c)[0] == "S")


def _metric_of(column: str) -> str:
    """Return the name of a metric in the head of a column, which may say how tasks are joined before it."""
    return column[:-2].rpartition(" of ")[2] if column.endswith(_ARROWS) else ""


def _values(column: str, submission: Mapping[str, Any], evaluation: Mapping[str, Any]) -> list[float | None]:
    """Return the number that a cell must show, none for a column that is no number."""
    scores, primary = submission["scores"], evaluation["primary"]
    if column == "rank":  # none where no primary score is defined
        defined = any(each["scores"].get(primary, {}).get("value") is not None for each in evaluation["submissions"])
        apart = submission.get("absent") and evaluation["signature"]["rules"]["partial"] == "apart"
        return [submission["rank"] if defined and not apart else None]
    if _metric_of(column) in scores:
        return [scores[_metric_of(column)]["value"]]
    if primary in scores and column in scores[primary]["tasks"]:
        return [scores[primary]["tasks"][column]["value"]]
    return []


def _wrong_in_scores(text: str, evaluation: Mapping[str, Any]) -> list[str]:
    def row(submission: Mapping[str, Any], metric: str, task: str, score: Mapping[str, Any]) -> tuple[str, ...]:
        return (
            submission["name"],
            submission["kind"],
            metric,
            task,
            *(_cell(score[k]) for k in ("value", "low", "high")),
        )

    expected = {
        row(submission, metric, task, of_task)
        for submission in evaluation["submissions"]
        for metric, score in submission["scores"].items()
        for task, of_task in {"": score, **score["tasks"]}.items()
    }
    found = set(map(tuple, _rows(text)[1:]))
    return [f"scores.tsv: {each}" for each in sorted(expected ^ found)[:3]]


def _wrong_in_comparisons(text: str, evaluation: Mapping[str, Any]) -> list[str]:
    header, *rows = _rows(text)
    expected = [[_cell(_of_pair(each, key)) for key in header] for each in evaluation["comparisons"]]
    return [] if rows == expected else [f"comparisons.tsv: {_first_difference(rows, expected)}"]


def _of_pair(pair: Mapping[str, Any], column: str) -> object:
    """Return what a comparison has in a column; those of equivalence have their own place in the JSON."""
    if column in pair:
        return pair[column]
    return (pair["equivalence"] or {}).get(column.removeprefix("equivalence_"))


def _rows(text: str) -> Rows:
    """Read a table as its documentation says: see `as_tsv`."""
    return [
        [
            _ESCAPE.sub(lambda escape: ast.literal_eval(f"'{escape[0]}'"), cell.removeprefix("'"))
            for cell in line.split("\t")
        ]
        for line in text.removesuffix("\n").split("\n")
    ]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
