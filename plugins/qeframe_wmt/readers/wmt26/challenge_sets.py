"""The answers to challenge sets, which have no gold here: their lines, written for the authors of each set."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from qeframe.plugin import DataError
from qeframe.plugin.readers import Dropped, Reading, Written, read_text_lines
from qeframe_wmt.readers.wmt26.items import LINES, OFFICIAL
from qeframe_wmt.readers.wmt26.predictions import read_predictions

_FOLDER = "submissions"


def write_challenge_sets(readings: Sequence[Reading]) -> Written:
    """Write the lines of submissions for items of challenge sets, as they were handed in: a file by set and submission.

    The set is the fourth field of an id. A reading has items with gold alone, so that the lines come from the files
    that were read.

    Raises
    ------
    DataError
        If there is no such line, or a set has a name that is none of a folder.
    """
    written: dict[str, list[str]] = {}
    for path in dict.fromkeys(path for reading in readings for path in _submissions(reading)):
        file = read_text_lines(path, texts=True, holds=LINES)
        for item, fields in read_predictions(file).items:
            if item.part == OFFICIAL:
                continue
            if "/" in item.domain or item.domain.startswith("."):
                remedy = "rename the set in the fourth field of its ids"
                raise fields.error(f"a challenge set is called '{item.domain}', which is no folder", remedy=remedy)
            written.setdefault(f"{item.domain}/{path.stem}.jsonl", []).append(file.lines[fields.line - 1])
    if not written:
        raise DataError("no submission has an item of a challenge set", remedy="their ids begin with challenge")
    note = Dropped("", "language pair", len(readings), "scored here: items of challenge sets alone are written")
    return Written(files={name: "\n".join((*of, "")).encode() for name, of in written.items()}, dropped=(note,))


def _submissions(reading: Reading) -> Iterator[Path]:
    """Yield the files of submissions that were read, also of those without an item that has gold."""
    folder = Path(reading.gold.path).parent / _FOLDER
    for file in map(PurePosixPath, (given.path for given in reading.inputs)):
        if file.parent.name == _FOLDER:
            yield folder / file.name
