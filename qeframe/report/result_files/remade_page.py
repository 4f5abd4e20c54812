"""The page of a run, made again from the folder of its result."""

from pathlib import Path

from qeframe.api.saved import EVALUATION_FILE, read_evaluation
from qeframe.core.errors import DataError
from qeframe.core.evaluation.result import Evaluation
from qeframe.report.folders.manifest import MANIFEST, has_manifest, listed_names
from qeframe.report.folders.result_folder import ResultFolder
from qeframe.report.html.evaluation_page import as_stored, page_of_stored
from qeframe.report.html.facts import FACTS, PageFacts
from qeframe.report.result_files.evaluation_folder import PAGE, add_tables
from qeframe.report.result_files.files import Made

_RULES = ("name", "primary", "test", "correction", "ranking", "resample")
"""Rules that the signature on the page names."""
_REMEDY = "give a folder that 'qeframe run --out' wrote"


def remade_page(folder: Path) -> bytes:
    """Return the page of the result in a folder, from its ``evaluation.json`` and ``report.json`` alone.

    Without ``report.json`` the page has no distributions, disagreements, sources of rules and command.

    `folder`: a folder that a run has written, or a copy of its files. Raises DataError if the folder has no
    ``evaluation.json``, or a file in it cannot be used.
    """
    return page_of_stored(*_stored(folder), figures=_figures(folder)).encode("utf-8", "backslashreplace")


def rewrite_page(folder: Path) -> None:
    """Put the page and the tables of a result into its folder, beside the other files of the result.

    Raises DataError as for `remade_page`, and if the folder has no manifest, cannot be written or holds files that no
    run wrote. Raises OutputError if the page or a table could not be made; the others are written.
    """
    stored, figures = _stored(folder), _figures(folder)
    if not has_manifest(folder):
        what = f"has no {MANIFEST}, the list of the files of a result: none of them is known to be as the run wrote it"
        remedy = f"write the page elsewhere by --html FILE, or copy {MANIFEST} with the other files"
        raise DataError(what, path=folder, remedy=remedy)
    with ResultFolder.take(folder) as taken:
        report = Made(taken.files())
        add_tables(report, stored[0])
        report.add(PAGE, lambda: page_of_stored(*stored, figures=figures))
        taken.replace(report.files)
    report.check(folder, f"once that is mended, 'qeframe report {folder}' makes it")


def _figures(folder: Path) -> list[str]:
    return sorted(name for name in listed_names(folder) if "/" not in name and Path(name).suffix in {".svg", ".png"})


def _stored(folder: Path) -> tuple[Evaluation, PageFacts]:
    if not folder.is_dir():
        raise DataError("is not a folder", path=folder, remedy=_REMEDY)
    evaluation = read_evaluation(folder)
    missing = next((key for key in _RULES if key not in evaluation.signature.rules), None)
    if missing:
        what = f"not an evaluation: signature.rules: '{missing}' is missing"
        raise DataError(what, path=folder / EVALUATION_FILE, remedy=_REMEDY)
    return as_stored(evaluation, _facts(folder / FACTS), evaluation.to_json())


def _facts(path: Path) -> PageFacts:
    if not path.exists():
        return PageFacts()
    if not path.is_file():
        raise DataError("is not a regular file", path=path, remedy=_REMEDY)
    try:
        return PageFacts.from_json(path.read_text(encoding="utf-8"), path=path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise DataError(f"cannot be read: {reason}", path=path, remedy=_REMEDY) from error
