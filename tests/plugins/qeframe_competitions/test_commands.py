"""The table of the command is left out with the plugin."""


def test_a_blocked_plugin_takes_its_command_away(qeframe_command, refused, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_competitions")
    assert refused("bundle").startswith("unknown command 'bundle'; ")
    assert refused("bundle").endswith("(blocked: qeframe_competitions); 'qeframe --help' shows how")
    assert "bundle" not in qeframe_command("--help").out
    assert qeframe_command("profiles").status == 0
