"""Ways to break a file with one JSON object a line: its text, its keys, and the types of its values."""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from tests.fuzz.breakages import Breakage
from tests.fuzz.small_tasks import SEED, SmallTask

__all__ = ["LEAST_BREAKAGES", "json_breakages_of"]

LEAST_BREAKAGES = 30
"""How many ways to break each file are tried at least."""

_OF_VALUES = 40
"""How many broken keys and values are tried for each file."""

Path_ = tuple[str | int, ...]


def json_breakages_of(task: SmallTask) -> dict[str, list[Breakage]]:
    """Return the ways in which each file of a task is broken; the seed chooses among broken values."""
    found = {}
    for file, written in task.files.items():
        text = _in_one_line(written)
        chosen = random.Random(f"{SEED} {task.name} {file}")
        line = chosen.randrange(max(1, len(text.splitlines()) - 1))
        values = list(_of_values(file, text, line))
        found[file] = [*_of_text(file, text, line), *chosen.sample(values, min(_OF_VALUES, len(values)))]
        if text != written:  # what lacks its end is noticed there
            found[file] = [attrs.evolve(breakage, line=0) for breakage in found[file]]
        if task.reader.startswith("table"):  # another text is a table too, and a column may lack values
            found[file] = [
                attrs.evolve(each, line=0) if each.name.endswith(("HTML", " NaN")) else each for each in found[file]
            ]
    return found


