"""The list of planted changes: it is complete for its modules, and each change is noticed or has a reason."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from qeframe.testing.snapshot import read_lock

PLACE = Path(__file__).with_name("planted.py")
SPEC = importlib.util.spec_from_file_location("planted", PLACE)
PLANTED = importlib.util.module_from_spec(SPEC)
sys.modules["planted"] = PLANTED
SPEC.loader.exec_module(PLANTED)
LISTED = PLANTED.read_list()
MODULES = {PLANTED.dotted(path): path for path in PLANTED.modules()}


def test_every_change_is_noticed_or_has_a_reason():
    assert {module for module, path in MODULES.items() if PLANTED.names(path)} == {module for module, _ in LISTED}
    assert [key for key, (by, reason) in LISTED.items() if bool(by) == bool(reason)] == []


@pytest.mark.parametrize("module", sorted({module for module, _ in LISTED}))
def test_the_list_has_every_place_of_its_modules(module):
    """Where it has not: python tests/mutations/planted.py --write MODULE."""
    assert set(PLANTED.names(MODULES[module])) == {change for listed, change in LISTED if listed == module}


def test_every_module_was_tried_since_its_source_changed():
    """Where it was not: python tests/mutations/planted.py --write MODULE."""
    now = {module: PLANTED.digest_of(MODULES[module]) for module in {module for module, _ in LISTED}}
    assert PLANTED.read_sources() == now


def test_a_digest_is_of_the_code_alone(tmp_path):
    def digest(text):
        (tmp_path / "module.py").write_text(text)
        return PLANTED.digest_of(tmp_path / "module.py")

    code = 'def f(x):\n    """Return x."""\n    return x < {}  # a comment\n'
    assert digest(code.format(1)) == digest(code.format(1).replace("Return x", "Give x").replace("  # a comment", ""))
    assert digest(code.format(1)) != digest(code.format(2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="changed copies are imported in forks")
def test_a_change_concerns_the_components_that_run_the_changed_function():
    path, labels = MODULES["qeframe_rankings.ranking_rules"], PLANTED.runs("qeframe_rankings").keys() - {""}
    alone = {function for function, run_by in _functions(path, labels).items() if len(run_by) == 1}
    assert alone, "each rule has functions of its own"
    for function in alone:
        assert PLANTED.concerned_by(path, f"{function}: 1 -> 2", labels) == _functions(path, labels)[function]
    assert PLANTED.concerned_by(path, "module: 1 -> 2", labels) == labels


def _functions(path, labels):
    run = PLANTED.runs("qeframe_rankings")
    names = {name.removeprefix(f"{path} ") for label in labels for name in run[label] - run[""] if str(path) in name}
    return {name: {label for label in labels if f"{path} {name}" in run[label]} for name in names}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="changed copies are imported in forks")
@pytest.mark.parametrize("module", ["qeframe_rankings.ranking_rules"])
def test_what_the_list_says_is_so(module):
    found = PLANTED.found_in(MODULES[module], read_lock(PLANTED.ROOT / "tests" / "components.json"))
    listed = {change: bool(by) for (of, change), (by, _) in LISTED.items() if of == module}
    assert {change: bool(by) for change, by in found.items()} == listed
