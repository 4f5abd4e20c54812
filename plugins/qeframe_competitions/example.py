"""An example of a submission, without a real answer: complete, or of a generated task where none can be made."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.competitions import temporary_folder
from qeframe.plugin.readers import ExampleRequest, LineFormat, Reader

NAME = "my_system"


@frozen(kw_only=True)
class Example:
    """The files of a submission by their paths in a zip archive, and where they come from."""

    files: Mapping[str, bytes]
    of_task: bool = True  # whether the units are those of the task; otherwise they are generated
    complete: bool = True  # whether it may be given away: it has no answer of a real submission

    def excerpt(self, name: str, header: int) -> tuple[list[str], int]:
        """Return the first lines of a file and the last one, "..." between them, and the number of all lines."""
        lines = self.files[name].decode("utf-8", "replace").splitlines()
        shown = header + _SHOWN
        return (lines if len(lines) <= shown + 1 else [*lines[:shown], "...", lines[-1]]), len(lines)


_SHOWN = 4  # lines after the header


def replaced_answers(files: Mapping[str, bytes], lines: LineFormat, name: str) -> Example:
    """Return a submission with other answers in the place of its own, and another name; `name` is its own.

    Raises DataError if a file has other lines than the format describes.
    """
    base = name.rpartition("-")[0] or name
    replaced = {}
    for path, content in files.items():
        place = PurePosixPath(path)
        file = place.name.replace(base, NAME, 1) if place.name.startswith(base) else place.name
        try:
            rows = content.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            raise DataError("this is no text", path=path) from None
        header, answers = [example for example, _ in lines.header], rows[len(lines.header) :]
        given = [row for row in answers if row.strip()] if lines.separator == "\t" else answers[: len(answers) - 1]
        written = [_row(row, nth, lines, path) for nth, row in enumerate(given)]
        replaced[str(place.with_name(file))] = "".join(f"{line}\n" for line in (*header, *written)).encode()
    return Example(files=replaced)


def _row(row: str, nth: int, lines: LineFormat, path: str) -> str:
    cells = row.rstrip("\r").split(lines.separator)
    if len(lines.columns) == 1:
        (answers,) = lines.answers.values()
        return lines.separator.join(answers[(nth + k) % len(answers)] for k in range(len(cells)))
    columns = list(lines.columns)[-len(cells) :]
    if len(cells) > len(columns):
        raise DataError(f"{len(cells)} columns, {len(columns)} are described", path=path)
    for k, column in enumerate(columns):
        if column in lines.author:
            cells[k] = NAME
        elif column in lines.answers:
            cells[k] = lines.answers[column][nth % len(lines.answers[column])]
    return lines.separator.join(cells)


def _described(lines: LineFormat) -> bytes:
    """Return a few lines, with the names of columns in the place of what only a task says."""
    cells = list(lines.columns) if len(lines.columns) > 1 else [*lines.columns] * _SHOWN
    row = lines.separator.join(cells)
    header = [example for example, _ in lines.header]
    return "".join(f"{line}\n" for line in (*header, *(_row(row, nth, lines, "") for nth in range(_SHOWN)))).encode()


def generated(reader: Reader) -> Example | None:
    """Return a submission to a task that the reader generates, or the lines that its format describes; else None."""
    if not reader.example:
        form = None if reader.submission is None else reader.submission.lines
        return None if form is None else Example(files={f"{NAME}.txt": _described(form)}, of_task=False)
    with temporary_folder() as folder:
        root = reader.write_example(folder / "task", ExampleRequest(units=5, submissions=1))
        if root is None or reader.submission is None:
            return None
        holds = reader.submission.folder or "submissions"  # also official_submissions, as published
        below = (path for path in sorted((folder / "task").rglob("*")) if path.is_file())
        places = [path for path in below if any(part.endswith(holds) for part in path.parts)]
        files = {path.name: path.read_bytes() for path in places[:1]}
    return Example(files=files, of_task=False) if files else None
