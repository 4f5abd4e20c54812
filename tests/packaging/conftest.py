"""A machine with the wheel of the project, on which distributions of third parties are installed and removed again."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[2]
VENV_PROGRAMS = "Scripts" if os.name == "nt" else "bin"


@frozen
class Machine:
    """A virtual environment of its own; nothing of the one that runs the tests is visible in it."""

    folder: Path

    def run(self, program: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, away from the sources of the project."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QEFRAME", "COV_"))}
        return subprocess.run(
            [str(self.folder / VENV_PROGRAMS / program), *map(str, arguments)],
            cwd=self.folder,
            env={**inherited, "PYTHONUTF8": "1", **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def python(self, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python code."""
        return self.run("python", "-c", textwrap.dedent(code), **variables)

    def pip(self, *arguments: object) -> None:
        """Run pip, which must succeed."""
        done = self.run("python", "-m", "pip", "--disable-pip-version-check", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr


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
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return folder


@pytest.fixture(scope="session")
def builder(tmp_path_factory) -> Machine:
    """Make an environment with the build backend alone."""
    machine = Machine(tmp_path_factory.mktemp("builder"))
    subprocess.run([sys.executable, "-m", "venv", str(machine.folder)], check=True)
    machine.pip("install", "--quiet", "hatchling>=1.25")
    return machine


@pytest.fixture(scope="session")
def build_wheel(builder, tmp_path_factory) -> Callable[[Path], Path]:
    """Build the wheel of a source tree or of a source distribution."""

    def build(tree: Path) -> Path:
        out = tmp_path_factory.mktemp("wheel")
        builder.pip("wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", out, tree)
        (wheel,) = out.glob("*.whl")
        return wheel

    return build


@pytest.fixture(scope="session")
def wheel(build_wheel, source) -> Path:
    """Build the wheel of the project."""
    return build_wheel(source)


@pytest.fixture(scope="session")
def machine(tmp_path_factory, wheel) -> Machine:
    """Install the wheel with its dependencies, and nothing else."""
    made = Machine(tmp_path_factory.mktemp("machine"))
    subprocess.run([sys.executable, "-m", "venv", str(made.folder)], check=True)
    made.pip("install", "--quiet", wheel)
    return made


Installed = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def installed(machine, build_wheel, tmp_path) -> Installed:
    """Build a distribution with one entry point, install it beside the built-ins, and remove it again."""

    @contextmanager
    def install(
        distribution: str, modules: Mapping[str, str], *, point: str, module: str, group: str = "qeframe.v2"
    ) -> Iterator[None]:
        tree = tmp_path / distribution
        tree.mkdir()
        tree.joinpath("pyproject.toml").write_text(
            textwrap.dedent(f"""\
                [build-system]
                requires = ["hatchling"]
                build-backend = "hatchling.build"

                [project]
                name = "{distribution}"
                version = "2.5"
                dependencies = ["qeframe"]

                [project.entry-points."{group}"]
                {point} = "{module}"

                [tool.hatch.build]
                include = ["*.py"]
            """)
        )
        for name, text in modules.items():
            tree.joinpath(f"{name}.py").write_text(textwrap.dedent(text))
        machine.pip("install", "--quiet", "--no-index", "--no-deps", build_wheel(tree))
        try:
            yield
        finally:
            machine.pip("uninstall", "--quiet", "--yes", distribution)

    return install
