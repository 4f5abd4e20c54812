"""What the face of the package gives to the packages below it."""

import subprocess
import sys

from qeframe.face import VIEWS
from qeframe.report import notebook


def test_the_face_names_what_shows_results():
    import qeframe

    assert [find() for find in VIEWS] == [notebook]
    assert qeframe.face.VIEWS is VIEWS


def test_naming_it_imports_nothing_else():
    code = "import sys; before = set(sys.modules); import qeframe; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['qeframe', 'qeframe.face']"
