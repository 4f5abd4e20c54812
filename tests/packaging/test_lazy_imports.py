"""Nothing heavy is imported before it is needed: help and errors come at once."""

import json
import subprocess
import sys

from qeframe import load

HEAVY = ["matplotlib", "numpy", "pandas", "rich", "scipy"]
CODE = """
import contextlib, io, json, sys
{statement}
print(json.dumps([name for name in {heavy} if name in sys.modules]))
"""
COMMANDS = """
from qeframe.cli import main
for arguments in (["--help"], ["--version"], ["run", "--help"], ["compare", "--help"]):
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
    assert imported_by("import qeframe; dir(qeframe); qeframe.__version__; hasattr(qeframe, 'not_there')") == []


def test_the_detector_sees_what_is_imported():
    assert "numpy" in imported_by("import qeframe; qeframe.score")


def test_help_imports_nothing_heavy():
    assert imported_by(COMMANDS) == []


RUN = """
from qeframe.cli import main
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    main(["score", "pearson", {gold!r}, {gold!r}])
assert "1" in out.getvalue(), "nothing was printed"
"""
UNUSED = [
    "qeframe_agreement.grids",
    "qeframe_detection.ranking_metrics",
    "qeframe_gtm.measures",
    "qeframe_preferences.decision_metrics",
    "qeframe_tagging.token_metrics",
    "qeframe_texts.bleu_metrics",
    "qeframe_wmt.readers.metrics",
]


def test_what_a_command_does_not_use_is_not_imported(tmp_path):
    (tmp_path / "gold.txt").write_text("1\n2\n4\n")
    code = CODE.format(statement=RUN.format(gold=str(tmp_path / "gold.txt")), heavy=UNUSED)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_every_public_name_of_every_plugin_can_be_imported():
    for plugin in load().plugins:
        for name in getattr(plugin.module, "__all__", ()):
            assert getattr(plugin.module, name) is not None
