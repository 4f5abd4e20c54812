"""Tables of one's own: what the columns are is found by their names, or stated."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
from attrs import frozen

from qeframe.plugin import Batch, Best, DataError, Grid, Scores, Tags
from qeframe.plugin.readers import (
    ABSENT,
    Columns,
    Dropped,
    Input,
    Layout,
    Reader,
    Reading,
    Roles,
    Separator,
    check_roles,
    read_table,
    spelled,
    tidy_readings,
    visible,
)
from qeframe_wmt.readers.metrics.mtme.choices import OFFICIAL
from qeframe_wmt.readers.metrics.wmt20_to_25_mtme import mtme
from qeframe_wmt.readers.sentence.wmt12_to_19 import qe_plain
from qeframe_wmt.readers.word.wmt14_to_19 import tag_lines
from qeframe_wmt.selections.selection import Level

Holds = Literal["scores", "tags", "grid"]
_KINDS: Mapping[Holds, type[Batch]] = {"scores": Scores, "tags": Tags, "grid": Grid}
_FOLDERS: Mapping[Holds, Callable[[], Reader]] = {"scores": qe_plain, "tags": tag_lines}
_TABLES = (".csv", ".tsv", ".txt", ".jsonl", ".parquet")
_ROLES = ("document", "system", "pair", "gold", "submission", "score")
_LINES = "@line"
"""The column of numbers of lines, of files whose lines are the units."""


@frozen
class _Stated:
    """The columns that the caller names; empty: they are found by their names. `roles`: those of one column each."""

    roles: Mapping[str, str]
    unit: tuple[str, ...]
    submissions: tuple[str, ...]
    lower: tuple[str, ...]
    ignored: tuple[str, ...]


def table(
    *,
    holds: Holds = "scores",
    unit: tuple[str, ...] = (),
    document: str = "",
    system: str = "",
    pair: str = "",
    gold: str = "",
    submission: str = "",
    score: str = "",
    submissions: tuple[str, ...] = (),
    lower: tuple[str, ...] = (),
    ignored: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    separator: Separator = "",
    header: int = 0,
    absent: tuple[str, ...] = ABSENT,
    files: str = "",
    level: Level = "seg",
) -> Reader:
    """Read a table of one's own: CSV, TSV, columns by blanks, JSON lines, Parquet, or a folder of such files.

    A wide table has a row for each unit (of each system), with the gold in a column and each submission in one. A long
    table has a row for each score, with the name of the submission in a column; the gold is in a column of its own, or
    is one of these submissions. A result says which columns were found by their names.

    Parameters
    ----------
    holds : {"scores", "tags", "grid"}
        What is scored: a number for each unit; the tags of its words; or a number for each unit of each system, as
        metrics of machine translation give.
    unit : list of str
        The columns that together are the id of a unit, a number or a text. Empty: ``segment``, ``seg``, ``unit``,
        ``id`` and the like; without such a column the rows are the units.
    document, system, pair : str
        The columns of documents, of translation systems and of language pairs. Each pair is a task. Of scores and
        tags, the system is a part of the id.
    gold : str
        The column of the gold, or the name of the submission that is the gold. Empty: ``gold``, ``human`` and the like.
    submission, score : str
        Of a long table, the columns of names and of scores.
    submissions : list of str
        The columns, or names, of submissions. Empty: all columns of numbers without a role; a text has none.
    lower : list of str
        Submissions whose scores are better when lower, such as TER: they are negated.
    ignored : list of str
        Columns, or names, that take no part.
    names : list of str
        The names of the columns, where no line has them; ``-`` for one that is not used.
    separator : {"", "tab", "comma", "semicolon", "blanks"}
        What is between columns. Empty: a tab, a comma or a semicolon, whichever the first line has; otherwise blanks.
    header : int
        The number of lines before the table.
    absent : list of str
        The cells that say that there is no value. The key `missing` of the profile says what happens to such a unit.
    files : str
        The names of files in a folder, such as ``{submission}.{pair}.txt``, with a score in each line or an id and a
        score. Each word in braces is a column. Empty: a folder has one table for each language pair.
    level : {"seg", "sys"}
        Which scores of a folder in the layout of mt-metrics-eval are read, for a grid.

    Returns
    -------
    Reader
        Of `Scores`, `Tags` or `Grid`. A folder with gold.* and submissions, or in the layout of mt-metrics-eval, is
        read as such.

    Raises
    ------
    DataError
        When a task is read: for a column that is not there, and if no column is the gold, or several may be.
    """
    roles = dict(zip(_ROLES, (document, system, pair, gold, submission, score), strict=True))
    stated = _Stated(roles, unit, submissions, lower, ignored)
    layout = Layout(columns=names, separator=separator, header=header, absent=absent, files=files)
    return Reader(
        name="table",
        summary="a table of one's own, wide or long: CSV, TSV, JSON lines, Parquet, or a folder of such files",
        source="qeframe",
        kind=_KINDS[holds],
        read=partial(_read, holds=holds, stated=stated, layout=layout, level=level),
    )


def _read(path: Path, best: Best, *, holds: Holds, stated: _Stated, layout: Layout, level: Level) -> Sequence[Reading]:
    if not path.is_dir() or layout.files:
        return _of_table(path, path, best, holds, stated, layout)
    entries = visible(path)
    tables = [entry for entry in entries if not entry.is_dir() and entry.suffixes[:1] and entry.suffix in _TABLES]
    in_layout = any(entry.name == "human-scores" for entry in entries) or any(
        e.name.startswith("gold.") for e in tables
    )
    if stated.lower and in_layout:
        raise DataError("'lower' is for tables, and this folder is none", path=path, remedy="negate the scores")
    if holds == "grid" and any(entry.name == "human-scores" for entry in entries):
        of_systems = [file for file in visible(path / "human-scores") if ".sys.score" in file.name]
        at, named = level if of_systems else "seg", stated.submissions or (OFFICIAL,)
        return mtme(level=at, units="segments", gold=stated.roles["gold"], primaries=named).read(path, best)
    if holds != "grid" and (not tables or any(file.name.startswith("gold.") for file in tables)):
        return _FOLDERS[holds]().read(path, best)
    if not tables:
        what = f"no table is here: no file ends in {', '.join(_TABLES)}"
        raise DataError(what, path=path, remedy="name a file, or set files={submission}.{pair}.txt")
    readings = [reading for file in tables for reading in _of_table(file, path, best, holds, stated, layout)]
    others = [entry.name for entry in entries if entry not in tables]
    note = Dropped("", "file", len(others), f"no tables: {', '.join(others)}")
    return [*readings[:-1], attrs.evolve(readings[-1], dropped=(*readings[-1].dropped, note))] if others else readings


def _of_table(path: Path, root: Path, best: Best, holds: Holds, stated: _Stated, layout: Layout) -> list[Reading]:
    by_name = layout.files and not layout.columns and holds == "tags"
    columns, inputs, dropped = read_table(path, attrs.evolve(layout, columns=("score",)) if by_name else layout)
    inputs = tuple(Input(path.name, file.sha256) for file in inputs) if path.is_file() and path != root else inputs
    columns, roles, said = _roles(columns, holds, stated)
    readings = tidy_readings(columns, roles, _KINDS[holds], best, numbers=holds == "scores", name=path.stem)
    first = attrs.evolve(readings[0], dropped=(*readings[0].dropped, *dropped), remarks=(said,) if said else ())
    return [attrs.evolve(reading, inputs=inputs) for reading in (first, *readings[1:])]


def _roles(columns: Columns, holds: Holds, stated: _Stated) -> tuple[Columns, Roles, str]:
    """Return the columns, what they are, and what has to be said of it."""
    known = {
        role: [name for name in names if name not in stated.ignored] for role, names in spelled(columns.names).items()
    }
    if not stated.roles["gold"] and len(golds := known.get("gold", [])) > 1:
        what = f"{len(golds)} columns may be the gold: {', '.join(golds)}"
        raise columns.error(what, remedy=f"name it: --set gold={golds[0]}")
    found = {role: names[0] for role, names in known.items() if names}
    of = {role: stated.roles[role] or found.get(role, "") for role in _ROLES}
    if not (of["submission"] and of["score"]):
        of["submission"] = of["score"] = ""
    units = stated.unit or tuple(filter(None, [found.get("unit")]))
    of_systems = holds == "scores" and bool(of["system"]) and not stated.unit
    if holds != "grid":
        units, of["system"] = (*units, *filter(None, [of["system"]])), ""
    elif not of["system"]:
        what = f"no column names the translation systems: the columns are {_some(columns.names)}"
        raise columns.error(what, remedy="name it: --set system=COLUMN; without systems the profile is qe")
    for name in filter(None, (*units, *(of[role] for role in _ROLES if role != "gold"))):
        if name not in columns.names:
            raise columns.error(f"has no column '{name}'", remedy=f"its columns are {_some(columns.names)}")
    answers, texts = _columns_of_answers(columns, (*units, *of.values()), holds, stated, is_long=bool(of["submission"]))
    for name in stated.ignored:
        if name not in columns.names and not (of["submission"] and name in columns.values(of["submission"])):
            raise columns.error(
                f"has no column '{name}' that could be ignored", remedy=f"its columns are {_some(columns.names)}"
            )
    labels = filter(None, dict.fromkeys((*units, *(of[role] for role in _ROLES if role not in ("gold", "score")))))
    scores = [name for name in (of["gold"], of["score"], *answers) if name in columns.names]
    columns.refuse_wrong(labels, () if holds == "tags" else scores)
    names = dict.fromkeys(map(str, columns.labels(of["submission"]))) if of["submission"] else ()
    of["gold"] = of["gold"] or next((name for name in names if "gold" in spelled([name])), "")
    if not of["gold"]:
        what = f"no column is the gold: the columns are {_some(columns.names)}"
        remedy = "name it: --set gold=COLUMN"
        if not of["submission"]:
            remedy += "; of a table with a row for each score, --set submission=COLUMN and --set score=COLUMN too"
        raise columns.error(what, remedy=remedy)
    answers = stated.submissions or answers or [name for name in names if name not in (of["gold"], *stated.ignored)]
    if not answers and of["submission"]:
        what = f"'{of['gold']}' is the only name in the column '{of['submission']}'"
        raise columns.error(what, remedy="add rows of a submission")
    if not answers:
        what = f"no column is a submission: the columns are {_some(columns.names)}"
        raise columns.error(what, remedy="name them: --set submissions=COLUMN,COLUMN")
    columns, unit = _with_units(columns, units, [of["pair"], of["system"], of["submission"]])
    roles = Roles(
        gold=of["gold"],
        unit=unit,
        task=of["pair"],
        system=of["system"],
        groups=tuple(filter(None, [of["document"]])),
        submission=of["submission"],
        score=of["score"],
        submissions=tuple(answers),
        lower=stated.lower,
    )
    check_roles(roles, columns)
    used, named = {"unit": "/".join(units), **of}, {"unit": stated.unit, **stated.roles}
    guessed = [f"{role} is '{name}'" for role, name in used.items() if name and not named[role]]
    guessed += [] if stated.submissions or of["submission"] else [f"submissions are {_some(answers)}"]
    guessed += [f"not used: {_some(texts)}"] if texts else []
    guessed += ["each row is a unit; the profile metrics keeps the systems of a segment together"] if of_systems else []
    said = f"{Path(columns.place).name}, by the names of its columns: {'; '.join(guessed)}"
    return columns, roles, f"{said} (another: --set gold=COLUMN)" if guessed else ""


def _columns_of_answers(
    columns: Columns, used: Sequence[str], holds: Holds, stated: _Stated, *, is_long: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the columns of the submissions, none of a long table, and those that take no part."""
    if stated.submissions or is_long:
        return stated.submissions, ()
    others = [name for name in columns.names if name not in (*used, *stated.ignored)]
    texts = [name for name in others if holds != "tags" and not columns.is_numeric(name)]
    return [name for name in others if name not in texts], texts


