"""Whole runs of the recent metrics tasks print the same bits whatever the hash seed of the process is."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

SYSTEMS = ("Online-A", "Online-B", "Zeta", "alpha", "GPT4-5shot", "refA")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the layout of mt-metrics-eval: two language pairs, three metrics, a reference, a segment without gold."""
    root = tmp_path_factory.mktemp("mtme")
    rng = np.random.default_rng(3)
    files = {}
    for pair in ("en-de", "zh-en"):
        gold = np.round(rng.normal(0, 2, (12, len(SYSTEMS))) + np.arange(len(SYSTEMS)) / 3, 1)
        files |= {f"human-scores/{pair}.{kind}.seg.score": gold for kind in ("mqm", "esa")}
        for name, noise in (("Good-refA", 1), ("Fair-refA", 3), ("Noise-src", 9)):
            files[f"metric-scores/{pair}/{name}.seg.score"] = np.round(gold + rng.normal(0, noise, gold.shape), 1)
    for name, scores in files.items():
        missing = "human" in name
        lines = [
            f"{system}\t{'None' if missing and (system == 'refA' or item == 4) else scores[item, column]}"
            for column, system in enumerate(SYSTEMS)
            for item in range(len(scores))
            if not (system == "refA" and "refA.seg" in name)
        ]
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


PROFILES = ("wmt22_metrics_segment", "wmt23_metrics_segment", "wmt24_metrics_system")
CODE = """
import json, sys
from qeframe.cli import main
for arguments in json.load(sys.stdin):
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
    print("-- end of a run")
"""


def arguments(profile, folder):
    few = [] if "23" in profile else ["test=permutation(unit=cell, standardize=true, draws=19)", "interval="]
    few += ["selection=wmt23", "primaries=all"]
    return ["run", profile, str(folder), "--json", *(word for setting in few for word in ("--set", setting))]


def test_equal_runs_under_other_hash_seeds(folder):
    printed = set()
    for seed in ("1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            input=json.dumps([arguments(profile, folder) for profile in PROFILES]),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed.add(done.stdout)
    assert len(printed) == 1
    for profile, text in zip(PROFILES, printed.pop().split("-- end of a run\n"), strict=False):
        found = json.loads(text)
        assert {each["name"] for each in found["submissions"]} == {"Good", "Fair", "Noise"}
        across = "22" not in profile  # average ranks of both language pairs are not compared by exchanges
        assert len(found["comparisons"]) == 3 * (2 + across)
        assert all(0 < each["p"] <= 1 for each in found["comparisons"])
