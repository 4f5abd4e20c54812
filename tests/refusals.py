"""Tables of what is broken, and of the line that refuses it.

A table has tasks: files by name, and below them the ways in which they are broken, each with the whole line that is
said. An edit is the name of a file alone, which is taken out, or its name, a line, how many lines are taken out there,
and the text that is put in. Whatever else a task has, such as a reader, its ways have too, or one of their own.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.written import write_files


def tasks_of(tables: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Return the tasks of several tables, each by the table and its number there."""
    return {
        f"{table.stem} {number}": task
        for table in sorted(tables)
        for number, task in enumerate(tomllib.loads(table.read_text("utf-8"))["tasks"], 1)
    }


def cases_of(tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return each way in which a task is broken, by its number and the beginning of what is said: all that both say."""
    return {
        f"{name}.{number}: {case['says'][:60]}": {**task, **case}
        for name, task in tasks.items()
        for number, case in enumerate(task["refused"], 1)
    }


def write_broken(folder: Path, case: Mapping[str, Any]) -> Path:
    """Write the files of a case after its edits."""
    files = dict(case.get("files", {}))
    for name, *edit in case.get("edits", ()):
        lines = files.pop(name, "").splitlines(keepends=True)
        if edit:
            line, count, text = edit
            files[name] = "".join([*lines[: line - 1], text, *lines[line - 1 + count :]])
    return write_files(folder, files)
