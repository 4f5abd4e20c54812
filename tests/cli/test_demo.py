"""The command demo."""


def test_demo(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = qeframe_command("demo")
    assert outcome.status == 0
    assert "Aster-ensemble" in outcome.out
    assert "qeframe-demo/task" in outcome.err
    first = (tmp_path / "qeframe-demo" / "evaluation.json").read_bytes()
    again = qeframe_command("run", "qe_sentence", "qeframe-demo/task", "--seed", 2015, "--json", "--quiet")
    assert again.out.encode() == first
    assert qeframe_command("demo", "--out", "other", "--json").out.encode() == first
