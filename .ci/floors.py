"""Print the lowest supported version of every dependency, one requirement a line, as pip reads them.

The floors are those of pyproject.toml: what the project needs at run time, then the extras that are named as arguments.
Where two lists name one distribution, the first wins: what runs is tested with the floor of what runs, though the extra
of the tests asks for a newer peer.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["floors"]

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def floors(extras: Iterable[str], path: Path = PYPROJECT) -> Iterator[str]:
    """Yield ``name==floor`` for every dependency of the project and of the extras."""
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    seen = set()
    for listed in [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]:
        for requirement in listed:
            name, _, floor = requirement.partition(">=")
            if name in seen or name.startswith(f"{project['name']}["):
                continue
            if not re.fullmatch(r"[0-9.]+", floor):
                raise SystemExit(f"'{requirement}' in pyproject.toml has no floor; write it as NAME>=VERSION")
            seen.add(name)
            yield f"{name}=={floor}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in floors(sys.argv[1:]))
