"""Each deliberate fault is found by the law, or by the golden case, that is listed for it."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent


FAULTS = tomllib.loads((HERE / "faults.toml").read_text("utf-8"))["faults"]
IDS = [fault["what"].replace(" ", "_") for fault in FAULTS]
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="faulty copies are imported in forks")


@pytest.fixture(scope="module")
def results():
    done = subprocess.run(
        [sys.executable, HERE / "runner.py"],
        input=json.dumps(FAULTS),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HYPOTHESIS_PROFILE": "ci"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@NEEDS_FORK
@pytest.mark.parametrize("number", range(len(FAULTS)), ids=IDS)
def test_a_fault_is_found(results, number):
    assert results["faults"][number] == "found"


@pytest.mark.slow
@NEEDS_FORK
def test_the_cases_find_nothing_in_the_sources_as_they_are(results):
    """That no component breaks its laws is tested elsewhere; here, that it is the fault which fails a case."""
    assert results["as they are"] == "not found"


def test_there_are_faults_of_every_kind():
    assert len(FAULTS) >= 20
    assert len(set(IDS)) == len(FAULTS)
    packages = {Path(fault["file"]).parts[-2] for fault in FAULTS}
    assert {"core", "qeframe_tagging", "qeframe_ties", "qeframe_significance", "qeframe_scoring"} <= packages


@pytest.mark.parametrize("fault", FAULTS, ids=IDS)
def test_a_fault_is_where_the_list_says(fault):
    text = (HERE.parents[1] / fault["file"]).read_text(encoding="utf-8")
    assert text.count(fault["old"]) == 1
    assert fault["old"] != fault["new"]
