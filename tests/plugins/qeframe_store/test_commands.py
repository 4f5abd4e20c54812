"""The table of commands is left out with the plugin."""


def test_a_blocked_plugin_takes_its_commands_away(qeframe_command, refused, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_store")
    for command in ("diff", "store"):
        assert refused(command).startswith(f"unknown command '{command}'; ")
        assert refused(command).endswith("(blocked: qeframe_store); 'qeframe --help' shows how")
    assert "store" not in qeframe_command("--help").out
    assert qeframe_command("profiles").status == 0
