"""A machine with the wheel of the project, on which distributions of third parties are installed and removed again."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from tests.written import write_files

ROOT = Path(__file__).parents[2]
VENV_PROGRAMS = "Scripts" if os.name == "nt" else "bin"


@frozen
class Machine:
    """A virtual environment of its own; nothing of the one that runs the tests is visible in it.

    It has no pip, which takes seconds to install: that of another environment is run by its Python. Where `tools` is
    given, the packages in that folder are there too.
    """

    folder: Path
    installer: Path
    tools: str = ""

    def run(self, program: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, away from the sources of the project."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QEFRAME", "COV_"))}
        return subprocess.run(
            [str(self.folder / VENV_PROGRAMS / program), *map(str, arguments)], cwd=self.folder,
            env={**inherited, "PYTHONUTF8": "1", "PYTHONPATH": self.tools, **variables},
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip

    def python(self, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python code."""
        return self.run("python", "-c", textwrap.dedent(code), **variables)

    def pip(self, *arguments: object) -> None:
        """Run pip, which must succeed."""
        done = self.run("python", self.installer, "--disable-pip-version-check", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    def place(self, project: Mapping[str, Any], modules: Mapping[str, str]) -> list[Path]:
        """Put a distribution where pip puts it, without building a wheel, which takes seconds; return its files."""
        (packages,) = self.folder.rglob("site-packages")
        points = "".join(
            f"[{group}]\n" + "".join(f"{point} = {module}\n" for point, module in named.items())
            for group, named in project["entry-points"].items()
        )
        described = f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        files = {f"{name}.py": text for name, text in modules.items()} | {
            f"{described}/METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n",
            f"{described}/entry_points.txt": points,
        }
        for (
            name
        ) in modules:  # what was compiled of a module of the same length in the same second is not compiled again
            for compiled in packages.glob(f"__pycache__/{name}.*"):
                compiled.unlink()
        write_files(packages, files)
        return [packages / name for name in files]


@pytest.fixture(scope="session")
def root() -> Path:
    """Find the sources of the project."""
    return ROOT


@pytest.fixture(scope="session")
def source(tmp_path_factory) -> Path:
    """Copy what the build needs, so that a build leaves no trace in the sources."""
    folder = tmp_path_factory.mktemp("source")
    for name in (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ):
        shutil.copy(ROOT / name, folder / name)
    for name in ("qeframe", "plugins", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*cache"))
    return folder


@pytest.fixture(scope="session")
def builder(tmp_path_factory) -> Machine:
    """Make an environment with pip and the build backend."""
    folder = tmp_path_factory.mktemp("builder")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    (pip,) = folder.rglob("site-packages/pip/__pip-runner__.py")
    machine = Machine(folder, pip)
    machine.pip("install", "--quiet", "hatchling>=1.25")
    return machine


@pytest.fixture(scope="session")
def build_wheel(builder, tmp_path_factory) -> Callable[[Path], Path]:
    """Build the wheel of a source tree."""

    def build(tree: Path) -> Path:
        out = tmp_path_factory.mktemp("wheel")
        code = f"import os; os.chdir({str(tree)!r}); from hatchling.build import build_wheel; build_wheel({str(out)!r})"
        done = builder.python(code)
        assert done.returncode == 0, done.stderr
        (wheel,) = out.glob("*.whl")
        return wheel

    return build


@pytest.fixture(scope="session")
def wheel(build_wheel, source) -> Path:
    """Build the wheel of the project."""
    return build_wheel(source)


@pytest.fixture(scope="session")
def machine(builder, wheel, tmp_path_factory) -> Machine:
    """Install the wheel with its dependencies, and nothing else; modules are compiled when they are imported."""
    made = Machine(tmp_path_factory.mktemp("machine"), builder.installer)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made.folder)], check=True)
    made.pip("install", "--quiet", "--no-compile", wheel)
    return made


Installed = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def installed(machine) -> Installed:
    """Put a distribution with one entry point beside the built-ins, and remove it again."""

    @contextmanager
    def install(
        distribution: str, modules: Mapping[str, str], *, point: str, module: str, group: str = "qeframe.v2"
    ) -> Iterator[None]:
        project = {"name": distribution, "version": "2.5", "entry-points": {group: {point: module}}}
        files = machine.place(project, {name: textwrap.dedent(text) for name, text in modules.items()})
        try:
            yield
        finally:
            for file in files:
                file.unlink()

    return install
