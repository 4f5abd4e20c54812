"""The contracts on imports cover every module and every plugin, and a violation is found."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from qeframe.cli.command_tables import TABLES


@pytest.fixture(scope="module")
def project(root) -> dict[str, Any]:
    return tomllib.loads(root.joinpath("pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def plugins(root) -> list[str]:
    return sorted(folder.parent.name for folder in (root / "plugins").glob("*/__init__.py"))


def test_every_plugin_is_declared_by_the_public_door(project, plugins, root):
    layers = {path.parent.name for path in (root / "qeframe").glob("*/hooks.py")}
    commands = {name: f"{name}.commands" for name in plugins if (root / "plugins" / name / "commands.py").exists()}
    hooks = {name: name for name in plugins if name not in commands}
    declared = {f"qeframe_{layer}": f"qeframe.{layer}.hooks" for layer in layers} | hooks
    assert project["project"]["entry-points"] == {"qeframe.v2": declared, "qeframe.commands": commands}
    assert set(commands.values()) < set(TABLES)


def test_every_plugin_is_under_contract(project, plugins):
    linter = project["tool"]["importlinter"]
    assert sorted(linter["root_packages"]) == ["qeframe", *plugins]
    no_plugin, independent, no_lookup, *_ = linter["contracts"]
    for listed in (no_plugin["forbidden_modules"], independent["modules"], no_lookup["source_modules"]):
        assert sorted(listed) == plugins


@pytest.fixture
def lint(root, tmp_path):
    """Lint a copy of the project after lines were added to some files."""
    pytest.importorskip("importlinter", reason="import-linter is not installed: pip install -e '.[lint]'")
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name in ("qeframe", "plugins"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))

    def after(**added: str) -> tuple[int, list[str]]:
        for path, line in added.items():
            with Path(tmp_path, path).open("a", encoding="utf-8") as file:
                file.write(f"\n\ndef _late() -> None:\n    {line}\n")
        code = (
            f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(tmp_path / 'plugins')!r}]\n"
            "from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
        )
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        broken = [line.removesuffix(" BROKEN") for line in done.stdout.splitlines() if line.endswith(" BROKEN")]
        assert " KEPT" in done.stdout, done.stdout + done.stderr
        return done.returncode, broken

    return after


@pytest.mark.slow
def test_the_contracts_hold(lint):
    assert lint() == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "line", "contracts"),
    [
        (
            "qeframe/core/evaluation/run.py",
            "import qeframe_wmt",
            (
                "Nothing in qeframe imports a plugin",
                "No plugin imports another",
                "Nothing in qeframe imports its doors",
                "Imports in qeframe go one way",
                "Imports in qeframe.plugin go one way",
            ),
        ),
        (
            "qeframe/core/evaluation/run.py",
            "import qeframe.task_sets.parts",
            ("Imports in qeframe go one way",),
        ),
        (
            "qeframe/core/evaluation/run.py",
            "import qeframe.api.attacks",
            ("Imports in qeframe go one way",),
        ),
        (
            "plugins/qeframe_wmt/readers/sentence/post_edit_rates.py",
            "from qeframe_scoring import mean",
            ("No plugin imports another",),
        ),
        (
            "plugins/qeframe_scoring/mean_errors.py",
            "import qeframe.core.errors",
            ("Plugins import the doors of qeframe.plugin and nothing else of qeframe",),
        ),
        (
            "qeframe/core/tasks/task.py",
            "import qeframe.plugin",
            (
                "Nothing in qeframe imports its doors",
                "Imports in qeframe go one way",
                "Imports in qeframe.core go one way",
                "Imports in qeframe.core.components go one way",
                "Imports in qeframe.data go one way",
                "Imports in qeframe.kinds go one way",
                "Imports in qeframe.plugin go one way",
            ),
        ),
        (
            "qeframe/core/errors.py",
            "import qeframe.core.components.calls",
            ("Imports in qeframe.core go one way", "Imports in qeframe.core.components go one way"),
        ),
        (
            "qeframe/core/components/calls.py",
            "import qeframe.core.profiles.load",
            (
                "Imports in qeframe.core go one way",
                "Imports in qeframe.core.components go one way",
                "Imports in qeframe.core.profiles go one way",
            ),
        ),
        (
            "qeframe/core/batches/base.py",
            "import qeframe.core.resampling.statistic",
            ("Imports in qeframe.core go one way", "Imports in qeframe.core.resampling go one way"),
        ),
        (
            "qeframe/core/batches/base.py",
            "import qeframe.kinds.texts.batch",
            ("Imports in qeframe go one way", "Imports in qeframe.kinds go one way"),
        ),
        ("qeframe/report/layouts/tsv.py", "import qeframe.cli", ("Imports in qeframe go one way",)),
        ("qeframe/without_a_package.py", "pass", ("Imports in qeframe go one way",)),
    ],
)
def test_a_violation_breaks_these_contracts_and_no_other(lint, path, line, contracts):
    code, broken = lint(**{path: line})
    assert code == 1
    assert broken == list(contracts)
