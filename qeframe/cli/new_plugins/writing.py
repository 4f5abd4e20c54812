"""Write the files of a new plugin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.cli.new_plugins.names import module_name
from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError


def plugin_files(name: str, registry: Registry, *, kind: str = "metric") -> Mapping[str, str]:
    """Return the files of a new distribution by path.

    Parameters
    ----------
    name : str
        The name of the distribution: lower case, digits, and hyphens or underscores between words. The module, the
        entry point and the component have the same name, with underscores.
    registry : Registry
        The plugins and components that exist.
    kind : str
        A key of `KINDS`.

    Raises
    ------
    DataError
        If the name has another form, or if a module, a plugin or a component of the kind has it already.
    """
    templates = templates_of(kind)
    module = module_name(name, kind, templates, registry)
    words = {
        "distribution": name,
        "module": module,
        "command": module.replace("_", "-"),
        "group": KINDS[kind].group,
        "noun": KINDS[kind].noun,
        "article": "An" if KINDS[kind].noun[0] in "aeiou" else "A",
        "source": module if KINDS[kind].package else f"{module}.py",
    }
    return {path.replace("__module__", module): Template(text).substitute(words) for path, text in templates.items()}


def write_plugin(name: str, folder: Path, registry: Registry, *, kind: str = "metric") -> list[Path]:
    """Write a new distribution into a folder that does not exist or is empty.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    DataError
        As for `plugin_files`; also if the folder has files, or cannot be written to.
    """
    files = plugin_files(name, registry, kind=kind)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError("is there already, and nothing is overwritten", path=folder, remedy="name another --out")
    written = [folder / path for path in files]
    try:
        for path, text in zip(written, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=folder, remedy="name another --out") from error
    return written
