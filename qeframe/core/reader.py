"""`Reader`: a format of shared-task files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, Best, read_only_mapping
from qeframe.core.component import Component, check_field, check_functions
from qeframe.core.reading import Reading, Written
from qeframe.core.submission_format import SubmissionFormat

T = TypeVar("T")
Files = Mapping[str, str | bytes]
"""The content of each file of a task by its relative path."""


@frozen(kw_only=True)
class ExampleRequest:
    """What the generated task of a reader should have; a layout that cannot have it has what is nearest.

    Parameters
    ----------
    seed : int
        Equal requests give equal files.
    units : int
        The units of a language pair.
    pairs : int
        The number of language pairs. A layout of folders has a single one in PATH itself.
    submissions : int
        The number of submissions beside the baselines.
    baselines : tuple of str
        Their names.
    best : {"low", "high"}
        The better end of the gold scale.
    names : tuple of str
        The names of the submissions, so that those of several layouts are the same. Empty: the layout's own.
    """

    seed: int = 2015
    units: int = 12
    pairs: int = 1
    submissions: int = 3
    baselines: tuple[str, ...] = ()
    best: Best = "low"
    names: tuple[str, ...] = ()

    def rng(self) -> np.random.Generator:
        """Return a new generator of random numbers from the seed."""
        return np.random.default_rng(self.seed)

    def with_baselines(self, known: Mapping[str, T], baseline: T) -> dict[str, T]:
        """Return the first of the known submissions, then the baselines, with what makes each good."""
        good = dict(zip(self.names or known, known.values(), strict=False))
        return {**dict(list(good.items())[: self.submissions]), **dict.fromkeys(self.baselines, baseline)}

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """Names for the language pairs, where the layout does not name them."""
        return _LANGUAGE_PAIRS[: self.pairs]

    def in_folders(self, task: Callable[[np.random.Generator, str], Files]) -> Files:
        """Return the files of a layout with a folder for each language pair; a single one is in PATH itself.

        Parameters
        ----------
        task : callable
            From a generator, the same for all pairs, and the name of a language pair to the files in its folder.
        """
        if self.pairs == 1:
            return self.in_tree(task)
        return self.in_tree(lambda rng, pair: {f"{pair}/{name}": text for name, text in task(rng, pair).items()})

    def in_tree(self, task: Callable[[np.random.Generator, str], Files]) -> Files:
        """Return the files of a layout with a tree of its own; `task` gives their paths."""
        rng = self.rng()
        return {name: text for pair in self.language_pairs for name, text in task(rng, pair).items()}


_LANGUAGE_PAIRS = ("en-cs", "en-de", "ro-en", "zh-en")
"""The language pairs of generated tasks."""


Generator = Callable[[ExampleRequest], Files]


def _read_only(example: Generator | Files | None) -> Generator | Files | None:
    return read_only_mapping(example) if isinstance(example, Mapping) else example


@frozen(kw_only=True, repr=False)
class Reader(Component):
    """A format of shared-task files.

    Parameters
    ----------
    kind : type
        The kind of batch in the tasks that it reads.
    read : callable
        From a path and the better end of the gold scale ("low" or "high") to one `Reading` for each task.
    example : callable or mapping, optional
        From an `ExampleRequest` to a small task, for the laws and for whole runs: the content of each file by its
        relative path. A single file is read itself, several as a folder. A mapping is a task that is always the same.
        None or empty: nothing is tried.
    submission : SubmissionFormat, optional
        How one file of a submission is read without the gold. None: it cannot be read alone.
    folder : str
        The folder in PATH that is read, for a part of a task set; a plugin leaves it empty.
    write : callable, optional
        From the readings of all tasks, each of one of the kinds in `writes`, to `Written`: the layout as ``qeframe
        export`` writes it. Submissions that were computed from texts are in the readings. It raises a `DataError` for a
        task that the layout cannot hold. None: the layout is read only.
    writes : tuple of type
        The kinds of batch that `write` can write, also those that other readers read. Empty: `kind` alone.
    """

    kind: type[Batch]
    read: Callable[[Path, Best], Sequence[Reading]]
    example: Generator | Files | None = field(default=None, converter=_read_only)
    submission: SubmissionFormat | None = None
    folder: str = ""
    write: Callable[[Sequence[Reading]], Written] | None = None
    writes: tuple[type[Batch], ...] = ()

    def __attrs_post_init__(self) -> None:
        is_batch = isinstance(self.kind, type) and issubclass(self.kind, Batch)
        check_field(self, "kind", is_batch, "a class of batches")
        check_field(self, "read", callable(self.read), "a function of a path")
        is_format = self.submission is None or isinstance(self.submission, SubmissionFormat)
        check_field(self, "submission", is_format, "a SubmissionFormat")
        check_functions(self, "write")
        are_kinds = isinstance(self.writes, tuple) and all(
            isinstance(k, type) and issubclass(k, Batch) for k in self.writes
        )
        check_field(self, "writes", are_kinds, "a tuple of classes of batches")

    def write_example(self, folder: Path, request: ExampleRequest | None = None) -> Path | None:
        """Write a generated task into a folder.

        Returns
        -------
        Path or None
            What is given to `read`: the only file, or the folder of several. None: the reader generates no task.
        """
        if not self.example:
            return None
        files = self.example if isinstance(self.example, Mapping) else self.example(request or ExampleRequest())
        folder /= self.folder
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        only = next(iter(files))
        return folder / only if len(files) == 1 and "/" not in only else folder
