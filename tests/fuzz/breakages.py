"""Ways to break a small task: its bytes, lines, cells, files and folders."""

import os
import random
import re
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from qeframe.data.tables import ABSENT
from tests.fuzz.small_tasks import SEED, SmallTask
from tests.written import write_files

__all__ = ["JUDGMENTS", "Breakage", "breakages_of"]


@frozen
class Breakage:
    """One way in which a task is broken.

    Parameters
    ----------
    name : str
        The file and what is done to it.
    apply : callable of Path
        Breaks the task in a folder.
    file : str
        The path of the broken file below the folder; empty if it is none of the task's.
    line : int
        The line that a refusal must name; 0 if it may be any.
    undetectable : str
        Why other numbers without a complaint are right; empty if they are not.
    must_be_refused : bool
        Whether equal numbers are wrong too: what is broken must not be ignored.
    """

    name: str
    apply: Callable[[Path], None]
    file: str = ""
    line: int = 0
    undetectable: str = ""
    must_be_refused: bool = False


_TEXTS = re.compile(r"mt_tok|mt\.txt|^text/|\.sgm$|^systems/|^references/")
"""Files of texts, where every line is a possible line."""
JUDGMENTS = re.compile(
    r"rankings\.csv|^ratings\.tsv$|\.seg\.rating$|decided_pairs\.tsv|assessments\.tsv|^da/|table\.tsv|"
    r"human-scores/.*\.sys\.score|^documents\.txt$|^scores\.[a-z]+$"
)
"""Files whose lines are judgments of their own: with a line more or less it is another task."""
_RATINGS = "ratings.tsv"
"""A file whose severities may be any words: those without a weight have no points."""
_IN_ORDER = re.compile(r"gold\.txt|\.score$|\.docs$|^(good|fair)\.txt$")
"""Files whose lines are known by their position."""
_WITHOUT_IDS = {"qe_plain", "tag_lines", "tag_lines-gaps", "explained_words", "explained_sentences"}
"""Tasks whose submissions have lines without ids."""
_ERRORS = "document_annotations"
"""A reader of files whose lines are errors of their own."""
_ANOTHER_JUDGMENT = "fewer, more or other judgments are another experiment"
_ANOTHER_TEXT = "another text is another translation"
_ANOTHER_ORDER = "lines without ids are known by their position"
_ANOTHER_NUMBER = "a number was replaced by another one"
_ANOTHER_NAME = "a name was replaced by another one"
_NO_GOLD = "a unit without gold is left out, and counted"
_NO_WEIGHT = "a severity without a weight has no points, and is counted"

Edit = Callable[[bytes], bytes]


def breakages_of(task: SmallTask) -> list[Breakage]:
    """Return ways in which a task is broken, each once, in a file that the seed chooses.

    What stands in the place of a file is tried for every file, since each is opened by another part of a reader. Of the
    other ways the seed chooses some; over all readers every way occurs.
    """
    ways: dict[str, list[Breakage]] = {}
    for breakage in _all(task):
        way = _PLACE.sub("", breakage.name)
        ways.setdefault(breakage.name if way in _FOR_EVERY_FILE else way, []).append(breakage)
    chosen = random.Random(f"{SEED} {task.name}")
    always = [each for way, (each, *_) in ways.items() if _PLACE.sub("", way) in _FOR_EVERY_FILE]
    others = [breakages for way, breakages in ways.items() if _PLACE.sub("", way) not in _FOR_EVERY_FILE]
    return always + [chosen.choice(breakages) for breakages in chosen.sample(others, min(_WAYS, len(others)))]


_WAYS = 60
_PLACE = re.compile(r"^[^:]*: | in column.*| on line.*")
_FOR_EVERY_FILE = {"missing", "a folder", "a dangling link", "a looping link", "a FIFO that nobody writes"}


