"""Code and docs avoid words that the project has given up for plainer ones."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("qeframe", "plugins", "docs")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".md", ".toml"} and "generated" not in path.parts
] + [ROOT / "README.md"]

GIVEN_UP = {
    r"\b(Bench|TaskTrial|AcrossTrial|Panel|Standing)\b": "Sample, Contest, StatisticStack, Scoreboard",
    r"\b(score|sign) of goodness\b|\bGoodness\b": "oriented scores",
    r"\b(arena|camp|bout|affair|entrant|tournament)s?\b": "audit gold, submissions, measurements",
    r"\b(nobody|somebody)\b": "no one, or the subject that acts",
    r"\bstands?\b": "is, or marks",
    r"\bin disguise\b|\bno hope\b|\bdressed up\b|\bother clothes\b": "what is meant",
}
"""Patterns, and what to write instead."""


def test_words_that_were_given_up_do_not_come_back():
    told = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}; write {instead}"
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for pattern, instead in GIVEN_UP.items()
        if re.search(pattern, line)
    ]
    assert not told


def test_the_documentation_has_at_most_55000_words():
    written = [page for page in (ROOT / "docs").rglob("*.md") if not {"generated", "_build"} & set(page.parts)]
    assert sum(len(page.read_text("utf-8").split()) for page in written) <= 55_000
