"""The package as a whole."""

import sys


def test_importing_the_report_imports_nothing_heavy():
    import subprocess

    code = "import sys, qeframe.report; print(sorted({'jinja2', 'matplotlib', 'rich', 'scipy'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
