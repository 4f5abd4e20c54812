"""The files of a new plugin."""

import tomllib

import pytest
import yaml

from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.cli.new_plugins.writing import _PLACEHOLDERS as WORDS
from qeframe.cli.new_plugins.writing import GATE, add_to_plugin, is_plugin, module_name, plugin_files, write_plugin
from qeframe.core.errors import DataError


@pytest.mark.parametrize("kind", KINDS)
def test_the_entry_point_names_a_module_that_is_written(registry, kind):
    files = plugin_files("word-order", registry, kind=kind)
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["entry-points"]["qeframe.v2"] == {"word_order": "word_order"}
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


def test_hyphens_become_underscores_and_a_name_of_another_kind_is_free(registry):
    assert named("word-order_2", "metric", registry) == "word_order_2"
    assert named("williams", "metric", registry) == "williams"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("pearson", "metric", "there is a metric 'pearson' already, of plugin 'qeframe_scoring'"),
        ("williams", "test", "there is a significance test 'williams' already"),
        ("wmt14", "tie-policy", "there is a tie policy 'wmt14' already"),
        ("qe-word", "profile", "there is a profile 'qe_word' already"),
        ("extreme", "test", None),
        ("answer", "attack", "'answer' has a meaning in the module to be written"),
        ("my plugin", "reader", "use lower case, digits, and hyphens between words: my-reader"),
    ],
)
def test_names_that_exist(registry, name, kind, message):
    if message is None:
        assert named(name, kind, registry) == name.replace("-", "_")
        return
    with pytest.raises(DataError, match=message):
        named(name, kind, registry)


@pytest.fixture
def folder(tmp_path, registry):
    write_plugin("word-order", tmp_path / "word-order", registry, kind="reader")
    return tmp_path / "word-order"


def project(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_a_component_of_every_kind(folder, registry, kind):
    before = {path: path.read_text() for path in folder.rglob("*") if path.is_file()}
    added = add_to_plugin("my-own", folder, registry, kind=kind)
    assert all(path.is_file() for path in added)
    points = project(folder)["project"]["entry-points"]
    assert points["qeframe.v2"] == {"my_own": "my_own", "word_order": "word_order"}
    source = "my_own" if KINDS[kind].package else "my_own.py"
    wheel = project(folder)["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert wheel == [source, "word_order.py"]
    assert (folder / source).exists()
    page = (folder / "README.md").read_text()
    assert page.startswith(before[folder / "README.md"].rstrip())
    assert "\n## my_own\n" in page
    assert "check-plugin my-own" not in page
    assert all(path.read_text() == text for path, text in before.items() if path.suffix == ".py")
    assert any(path.name.startswith("test_my_own_") for path in added)


def test_a_workflow_without_a_gate_gets_one(tmp_path, registry):
    folder, workflow = tmp_path / "counts", tmp_path / "counts/.github/workflows/tests.yml"
    write_plugin("unit-counts", folder, registry, kind="reader")
    workflow.write_text(workflow.read_text().replace(GATE.format("unit-counts"), ""))
    add_to_plugin("my-own", folder, registry, kind="metric")
    steps = yaml.safe_load(workflow.read_text())["jobs"]["tests"]["steps"]
    assert [step["run"] for step in steps[-2:]] == [
        "qeframe check-plugin unit-counts --fail-on-undeclared",
        "qeframe lock --plugin unit-counts --gaming --check components.json",
    ]
    assert workflow not in add_to_plugin("my-other", folder, registry, kind="metric")


def test_a_project_with_another_build_and_nothing_else(tmp_path, registry):
    text = "[project]\nname = 'bare'\n[project.entry-points.'qeframe.v2']\na = 'b'\n# the end\n"
    (tmp_path / "pyproject.toml").write_text(text)
    assert is_plugin(tmp_path)
    add_to_plugin("my-own", tmp_path, registry, kind="metric")
    assert project(tmp_path)["project"]["entry-points"]["qeframe.v2"] == {"my_own": "my_own", "a": "b"}
    assert (tmp_path / "pyproject.toml").read_text().endswith("\n# the end\n")
    assert "qeframe check-plugin bare" in (tmp_path / ".github/workflows/tests.yml").read_text()


def test_what_cannot_be_added_is_refused_and_nothing_changes(folder, registry):
    add_to_plugin("my-own", folder, registry, kind="metric")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(
        DataError, match=r"my_own.py: is there already, and nothing is overwritten; choose another name"
    ):
        add_to_plugin("my-own", folder, registry, kind="attack")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    points = 'entry-points = {"qeframe.v2" = {word_order = "word_order"}}'
    (folder / "pyproject.toml").write_text(f'[project]\nname = "word-order"\n{points}\n')
    with pytest.raises(DataError, match=r"pyproject.toml: the entry points are written in another form; make a table"):
        add_to_plugin("my-other", folder, registry, kind="metric")


def test_folders_that_are_no_plugin(tmp_path):
    assert not is_plugin(tmp_path)
    for text in ("[project]\nname = 'a'", "[[", "[project]\nentry-points = 3"):
        (tmp_path / "pyproject.toml").write_text(text)
        assert not is_plugin(tmp_path)