def _with_units(columns: Columns, units: Sequence[str], about: Sequence[str]) -> tuple[Columns, str]:
    """Return the columns with one of ids, and its name: of several columns, or of lines that are counted."""
    if len(units) == 1 or not (units or any(about[1:])):
        return columns, "".join(units)
    if units:
        labels = zip(*(columns.labels(name).tolist() for name in units), strict=True)
        return columns.having(_LINES, ["/".join(map(str, of_row)) for of_row in labels]), _LINES
    return columns.having(_LINES, _counted(columns, about[:-1], about[-1])), _LINES


def _counted(columns: Columns, about: Sequence[str], submission: str) -> list[str]:
    """Return the number of every row among those about the same, whose lines are the units.

    Raises DataError if one comes back after others, or two submissions have not as many lines about the same.
    """
    labels = (map(str, columns.labels(name)) for name in filter(None, (*about, submission)))
    last, before, numbers = dict[tuple[str, ...], int](), None, list[str]()
    count = 0
    for row, key in enumerate(zip(*labels, strict=True)):
        if key != before and key in last:
            what = f"{' '.join(key)} comes back after others: its lines would be further units"
            raise columns.error(what, row, remedy="put all its lines together, or name the ids: --set unit=COLUMN")
        count = count + 1 if key == before else 1
        last[key], before = row, key
        numbers.append(str(count))
    first: dict[tuple[str, ...], tuple[str, ...]] = {}
    for key, row in last.items() if submission else ():
        other = first.setdefault(key[:-1], key)
        if (there := numbers[last[other]]) != numbers[row]:
            what = f"{' '.join(key)} has {numbers[row]} lines, {' '.join(other)} {there}"
            raise columns.error(what, row, remedy="give each as many, or name the ids: --set unit=COLUMN")
    return numbers


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
