"""A command that is ended by a signal leaves a whole result and nothing else: no process, no lock, no open pipe."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sessions in /proc")]

ENDING = Path(__file__).with_name("ending.py")
LINES = {"SIGINT": "qeframe: interrupted", "SIGTERM": "qeframe: ended by SIGTERM", "SIGHUP": "qeframe: ended by SIGHUP"}


def test_what_a_signal_leaves(tmp_path):
    command = [sys.executable, str(ENDING), str(tmp_path), "6", "run", "fetch"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["kills"]) == 6
    for kill in found["kills"]:
        assert kill["state"] in ("old", "new"), kill
        assert kill["left"] == 0, kill
        assert kill["closed"] < 5, kill
        assert kill.get("rests", True), kill
        if kill["signal"] == "SIGKILL":
            assert kill["then beside"] == [], kill
        else:
            assert kill["beside"] == kill["temporary"] == [], kill
        if kill["status"] > 128:
            assert len(kill["said"]) == 1, kill
            assert kill["said"][0].startswith(LINES[kill["signal"]]), kill
    assert found["temporary"] == []
