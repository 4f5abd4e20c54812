"""Files of small tasks of two language pairs, and the folders that a platform lays out."""

from pathlib import Path

from qeframe_codabench.bundle import Options, Prepared, bundle_files
from qeframe_codabench.scoring import main

SENTENCE, WORD = "wmt22_qe_sentence_da", "wmt22_qe_word"
MQM = ("selection=", "gold=mqm")
"""Settings for the scores of metrics."""
GOLD = {"en-de": [0.5, -1.25, 2.0, 0.125], "en-cs": [1.5, -0.5, 0.25, 0.0]}
GUESSES = {
    "baseline": {"en-de": [0.25, -1.0, 1.5, 0.5], "en-cs": [1.0, -1.0, 0.5, 0.75]},
    "team": {"en-de": [0.5, 0.25, 1.0, -1.0], "en-cs": [0.1, 0.2, 0.3, 0.4]},
}


def scores(pair: str, values: list[float]) -> str:
    rows = "".join(f"{pair}\tmodel\t{number}\t{value}\n" for number, value in enumerate(values))
    return f"1000\n2000\n1\n{rows}"


def answers(name: str = "team", **changed: str) -> dict[str, str]:
    """Return the files of a submission; those of some target languages may be others."""
    return {f"{pair}.txt": changed.get(pair[3:]) or scores(pair, values) for pair, values in GUESSES[name].items()}


def words(pair: str, sentences: list[str]) -> str:
    rows = [
        f"{pair}\tmodel\tmt\t{number}\t{index}\tw{index}\t{tag}\n"
        for number, tags in enumerate(sentences)
        for index, tag in enumerate(tags.split())
    ]
    return "1000\n2000\n1\n" + "".join(rows)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8", newline="")
    return root


def sentence_task(root: Path) -> Path:
    files = {f"{pair}/gold.da": "".join(f"{value}\n" for value in values) for pair, values in GOLD.items()}
    for name, by_pair in GUESSES.items():
        files |= {f"{pair}/submissions/{name}.txt": scores(pair, values) for pair, values in by_pair.items()}
    return write(root, {**files, "notes.txt": "not a task"})


def word_task(root: Path) -> Path:
    return write(
        root,
        {
            "en-de/gold.tags": "OK BAD OK\nOK OK\n",
            "en-de/mt_tok": "w0 w1 w2\nw0 w1\n",
            "en-de/submissions/baseline.txt": words("en-de", ["OK BAD BAD", "OK OK"]),
            "en-de/submissions/team.txt": words("en-de", ["BAD BAD OK", "OK BAD"]),
        },
    )


def metric_task(root: Path) -> Path:
    systems = {"A": [3, 2, 4, 1], "B": [1, 4, 2, 3], "C": [2, 1, 3, 4]}

    def lines(shift: float, *, missing: bool = False) -> str:
        cells = [
            (name, value * shift + number) for name, values in systems.items() for number, value in enumerate(values)
        ]
        if missing:
            return "".join(f"{name}\t{'None' if i % 4 == 3 else value}\n" for i, (name, value) in enumerate(cells))
        return "".join(f"{name}\t{value}\n" for name, value in cells)

    files = {"human-scores/en-de.da.seg.score": lines(-1.0), "human-scores/en-de.mqm.seg.score": lines(1, missing=True)}
    files |= {"metric-scores/en-de/M-src.seg.score": lines(0.5), "metric-scores/en-de/N-src.seg.score": lines(-0.25)}
    return write(root, files)


PLACES = {"scoring_program": "program", "reference_data": "input/ref", "starting_kit": "kit"}


def lay_out(prepared: Prepared, root: Path) -> None:
    """Write the folders of a bundle where a platform, and an author, have them; the rest among the pages."""
    for path, content in bundle_files(prepared, Options(), {}).items():
        top, _, below = path.partition("/")
        place = root / PLACES.get(top, "pages") / (below or top)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


class Platform:
    """The folders that a platform lays out."""

    def __init__(self, root: Path):
        self.root = root
        self.results = root / "input" / "res"
        self.output = root / "output"

    def score(self, files: dict[str, str] | None = None) -> int:
        if files is not None:
            write(self.results, files)
        return main(self.root / "program", [str(self.root / "input"), str(self.output)])

    @property
    def page(self) -> str:
        return (self.output / "detailed_results.html").read_text(encoding="utf-8")
