"""The texts of a language pair: system-outputs, references and sources, located by their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qeframe.plugin import IntArray
from qeframe.plugin.readers import Dropped, TextFiles, has_file, has_folder
from qeframe_wmt.readers.metrics.mtme.score_files import Folder


def locate_texts(
    folder: Folder, pair: str, systems: Sequence[str], standard: Sequence[str], segments: IntArray, *, whole: bool
) -> tuple[TextFiles | None, tuple[Dropped, ...]]:
    """Return where the texts of the systems of a language pair are, and what is lacking.

    Parameters
    ----------
    folder : Folder
    pair : str
    systems : sequence of str
        A reference that is scored as a system has its text in ``references``.
    standard : sequence of str
        The standard references. None: all whose texts are there and that are no systems.
    segments : (n,) int64
        The numbers of the segments, from 1.
    whole : bool
        As in `TextFiles`.

    Returns
    -------
    texts : TextFiles or None
        None if there is no folder of texts, or the text of a system or of all references is lacking.
    lacking : tuple of Dropped
        Empty if there is no folder of texts.
    """
    outputs = folder.path / "system-outputs" / pair
    if not has_folder(outputs):
        return None, ()
    given = {name: _reference(folder, pair, name) for name in folder.references(pair)}
    names = [name for name in (standard or given) if name in given and name not in systems]
    found = {name: _file(outputs, f"{name}.txt") or given.get(name) for name in systems}
    absent = [name for name, file in found.items() if file is None]
    if absent:
        return None, (Dropped(pair, "text", len(absent), f"no file of translations: {', '.join(absent)}"),)
    if not names:
        return None, (Dropped(pair, "text", len(systems), "there is no text of a standard reference"),)
    texts = TextFiles(
        pair=pair,
        systems={name: file for name, file in found.items() if file is not None},
        references=tuple(given[name] for name in names),
        segments=segments,
        root=folder.path,
        whole=whole,
        source=_file(folder.path / "sources", f"{pair}.txt"),
        reference_names=tuple(names),
    )
    return texts, ()


def _reference(folder: Folder, pair: str, name: str) -> Path:
    place = folder.path / "references"
    return _file(place, f"{pair}.{name}.txt") or place / f"{pair}.{name}.txt"


def _file(folder: Path, name: str) -> Path | None:
    """Return a file, as it is or compressed; None if there is neither."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if has_file(path)), None)
