"""The table of the command is left out with the plugin."""


def test_a_blocked_plugin_takes_its_command_away(qeframe_command, refused, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_fetch")
    assert refused("fetch").startswith("unknown command 'fetch'; ")
    assert refused("fetch").endswith("(blocked: qeframe_fetch); 'qeframe --help' shows how")
    assert "fetch" not in qeframe_command("--help").out
    assert qeframe_command("profiles").status == 0
