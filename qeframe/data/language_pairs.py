"""Language pairs: the several ways to write one, and the check that the files of a task have the same."""

from collections import Counter
from collections.abc import Sequence

from qeframe.core.errors import DataError
from qeframe.core.task import PAIR
from qeframe.data.folders import TaskFolder
from qeframe.data.reading import TextFile

_CODES = {
    "cs": ("czech", "ces", "cze", "cz"),
    "de": ("german", "deu", "ger"),
    "en": ("english", "eng"),
    "es": ("spanish", "spa", "esn"),
    "fi": ("finnish", "fin"),
    "fr": ("french", "fra", "fre"),
    "hi": ("hindi", "hin"),
    "hu": ("hungarian", "hun"),
    "ro": ("romanian", "ron", "rum"),
    "ru": ("russian", "rus"),
    "tr": ("turkish", "tur"),
}
_CODE_OF = {name: code for code, names in _CODES.items() for name in (code, *names)}


def language_code(name: str) -> str:
    """Return the two-letter code of a language by its name or code; an unknown name is returned in lower case."""
    lower = name.strip().lower()
    return _CODE_OF.get(lower, lower)


def pair_code(pair: str) -> str:
    """Return a language pair with two-letter codes: ``cs-en`` for ``cz-en`` and for ``Czech-English``."""
    return "-".join(map(language_code, pair.split("-")))


def check_pairs(files: Sequence[TextFile], pairs: Sequence[str], task: TaskFolder, *, line: int) -> None:
    """Check that the files of a task have one language pair, and the one that names the folder.

    Parameters
    ----------
    files : sequence of TextFile
    pairs : sequence of str
        The language pair of every file.
    task : TaskFolder
        Its name counts if it has the form of a language pair.
    line : int
        The line on which every file states its language pair.

    Raises
    ------
    DataError
        For the first file whose language pair differs from the name of the folder, or from that of most files.
    """
    named = PAIR.fullmatch(task.name) is not None
    usual, _ = Counter(pairs).most_common(1)[0]
    for file, pair in zip(files, pairs, strict=True):
        if named and pair.strip().lower() != task.name.lower():
            what, remedy = f"LP '{pair}' in a folder named {task.name}", f"write {task.name} as LP in every line"
            setting = "move the file to the folder of its language pair, or rename the folder"
            raise DataError(what, path=file.path, line=line, remedy=remedy, setting=setting)
        if pair != usual:
            what = f"LP '{pair}', but '{usual}' in {files[pairs.index(usual)].path}"
            raise file.error(what, line=line, remedy="a task has one language pair, move the file to its own")