def _in_one_line(text: str) -> str:
    """Return a file that holds one JSON document over several lines as a single line; others as they are."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return text
    return json.dumps(document, ensure_ascii=False) + "\n"


def _edited(file: str, name: str, edit: Callable[[bytes], bytes], line: int = 0, undetectable: str = "") -> Breakage:
    def apply(folder: Path) -> None:
        path = folder / file
        path.write_bytes(edit(path.read_bytes()))

    return Breakage(f"{file}: {name}", apply, file, line, undetectable)


def _of_text(file: str, text: str, at: int) -> Iterator[Breakage]:
    """Break the encoding, the lines, and the syntax of line `at`, counted from 0."""
    lines = text.splitlines()
    one = lines[at]

    def line(name: str, new: str, *, is_open: bool = False) -> Breakage:
        """Replace the line; an object of line 1 that is still open may go on, which is said of the file."""
        content = "".join(f"{each}\n" for each in (*lines[:at], new, *lines[at + 1 :]))
        return _edited(file, name, lambda _: content.encode(), 0 if is_open and at == 0 else at + 1)

    def whole(name: str, new: str, where: int = 0) -> Breakage:
        return _edited(file, name, lambda _: new.encode(), where)

    yield _edited(file, "a byte-order mark", lambda old: b"\xef\xbb\xbf" + old)
    yield _edited(file, "CRLF", lambda old: old.replace(b"\n", b"\r\n"))
    yield _edited(file, "UTF-16", lambda old: old.decode().encode("utf-16"))
    yield _edited(file, "a byte that is not UTF-8", lambda old: old[:-9] + b"\xff" + old[-9:])
    yield _edited(file, "NUL within", lambda old: old[:5] + b"\0" + old[5:])
    yield _edited(file, "gzip magic", lambda old: b"\x1f\x8b\x08\0" + old)
    yield whole("empty", "")
    yield whole("blanks alone", "  \n \n", 1)
    yield whole("HTML", "<!DOCTYPE html>\n<html></html>\n", 1)
    yield whole("one JSON list", json.dumps([json.loads(each) for each in lines]) + "\n", 1)
    yield whole("one object over several lines", json.dumps(json.loads(one), indent=1) + "\n")
    yield whole("all in one line", " ".join(lines) + "\n", 1)
    yield line("an empty line", "")
    yield line("a comment", "# written by a tool")
    yield line("a conflict marker", "<<<<<<< HEAD")
    yield line("a trailing comma", one[:-1] + ",}")
    yield line("a comma after the object", one + ",")
    yield line("single quotes", one.replace('"', "'"))
    yield line("no closing brace", one[:-1], is_open=True)
    yield line("two closing braces", one + "}")
    yield line("cut within", one[: len(one) // 2], is_open=True)
    yield line("two objects", one + one)
    yield line("a list of one object", f"[{one}]")
    yield line("a number", "1")
    yield line("null", "null")
    yield line("a key twice", one[:-1] + ", " + one[1:])
    yield line("an unknown key", one[:-1] + ', "note": 1}') if _is_strict(file) else line("a text", '"x"')
    yield line("nested deeply", "[" * 100_000)
    yield line("a number of many digits", one[:-1] + ', "n": ' + "9" * 5000 + "}")
    yield line("NaN", one[:-1] + ', "n": NaN}')
    yield line("Infinity", one[:-1] + ', "n": -Infinity}')
    yield line("half an escape", one[:-1] + ', "n": "\\u12"}')
    yield line("a tab in a text", one[:-1] + ', "n": "a\tb"}')
    yield line("blanks around", f"  {one}  ")


def _is_strict(file: str) -> bool:
    return file.startswith(("submissions", "input", "thresholds"))


_OTHERS: tuple[Any, ...] = (None, True, "x", "", -1, 1.5, 10**400, [], {}, [1], {"x": 1}, "\ud800", "a\u200bb")
_REPLACEABLE = {
    r"\.severity$": "a mark without severity does not count",
    r"\.(omission|instruction_fault|category)$": "there may be none",
    r"^(gold|good|fair)$": "another number or none, which is counted",
    r"(errors|error_spans)$": "there may be no error",
    r"(score|threshold|task2_pred\.\w+)$": "a number was replaced by another one",
    r"metric_scores\.\w+\[\d+\]$": "a number was replaced by another one",
    r"metric_scores(\.\w+)?$": "a metric may have no score of a document",
    r"(start_i|end_i|start|end)$": "a number was replaced by another one",
    r"task3_pred\.\w+$": "a decision was replaced by another one",
    r"inclusive$": "the other comparison was declared",
    r"scores(\.\w+)?$|annotation\[0\](\.\w+)?$": "a translation may have no annotation",
    r"item_i$|user_id$|rater_id$|system_id$|document_id$|segment_id$": "another name is another rater or item",
    r"item_id$": "an item without id is an attention check",
    r"\.?(severity|category)$": "a severity or category without a weight has no points, and is counted",
    r"tgt_text\.\w+$|tgt\.\w+$": "another text is another translation",
}
"""Values that may be replaced by another valid value, and why that cannot be found."""


def _of_values(file: str, text: str, at: int) -> Iterator[Breakage]:
    """Remove each key of line `at`, counted from 0, and replace each value by values of other types."""
    lines = text.splitlines()
    parsed = json.loads(lines[at])

    def change(name: str, path: Path_, edit: Callable[[Any, Any], None], line: int) -> Breakage:
        changed = json.loads(lines[at])
        inner = changed
        for step in path[:-1]:
            inner = inner[step]
        edit(inner, path[-1])
        content = "".join(f"{each}\n" for each in (*lines[:at], json.dumps(changed), *lines[at + 1 :]))
        reason = next((why for pattern, why in _REPLACEABLE.items() if re.search(pattern, _shown(path))), "")
        return _edited(file, f"{_shown(path)} {name}", lambda _: content.encode(), line, reason)

    for path, value in _paths(parsed, ()):
        if isinstance(path[-1], str):
            yield change("removed", path, lambda inner, key: inner.pop(key), 0)
            yield change("renamed", path, lambda inner, key: inner.__setitem__(f"{key}_", inner.pop(key)), 0)
        for other in _OTHERS:
            if type(other) is not type(value):
                name = f"replaced by {ascii(other)[:12]}"
                yield change(name, path, lambda inner, key, new=other: inner.__setitem__(key, new), 0)


def _paths(value: Any, before: Path_) -> Iterator[tuple[Path_, Any]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*before, step), inner
        yield from _paths(inner, (*before, step))


def _shown(path: Path_) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]
