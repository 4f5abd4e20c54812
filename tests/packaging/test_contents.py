"""What is delivered: the wheel, the source distribution, and the wheel built from that."""

import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path, PurePosixPath

import pytest

import qeframe

pytestmark = pytest.mark.slow


def shipped(root: Path) -> set[str]:
    """Return the paths in a wheel of every file of the core and of the built-in plugins."""
    roots = {root: ["qeframe"], root / "plugins": built_in(root)}
    found = [(base, file) for base, names in roots.items() for name in names for file in (base / name).rglob("*")]
    return {file.relative_to(base).as_posix() for base, file in found if file.is_file()}


def built_in(root: Path) -> list[str]:
    """Return the names of the built-in plugins: other folders are distributions of their own."""
    return [folder.parent.name for folder in (root / "plugins").glob("qeframe_*/__init__.py")]


def packed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_the_core_and_every_plugin_and_nothing_else(wheel, source):
    expected = shipped(source)
    assert "qeframe/py.typed" in expected
    assert "qeframe_wmt/profiles/qe/wmt14_qe_task1_2.toml" in expected
    assert packed(wheel) == expected
    assert {PurePosixPath(name).parts[0] for name in packed(wheel)} == {"qeframe", *built_in(source)}
    assert not {"qeframe_codabench", "qeframe_preferences"} & {*built_in(source)}


def test_no_test_and_no_working_file_is_shipped(wheel):
    assert {PurePosixPath(name).suffix for name in packed(wheel)} <= {
        ".py", ".json", ".sha256", ".typed", ".txt", ".toml", ".css", ".html", ".jinja", ".js",
    }  # fmt: skip
    ours = [
        name for name in packed(wheel) if "/new_plugins/templates/" not in name
    ]  # a new plugin has tests of its own
    assert not [name for name in ours if {"tests", "docs", "plugins"} & set(name.split("/"))]


def test_the_version_is_the_same_everywhere(wheel, source):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_string(archive.read(name).decode())
    declared = tomllib.loads(source.joinpath("pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert metadata["Version"] == declared == qeframe.__version__


def test_the_wheel_states_its_license_and_its_authors(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_string(archive.read(name).decode())
        (text,) = [archive.read(name).decode() for name in archive.namelist() if name.endswith("/LICENSE")]
    assert (metadata["License-Expression"], metadata["Author"]) == ("Apache-2.0", "The qeframe developers")
    assert "SPDX-License-Identifier: Apache-2.0" in text


def test_the_source_distribution_makes_the_same_wheel(builder, source, build_wheel, wheel, tmp_path):
    code = (
        f"import os; os.chdir({str(source)!r}); import hatchling.build; hatchling.build.build_sdist({str(tmp_path)!r})"
    )
    done = builder.python(code)
    assert done.returncode == 0, done.stderr
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path, filter="data")
    assert {"README.md", "pyproject.toml", "qeframe/py.typed", "plugins/qeframe_wmt/__init__.py"} <= names
    assert {"tests/conftest.py", "tests/golden.json", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"} <= names
    assert packed(build_wheel(tmp_path / sdist.name.removesuffix(".tar.gz"))) == packed(wheel)


def test_a_fresh_installation_has_all_built_in_plugins(machine, source):
    code = "import qeframe; print(*[p.origin.plugin for p in qeframe.load().plugins])"
    done = machine.python(code)
    assert done.stderr == ""
    declared = tomllib.loads(source.joinpath("pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert done.stdout.split() == sorted(declared["qeframe.v2"])
    assert {*built_in(source)} <= {*declared["qeframe.v2"]}
    assert machine.run("qeframe", "fetch", "none").stderr.startswith("qeframe: unknown data source 'none'")


def test_a_fresh_installation_reads_all_its_profiles(machine, source):
    code = """
        import qeframe
        from qeframe.core.profile_files import find_profile
        registry = qeframe.load()
        print(*[find_profile(name, registry).name for name in registry.profiles])
    """
    done = machine.python(code)
    assert done.stderr == ""
    files = (source / "plugins").glob("*/profiles/**/*.toml")
    beside = {"published", "sources"}  # folders of data sources and published tables
    assert done.stdout.split() == sorted(file.stem for file in files if file.parent.name not in beside)


def test_a_fresh_installation_runs_its_demo(machine, tmp_path):
    done = machine.run("qeframe", "demo", "--out", tmp_path / "demo", "--json")
    assert done.returncode == 0, done.stderr
    assert '"rank": 1' in done.stdout or '"rank":1' in done.stdout
