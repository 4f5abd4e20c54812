"""Task sets come in by the hook of assemblers, and their evaluation is imported where one is evaluated."""

import subprocess
import sys

from qeframe.core.components.assembler import Assembler


def test_task_sets_are_registered(registry):
    entry = registry.entry(Assembler, "task_sets")
    assert (entry.origin.plugin, entry.origin.distribution) == ("qeframe_task_sets", "qeframe")
    assert entry.component.key == "parts"


def test_a_list_of_plugins_imports_no_evaluation():
    code = "import sys, qeframe; qeframe.load(); print('qeframe.task_sets.assembly' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
