"""Nothing heavy is imported before it is needed: help and errors come at once."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from qeframe import load
from qeframe.core.hookspecs import GROUP

HEAVY = ["matplotlib", "numpy", "pandas", "pooch", "requests", "rich", "scipy"]
CODE = """
import contextlib, io, json, sys
{statement}
print(json.dumps([name for name in {heavy} if name in sys.modules]))
"""
COMMANDS = """
from qeframe.cli import main
for arguments in (["--help"], ["--version"], ["run", "--help"], ["compare", "--help"], ["fetch", "--help"]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main(arguments)
    assert out.getvalue(), "nothing was printed"
"""


def imported_by(statement: str) -> list[str]:
    """Return the heavy packages that are imported when a statement has run in a fresh interpreter."""
    code = CODE.format(statement=statement, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


def test_looking_at_qeframe_imports_nothing_heavy():
    assert (
        imported_by("import qeframe; dir(qeframe); qeframe.__version__; qeframe.errors; hasattr(qeframe, 'no')") == []
    )


def test_the_detector_sees_what_is_imported():
    assert "numpy" in imported_by("import qeframe; qeframe.score")


def test_help_imports_nothing_heavy():
    assert imported_by(COMMANDS) == []


RUN = """
from qeframe.cli import main
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    main({words!r})
assert "1" in out.getvalue(), "nothing was printed"
assert not {{"pooch", "requests"}} & set(sys.modules)
plugins = [plugin.module.__name__ for plugin in __import__("qeframe").load().plugins]
print(json.dumps([name for name in sys.modules if name.startswith(("qeframe.kinds.", *(f"{{p}}." for p in plugins)))]))
"""
SHARED = {"answers", "drawing", "hooks", "plain_files", "probes", "registered", "unit_numbers"}
"""Modules of `qeframe.kinds` that belong to no kind."""


def parts_after(*words: str) -> set[str]:
    """Return the plugins with a module beside the first one, and the kinds of batch, that a command has imported."""
    code = "import contextlib, io, json, sys\n" + RUN.format(words=list(words))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    parts = {name.partition(".")[0] for name in json.loads(done.stdout) if not name.startswith("qeframe.")}
    kinds = {name.split(".")[2] for name in json.loads(done.stdout) if name.startswith("qeframe.kinds.")}
    return parts | kinds - SHARED


@pytest.fixture
def task(tmp_path):
    (tmp_path / "submissions").mkdir()
    for name, numbers in {"gold": "1 2 4 3 5", "submissions/a": "1 2 3 4 5", "submissions/b": "2 1 3 5 4"}.items():
        (tmp_path / f"{name}.txt").write_text(numbers.replace(" ", "\n") + "\n")
    return tmp_path


def test_a_score_imports_its_metric_and_its_kind_alone(task):
    assert parts_after("score", "pearson", str(task / "gold.txt"), str(task / "gold.txt")) == {
        "qeframe_scoring",
        "scores",
    }


def test_a_run_imports_only_what_its_profile_uses(task):
    used = {"qeframe_scoring", "qeframe_aggregations", "qeframe_rankings", "qeframe_significance", "qeframe_wmt"}
    assert parts_after("run", "qe_sentence", str(task), "--json", "--quiet") == {*used, "scores"}


def test_completion_imports_no_component():
    code = "import os, sys\nos.environ.update(COMP_WORDS='qeframe run ace', COMP_CWORD='2')\n"
    code += "os.environ['_QEFRAME_COMPLETE'] = 'bash_complete'\nfrom qeframe.cli import main\n"
    code += "sys.modules['qeframe_scoring.correlation'] = sys.modules['qeframe.kinds.scores'] = None\n"  # no imports
    others = [point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name != "qeframe"]
    own = {**os.environ, "QEFRAME_BLOCK": ",".join(others)}  # another plugin may import a kind at once
    done = subprocess.run([sys.executable, "-c", code + "main()"], capture_output=True, text=True, check=False, env=own)
    assert done.stdout == "plain,aces\n"


def test_every_public_name_of_every_plugin_can_be_imported():
    for plugin in load().plugins:
        for name in getattr(plugin.module, "__all__", ()):
            assert getattr(plugin.module, name) is not None
