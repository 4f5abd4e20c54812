"""An example of a submission without a real answer: complete, or of another task where none can be made."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.readers import ExampleRequest, LineFormat, Reader

NAME = "my_system"
_SHOWN = 4  # lines after the header


@frozen
class Example:
    """The files of a submission by their paths in a zip archive."""

    files: Mapping[str, bytes]
    of_task: bool  # whether the units are those of the task; otherwise they are generated

    def excerpt(self, name: str, header: int) -> tuple[list[str], int]:
        """Return the first lines of a file and the last one, "..." between them, and the number of all lines."""
        lines = self.files[name].decode("utf-8", "replace").splitlines()
        shown = header + _SHOWN
        return (lines if len(lines) <= shown + 1 else [*lines[:shown], "...", lines[-1]]), len(lines)


def replaced_answers(files: Mapping[str, bytes], lines: LineFormat, name: str) -> Example:
    """Return a submission with other answers in the place of its own, and another name; `name` is its own.

    Raises DataError if a file has other lines than the format describes.
    """
    replaced, name = {}, name.rpartition("-")[0] or name
    for path, content in files.items():
        place, header = PurePosixPath(path), [example for example, _ in lines.header]
        file = place.name.replace(name, NAME, 1) if place.name.startswith(name) else place.name
        rows = content.decode("utf-8", "replace").split("\n")[len(header) : -1]
        written = [_row(row, nth, lines, path) for nth, row in enumerate(rows)]
        replaced[str(place.with_name(file))] = "".join(f"{line}\n" for line in (*header, *written)).encode()
    return Example(replaced, of_task=True)


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


def generated(reader: Reader) -> Example | None:
    """Return one file of a submission to a task that the reader generates; None if it generates none."""
    with TemporaryDirectory() as folder:
        root = reader.write_example(Path(folder) / "task", ExampleRequest(units=5, submissions=1))
        holds = reader.submission.folder if reader.submission else ""
        below = sorted(path for path in Path(folder).rglob("*") if path.is_file()) if root else []
        places = [path for path in below if any(part.endswith(holds or "submissions") for part in path.parts)]
        return Example({path.name: path.read_bytes() for path in places[:1]}, of_task=False) if places else None
