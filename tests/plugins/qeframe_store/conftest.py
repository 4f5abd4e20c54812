"""The commands of the plugin run as those of qeframe do, in a folder with results."""

import pytest

from tests.cli.conftest import qeframe_command, refused

__all__ = ["qeframe_command", "refused"]


@pytest.fixture
def write_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**evaluations):
        for name, evaluation in evaluations.items():
            (tmp_path / name).mkdir()
            (tmp_path / name / "evaluation.json").write_text(evaluation.to_json())
        return tmp_path

    return write
