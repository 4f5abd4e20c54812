"""The files of a new plugin."""

import tomllib

import pytest

from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.cli.new_plugins.writing import _PLACEHOLDERS as WORDS
from qeframe.cli.new_plugins.writing import module_name, plugin_files, write_plugin
from qeframe.core.errors import DataError


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


def named(name, kind, registry):
    return module_name(name, kind, templates_of(kind), registry)


def test_hyphens_become_underscores(registry):
    assert named("word-order_2", "metric", registry) == "word_order_2"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("pearson", "metric", "there is a metric 'pearson' already, of plugin 'qeframe_scoring'"),
        ("williams", "test", "there is a significance test 'williams' already"),
        ("wmt14", "tie-policy", "there is a tie policy 'wmt14' already"),
        ("qe-word", "profile", "there is a profile 'qe_word' already"),
        ("extreme", "test", None),
        ("check-plugin", "command", "there is a command 'check_plugin' already, of qeframe"),
        ("check-plugins", "command", None),
        ("rank", "ranking-rule", "'rank' has a meaning in the module to be written"),
        ("my plugin", "reader", "use lower case, digits, and hyphens between words: my-reader"),
    ],
)
def test_names_that_exist(registry, name, kind, message):
    if message is None:
        assert named(name, kind, registry) == name.replace("-", "_")
        return
    with pytest.raises(DataError, match=message):
        named(name, kind, registry)


def test_a_name_of_one_kind_is_free_for_another(registry):
    assert named("williams", "metric", registry) == "williams"
