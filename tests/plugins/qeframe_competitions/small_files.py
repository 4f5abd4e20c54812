"""Files of small tasks of two language pairs, and the folders that a platform lays out."""

from pathlib import Path

from qeframe_competitions.scoring_program import main

SENTENCE, WORD = "wmt22_qe_sentence_da", "wmt22_qe_word"
GOLD = {"en-de": [0.5, -1.25, 2.0, 0.125], "en-cs": [1.5, -0.5, 0.25, 0.0]}
GUESSES = {
    "baseline": {"en-de": [0.25, -1.0, 1.5, 0.5], "en-cs": [1.0, -1.0, 0.5, 0.75]},
    "team": {"en-de": [0.5, 0.25, 1.0, -1.0], "en-cs": [0.1, 0.2, 0.3, 0.4]},
}


def scores(pair: str, values: list[float]) -> str:
    rows = "".join(f"{pair}\tmodel\t{number}\t{value}\n" for number, value in enumerate(values))
    return f"1000\n2000\n1\n{rows}"


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
        (root / name).write_text(text, encoding="utf-8")
    return root


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
