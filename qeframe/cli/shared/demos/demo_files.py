"""Generated shared tasks for ``qeframe demo``: files in the formats of real tasks, without a download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from qeframe.batches.base import BoolArray, FloatArray, IntArray
from qeframe.cli.shared.demos.demo_documents import annotated_documents
from qeframe.cli.shared.demos.demo_preferences import decided_pairs, scored_pairs
from qeframe.cli.shared.demos.wmt26_demo_files import wmt26_files
from qeframe.errors import DataError
from qeframe.kinds.tags import bad_runs

__all__ = ["write_demo"]

Files = dict[str, str]


def write_demo(task: str, out: Path, seed: int) -> tuple[str, Path]:
    """Write the files of a generated task.

    Parameters
    ----------
    task : str
        "sentence", "word", "document_annotations", "judgebench", "rewardbench", "wmt26_task1", "wmt26_task2" or
        "wmt26_task3".
    out : Path
        The files are written into the folder ``task`` in it.
    seed : int
        Equal seeds give equal files.

    Returns
    -------
    profile : str
        The name of the profile to evaluate the files with.
    folder : Path
        The folder of the files.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    profile, generate = _TASKS[task]
    folder = out / "task"
    try:
        for name, text in generate(np.random.default_rng(seed)).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        remedy = "name another folder for --out"
        raise DataError(f"cannot be written: {error.strerror}", path=folder, remedy=remedy) from error
    return profile, folder


_SYSTEMS: Mapping[str, tuple[float, float, float]] = {
    # correlation with the gold, then location and scale of the answers, which do not make a system better
    "Aster-ensemble": (0.62, 0.0, 0.9),
    "Aster-single": (0.60, 0.0, 0.8),
    "Birch-large": (0.57, 0.08, 1.3),
    "Cedar-tree": (0.50, -0.03, 0.45),
    "Dune": (0.46, 0.0, 1.0),
    "Elm-sparse": (0.41, 0.12, 0.6),
    "Fern-lite": (0.22, 0.05, 1.6),
    "baseline": (0.33, 0.0, 0.5),
}


def _sentence(rng: np.random.Generator, units: int = 500) -> Files:
    """Return a sentence-level task: gold assessments from 0 to 1 and eight systems, two of them of one team."""
    gold = rng.beta(3.2, 1.2, units)
    standard = (gold - gold.mean()) / gold.std()
    shared, team = rng.standard_normal((2, units))
    files = {"gold.da": _lines(gold)}
    for name, (r, shift, scale) in _SYSTEMS.items():
        noise = 0.5 * shared + (0.75 * team if name.startswith("Aster") else 0.0)
        noise = noise + np.sqrt(1 - noise.var()) * rng.standard_normal(units) if noise.var() < 1 else noise
        answer = r * standard + np.sqrt(1 - r**2) * noise
        answer = np.clip(gold.mean() + shift + scale * gold.std() * answer, None, 1.0)
        files[f"submissions/{name}.txt"] = _lines(answer)
    return files


def _lines(values: FloatArray) -> str:
    return "".join(f"{value:.6f}\n" for value in values)


_TAGGERS: Mapping[str, tuple[float, float]] = {
    # share of BAD words tagged BAD, share of OK words tagged BAD
    "Hazel-large": (0.52, 0.050),
    "Hazel-small": (0.45, 0.045),
    "Iris": (0.60, 0.120),
    "Juniper-careful": (0.20, 0.006),
    "Kale-eager": (0.85, 0.450),
    "baseline": (0.35, 0.100),
}
_BAD_RATE, _BAD_RUN = 0.18, 2.2


def _word(rng: np.random.Generator, sentences: int = 600) -> Files:
    """Return a word-level task: gold tags with BAD words in runs, and six submissions."""
    lengths = np.maximum(np.rint(rng.normal(20, 7, sentences)), 1).astype(np.int64)
    gold = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)
    files = {"gold.tags": _tag_lines(gold, lengths)}
    for name, (recall, false_alarms) in _TAGGERS.items():
        bad = rng.random(len(gold)) < np.where(gold, recall, false_alarms)
        files[f"submissions/{name}.tags"] = _tag_lines(bad, lengths)
    return files


def _tag_lines(bad: BoolArray, lengths: IntArray) -> str:
    tags = np.where(bad, "BAD", "OK")
    return "".join(" ".join(sentence) + "\n" for sentence in np.split(tags, np.cumsum(lengths)[:-1]))


_TASKS: Mapping[str, tuple[str, Callable[[np.random.Generator], Files]]] = {
    "sentence": ("qe_sentence", _sentence),
    "word": ("qe_word", _word),
    "document_annotations": ("wmt19_qe_document_annotations", annotated_documents),
    "judgebench": ("judgebench", decided_pairs),
    "rewardbench": ("rewardbench", scored_pairs),
    **{f"wmt26_task{task}": (f"wmt26_task{task}", partial(wmt26_files, task=task)) for task in (1, 2, 3)},
}
