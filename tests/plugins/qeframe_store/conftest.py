"""The commands of the plugin run as those of qeframe do."""

from tests.cli.conftest import qeframe_command, refused

__all__ = ["qeframe_command", "refused"]