def _all(task: SmallTask) -> Iterator[Breakage]:
    for file, text in task.files.items():
        chosen = random.Random(f"{SEED} {task.name} {file}")
        judgment = _ANOTHER_JUDGMENT if JUDGMENTS.search(file) or task.reader.startswith(_ERRORS) else ""
        yield from _of_bytes(file, text, chosen, judgment)
        yield from _of_lines(file, text, chosen, judgment, by_position=_by_position(task, file))
        if not _TEXTS.search(file):
            free, absent = _FREE.get(task.name, frozenset()), task.reader.startswith("table")
            yield from _of_cells(file, text, chosen, free=free, may_lack=absent)
        yield from _of_entries(file, is_given=f"t/{file}" in task.command("t"))
    yield from _of_folders(task.files)


def _by_position(task: SmallTask, file: str) -> bool:
    return bool(_IN_ORDER.search(file)) or task.name in _WITHOUT_IDS


def _edited(
    file: str, name: str, edit: Edit, *, line: int = 0, undetectable: str = "", must_be_refused: bool = False
) -> Breakage:
    def apply(folder: Path) -> None:
        path = folder / file
        path.write_bytes(edit(path.read_bytes()))

    return Breakage(f"{file}: {name}", apply, file, line, undetectable, must_be_refused)


def _of_bytes(file: str, text: str, chosen: random.Random, loses_lines: str) -> Iterator[Breakage]:
    """Break the encoding, the line ends and the length."""
    content = text.encode()
    at = chosen.randrange(1, len(content) - 1)
    in_text = _ANOTHER_TEXT if _TEXTS.search(file) else ""
    kept = content[:at].rstrip(b"\n")
    cut_short = "a number that is cut short is a number" if kept.count(b"\n") == content.count(b"\n") - 1 else ""
    yield _edited(file, "a BOM at the start", lambda old: b"\xef\xbb\xbf" + old)
    yield _edited(file, "two BOMs at the start", lambda old: b"\xef\xbb\xbf" * 2 + old, must_be_refused=True)
    yield _edited(file, "CRLF", lambda old: old.replace(b"\n", b"\r\n"))
    yield _edited(file, "CR alone", lambda old: old.replace(b"\n", b"\r"))
    yield _edited(file, "no final line end", lambda old: old.rstrip(b"\n"))
    yield _edited(file, "NUL within", lambda old: old[:at] + b"\0" + old[at:])
    yield _edited(file, "a byte that is not UTF-8", lambda old: old[:at] + b"\xff" + old[at:])
    yield _edited(file, "UTF-16", lambda old: old.decode().encode("utf-16"))
    yield _edited(file, "UTF-16 without a BOM", lambda old: old.decode().encode("utf-16-le"))
    if not text.isascii():
        yield _edited(file, "Latin-1", lambda old: old.decode().encode("latin-1"))
    yield _edited(file, "empty", lambda old: b"")
    yield _edited(file, "blank lines alone", lambda old: b"\n" * old.count(b"\n"), undetectable=in_text)
    yield _edited(file, "blanks alone", lambda old: b" " * len(old))
    yield _edited(file, "cut within", lambda old: kept, undetectable=loses_lines or cut_short or in_text)
    yield _edited(file, "twice the content", lambda old: old * 2, undetectable=loses_lines)
    yield _edited(file, "gzip magic", lambda old: b"\x1f\x8b\x08\0" + old)
    yield _edited(file, "HTML", lambda old: b"<!DOCTYPE html>\n<html><body>404</body></html>\n")


