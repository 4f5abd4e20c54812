"""Files of a test, written from their contents."""

from collections.abc import Iterable, Mapping
from pathlib import Path


def write_files(folder: str | Path, files: Mapping[str, str | bytes | Iterable[object]]) -> Path:
    """Write files by their names in a folder, which is returned: texts, bytes, or values of which each has a line."""
    for name, content in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str | bytes) else "".join(f"{value}\n" for value in content)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Path(folder)
