"""The files of a new plugin."""

import tomllib

import pytest

from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.cli.new_plugins.names import _PLACEHOLDERS as WORDS
from qeframe.cli.new_plugins.writing import plugin_files, write_plugin


@pytest.mark.parametrize("kind", KINDS)
def test_the_entry_point_names_a_module_that_is_written(registry, kind):
    files = plugin_files("word-order", registry, kind=kind)
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["entry-points"][KINDS[kind].group] == {"word_order": "word_order"}
    (included,) = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert any(path == included or path.startswith(f"{included}/") for path in files)
    assert not any("__module__" in path for path in files)
    assert not any(f"${word}" in text or f"${{{word}" in text for text in files.values() for word in WORDS)
    assert KINDS[kind].noun in project["project"]["description"]


def test_files_are_written_as_they_are(registry, tmp_path):
    written = write_plugin("word-order", tmp_path / "new", registry, kind="profile")
    files = plugin_files("word-order", registry, kind="profile")
    assert {path.relative_to(tmp_path / "new").as_posix(): path.read_text() for path in written} == files
