"""The examples of the page on error detection print what they should, and its metrics and profiles exist."""

import re
from pathlib import Path

from qeframe.core.metric import Metric

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "evaluate-error-detection.md"


def test_the_examples_run(capsys):
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL):
        exec(compile(block, PAGE.name, "exec"), names)
    assert capsys.readouterr().out == "0.8333\n0.3333\nTrue\n"


def test_the_profiles_and_metrics_are_there(registry):
    text = PAGE.read_text(encoding="utf-8")
    profiles = set(re.findall(r"`(wmt2\d_qe_\w+)`", text))
    assert len(profiles) == 7
    assert profiles <= set(registry.profiles)
    metrics = {word for word in re.findall(r"`(\w+)(?:\([^`]*\))?`", text) if word.startswith(("detection_", "token_"))}
    assert metrics <= set(registry.names(Metric))
