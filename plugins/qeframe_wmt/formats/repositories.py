"""The repositories of the QE tasks: where their gold and the submissions lie.

That of 2022 is read as published. ``test_data-gold_labels/TASK/LP`` has the gold of a language pair,
``official_submissions/TASK/LP`` a folder for each submission, named "TEAM - N submission". Folders beside those of
language pairs, such as ``multilingual``, hold the submissions of a track whose files have several language pairs, one
after the other.

Those of 2020, 2021 and 2023 are read as cloned. Their organizers published no submissions, which lie beside the gold in
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
from qeframe.plugin.readers import Dropped, TableColumns, TextFile, has_file, has_folder, read_text_lines, visible

_GOLD, _SUBMITTED = "test_data-gold_labels", "official_submissions"
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_TEAM = re.compile(r"(?:Team )?(.+?) - \d+ submission")
_FILE = "predictions.txt"


Repository = Literal["wmt20", "wmt21", "wmt22", "wmt23"]  # the year whose repository is read
LeftOut = Mapping[str, frozenset[int]]
"""The segments of each language pair that are left out."""


@frozen(kw_only=True)
class Published:
    """The task of a repository that is read.

    `golds`: by the task whose gold it is, the name of the file of gold, or its end.
    `track`, `leaderboard`: the folders between the task and the submissions, if there are any.
    `file`: the name of the file of a submission.
    """

    task: str
    golds: Mapping[str, str]
    repository: Repository = "wmt22"
    track: str = ""
    leaderboard: str = ""
    file: str = _FILE


@frozen
class SubmittedFile:
    """A file of a submission: the name of its folder, and its language pair; empty if it may have several."""

    name: str
    path: Path
    pair: str


@frozen(kw_only=True)
class PublishedTask:
    """The files of one task, such as task1_da, in one track."""

    golds: Mapping[str, Path]  # the file of each language pair, in the order of their names
    submissions: Sequence[SubmittedFile]
    dropped: Sequence[Dropped]  # language pairs without gold or submissions, and other tracks


def is_published(root: Path) -> bool:
    """Return whether a folder is a repository as published: whether it has the tree of golds or of submissions."""
    return any(has_folder(root / name) for name in (_GOLD, _SUBMITTED)) if root.is_dir() else False


def find_published(root: Path, published: Published, gold_task: str) -> PublishedTask:
    """Return the files of a task in a repository, with the gold of one of its tasks of gold."""
    task, track = published.task, published.track
    golds = _golds(_below(root / _GOLD, gold_task), published.golds[gold_task])
    folder = _below(root / _SUBMITTED, task)
    others: list[Dropped] = []
    if published.leaderboard:
        others = _other_leaderboards(folder, published.leaderboard, task)
        folder = _below(folder, published.leaderboard)
    folders = {entry.name: entry for entry in visible(folder) if entry.is_dir() or _is_pair(entry)}
    if track and track not in folders:
        raise DataError(f"no track '{track}' is here", path=folder, remedy=did_you_mean(track, folders))
    submitted = {name: _submissions(entry, published.file) for name, entry in folders.items()}
    if track:
        lacking, sent = [], [SubmittedFile(team, path, "") for team, path in submitted[track].items()]
        reasons = {name: f"not of the track {track}" for name in submitted if name != track}
    else:
        by_pair = {name: files for name, files in submitted.items() if _PAIR.fullmatch(name)}
        lacking = [pair for pair in golds if not by_pair.get(pair)]
        sent = [SubmittedFile(team, path, pair) for pair in golds for team, path in by_pair.get(pair, {}).items()]
        reasons = {pair: f"no gold of {gold_task} is here" for pair in by_pair if pair not in golds}
        reasons |= {name: f"another track of {task}" for name in submitted if name not in by_pair}
    counts = {name: len(submitted[name]) for name in reasons}
    return PublishedTask(
        golds={pair: gold for pair, gold in golds.items() if pair not in lacking},
        submissions=sent,
        dropped=[
            *(Dropped(pair, "gold", 1, f"no submissions of {task} are here") for pair in lacking),
            *others,
            *(Dropped(name, "submission", counts[name], why) for name, why in reasons.items() if counts[name]),
        ],
    )


def _is_pair(folder: Path) -> bool:
    """Return whether a folder is named by a language pair; raise a `DataError` if a file has such a name."""
    return _PAIR.fullmatch(folder.name) is not None and has_folder(folder)


def _below(tree: Path, task: str) -> Path:
    if not has_folder(tree):
        remedy = f"a repository as published has {_GOLD} and {_SUBMITTED}"
        raise DataError("there is no such folder", path=tree, remedy=remedy)
    if not has_folder(tree / task):
        names = [entry.name for entry in visible(tree)]
        raise DataError(f"no folder of the task {task} is here", path=tree, remedy=did_you_mean(task, names))
    return tree / task


def _golds(folder: Path, ending: str) -> dict[str, Path]:
    """Return the gold of each language pair."""
    golds = {}
    for pair in visible(folder):
        if not _is_pair(pair):
            continue
        files = [file for file in visible(pair) if file.name.endswith(ending)]
        if len(files) != 1:
            names = ", ".join(file.name for file in files) or "none"
            what = f"{len(files)} files of gold (*{ending}): {names}"
            raise DataError(what, path=pair, remedy="keep one for each language pair")
        golds[pair.name] = files[0]
    if not golds:
        remedy = "a folder for each, such as en-cs, has its gold"
        raise DataError("no language pair is here", path=folder, remedy=remedy)
    return golds


def _other_leaderboards(folder: Path, leaderboard: str, task: str) -> list[Dropped]:
    """Return the numbers of submissions to the other leaderboards of a task."""
    others = [board for board in visible(folder) if board.is_dir() and board.name != leaderboard]
    return [
        Dropped(board.name, "submission", count, f"another leaderboard of {task}")
        for board in others
        if (count := sum(len(visible(pair)) for pair in visible(board) if pair.is_dir()))
    ]


def _submissions(folder: Path, file: str) -> dict[str, Path]:
    """Return the file of each submission in a folder, by the name of the team."""
    files: dict[str, Path] = {}
    for team_folder in visible(folder):
        path = _file_in(team_folder, file, "TEAM - N submission")
        name = " ".join(team_folder.name.split())
        match = _TEAM.fullmatch(name)
        name = match[1] if match else name
        if name in files:
            what = f"a second submission of {name}, the other is {files[name].parent}"
            raise DataError(what, path=team_folder, remedy="keep one, the task ranked one for each team")
        files[name] = path
    return files


def _file_in(folder: Path, file: str, named: str) -> Path:
    """Return the file in the folder of a submission; raise a `DataError` if it has none, or is no folder."""
    if not folder.is_dir():
        remedy = f"a submission is a folder {named} with {file}"
        raise DataError("a file among the folders of submissions", path=folder, remedy=remedy)
    if not has_file(folder / file):
        names = [entry.name for entry in visible(folder)]
        raise DataError(f"no {file} is here", path=folder, remedy=did_you_mean(file, names, "add it"))
    return folder / file


_TREES: Mapping[str, str] = {"wmt20": "data", "wmt21": "data", "wmt23": "gold_labels"}
_ROOTS = {"wmt20": "facebookresearch/mlqe", "wmt21": "sheffieldnlp/mlqe-pe", "wmt23": "WMT-QE-Task/wmt-qe-2023-data"}
_OF_CLONES, _SEVERAL = "submissions", "multilingual"
_ARCHIVE = ".tar.gz"
_OF_2023: Mapping[str, str] = {"task1_sentence_level": "T1s", "task1_word_level": "T1w", "task2": "T2"}
_LIST = "hallucinations_idx.tsv"

LISTED = "the list of hallucinations names it"
HALLUCINATED = "hallucination"
"""What the gold of 2023 has in place of the score, or of text, tokens and tags, of a hallucinated segment."""


def is_clone(root: Path, repository: Repository) -> bool:
    """Return whether a folder is the repository of a year as cloned: whether it has the folder of the gold."""
    tree = _TREES.get(repository)
    return tree is not None and root.is_dir() and has_folder(root / tree)


def submitted_files(root: Path, task: str, *, file: str = _FILE) -> list[SubmittedFile]:
    """Return the submissions to a task; raise a `DataError` if there are none, or a folder of one lacks its file."""
    tree = root / _OF_CLONES
    if not has_folder(tree) or not has_folder(tree / task):
        tasks = [entry.name for entry in visible(tree)] if has_folder(tree) else []
        remedy = did_you_mean(task, tasks, f"put them into {_OF_CLONES}/{task}")
        raise DataError(f"no submissions to {task} are here", path=tree if tasks else root, remedy=remedy)
    submitted = list(_submitted_files(tree / task, file, ""))
    if not submitted:
        remedy = f"put a folder NAME with {file} into it, or into a folder of a language pair"
        raise DataError("no submission is here", path=tree / task, remedy=remedy)
    several = {entry.name for entry in submitted if not entry.pair}
    twice = next((entry for entry in submitted if entry.pair and entry.name in several), None)
    if twice:
        what = f"a second submission named {twice.name}, the other is in {_SEVERAL}"
        raise DataError(what, path=twice.path, remedy="rename one: it would enter a language pair twice")
    return submitted


def _submitted_files(folder: Path, file: str, pair: str) -> Iterator[SubmittedFile]:
    for entry in visible(folder):
        if entry.is_dir() and not pair and (_PAIR.fullmatch(entry.name) or entry.name == _SEVERAL):
            yield from _submitted_files(entry, file, entry.name)
        else:
            yield SubmittedFile(entry.name, _file_in(entry, file, "NAME"), "" if pair == _SEVERAL else pair)


def gold_paths(root: Path, repository: Repository, name: str) -> dict[str, Path]:
    """Return the file of gold of each language pair, in 2020 and 2021.

    Each pair has an archive, which is read in place, or the folder that was unpacked from it. `name` is that of the
    file in 2021, such as test21.da or goldlabels.txt; 2020 has no choice.
    """
    data = root / _TREES[repository]
    if repository == "wmt20":
        paths = {pair: at / pair / _table_of_2020(pair) for pair, at in _packed(data, "_test")}
        paths |= {
            pair.name: pair / _table_of_2020(pair.name)
            for pair in visible(data)
            if _PAIR.fullmatch(pair.name) and has_file(pair / _table_of_2020(pair.name))
        }
    elif name == "goldlabels.txt":
        ending = "_majority_test_goldlabels"
        folder = data / "catastrophic_errors_goldlabels"
        paths = {f"{pair[:2]}-{pair[2:]}": at / f"{pair}{ending}" / name for pair, at in _packed(folder, ending)}
    else:
        ending, inner = "-test21", Path("goldlabels", name)
        folder = data / "test21_goldlabels"
        at_of = dict([*_packed(folder, ending), *_packed(folder / "zero-shot", ending)])
        paths = {pair: at / f"{pair}{ending}" / inner for pair, at in at_of.items()}
    if not paths:
        what = f"no gold of a language pair is in the clone of {_ROOTS[repository]}"
        raise DataError(what, path=data, remedy="give the clone, or its archives unpacked in their places")
    return dict(sorted(paths.items()))


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


def hallucinations_of_2023(root: Path) -> tuple[TextFile, LeftOut]:
    """Return the list of hallucinated segments, by language pair."""
    file = read_text_lines(root / _TREES["wmt23"] / _LIST)
    listed: dict[str, set[int]] = {}
    for line, text in enumerate(file.lines[1:], 2):
        pair, _, segment = text.partition("\t")
        if not (_PAIR.fullmatch(pair) and segment.isdecimal() and segment.isascii()):
            raise file.error("no line of the list of hallucinations", line=line, remedy="write LP SEG by a tab")
        listed.setdefault(pair, set()).add(int(segment))
    return file, {pair: frozenset(segments) for pair, segments in listed.items()}


def check_hallucinations(table: TableColumns, segments: IntArray, marked: Sequence[bool], listed: LeftOut) -> None:
    """Raise a `DataError` at the first segment that the gold marks and the list does not name, or the reverse."""
    for row, (pair, segment) in enumerate(zip(table.cells["LP"], segments.tolist(), strict=True)):
        if marked[row] != (segment in listed.get(pair, ())):
            what = f"segment {segment} of {pair} is {'not ' * marked[row]}in the list of hallucinations"
            raise table.error(what, row, remedy="give the gold and the list of one clone")