def _of_lines(file: str, text: str, chosen: random.Random, judgment: str, *, by_position: bool) -> Iterator[Breakage]:
    """Lose, repeat, exchange and insert lines."""
    lines = text.splitlines()
    one, other = sorted(chosen.sample(range(1, len(lines)), 2)) if len(lines) > 2 else (0, 1)
    of_text = _ANOTHER_TEXT if _TEXTS.search(file) else ""
    long_cell = _NO_WEIGHT if file == _RATINGS else of_text
    order = _ANOTHER_ORDER if by_position or judgment else of_text

    def change(name: str, edit: Callable[[list[str]], list[str]], undetectable: str = "") -> Breakage:
        return _edited(file, name, lambda old: _joined(edit(old.decode().splitlines())), undetectable=undetectable)

    yield change("the first line lost", lambda old: old[1:], judgment)
    yield change("a line lost", lambda old: old[:one] + old[one + 1 :], judgment)
    yield change("the last line lost", lambda old: old[:-1], judgment)
    yield change("half of the lines lost", lambda old: old[: len(old) // 2], judgment)
    yield change("a line twice", lambda old: old[: one + 1] + old[one:], judgment)
    yield change("the last line twice", lambda old: [*old, old[-1]], judgment)
    yield change("two lines exchanged", lambda old: _exchanged(old, one, other), order)
    yield change(
        "a line replaced by another one", lambda old: [*old[:one], old[other], *old[one + 1 :]], order or judgment
    )
    yield change("lines reversed", lambda old: old[::-1], order)
    yield change("a blank line within", lambda old: [*old[:one], "", *old[one:]])
    yield change("a blank line at the start", lambda old: ["", *old])
    yield change("blank lines at the end", lambda old: [*old, "", ""])
    yield change("a conflict marker", lambda old: [*old[:one], "<<<<<<< HEAD", *old[one:]])
    yield change("a comment at the start", lambda old: ["# written by a tool", *old])
    yield change("blanks at line ends", lambda old: [line + "  " for line in old])
    yield change("tabs at line ends", lambda old: [line + "\t" for line in old])
    yield change("all in one line", lambda old: [" ".join(old)])
    yield change(
        "U+2028 instead of a line end", lambda old: [*old[:one], "\u2028".join(old[one : one + 2]), *old[one + 2 :]]
    )
    yield change("a very long line", lambda old: [*old[:one], old[one] + "x" * 100_000, *old[one + 1 :]], long_cell)


def _joined(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _exchanged(lines: list[str], one: int, other: int) -> list[str]:
    return [*lines[:one], lines[other], *lines[one + 1 : other], lines[one], *lines[other + 1 :]]


_NO_NUMBERS = (
    "nan", "NaN", "inf", "-inf", "1e999", "1" + "0" * 400, "1,5", "1_000", "0x10", "1.0.0", "--1", "1e", ".", "-",
    "０.５", "٣", "²", "½", "−1", "1\u00a0", "\u00a01", "1\u2028", "1\x0b", "1\x0c", "\x851", "1\u200b", "\ufeff1",
    "1\ufeff", "None", "null", "#REF!", '"1"', "1%", "True", "1j", "1\x1b[31m", "=1+1",
)  # fmt: skip
"""Texts that are not a number of any file format; in Python some are."""
_NO_WHOLE_NUMBERS = (
    "-7", "1.5", "1e1", "9" * 30, "1_0", "０１", "٣", "²", "1\u00a0", "\ufeff1", "1\ufeff", "1\u2028", "+1", "nan", "x",
    "0x1",
)  # fmt: skip
_NO_TAGS = ("FINE", "ＯＫ", "ОК", "O K", "\ufeffOK", "OK\u200b", "OK\u00a0", "OK\x1b", "1", "", "OK/BAD")
_OTHER_NAMES = ("\ufeff{}", "{}\ufeff", "{}\x1b[31m", "{}\u200b", "{}\u2028", "=HYPERLINK({})", "", "unknown")
_HAS_BAD_CHARACTER = re.compile("[\ufeff\x1b]")
_NUMBER, _WHOLE, _TAG = (
    re.compile(r"-?\d+\.\d+"),
    re.compile(r"-?\d+( \d+)*"),
    re.compile(r"OK|BAD|major|minor.*|no-error"),
)


_FREE = {
    "qe_plain-ids": frozenset({0}),
    "corrections_2025": frozenset({1}),
    "spans_2025": frozenset({1}),
    "wmt20_darr": frozenset({6}),
}
"""Columns that look like numbers and may hold any text; a wrong one is found as a segment that the other side lacks."""


def _of_cells(
    file: str, text: str, chosen: random.Random, *, free: frozenset[int], may_lack: bool
) -> Iterator[Breakage]:
    """Replace the cells of one line, lose, add and exchange them.

    `may_lack`: whether a cell may say that there is no value.
    """
    separator = "\t" if "\t" in text else "," if file.endswith(".csv") and "," in text else " "
    rows = [line.split(separator) for line in text.splitlines()]
    cells = [
        (i, k) for i, row in enumerate(rows) for k in range(len(row)) if i or not row[0].isalpha() or len(rows[0]) == 1
    ]
    by_kind = {
        kind: [(i, k) for i, k in cells if pattern.fullmatch(rows[i][k])]
        for kind, pattern in (("number", _NUMBER), ("whole number", _WHOLE), ("tag", _TAG))
    }
    known = {place for places in by_kind.values() for place in places}
    by_kind["name"] = [place for place in cells if place not in known and place[0]]
    wrong = {"number": _NO_NUMBERS, "whole number": _NO_WHOLE_NUMBERS, "tag": _NO_TAGS}

    def change(name: str, place: tuple[int, int], new: list[str], undetectable: str = "", at: bool = True) -> Breakage:
        i, k = place
        row = [*rows[i][:k], *new, *rows[i][k + 1 :]]
        lines = [separator.join(cells) for cells in (*rows[:i], row, *rows[i + 1 :])]
        line = i + 1 if at else 0
        edit, refused = lambda old: _joined(lines), name.startswith("name") and any("\ufeff" in cell for cell in new)
        where = f"{name} on line {i + 1}"
        return _edited(file, where, edit, line=line, undetectable=undetectable, must_be_refused=refused)

    for kind, replacements in wrong.items():
        for new in replacements if by_kind[kind] else ():
            place = chosen.choice(by_kind[kind])
            old = rows[place[0]][place[1]]
            with_rest = " ".join([new, *old.split(" ")[1:]]) if kind == "whole number" else new
            is_missing = new in ABSENT and (may_lack or (not file.endswith(".score") and len(rows[0]) == 2))
            at = bool(new) and place[1] not in free and not is_missing  # a missing answer has a unit, and no line
            reason = _NO_WEIGHT if _is_severity(new, file) else _ANOTHER_NUMBER if _is_number(new, file) else ""
            reason = _NO_GOLD if is_missing and may_lack else reason
            reason = (
                _ANOTHER_NUMBER if new == "\ufeff1" and place == (0, 0) else reason
            )  # a mark at the start of a file
            yield change(f"{kind} {_shown(new)} in column {place[1] + 1}", place, [with_rest], reason, at=at)
    for pattern in _OTHER_NAMES if by_kind["name"] else ():
        place = chosen.choice(by_kind["name"])
        new = pattern.format(rows[place[0]][place[1]])
        reason = "" if _HAS_BAD_CHARACTER.search(pattern) or not (pattern or may_lack) else _ANOTHER_NAME
        yield change(f"name {_shown(pattern)} in column {place[1] + 1}", place, [new], reason, at=False)
    if by_kind["number"]:
        yield change("another number", chosen.choice(by_kind["number"]), ["0.123"], _ANOTHER_NUMBER, at=False)
    if by_kind["whole number"]:
        yield change("another whole number", chosen.choice(by_kind["whole number"]), ["3"], _ANOTHER_NUMBER, at=False)
    if by_kind["tag"]:
        yield change(
            "another tag", chosen.choice(by_kind["tag"]), ["BAD"], "a tag was replaced by another one", at=False
        )
    several = [(i, k) for i, k in cells if len(rows[i]) > 1]
    if several:
        yield change("a cell lost", chosen.choice(several), [], at=False)
        place = chosen.choice(several)
        yield change("a cell more", place, ["7", rows[place[0]][place[1]]], at=False)
        i = several[-1][0]
        yield change("cells between blanks", (i, 0), [f" {rows[i][0]} "], at=False)


def _is_severity(text: str, file: str) -> bool:
    """Return whether a text may be the severity of an error, in the file whose severities are free."""
    return file == _RATINGS and bool(text) and text.isprintable()


def _is_number(text: str, file: str) -> bool:
    """Return whether a text that is odd in other files is allowed in a file: any finite number, or None in some."""
    if file.startswith(("assessments.tsv", "da/")):
        return text in {"-7", "1.5", "1e1", "+1", "9" * 30}
    if file.startswith("scores."):
        return text == '"1"' and file.endswith(".csv")
    return text == "None" and file.startswith("human-scores/")


def _shown(text: str) -> str:
    return ascii(text if len(text) < 40 else text[:3] + "...")


def _of_entries(file: str, *, is_given: bool) -> Iterator[Breakage]:
    """Put something else in the place of a file; a link is as good where the command names the file itself."""

    def replaced(name: str, put: Callable[[Path], None]) -> Breakage:
        def apply(folder: Path) -> None:
            path = folder / file
            path.rename(folder.parent / "original")
            put(path)

        refused = name not in {"missing", "a link to a device", *(["a link to a file"] if is_given else [])}
        return Breakage(f"{file}: {name}", apply, file, undetectable=_left_out(file, name), must_be_refused=refused)

    yield replaced("missing", lambda path: None)
    yield replaced("a folder", lambda path: path.mkdir())
    yield replaced("a dangling link", lambda path: path.symlink_to("nowhere"))
    yield replaced("a looping link", lambda path: path.symlink_to(path.name))
    yield replaced("a link to a file", lambda path: path.symlink_to(path.absolute().parents[_depth(file)] / "original"))
    yield replaced("a FIFO that nobody writes", _make_fifo)
    yield replaced("a socket", _make_socket)
    yield replaced("a link to a device", lambda path: path.symlink_to("/dev/null"))


def _depth(file: str) -> int:
    return file.count("/") + 1


_OPTIONAL = re.compile(
    r"\.h\d\.seg\.score$|^(good|fair)\.txt$|^submissions/|^documents\.txt$|^scores/|^metric-scores/|\.docs$|mt_tok$|^systems/|^text/.*/"
)


def _left_out(file: str, name: str) -> str:
    if name == "missing" and _OPTIONAL.search(file):
        return "a task without this file is a valid task"
    return ""


def _make_fifo(path: Path) -> None:
    os.mkfifo(path)


def _make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _of_folders(files: Mapping[str, str]) -> Iterator[Breakage]:
    """Break the folders around the files."""
    folders = sorted({str(Path(file).parent) for file in files} - {"."})
    first = next(iter(files))
    for name in folders:
        yield Breakage(f"{name}: emptied", lambda folder, name=name: _empty(folder / name), name)
        yield Breakage(f"{name}: a file instead", lambda folder, name=name: _a_file_instead(folder / name), name)
        yield Breakage(f"{name}: a folder within", lambda folder, name=name: (folder / name / "sub").mkdir(), name)
        yield Breakage(f"{name}: a hidden file", lambda folder, name=name: _write(folder / name / ".DS_Store"), name)
        yield Breakage(f"{name}: a stray file", lambda folder, name=name: _write(folder / name / "zz stray.bin"), name)
        yield Breakage(f"{name}: a FIFO within", lambda folder, name=name: _make_fifo(folder / name / "zz.txt"), name)
    yield Breakage("all files empty", lambda folder: [(folder / file).write_bytes(b"") for file in files] and None)
    yield Breakage("the folder emptied", _empty)
    if "gold.txt" in files:
        yield Breakage("a task within", lambda folder: write_files(folder / "within", files), must_be_refused=True)
    yield Breakage("a hidden folder beside", lambda folder: (folder / ".git").mkdir())
    yield Breakage(
        "a file under an odd name",
        lambda folder: (folder / first).rename((folder / first).with_name("a\nb\x1b[31m.txt")),
        undetectable="the name of the table is the name of the task" if re.match(r"table|scores\.", first) else "",
    )


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _a_file_instead(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("1\n")


def _write(path: Path) -> None:
    path.write_bytes(b"\x00\x01stray\xff\n")
