"""The tasks of quality estimation: how their files are read, and where these lie.

A `Form` reads one file of gold and one file of a submission. Where they lie is the same for all forms: in task folders,
or in the repository of a year, as published or as cloned.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import attrs
from attrs import field, frozen

from qeframe.plugin import Batch, Best, DataError
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    Submitted,
    TableColumns,
    TextFile,
    UnitValues,
    check_pairs,
    find_tasks,
    input_of,
    read_text_lines,
)
from qeframe_wmt.formats.repositories import (
    LeftOut,
    Published,
    SubmittedFile,
    find_published,
    gold_paths,
    hallucinations_of_2023,
    is_clone,
    is_published,
    submitted_files,
)
from qeframe_wmt.formats.tables import pairs_in

Golds = Mapping[str, tuple[TextFile, Submitted]]
"""The gold of each language pair, and its file."""


@frozen(kw_only=True, eq=False)
class Found:
    """The files of one task: gold, and answers to it.

    `listed`: the file that names the segments of a clone that are left out, and `left_out` these.
    `files`: those of the submissions.
    `as_published`: whether they are of a repository as published, in which names of files only end alike.
    """

    name: str
    file: TextFile
    gold: Submitted
    answers: Sequence[tuple[TextFile, Submitted]]
    files: Sequence[TextFile]
    listed: TextFile | None = None
    left_out: frozenset[int] = frozenset()
    as_published: bool = False

    def reading(
        self, kind: type[Batch], best: Best, root: Path, *, more: Iterable[TextFile] = (), **fields: Any
    ) -> Reading:
        """Return the reading; `more` are further files, and `fields` those of `Reading`."""
        files = (self.file, *([self.listed] if self.listed else []), *self.files, *more)
        usual: dict[str, Any] = {"submissions": tuple(part.answers for _, part in self.answers)}
        return Reading(
            name=self.name,
            kind=kind,
            gold=self.gold.answers,
            best=best,
            inputs=tuple(input_of(file, root) for file in files),
            **usual | fields,
        )


@frozen(kw_only=True)
class Form(ABC):
    """How the files of a task are read.

    `header`: the number of lines before the table of a submission. `gold_name`: the name of the file of gold in a task
    folder; empty: it begins with gold. `left_out`: segments to which no answer is read.
    """

    texts: ClassVar[bool] = False  # whether submissions have texts in them
    gold_texts: ClassVar[bool] = False
    together: ClassVar[bool] = False  # whether files have several language pairs, all of which the gold has
    turned: ClassVar[bool] = False  # whether a published submission may have its language pair turned round

    header: int = 0
    gold_name: str = ""
    left_out: LeftOut = field(factory=dict)

    @abstractmethod
    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        """Return the answers in the file of a submission: a part for each language pair that it names."""

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        """Return the gold in a file: of one task, or of each language pair. By default it is written as answers are."""
        return self.answers(file, "gold")

    @abstractmethod
    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        """Return the reading of a task; `root` is the path that was given."""

    def golds_of_clone(self, root: Path, published: Published) -> Golds:
        """Return the gold of each language pair of a clone."""
        paths = gold_paths(root, published.repository, published.golds[published.task])
        files = {pair: read_text_lines(path, texts=True) for pair, path in paths.items()}
        return {pair: (file, self.golds(file)[0]) for pair, file in files.items()}

    def alone(self, path: Path, *, several: bool = False) -> Sequence[Submitted]:
        """Return the answers in one file, which may have `several` language pairs."""
        file = read_text_lines(path, texts=self.texts)
        parts = self.answers(file, path.stem)
        if not several:
            _only_pair(file, parts)
        return parts

    def read(self, path: Path, best: Best, *, published: Sequence[Published] = ()) -> Sequence[Reading]:
        """Read the tasks in a folder, or those that are published in a repository."""
        dropped: list[Dropped] = []
        if published and is_clone(path, published[0].repository):
            found = _cloned(path, self, published[0], dropped)
        elif published and is_published(path):
            found = _published(path, self, published, dropped)
        else:
            found = _in_folders(path, self)
        readings = [self.reading(task, best, path) for task in found]
        if not readings:
            what = f"no language pair of {', '.join(each.task for each in published)} has gold and submissions"
            raise DataError(what, path=path, remedy="give the repository as published, or one of its parts")
        *others, last = readings
        return [*others, attrs.evolve(last, dropped=(*last.dropped, *dropped))]


def parts_of(table: TableColumns, values: UnitValues) -> list[Submitted]:
    """Return the values of a file for each of the language pairs in its column LP."""
    return [Submitted(part=pair, answers=values.take(rows)) for pair, rows in pairs_in(table)]


def _only_pair(file: TextFile, parts: Sequence[Submitted]) -> str:
    """Return the language pair of a file, empty if it names none; raise a `DataError` if it names several."""
    first, other = parts[0].part, next((part for part in parts if part.part != parts[0].part), None)
    if other is not None:
        what = f"LP '{other.part}' after '{first}'"
        raise file.error(what, line=other.answers.line(0), remedy="a file has one LP")
    return first


def _in_folders(root: Path, form: Form) -> Iterator[Found]:
    for task in find_tasks(root, gold=form.gold_name):
        gold = read_text_lines(task.gold, texts=form.gold_texts)
        files = [read_text_lines(path, texts=form.texts) for path in task.submissions]
        golds, parts = form.golds(gold), [form.answers(file, file.path.stem) for file in files]
        if form.together:
            for file, of_file in zip(files, parts, strict=True):
                _check_known(file, of_file, [of_pair.part for of_pair in golds], gold)
        else:
            pairs = [_only_pair(file, of_file) for file, of_file in zip(files, parts, strict=True)]
            if any(pairs):
                check_pairs(files, pairs, task, line=form.header + 1)
        answers = [(file, part) for file, of_file in zip(files, parts, strict=True) for part in of_file]
        for of_pair in golds:
            own = [answer for answer in answers if of_pair.part in ("", answer[1].part)]
            yield Found(name=of_pair.part or task.name, file=gold, gold=of_pair, answers=own, files=files)


def _check_known(file: TextFile, parts: Iterable[Submitted], known: Sequence[str], gold: TextFile) -> None:
    """Raise a `DataError` at the first line whose language pair is none of the gold."""
    other = next((part for part in parts if part.part not in known), None)
    if other is not None:
        what = f"language pair '{other.part}' is not in {gold.path}, which has {', '.join(known)}"
        raise file.error(what, line=other.answers.line(0), remedy="remove the line, or correct it")


def _published(root: Path, form: Form, published: Sequence[Published], dropped: list[Dropped]) -> Iterator[Found]:
    for each in published:
        notes, done = dict[tuple[str, str], Dropped](), set[str]()
        others: list[Dropped] = []
        for gold_task in each.golds:
            task = find_published(root, each, gold_task)
            notes |= {(note.task, note.what): note for note in task.dropped}
            golds = {pair: read_text_lines(path, texts=form.gold_texts) for pair, path in task.golds.items()}
            answers = _answers(form, task.submissions, turned=form.turned)
            others = _without_gold(golds, answers) if each.track else []
            for pair, file in golds.items():
                if own := [answer[1:] for answer in answers if answer[0] == pair]:
                    done.add(pair)
                    (gold,), files = form.golds(file), [text for text, _ in own]
                    yield Found(name=pair, file=file, gold=gold, answers=own, files=files, as_published=True)
                else:
                    notes[pair, "gold"] = _unanswered(pair)
        if len(each.golds) > 1:  # a language pair has one of these golds
            notes = {key: note for key, note in notes.items() if note.task not in done}
        dropped += [*notes.values(), *others]


def _cloned(root: Path, form: Form, published: Published, dropped: list[Dropped]) -> Iterator[Found]:
    listed = None
    if published.repository == "wmt23":
        listed, left_out = hallucinations_of_2023(root)
        form = attrs.evolve(form, left_out=left_out)
    golds = form.golds_of_clone(root, published)
    answers = _answers(form, submitted_files(root, published.task, file=published.file))
    if form.together:
        for _, file, part in answers:
            _check_known(file, [part], list(golds), next(iter(golds.values()))[0])
    if not any(pair in golds for pair, _, _ in answers):
        what = "no submission has a language pair of the gold"
        raise DataError(what, path=root, remedy=f"the gold has {', '.join(golds)}")
    dropped += _without_gold(golds, answers)
    for pair, (file, gold) in golds.items():
        own = [answer[1:] for answer in answers if answer[0] == pair]
        if own or form.together:
            files = list(dict.fromkeys(text for of, text, _ in answers if form.together or of == pair))
            out = form.left_out.get(pair, frozenset())
            yield Found(name=pair, file=file, gold=gold, answers=own, files=files, listed=listed, left_out=out)
        else:
            dropped.append(_unanswered(pair))


Answer = tuple[str, TextFile, Submitted]  # a language pair, and the file and the answers of a submission to it


def _answers(form: Form, sent: Iterable[SubmittedFile], *, turned: bool = False) -> list[Answer]:
    """Return the answers in files, which belong to the language pair of their folder if that has one.

    `turned`: whether a file may have that language pair turned round.
    """
    answers = []
    for each in sent:
        file = read_text_lines(each.path, texts=form.texts)
        for part in form.answers(file, each.name):
            pair = "-".join(reversed(part.part.split("-"))) if turned and part.part != each.pair else part.part
            if each.pair and pair not in ("", each.pair):
                remedy, line = "move the file to the folder of its language pair", part.answers.line(0)
                raise file.error(f"LP '{part.part}' in a folder named {each.pair}", line=line, remedy=remedy)
            answers.append((each.pair or part.part, file, part))
    return answers


def _unanswered(pair: str) -> Dropped:
    return Dropped(pair, "gold", 1, "no submission has this language pair")


def _without_gold(golds: Iterable[str], answers: Iterable[Answer]) -> list[Dropped]:
    """Count the answers to language pairs that have no gold."""
    others = [(pair, part.answers) for pair, _, part in answers if pair not in golds]
    reason = "of {}: no gold of this language pair is here"
    return [Dropped(pair, "answer", len(side.ids), reason.format(side.name)) for pair, side in others]
