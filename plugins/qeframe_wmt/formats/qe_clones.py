"""The repositories of the QE tasks of 2020, 2021 and 2023 as cloned: where their gold and the submissions lie.

The gold has the paths of the clone. The organizers published no submissions, which lie beside it in
``submissions/TASK``: in 2020 and 2021 in a folder for each language pair, and one named ``multilingual`` for files of
several pairs; in 2023 every file has all pairs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import frozen

from qeframe.plugin import DataError, IntArray
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import TextFile, has_file, has_folder, read_text_lines, visible

Repository = Literal["wmt20", "wmt21", "wmt22", "wmt23"]  # the year whose repository is read

_TREES: Mapping[str, str] = {"wmt20": "data", "wmt21": "data", "wmt23": "gold_labels"}
_ROOTS = {
    "wmt20": "facebookresearch/mlqe",
    "wmt21": "sheffieldnlp/mlqe-pe",
    "wmt23": "WMT-QE-Task/wmt-qe-2023-data",
}
_SUBMITTED, _SEVERAL = "submissions", "multilingual"
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_ARCHIVE = ".tar.gz"
_OF_2023: Mapping[str, str] = {"task1_sentence_level": "T1s", "task1_word_level": "T1w", "task2": "T2"}
_LIST = "hallucinations_idx.tsv"

HALLUCINATED = "hallucination"
"""What the gold of 2023 has in place of the score, or of text, tokens and tags, of a hallucinated segment."""


@frozen
class SubmittedFile:
    """A file of a submission: the name of its folder, and its language pair; empty if it may have several."""

    name: str
    path: Path
    pair: str


def is_clone(root: Path, repository: Repository) -> bool:
    """Return whether a folder is the repository of a year as cloned: whether it has the folder of the gold."""
    tree = _TREES.get(repository)
    return tree is not None and root.is_dir() and has_folder(root / tree)


def submitted_files(root: Path, task: str, *, file: str = "predictions.txt") -> list[SubmittedFile]:
    """Return the submissions to a task; raise a `DataError` if there are none, or a folder of one lacks its file."""
    tree = root / _SUBMITTED
    if not has_folder(tree) or not has_folder(tree / task):
        known = [each.name for each in visible(tree)] if has_folder(tree) else []
        remedy = did_you_mean(task, known, f"put them into {_SUBMITTED}/{task}")
        raise DataError(f"no submissions to {task} are here", path=tree if known else root, remedy=remedy)
    found = list(_submitted(tree / task, file, ""))
    if not found:
        remedy = f"put a folder NAME with {file} into it, or into a folder of a language pair"
        raise DataError("no submission is here", path=tree / task, remedy=remedy)
    several = {each.name for each in found if not each.pair}
    twice = next((each for each in found if each.pair and each.name in several), None)
    if twice:
        what = f"a second submission named {twice.name}, the other is in {_SEVERAL}"
        raise DataError(what, path=twice.path, remedy="rename one: it would enter a language pair twice")
    return found


def _submitted(folder: Path, file: str, pair: str) -> Iterator[SubmittedFile]:
    for entry in visible(folder):
        if not entry.is_dir():
            remedy = f"a submission is a folder NAME with {file}"
            raise DataError("a file among the folders of submissions", path=entry, remedy=remedy)
        if not pair and (_PAIR.fullmatch(entry.name) or entry.name == _SEVERAL):
            yield from _submitted(entry, file, entry.name)
        elif has_file(entry / file):
            yield SubmittedFile(entry.name, entry / file, "" if pair == _SEVERAL else pair)
        else:
            names = [each.name for each in visible(entry)]
            raise DataError(f"no {file} is here", path=entry, remedy=did_you_mean(file, names, "add it"))


def gold_paths(root: Path, repository: Repository, name: str) -> dict[str, Path]:
    """Return the file of gold of each language pair, in 2020 and 2021.

    Each pair has an archive, which is read in place, or the folder that was unpacked from it. `name` is that of the
    file in 2021, such as test21.da or goldlabels.txt; 2020 has no choice.
    """
    data = root / _TREES[repository]
    if repository == "wmt20":
        found = {pair: at / pair / _table_of_2020(pair) for pair, at in _packed(data, "_test")}
        found |= {
            pair.name: pair / _table_of_2020(pair.name)
            for pair in visible(data)
            if _PAIR.fullmatch(pair.name) and has_file(pair / _table_of_2020(pair.name))
        }
    elif name == "goldlabels.txt":
        ending = "_majority_test_goldlabels"
        folder = data / "catastrophic_errors_goldlabels"
        found = {f"{pair[:2]}-{pair[2:]}": at / f"{pair}{ending}" / name for pair, at in _packed(folder, ending)}
    else:
        ending, inner = "-test21", Path("goldlabels", name)
        folder = data / "test21_goldlabels"
        at_of = dict([*_packed(folder, ending), *_packed(folder / "zero-shot", ending)])
        found = {pair: at / f"{pair}{ending}" / inner for pair, at in at_of.items()}
    if not found:
        what = f"no gold of a language pair is in the clone of {_ROOTS[repository]}"
        raise DataError(what, path=data, remedy="give the clone, or its archives unpacked in their places")
    return dict(sorted(found.items()))


def _packed(folder: Path, ending: str) -> Iterator[tuple[str, Path]]:
    """Yield what archives, or the folders unpacked from them, are named before an ending, and where their files lie."""
    if not has_folder(folder):
        return
    names = {entry.name.removesuffix(_ARCHIVE): entry for entry in visible(folder)}
    for name, entry in names.items():
        if name.endswith(ending) and (entry.is_dir() or entry.name.endswith(_ARCHIVE)):
            yield name.removesuffix(ending), folder if has_folder(folder / name) else folder / f"{name}{_ARCHIVE}"


def _table_of_2020(pair: str) -> str:
    return f"test20.{pair.replace('-', '')}.df.short.tsv"


def gold_of_2023(root: Path, task: str) -> tuple[TextFile, int]:
    """Return the file of gold of all language pairs of 2023, and its number of header lines."""
    name = f"hallucinations_gold_{_OF_2023[task]}"
    plain = root / _TREES["wmt23"] / f"{name}.tsv"
    with_header = plain.with_name(f"{name}_header.tsv")
    file = read_text_lines(plain if has_file(plain) or not has_file(with_header) else with_header, texts=True)
    first = file.lines[0].split("\t")
    return file, int(len(first) > 2 and not first[2].isdecimal())  # the third column has the number of the segment


def hallucinations_of_2023(root: Path) -> tuple[TextFile, dict[str, frozenset[int]]]:
    """Return the list of hallucinated segments, by language pair."""
    file = read_text_lines(root / _TREES["wmt23"] / _LIST)
    found: dict[str, set[int]] = {}
    for line, text in enumerate(file.lines[1:], 2):
        pair, _, segment = text.partition("\t")
        if not (_PAIR.fullmatch(pair) and segment.isdecimal() and segment.isascii()):
            raise file.error("no line of the list of hallucinations", line=line, remedy="write LP SEG by a tab")
        found.setdefault(pair, set()).add(int(segment))
    return file, {pair: frozenset(segments) for pair, segments in found.items()}


def check_hallucinations(
    file: TextFile,
    pairs: Sequence[str],
    segments: IntArray,
    marked: Sequence[bool],
    listed: Mapping[str, frozenset[int]],
    *,
    skip: int,
) -> None:
    """Raise a `DataError` at the first segment that the gold marks and the list does not name, or the reverse."""
    for row, (pair, segment) in enumerate(zip(pairs, segments.tolist(), strict=True)):
        if marked[row] != (segment in listed.get(pair, ())):
            what = f"segment {segment} of {pair} is {'not ' * marked[row]}in the list of hallucinations"
            raise file.error(what, line=row + skip + 1, remedy="give the gold and the list of one clone")
