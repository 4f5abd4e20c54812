"""The repository of the QE task of 2022 as published: gold in one tree, submissions in another.

``test_data-gold_labels/TASK/LP`` has the gold of a language pair, ``official_submissions/TASK/LP`` a folder for each
submission, named "TEAM - N submission". Folders beside those of language pairs, such as ``multilingual``, hold the
submissions of a track whose files have several language pairs, one after the other.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, Reading, TextFile, has_file, has_folder, visible

_GOLD, _SUBMITTED = "test_data-gold_labels", "official_submissions"
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_TEAM = re.compile(r"(?:Team )?(.+?) - \d+ submission")
_FILE = "predictions.txt"


@frozen
class PublishedGold:
    """The gold of one language pair: its file, and the other files of its folder by the ends of their names."""

    pair: str
    gold: Path

    def beside(self, ending: str) -> Path | None:
        """Return the file beside the gold whose name ends so, None if there is none or several."""
        files = [file for file in visible(self.gold.parent) if file.name.endswith(ending)]
        return files[0] if len(files) == 1 else None


@frozen(kw_only=True)
class PublishedTask:
    """The files of one task, such as task1_da, in one track."""

    golds: Sequence[PublishedGold]  # in the order of the names of the language pairs
    # by language pair, the file of each; a track has the same ones for each pair
    submissions: Mapping[str, Mapping[str, Path]]
    several: bool  # whether a file of a submission holds several language pairs
    dropped: Sequence[Dropped]  # language pairs without gold or submissions, and other tracks


def is_published(root: Path) -> bool:
    """Return whether a folder is a repository as published: whether it has the tree of golds or of submissions."""
    return any(has_folder(root / name) for name in (_GOLD, _SUBMITTED)) if root.is_dir() else False


def find_published(
    root: Path,
    task: str,
    ending: str,
    *,
    track: str = "",
    leaderboard: str = "",
    gold_task: str = "",
    file: str = _FILE,
) -> PublishedTask:
    """Return the files of a task in a repository.

    `task` is the name of a folder of both trees, such as "task1_da", and `ending` that of the files of gold, such as
    ".da_score". `track` is the folder of the submissions that hold several language pairs; empty: the folders of
    language pairs. `leaderboard` is the folder between the task and these folders, if there is one. `gold_task` is the
    task whose gold is used, if it is another one, and `file` the name of the file of a submission.
    """
    golds = _golds(_below(root / _GOLD, gold_task or task), ending)
    folder = _below(root / _SUBMITTED, task)
    others: list[Dropped] = []
    if leaderboard:
        others = _other_leaderboards(folder, leaderboard, task)
        folder = _below(folder, leaderboard)
    folders = {each.name: each for each in visible(folder) if each.is_dir() or _is_pair(each)}
    if track:
        if track not in folders:
            raise DataError(f"no track '{track}' is here", path=folder, remedy=did_you_mean(track, folders))
        submitted = _submissions(folders[track], file)
        counts = {name: len(_submissions(each, file)) for name, each in folders.items() if name != track}
        apart = [Dropped(name, "submission", n, f"not of the track {track}") for name, n in counts.items() if n]
        return PublishedTask(
            golds=golds,
            submissions={each.pair: submitted for each in golds},
            several=True,
            dropped=[*others, *apart],
        )
    by_pair = {name: _submissions(each, file) for name, each in folders.items() if _PAIR.fullmatch(name)}
    known = {each.pair for each in golds}
    notes = [
        *others,
        *(
            Dropped(pair, "submission", len(of_pair), f"no gold of {gold_task or task} is here")
            for pair, of_pair in by_pair.items()
            if pair not in known
        ),
    ]
    for name, each in folders.items():
        if not _PAIR.fullmatch(name):
            notes.append(Dropped(name, "submission", len(_submissions(each, file)), f"another track of {task}"))
    return PublishedTask(
        golds=[each for each in golds if by_pair.get(each.pair)],
        submissions=by_pair,
        several=False,
        dropped=[
            *(
                Dropped(each.pair, "gold", 1, f"no submissions of {task} are here")
                for each in golds
                if not by_pair.get(each.pair)
            ),
            *(note for note in notes if note.count),
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
        names = [each.name for each in visible(tree)]
        raise DataError(f"no folder of the task {task} is here", path=tree, remedy=did_you_mean(task, names))
    return tree / task


def _golds(folder: Path, ending: str) -> list[PublishedGold]:
    """Return the gold of each language pair."""
    golds = []
    for pair in visible(folder):
        if not _is_pair(pair):
            continue
        files = [file for file in visible(pair) if file.name.endswith(ending)]
        if len(files) != 1:
            names = ", ".join(file.name for file in files) or "none"
            what = f"{len(files)} files of gold (*{ending}): {names}"
            raise DataError(what, path=pair, remedy="keep one for each language pair")
        golds.append(PublishedGold(pair.name, files[0]))
    if not golds:
        raise DataError(
            "no language pair is here", path=folder, remedy="a folder for each, such as en-cs, has its gold"
        )
    return golds


def _other_leaderboards(folder: Path, leaderboard: str, task: str) -> list[Dropped]:
    """Return the numbers of submissions to the other leaderboards of a task."""
    others = [each for each in visible(folder) if each.is_dir() and each.name != leaderboard]
    return [
        Dropped(each.name, "submission", count, f"another leaderboard of {task}")
        for each in others
        if (count := sum(len(visible(pair)) for pair in visible(each) if pair.is_dir()))
    ]


def _submissions(folder: Path, file: str) -> dict[str, Path]:
    """Return the file of each submission in a folder, by the name of the team."""
    found: dict[str, Path] = {}
    for each in visible(folder):
        if not each.is_dir():
            remedy = f"a submission is a folder TEAM - N submission with {file}"
            raise DataError("a file among the folders of submissions", path=each, remedy=remedy)
        if not has_file(each / file):
            names = [entry.name for entry in visible(each)]
            raise DataError(f"no {file} is here", path=each, remedy=did_you_mean(file, names, "add it"))
        name = " ".join(each.name.split())
        team = _TEAM.fullmatch(name)
        name = team[1] if team else name
        if name in found:
            what = f"a second submission of {name}, the other is {found[name].parent}"
            raise DataError(what, path=each, remedy="keep one, the task ranked one for each team")
        found[name] = each / file
    return found


def check_own_pair(file: TextFile, pairs: Iterable[str], pair: str, *, line: int) -> None:
    """Raise a `DataError` if a submission in the folder of a language pair has another one, from `line` on."""
    other = next((each for each in pairs if each != pair), None)
    if other is not None:
        at = next((at for at, text in enumerate(file.lines, 1) if at >= line and text.startswith(f"{other}\t")), line)
        remedy = "move the file to the folder of its language pair"
        raise file.error(f"LP '{other}' in a folder named {pair}", line=at, remedy=remedy)


def with_dropped(readings: Sequence[Reading], dropped: Sequence[Dropped]) -> Sequence[Reading]:
    """Return readings; the last one counts what none of them has."""
    last = readings[-1]
    return [*readings[:-1], attrs.evolve(last, dropped=(*last.dropped, *dropped))]
