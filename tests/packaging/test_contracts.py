"""The contracts on imports cover every module and every plugin, and a violation is found."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from qeframe.core.batch import Batch


@pytest.fixture(scope="module")
def project(root) -> dict[str, Any]:
    return tomllib.loads(root.joinpath("pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def distributions(root) -> list[str]:
    """Return the names of the folders of plugins that are distributions of their own."""
    return sorted(file.parent.name for file in (root / "plugins").glob("*/pyproject.toml"))


@pytest.fixture(scope="module")
def plugins(root) -> list[str]:
    return sorted(folder.parent.name for folder in (root / "plugins").glob("*/__init__.py"))


def test_every_plugin_is_declared_by_the_public_door(project, plugins, root):
    layers = {path.parent.name for path in (root / "qeframe").glob("*/hooks.py")}
    declared = {f"qeframe_{layer}": f"qeframe.{layer}.hooks" for layer in layers} | dict(
        zip(plugins, plugins, strict=True)
    )
    assert project["project"]["entry-points"] == {"qeframe.v2": declared}


def test_every_plugin_is_under_contract(project, plugins, distributions):
    linter = project["tool"]["importlinter"]
    assert sorted(linter["root_packages"]) == sorted(["qeframe", *plugins, *distributions])
    assert [contract["name"] for contract in linter["contracts"]] == list(CONTRACTS.values())


def test_a_distribution_of_its_own_is_made_like_one_of_a_third_party(root, distributions):
    """It has an entry point, a README, tests and a record of its numbers or none; qeframe names it nowhere."""
    for name in distributions:
        folder = root / "plugins" / name
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        assert "qeframe" in project["dependencies"]
        (points,) = project["entry-points"].values()
        assert [value.partition(".")[0] for value in points.values()] == [name]
        assert (folder / "README.md").is_file()
        assert [*(folder / "tests").glob("test_*.py")]
        built_in = [
            path for path in (root / "plugins").rglob("*.py") if path.relative_to(root).parts[1] not in distributions
        ]
        texts = [path.read_text("utf-8") for path in [*(root / "qeframe").rglob("*.py"), *built_in]]
        assert not [text for text in texts if name in text]


def _names_from_kinds(path: Path) -> set[tuple[str, str]]:
    """Return what a module imports from `qeframe.kinds`: module and name, "" for the module itself."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    modules = {(alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names = {(str(n.module), alias.name) for n in nodes if isinstance(n, ast.ImportFrom) for alias in n.names}
    return {pair for pair in modules | names if pair[0].startswith("qeframe.kinds")}


def test_no_kind_of_batch_is_named_outside_of_the_kinds_and_the_doors(root):
    """What a built-in kind of batch gets, a third party's kind gets: no layer asks for a class."""
    named = []
    for path in sorted((root / "qeframe").rglob("*.py")):
        if path.relative_to(root / "qeframe").parts[0] not in ("kinds", "plugin"):
            for module, name in _names_from_kinds(path):
                value = getattr(import_module(module), name, None)
                if not name or (isinstance(value, type) and issubclass(value, Batch)):
                    named.append(f"{path.relative_to(root)}: {module}.{name}")
    assert named == []


@pytest.fixture
def lint(root, distributions, tmp_path):
    """Lint a copy of the project after lines were added to some files."""
    pytest.importorskip("importlinter", reason="import-linter is not installed: pip install -e '.[lint]'")
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name in ("qeframe", "plugins"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))

    def after(**added: str) -> tuple[int, list[str]]:
        for path, line in added.items():
            with Path(tmp_path, path).open("a", encoding="utf-8") as file:
                file.write(f"\n\ndef _late() -> None:\n    {line}\n")
        places = [tmp_path, *(tmp_path / "plugins" / name for name in ("", *distributions))]
        code = (
            f"import sys; sys.path[:0] = {[str(place) for place in places]!r}\n"
            "from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
        )
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert "\nContracts: " in done.stdout, done.stdout + done.stderr
        broken = re.findall(r"^(.+) BROKEN(?: \(\d+ ignored imports\))?$", done.stdout, re.MULTILINE)
        return done.returncode, broken

    return after


@pytest.mark.slow
def test_the_contracts_hold(lint):
    assert lint() == (0, [])


CONTRACTS = {
    "kernel": "The kernel imports nothing of qeframe",
    "plugins": "Plugins import the doors of qeframe.plugin and not each other",
    "layers": "Imports in qeframe go one way",
}
"""The contracts by short names, in their order."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "line", "contracts"),
    [
        ("qeframe/core/contest.py", "import qeframe_wmt", ("kernel", "plugins", "layers")),
        ("qeframe/core/contest.py", "import qeframe.assembly.parts", ("kernel", "layers")),
        ("qeframe/core/batch.py", "import qeframe.kinds.texts.batch", ("kernel", "layers")),
        ("qeframe/core/task.py", "import qeframe.plugin", ("kernel", "layers")),
        ("qeframe/cli/app.py", "import qeframe_wmt", ("plugins", "layers")),
        ("qeframe/cli/app.py", "import qeframe.plugin.readers", ("layers",)),
        ("qeframe/__init__.py", "import qeframe_wmt", ("plugins", "layers")),
        ("plugins/qeframe_wmt/readers/sentence/score_columns.py", "from qeframe_scoring import mean", ("plugins",)),
        ("plugins/qeframe_scoring/mean_errors.py", "import qeframe.core.errors", ("plugins",)),
        ("plugins/qeframe_scoring/mean_errors.py", "import qeframe.errors", ("plugins",)),
        ("plugins/qeframe_preferences/qeframe_preferences/sections.py", "import qeframe.core.errors", ("plugins",)),
        ("plugins/qeframe_preferences/qeframe_preferences/sections.py", "import qeframe_scoring", ("plugins",)),
        ("plugins/qeframe_codabench/qeframe_codabench/scoring.py", "import qeframe.core.errors", ("plugins",)),
        ("qeframe/cli/app.py", "import qeframe_preferences", ("plugins", "layers")),
        ("qeframe/report/layouts/tsv.py", "import qeframe.cli", ("layers",)),
        ("qeframe/without_a_package.py", "pass", ("layers",)),
    ],
)  # fmt: skip
def test_a_violation_breaks_these_contracts_and_no_other(lint, path, line, contracts):
    code, broken = lint(**{path: line})
    assert code == 1
    assert broken == [CONTRACTS[name] for name in contracts]
