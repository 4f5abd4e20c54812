"""A result: how often each letter of an alphabet occurs in a file, which notebooks show."""

from html import escape
from pathlib import Path

from attrs import frozen

from qeframe.plugin.readers import read_text_lines


@frozen(repr=False, str=False)
class LetterCounts:
    """How often each letter of an alphabet occurs in a file."""

    counts: dict[str, int]

    def __repr__(self) -> str:
        return ", ".join(f"{letter}: {count}" for letter, count in self.counts.items())

    def _repr_html_(self) -> str:
        rows = (f"<tr><td>{escape(letter)}</td><td>{count}</td></tr>" for letter, count in self.counts.items())
        return f"<table>{''.join(rows)}</table>"


def count_letters(path: Path, alphabet: str = "ABC") -> LetterCounts:
    """Count the letters in a file."""
    text = "".join(read_text_lines(path).lines)
    return LetterCounts({letter: text.count(letter) for letter in alphabet})
