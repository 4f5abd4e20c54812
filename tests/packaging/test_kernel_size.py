"""The kernel stays small, and so does the first door."""

import re
from pathlib import Path

import qeframe.core
import qeframe.plugin

EXAMPLES = re.compile(r'("""[^\n]+)?(\n\n    Examples\n    --------\n.*?)(\n    )"""', re.DOTALL)
"""The sections of examples in docstrings, with the first line of those that have no other: they are run as tests."""


def without_examples(text: str) -> str:
    """Return a module as it would be without them."""
    return EXAMPLES.sub(lambda match: f'{match[1]}"""' if match[1] else f'{match[3]}"""', text)


def test_the_kernel_has_at_most_12000_lines():
    folder = Path(qeframe.core.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    lines = sum(len(without_examples(text).splitlines()) for text in texts)
    assert lines <= 12_000


def test_the_first_door_has_at_most_45_names():
    assert len(qeframe.plugin.__all__) <= 45
